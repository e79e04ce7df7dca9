"""The queue: who is handed which item. It is derived from the database on each call."""

import json
import logging
import math
import time
from collections.abc import Callable
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering import availability
from annotations.answering.attention import distance, mixed
from annotations.answering.availability import OPEN, RETURNED_ANSWER, RETURNED_SKIP
from annotations.answering.progress import counts_of, has_attention, open_task
from annotations.answering.returns import open_remarks
from annotations.people import Person
from annotations.task import Shown
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import first_row, rows

LOG = logging.getLogger(__name__)
SHARE_AT_LEAST = 3

Chosen = tuple[dict[str, Any], Shown]


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

    First what was returned to them (with `remark`, the comment); then those already theirs, with
    what they were shown unchanged; practice; and work by priority, with attention items between.
    Nobody takes more than half of the work that is open, so that the others find some.

    Args:
        wanted: how many at most; returned and attention items come on top.
        have: items that the person's desk holds; their leases are renewed, and not returned.
        ready: whether what would be shown can be shown at once; others are left for later, but if
            there is nothing else one is handed out all the same.
    """
    task = open_task(workspace, task_id)
    if task["status"] != "open":
        return []
    names = availability.names(task, person)
    now_s = float(str(names["now"]))
    with workspace.store.write() as database:
        _renew(database, workspace, person, have, now_s)
        mine = rows(
            database,
            "SELECT i.*, l.id AS lease_id, l.shown, l.question_revision_id FROM item i JOIN lease l"
            " ON l.item_id = i.id AND l.annotator_id = :person AND l.ended_at IS NULL"
            " LEFT JOIN draft d ON d.item_id = i.id AND d.annotator_id = :person"
            f" WHERE l.expires_at > :now AND {OPEN} ORDER BY d.item_id IS NULL,"
            f" NOT ({RETURNED_ANSWER} OR {RETURNED_SKIP}), i.role <> 'practice', l.id",
            names,
        )
        held = {row["id"] for row in mine}
        handed: list[dict[str, Any]] = [
            {**row, "shown": Shown(json.loads(row["shown"]), row["question_revision_id"])}
            for row in mine
            if row["id"] not in have
        ][:wanted]
        _renew(database, workspace, person, frozenset(row["id"] for row in handed), now_s)
        limit = 2 * wanted + len(held)
        fresh = [row for row in _fresh(database, names, limit) if row["id"] not in held]
        back = [row for row in fresh if row["returned"]]
        unreturned = [row for row in fresh if not row["returned"]]
        working = sum(row["role"] == "work" for row in mine)
        free = sum(row["role"] == "work" for row in unreturned)
        share = max(SHARE_AT_LEAST, math.ceil((free + working) / 2)) - working
        room = wanted - len(handed)
        returned = _chosen(workspace, task, person, back, wanted, wanted, ready)
        chosen = _chosen(workspace, task, person, unreturned, room - len(returned), share, ready)
        mixed = _with_attention(workspace, database, task, person, names, chosen, working)

        def handed_out(items: list[Chosen]) -> list[dict[str, Any]]:
            return [
                {**_insert_lease(workspace, database, person, item, shown, now_s), "shown": shown}
                for item, shown in items
            ]

        handed = handed_out(returned) + handed + handed_out(mixed)
        remarks = open_remarks(database, task_id, person)
        return [{**row, "remark": remarks.get(row["id"], "")} for row in handed]


def _fresh(database: Database, names: dict[str, object], limit: int) -> list[dict[str, Any]]:
    return rows(
        database,
        f"SELECT i.*, ({RETURNED_ANSWER} OR {RETURNED_SKIP}) AS returned FROM item i"
        f" WHERE {OPEN} AND (i.role <> 'attention' OR {RETURNED_ANSWER})"
        " ORDER BY returned DESC, i.role = 'work', i.priority DESC, i.position LIMIT :most",
        {**names, "most": limit},
    )


def _with_attention(
    workspace: Workspace,
    database: Database,
    task: dict[str, Any],
    person: Person,
    names: dict[str, object],
    chosen: list[Chosen],
    held: int,
) -> list[Chosen]:
    """What was chosen, with the attention items that are due among the work of it."""
    if not has_attention(database, names):
        return chosen
    counts = counts_of(database, names)
    waiting = rows(
        database,
        "SELECT i.* FROM item i WHERE i.task_id = :task AND i.status = 'open'"
        f" AND i.role = 'attention' AND {OPEN} AND NOT EXISTS (SELECT 1 FROM lease l"
        " WHERE l.item_id = i.id AND l.annotator_id = :person AND l.ended_at IS NULL"
        " AND l.expires_at > :now) ORDER BY i.position",
        names,
    )
    usable = [
        (item, shown) for item in waiting if (shown := _try_shown(workspace, task, person, item))
    ]
    practice = [pair for pair in chosen if pair[0]["role"] != "work"]
    work = [pair for pair in chosen if pair[0]["role"] == "work"]
    every = distance(counts["work_done"] + counts["work_open"], counts["attention"])
    met = counts["attention"] - len(waiting)
    return practice + mixed(
        work, usable, work_done=counts["work_done"] + held, met=met, every=every
    )


def gone(workspace: Workspace, task_id: int, person: Person, have: frozenset[int]) -> list[int]:
    """Those of some items that are not open to a person any more, such as settled ones."""
    task = open_task(workspace, task_id)
    marks = ",".join(str(int(item)) for item in have)
    with workspace.store.read() as database:
        still = rows(
            database,
            f"SELECT i.id FROM item i WHERE i.id IN ({marks}) AND {OPEN}",
            availability.names(task, person),
        )
    return sorted(have - {row["id"] for row in still})


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
            raise Missing(f"Task {task_id} has no item {item_id}.")
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
    now_s: float,
) -> dict[str, Any]:
    lease_id = database.conn.execute(
        "INSERT INTO lease (item_id, annotator_id, question_revision_id, shown, leased_at,"
        " expires_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        [
            item["id"],
            person.id,
            shown.question_revision_id,
            json.dumps(shown.facts),
            now_s,
            now_s + workspace.settings.lease_s,
        ],
    ).fetchone()[0]
    return {**item, "lease_id": lease_id}


def _try_shown(
    workspace: Workspace, task: dict[str, Any], person: Person, item: dict[str, Any]
) -> Shown | None:
    try:
        return _shown(workspace, task, person, item)
    except Refusal:
        return None
    except Exception:  # a bug that one item meets must not close the desk
        LOG.exception("item %s cannot be shown", item["id"])
        return None


def _chosen(
    workspace: Workspace,
    task: dict[str, Any],
    person: Person,
    candidates: list[dict[str, Any]],
    room: int,
    share: int,
    ready: Callable[[Shown], bool],
) -> list[Chosen]:
    """Up to `room` candidates, of them `share` of work, that are ready; else the first other one.

    What was returned and practice are not waited for, or they would not come first.
    """
    chosen: list[Chosen] = []
    waiting: list[Chosen] = []
    for item in candidates:
        work = item["role"] == "work"
        if len(chosen) >= room or (work and share <= 0):
            break
        shown = _try_shown(workspace, task, person, item)
        if shown is None:
            continue
        if not work or item["returned"] or ready(shown):
            chosen.append((item, shown))
            share -= work
        else:
            waiting.append((item, shown))
    if room > 0 and not chosen:
        chosen = waiting[:1]
    return chosen


def _renew(
    database: Database, workspace: Workspace, person: Person, items: frozenset[int], now_s: float
) -> None:
    for item in items:
        database.conn.execute(
            "UPDATE lease SET expires_at = ? WHERE item_id = ? AND annotator_id = ?"
            " AND ended_at IS NULL AND expires_at > ?",
            [now_s + workspace.settings.lease_s, item, person.id, now_s],
        )


def release(workspace: Workspace, person: Person, items: list[int]) -> None:
    """Give items back that the person has not begun."""
    now_s = time.time()
    with workspace.store.write() as database:
        for item in items:
            database.conn.execute(
                "UPDATE lease SET ended_at = ? WHERE item_id = ? AND annotator_id = ?"
                " AND ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM draft d"
                " WHERE d.item_id = lease.item_id AND d.annotator_id = lease.annotator_id)",
                [now_s, item, person.id],
            )
