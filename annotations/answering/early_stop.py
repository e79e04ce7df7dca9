"""Items that need no more answers: skipped too often, or settled whatever else is answered."""

import json
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering.item_events import note_event
from annotations.answering.returns import current_skips
from annotations.decision import check_signatures
from annotations.people import Person
from annotations.record.task import Task, task_in
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row, rows


def note_answer(database: Database, task: Task, item_id: int) -> None:
    """Bring an item's skips, and in an adaptive task whether it is settled, up to date.

    Runs in the transaction that stores the answer.
    """
    database.conn.execute(
        "UPDATE item SET skips = ? WHERE id = ?", [current_skips(database, item_id), item_id]
    )
    if task.adaptive:
        _settle(database, task, item_id)


def _settle(database: Database, task: Task, item_id: int) -> None:
    item = first_row(database, "SELECT answers, overlap FROM item WHERE id = ?", [item_id]) or {}
    counted = database.conn.execute(
        "SELECT response FROM current_annotation WHERE item_id = ? AND counted = 1"
        " AND skip_reason IS NULL ORDER BY id",
        [item_id],
    )
    responses = [json.loads(row[0]) for row in counted]
    missing = (item["overlap"] or task.overlap) - len(responses)
    settled = missing > 0 and bool(responses) and _is_settled(task, responses, missing)
    database.conn.execute("UPDATE item SET settled = ? WHERE id = ?", [int(settled), item_id])


def _is_settled(task: Task, responses: list[dict[str, Any]], missing: int) -> bool:
    return tasks.kind(task.kind).settled(responses, missing, task.settings)


def settle_again(database: Database, task: Task, item_ids: list[int]) -> None:
    """Bring up to date which items are settled, after answers stopped counting."""
    for item_id in item_ids:
        _settle(database, task, item_id)


def set_adaptive(workspace: Workspace, task_id: int, adaptive: bool) -> None:
    """Ask only while answers can change the decision, or ask everybody again."""
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET adaptive = ? WHERE id = ?", [int(adaptive), task_id])
        items = rows(database, "SELECT id FROM item WHERE task_id = ?", [task_id])
        _resettle(database, task_id, [row["id"] for row in items])


def set_skip_limit(workspace: Workspace, task_id: int, skips: int) -> None:
    """Send an item to an author after so many skips.

    Raises:
        ValueError: for less than one.
    """
    if skips < 1:
        raise Refusal(f"The limit is {skips}; at least 1 skip is needed.")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET skip_limit = ? WHERE id = ?", [skips, task_id])


def set_signatures(workspace: Workspace, task_id: int, signatures: int | None) -> None:
    """Let so many authors sign what settles a disagreement, or leave it to them if None.

    What is decided already keeps the number that it was decided with.

    Raises:
        ValueError: for a number that is not allowed.
    """
    check_signatures(signatures)
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET signatures = ? WHERE id = ?", [signatures, task_id])


def set_overlap(
    workspace: Workspace, author: Person | None, item_ids: list[int], overlap: int
) -> None:
    """Let this many people answer some items, more or fewer than the task's other items get.

    Answers beyond a lowered overlap stay counted.

    Raises:
        ValueError: for less than one person.
    """
    if overlap < 1:
        raise Refusal(f"The overlap is {overlap}; at least 1 person is needed.")
    with workspace.store.write() as database:
        for item_id in item_ids:
            database.conn.execute("UPDATE item SET overlap = ? WHERE id = ?", [overlap, item_id])
            note_event(database, item_id, author, f"overlap {overlap}")
            row = first_row(database, "SELECT task_id FROM item WHERE id = ?", [item_id])
            if row:
                _resettle(database, row["task_id"], [item_id])


def set_priority(
    workspace: Workspace, author: Person | None, item_ids: list[int], priority: int
) -> None:
    """Hand some items out before (or, below 0, after) those of the usual priority 0."""
    with workspace.store.write() as database:
        for item_id in item_ids:
            database.conn.execute("UPDATE item SET priority = ? WHERE id = ?", [priority, item_id])
            note_event(database, item_id, author, f"priority {priority}")


def _resettle(database: Database, task_id: int, item_ids: list[int]) -> None:
    task = task_in(database, task_id)
    for item_id in item_ids:
        if task.adaptive:
            _settle(database, task, item_id)
        else:
            database.conn.execute("UPDATE item SET settled = 0 WHERE id = ?", [item_id])
