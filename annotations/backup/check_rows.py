"""Rows that contradict each other or cannot be read, found by recounting."""

import sqlite3
from collections.abc import Iterator

Finding = tuple[str, str, str]

_JSON_COLUMNS = (
    ("annotation", "response"), ("annotation", "shown"), ("lease", "shown"), ("item", "payload"),
    ("item", "expected"), ("task", "settings"), ("video", "facts"), ("annotator", "facts"),
    ("question_revision", "options"), ("question_revision", "tags"), ("draft", "body"),
    ("question_revision", "reference"), ("run", "facts"), ("run", "progress"),
    ("prediction", "confidence"), ("judgement", "scores"), ("import", "report"),
)  # fmt: skip
_MOST = 20

# Each recount: what is compared, the query of rows that differ (id, stored, counted), what to do.
_RECOUNTS = (
    (
        "item", "counts {stored} answers where {counted} are stored.",
        """
        SELECT i.id, i.answers AS stored, coalesce(c.number, 0) AS counted FROM item i
        LEFT JOIN (SELECT item_id, count(*) AS number FROM current_annotation
                   WHERE counted = 1 AND skip_reason IS NULL GROUP BY item_id) c
          ON c.item_id = i.id
        WHERE i.answers <> coalesce(c.number, 0)
        """,
    ),
    (
        "item", "has {stored} counted answers of people, more than the {counted} it asks for.",
        """
        SELECT i.id, i.answers AS stored, coalesce(i.overlap, t.overlap) AS counted
        FROM item i JOIN task t ON t.id = i.task_id
        WHERE i.role = 'work' AND i.answers > coalesce(i.overlap, t.overlap)
        """,
    ),
    (
        "question_revision", "its key is option {stored}, of {counted} options.",
        """
        SELECT id, key AS stored, json_array_length(options) AS counted FROM question_revision
        WHERE key IS NOT NULL AND json_valid(options)
          AND (key < 0 OR key >= json_array_length(options))
        """,
    ),
    (
        "prediction", "its answer is not stored (annotation {stored}).",
        """
        SELECT p.annotation_id AS id, p.annotation_id AS stored, 0 AS counted FROM prediction p
        LEFT JOIN annotation a ON a.id = p.annotation_id WHERE a.id IS NULL
        """,
    ),
)  # fmt: skip


def row_faults(connection: sqlite3.Connection) -> Iterator[Finding]:
    """What contradicts itself in a sound database: (where, what, what to do), row by row.

    At most 20 rows of each kind are named, then how many more there are.
    """
    yield from _references(connection)
    for table, column in _JSON_COLUMNS:
        yield from _unreadable(connection, table, column)
    for table, message, query in _RECOUNTS:
        rows = connection.execute(query).fetchall()
        for row in rows[:_MOST]:
            what = message.format(stored=row["stored"], counted=row["counted"])
            yield f"{table} {row['id']}", what, ""
        yield from _more(table, len(rows))


def _references(connection: sqlite3.Connection) -> Iterator[Finding]:
    rows = connection.execute("PRAGMA foreign_key_check").fetchall()
    for row in rows[:_MOST]:
        yield f"{row[0]} {row[1]}", f"points at a row of {row[2]} that is not there.", ""
    yield from _more("references", len(rows))


def _unreadable(connection: sqlite3.Connection, table: str, column: str) -> Iterator[Finding]:
    # The key of a table without one of its own is the row's number.
    rows = connection.execute(
        f'SELECT rowid FROM "{table}" WHERE {column} IS NOT NULL AND NOT json_valid({column})'
    ).fetchall()
    for row in rows[:_MOST]:
        yield f"{table} {row[0]}", f"{column} is no JSON.", ""
    yield from _more(f"{table}.{column}", len(rows))


def _more(where: str, count: int) -> Iterator[Finding]:
    if count > _MOST:
        yield where, f"{count - _MOST:,} more rows like these.", ""
