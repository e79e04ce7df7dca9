"""Putting somebody's work aside: kept, but not counted, until it is taken back."""

from typing import Any

from sqlite_utils import Database

from annotations.access import end_leases
from annotations.answering.early_stop import settle_again
from annotations.people import now_text
from annotations.record.annotation import count_answers, set_counted
from annotations.record.task import task_in
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import first_row, rows


def put_aside(workspace: Workspace, name: str) -> int:
    """How many answers count no more: those of a person or model whose work is put aside.

    Nothing is deleted. Metrics, agreement and decisions leave the work out, its places are free for
    others again, and nothing more is handed to them until it is taken back.

    Raises:
        LookupError: if nobody is called so.
        ValueError: if their work is put aside already, or it is a model with runs.
    """
    with workspace.store.write() as database:
        who = _annotator(database, name)
        if who["aside_at"] is not None:
            raise Refusal(f"{who['name']}'s work is put aside already.")
        database.conn.execute(
            "UPDATE annotator SET aside_at = ? WHERE id = ?", [now_text(), who["id"]]
        )
        end_leases(database, who["id"])
        annotations = _current(database, who["id"], counted=1)
        _count(database, annotations, 0)
    return len(annotations)


def take_back(workspace: Workspace, name: str) -> tuple[int, int]:
    """How many answers of work that was put aside count again, and how many find no place.

    Places that others filled meanwhile stay theirs; the answers beyond are kept as extras.

    Raises:
        LookupError: if nobody is called so.
        ValueError: if their work is not put aside, or it is a model with runs.
    """
    with workspace.store.write() as database:
        who = _annotator(database, name)
        if who["aside_at"] is None:
            raise Refusal(f"{who['name']}'s work is not put aside.")
        database.conn.execute("UPDATE annotator SET aside_at = NULL WHERE id = ?", [who["id"]])
        annotations = _current(database, who["id"], counted=0)
        room = [row for row in annotations if row["answers"] < row["places"]]
        _count(database, room, 1)
    return len(room), len(annotations) - len(room)


def is_aside(database: Database, annotator_id: int) -> bool:
    """Whether an annotator's work is put aside now."""
    cursor = database.conn.execute("SELECT aside_at FROM annotator WHERE id = ?", [annotator_id])
    return cursor.fetchone()[0] is not None


def _annotator(database: Database, name: str) -> dict[str, Any]:
    row = first_row(database, "SELECT id, name, aside_at FROM annotator WHERE name = ?", [name])
    if row is None:
        raise Missing(f"Nobody here is called {name!r}.")
    if first_row(database, "SELECT id FROM run WHERE annotator_id = ?", [row["id"]]):
        raise Refusal(f"{row['name']} is a model: what it answers never counts for a decision.")
    return row


def _current(database: Database, annotator_id: int, counted: int) -> list[dict[str, Any]]:
    """Their current answers to items of work, with how full each item is."""
    return rows(
        database,
        "SELECT a.id, a.item_id, i.task_id, i.answers, coalesce(i.overlap, t.overlap) AS places"
        " FROM current_annotation a JOIN item i ON i.id = a.item_id JOIN task t ON t.id = i.task_id"
        " WHERE a.annotator_id = ? AND a.counted = ? AND a.skip_reason IS NULL"
        " AND i.role = 'work' ORDER BY a.id",
        [annotator_id, counted],
    )


def _count(database: Database, changed: list[dict[str, Any]], counted: int) -> None:
    """Let answers count or not, and bring their items up to date."""
    change = 1 if counted else -1
    set_counted(database, (row["id"] for row in changed), counted=bool(counted))
    count_answers(database, ((row["item_id"], change) for row in changed))
    for task_id in sorted({row["task_id"] for row in changed}):
        task = task_in(database, task_id)
        if task.adaptive:
            settle_again(
                database, task, [row["item_id"] for row in changed if row["task_id"] == task_id]
            )
