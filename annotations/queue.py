"""The queue: who is handed which item. It is derived from the database on each call."""

import json
import math
import time
from collections.abc import Callable
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.people import Person
from annotations.task import Shown
from annotations.workspace import Workspace
from db.connection import first_row, rows

SHARE_AT_LEAST = 3

# Open to a person: not answered nor skipped by them, and places left beside other people's leases.
AVAILABLE = """
  i.task_id = :task AND i.status = 'open' AND i.answers < coalesce(i.overlap, :overlap)
  AND NOT EXISTS (SELECT 1 FROM annotation a WHERE a.item_id = i.id AND a.annotator_id = :person)
  AND i.answers + (SELECT count(DISTINCT l.annotator_id) FROM lease l
                   WHERE l.item_id = i.id AND l.ended_at IS NULL AND l.expires_at > :now
                     AND l.annotator_id <> :person) < coalesce(i.overlap, :overlap)
"""


def open_task(workspace: Workspace, task_id: int) -> dict[str, Any]:
    """The task's row with its settings read.

    Raises:
        LookupError: if there is none.
    """
    with workspace.store.read() as database:
        row = first_row(database, "SELECT * FROM task WHERE id = ?", [task_id])
    if row is None:
        raise LookupError(f"There is no task {task_id}.")
    return {**row, "settings": json.loads(row["settings"])}


def lease(
    workspace: Workspace,
    task_id: int,
    person: Person,
    wanted: int,
    *,
    have: frozenset[int] = frozenset(),
    ready: Callable[[Shown], bool] = lambda shown: True,
) -> list[dict[str, Any]]:
    """Items handed to a person, the one to go on with first; each with `lease_id` and `shown`.

    Those already theirs come first, with what they were shown unchanged. Nobody takes more than
    half of what is open, so that the others find work.

    Args:
        wanted: how many at most.
        have: items that the person's desk holds; their leases are renewed, and not returned.
        ready: whether what would be shown can be shown at once; others are left for later, but if
            there is nothing else one is handed out all the same.
    """
    task = open_task(workspace, task_id)
    if task["status"] != "open":
        return []
    now = time.time()
    names = {"task": task_id, "overlap": task["overlap"], "person": person.id, "now": now}
    with workspace.store.write() as database:
        _renew(database, workspace, person, have, now)
        mine = rows(
            database,
            "SELECT i.*, l.id AS lease_id, l.shown, l.question_revision_id FROM item i JOIN lease l"
            " ON l.item_id = i.id AND l.annotator_id = :person AND l.ended_at IS NULL"
            " LEFT JOIN draft d ON d.item_id = i.id AND d.annotator_id = :person"
            f" WHERE l.expires_at > :now AND {AVAILABLE}"
            " ORDER BY d.item_id IS NULL, i.priority DESC, i.position",
            names,
        )
        held = {row["id"] for row in mine}
        fresh = [
            row
            for row in rows(
                database,
                f"SELECT i.* FROM item i WHERE {AVAILABLE}"
                " ORDER BY i.priority DESC, i.position LIMIT :most",
                {**names, "most": 2 * wanted + len(held)},
            )
            if row["id"] not in held
        ]
        handed: list[dict[str, Any]] = [
            {**row, "shown": Shown(json.loads(row["shown"]), row["question_revision_id"])}
            for row in mine
            if row["id"] not in have
        ][:wanted]
        _renew(database, workspace, person, frozenset(row["id"] for row in handed), now)
        share = max(SHARE_AT_LEAST, math.ceil((len(fresh) + len(held)) / 2))
        room = min(wanted - len(handed), share - len(held))
        return handed + _hand_out(workspace, database, task, person, fresh, room, ready, now)


def hand(
    workspace: Workspace, task_id: int, person: Person, item_id: int, *, at: float | None = None
) -> dict[str, Any]:
    """One chosen item handed to an annotator, whatever the queue would say.

    Args:
        at: Unix time of the lease, s; now if left out.

    Raises:
        ValueError: if the item's media is not usable.
        LookupError: if the task has no such item.
    """
    task = open_task(workspace, task_id)
    with workspace.store.write() as database:
        item = first_row(
            database, "SELECT * FROM item WHERE id = ? AND task_id = ?", [item_id, task_id]
        )
        if item is None:
            raise LookupError(f"Task {task_id} has no item {item_id}.")
        shown = _shown(workspace, task, person, item)
        row = _insert_lease(workspace, database, person, item, shown, at or time.time())
    return {**row, "shown": shown}


def _shown(
    workspace: Workspace, task: dict[str, Any], person: Person, item: dict[str, Any]
) -> Shown:
    seed = f"{item['id']}/{person.id}"
    return tasks.kind(task["kind"]).show(workspace, item, task["settings"], seed)


def _insert_lease(
    workspace: Workspace,
    database: Database,
    person: Person,
    item: dict[str, Any],
    shown: Shown,
    now: float,
) -> dict[str, Any]:
    lease_id = database.conn.execute(
        "INSERT INTO lease (item_id, annotator_id, question_revision_id, shown, leased_at,"
        " expires_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        [
            item["id"],
            person.id,
            shown.question_revision_id,
            json.dumps(shown.facts),
            now,
            now + workspace.settings.lease_s,
        ],
    ).fetchone()[0]
    return {**item, "lease_id": lease_id}


def _hand_out(
    workspace: Workspace,
    database: Database,
    task: dict[str, Any],
    person: Person,
    candidates: list[dict[str, Any]],
    room: int,
    ready: Callable[[Shown], bool],
    now: float,
) -> list[dict[str, Any]]:
    """Up to `room` candidates that are ready; the first of the others if none is."""
    chosen: list[tuple[dict[str, Any], Shown]] = []
    waiting: list[tuple[dict[str, Any], Shown]] = []
    for item in candidates:
        if len(chosen) >= room:
            break
        try:
            shown = _shown(workspace, task, person, item)
        except ValueError:
            continue
        (chosen if ready(shown) else waiting).append((item, shown))
    if room > 0 and not chosen:
        chosen = waiting[:1]
    return [
        {**_insert_lease(workspace, database, person, item, shown, now), "shown": shown}
        for item, shown in chosen
    ]


def _renew(
    database: Database, workspace: Workspace, person: Person, items: frozenset[int], now: float
) -> None:
    for item in items:
        database.conn.execute(
            "UPDATE lease SET expires_at = ? WHERE item_id = ? AND annotator_id = ?"
            " AND ended_at IS NULL AND expires_at > ?",
            [now + workspace.settings.lease_s, item, person.id, now],
        )


def release(workspace: Workspace, person: Person, items: list[int]) -> None:
    """Give items back that the person has not begun."""
    now = time.time()
    with workspace.store.write() as database:
        for item in items:
            database.conn.execute(
                "UPDATE lease SET ended_at = ? WHERE item_id = ? AND annotator_id = ?"
                " AND ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM draft d"
                " WHERE d.item_id = lease.item_id AND d.annotator_id = lease.annotator_id)",
                [now, item, person.id],
            )


def progress(workspace: Workspace, task_id: int, person: Person) -> dict[str, Any]:
    """How far a person is: done, skipped, open for them, total, active s, pay; task complete."""
    task = open_task(workspace, task_id)
    names = {"task": task_id, "overlap": task["overlap"], "person": person.id, "now": time.time()}
    with workspace.store.read() as database:
        mine = first_row(
            database,
            "SELECT coalesce(sum(a.skip_reason IS NULL), 0) AS done,"
            " coalesce(sum(a.skip_reason IS NOT NULL), 0) AS skipped FROM current_annotation a"
            " JOIN item i ON i.id = a.item_id WHERE i.task_id = :task AND a.annotator_id = :person",
            names,
        )
        spent = first_row(
            database,
            "SELECT coalesce(sum(a.active_s), 0.0) AS active_s FROM annotation a"
            " JOIN item i ON i.id = a.item_id WHERE i.task_id = :task AND a.annotator_id = :person",
            names,
        )
        free = first_row(
            database, f"SELECT count(*) AS open_for_me FROM item i WHERE {AVAILABLE}", names
        )
        unfinished = first_row(
            database,
            "SELECT count(*) AS n FROM item i WHERE i.task_id = :task AND i.status = 'open'"
            " AND i.answers < coalesce(i.overlap, :overlap)",
            names,
        )
    result = {**(mine or {}), **(spent or {}), **(free or {})}
    return {
        **result,
        "complete": unfinished == {"n": 0},
        "total": result["done"] + result["skipped"] + result["open_for_me"],
        "pay": round(result["active_s"] / 3600 * workspace.settings.rate, 2),
    }
