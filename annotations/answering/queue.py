"""The queue: who is handed which item. It is derived from the database on each call."""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import cast

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering import availability
from annotations.answering.admission import Admission, admits
from annotations.answering.attention import mixed
from annotations.answering.availability import ANSWERED, OPEN
from annotations.answering.candidates import Candidates, candidates_of
from annotations.answering.progress import open_task
from annotations.answering.returns import open_remarks
from annotations.people import Person
from annotations.record.item import Item, item_in
from annotations.record.lease import (
    Handed,
    add_leases,
    cut_long_leases,
    release_leases,
    renew_leases,
)
from annotations.record.shown import Shown
from annotations.record.task import Task
from annotations.task import show_many
from annotations.workspace import Workspace
from db.connection import rows

SHARE_AT_LEAST = 3
FEWEST_AT_ONCE, MOST_AT_ONCE = 4, 100
TRIES = 3

Chosen = tuple[Item, Shown]
Ready = Callable[[Shown], bool]


def lease(
    workspace: Workspace,
    task_id: int,
    person: Person,
    wanted: int,
    *,
    have: frozenset[int] = frozenset(),
    ready: Ready = lambda shown: True,
    task: Task | None = None,
) -> list[Handed]:
    """Items handed to a person, the one to go on with first.

    First what was returned to them (with `remark`, the comment); then those already theirs, with
    what they were shown unchanged; practice; and work by priority, with attention items between.
    Nobody takes more than half of the work that is open, so that the others find some.

    What is shown is prepared before the write lock is taken; inside, only items are handed out that
    are still open then.

    Args:
        wanted: how many at most; returned items come on top. Attention items do not: a desk that
            asks for one gets one.
        have: items that the person's desk says it holds; what they do hold is renewed, and not
            handed out again. What they do not hold is asked for anew.
        ready: whether what would be shown can be shown at once; others are left for later, but if
            there is nothing else one is handed out all the same.
        task: the task, where it was read already.
    """
    task = task or open_task(workspace, task_id)
    if task.status != "open":
        return []
    for _ in range(TRIES):
        with workspace.store.read() as database:
            names = availability.names(database, task, person)
            candidates = candidates_of(database, names, 2 * (wanted + len(have)))
        real = have & {handed.item.id for handed in candidates.held}
        room = wanted + len(have - real)
        first, then = _choose(workspace, task, person, candidates, room, real, ready)
        with workspace.store.write_shared() as database:
            handed = _hand_out(workspace, database, names, task, person, candidates, room, real,
                               first, then)  # fmt: skip
        if handed or not (first or then):
            return handed
    return []


def _choose(
    workspace: Workspace,
    task: Task,
    person: Person,
    candidates: Candidates,
    wanted: int,
    have: frozenset[int],
    ready: Ready,
) -> tuple[list[Chosen], list[Chosen]]:
    """Returned items, and what follows those that the person holds, each with what is shown."""
    working = sum(handed.item.role == "work" for handed in candidates.held)
    free = sum(item.role == "work" for item in candidates.unreturned)
    share = max(SHARE_AT_LEAST, math.ceil((free + working) / 2)) - working
    if candidates.work_left is not None:
        share = min(share, candidates.work_left - working)
    again = [handed for handed in candidates.held if handed.item.id not in have][:wanted]
    room = wanted - len(again)
    returned = list(islice(_usable(workspace, task, person, candidates.returned, wanted), wanted))
    left = room - len(returned)
    fresh = _usable(workspace, task, person, candidates.unreturned, min(left, share))
    chosen = _ready_ones(fresh, left, share, ready)
    if not candidates.attention:
        return returned, chosen
    known = list(_usable(workspace, task, person, candidates.attention))
    practice = [pair for pair in chosen if pair[0].role != "work"]
    work = [pair for pair in chosen if pair[0].role == "work"]
    among = mixed(
        work, known, work_done=candidates.work_done + working, met=candidates.met,
        every=candidates.every, most=candidates.most, seed=f"{task.id}/{person.id}",
    )  # fmt: skip
    return returned, (practice + among)[: max(0, room - len(returned))]


def _hand_out(
    workspace: Workspace,
    database: Database,
    names: dict[str, object],
    task: Task,
    person: Person,
    candidates: Candidates,
    wanted: int,
    have: frozenset[int],
    first: list[Chosen],
    then: list[Chosen],
) -> list[Handed]:
    """Write the leases of what is still open, and renew those that go on."""
    now_s, lease_s = float(str(names["now"])), workspace.settings.lease_s
    again = [handed for handed in candidates.held if handed.item.id not in have][:wanted]
    running = have | {handed.item.id for handed in again}
    if not (first or then):  # what is left may be held by leases of a clock that was ahead
        cut_long_leases(database, now_s, lease_s)
    renew_leases(database, person.id, running, now_s, lease_s)
    wanted_ids = {item.id for item, _ in first + then}
    still_open = _still_open(database, names, wanted_ids, _LEASED)

    still_admitted = admits(database, task, person, cast("Admission", names["admission"]), now_s)

    def add(chosen: list[Chosen]) -> list[Handed]:
        pairs = [pair for pair in chosen if pair[0].id in still_open and still_admitted(pair[0])]
        return add_leases(database, person.id, pairs, now_s, lease_s)

    handed = add(first) + again + add(then)
    if not (candidates.returned or candidates.held):
        return handed  # nobody has remarked anything
    remarks = open_remarks(database, int(str(names["task"])), person)
    return [Handed(row.item, row.lease, remarks.get(row.item.id, "")) for row in handed]


def _still_open(
    database: Database, names: dict[str, object], items: set[int], but: str = "0"
) -> set[int]:
    """Those of some items that are open to the person, but for those of a condition of SQL."""
    if not items:
        return set()
    # One text whatever the items are, which SQLite keeps compiled: that took longer than to run it.
    open_rows = rows(
        database,
        "SELECT i.id FROM json_each(:items) CROSS JOIN item i NOT INDEXED"
        f" WHERE i.id = json_each.value AND {OPEN} AND NOT ({but})",
        {**names, "items": json.dumps(sorted(items))},
    )
    return {row["id"] for row in open_rows}


# What the person got meanwhile, in another window.
_LEASED = """
  EXISTS (SELECT 1 FROM lease l WHERE l.item_id = i.id AND l.annotator_id = :person
          AND l.ended_at IS NULL AND l.expires_at > :now)
"""


def gone(workspace: Workspace, task_id: int, person: Person, have: frozenset[int]) -> list[int]:
    """Those of some items that are not open to a person any more, such as settled ones."""
    task = open_task(workspace, task_id)
    with workspace.store.read() as database:
        return sorted(gone_in(database, availability.names(database, task, person), have))


def gone_in(database: Database, names: dict[str, object], have: frozenset[int]) -> frozenset[int]:
    """`gone` for the person and the task that the names are about (`availability.names`)."""
    return have - _still_open(database, names, set(have))


def stale(workspace: Workspace, person: Person, have: frozenset[int]) -> frozenset[int]:
    """Those of some items that a person's desk holds in a version that is not asked any more.

    Their leases ended when the question was changed, without an answer.
    """
    if not have:
        return frozenset()
    with workspace.store.read() as database:
        stale_rows = rows(database, _STALE, {"person": person.id, "have": json.dumps(sorted(have))})
    return frozenset(row["id"] for row in stale_rows)


_STALE = f"""
  SELECT i.id FROM item i JOIN lease l ON l.id = (SELECT max(x.id) FROM lease x
    WHERE x.item_id = i.id AND x.annotator_id = :person)
  WHERE i.id IN (SELECT value FROM json_each(:have)) AND l.ended_at IS NOT NULL
    AND l.question_revision_id < (SELECT max(r.id) FROM question_revision r
                                  WHERE r.question_id = i.question_id)
    AND NOT EXISTS (SELECT 1 FROM annotation a WHERE a.lease_id = l.id) AND NOT {ANSWERED}
"""


def hand(
    workspace: Workspace, task_id: int, person: Person, item_id: int, *, at: float | None = None
) -> Handed:
    """One chosen item handed to an annotator, whatever the queue would say.

    Args:
        at: Unix time of the lease, s; now if left out.

    Raises:
        ValueError: if the item's media is not usable.
        LookupError: if the task has no such item.
    """
    task = open_task(workspace, task_id)
    with workspace.store.read() as database:
        item = item_in(database, item_id, task_id)
    shown = tasks.kind(task.kind).show(workspace, item, task.settings, seed_of(item, person))
    with workspace.store.write() as database:
        [handed] = add_leases(
            database, person.id, [(item, shown)], at or time.time(), workspace.settings.lease_s
        )
    return handed


def seed_of(item: Item, person: Person) -> str:
    """What decides chance for one person and item, such as the order of options."""
    return f"{item.id}/{person.id}"


def _usable(
    workspace: Workspace, task: Task, person: Person, items: list[Item], wanted: int = MOST_AT_ONCE
) -> Iterator[Chosen]:
    """Items with what is shown of them, without those that cannot be shown.

    About `wanted` are prepared at once: whoever has enough asks for no more.
    """
    step = min(MOST_AT_ONCE, max(FEWEST_AT_ONCE, wanted))
    for start in range(0, len(items), step):
        part = items[start : start + step]
        seeds = [seed_of(item, person) for item in part]
        shown = show_many(tasks.kind(task.kind), workspace, part, task.settings, seeds)
        for item, what in zip(part, shown, strict=True):
            if isinstance(what, Shown):
                yield item, what


def _ready_ones(candidates: Iterable[Chosen], room: int, share: int, ready: Ready) -> list[Chosen]:
    """Up to `room` candidates, of them `share` of work, that are ready; else the first other one.

    Practice is not waited for, or it would not come first.
    """
    chosen: list[Chosen] = []
    waiting: list[Chosen] = []
    if room <= 0:
        return []
    for item, shown in candidates:
        work = item.role == "work"
        if work and share <= 0:
            break
        if not work or ready(shown):
            chosen.append((item, shown))
            share -= work
            if len(chosen) == room or (work and share <= 0):
                break
        else:
            waiting.append((item, shown))
    if not chosen:
        chosen = waiting[:1]
    return chosen


def release(workspace: Workspace, person: Person, items: list[int]) -> None:
    """Give items back that the person has not begun."""
    with workspace.store.write() as database:
        release_leases(database, person.id, items, time.time())
