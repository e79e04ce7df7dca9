"""How often the data have changed, as the database counts it (schemas/workspace/0013)."""

from sqlite_utils import Database


def tally(database: Database, what: str, number: int = 0) -> int:
    """The count of something: 'items' of a task, 'answers' of an annotator, 'answered' by a run.

    Args:
        database: in a transaction, so that what is read next is of the same state.
        what: see the schema.
        number: id of the task, annotator or run; 0 for what is counted for the whole workspace.
    """
    row = database.conn.execute(
        "SELECT count FROM tally WHERE what = ? AND id = ?", [what, number]
    ).fetchone()
    return int(row[0]) if row else 0


def tally_of_all(database: Database, what: str) -> int:
    """The sum of a count over all tasks, annotators or runs."""
    return int(
        database.conn.execute(
            "SELECT coalesce(sum(count), 0) FROM tally WHERE what = ?", [what]
        ).fetchone()[0]
    )
