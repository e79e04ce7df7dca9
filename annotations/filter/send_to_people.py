"""Sending people what a filter leaves: a task of its own, or the first places in the filter's."""

import json
from dataclasses import dataclass
from typing import Literal

import numpy as np

from annotations.answering.early_stop import set_priority
from annotations.filter.filter_audit import verdicts
from annotations.filter.filter_table import Filtered
from annotations.people import Person, now_text
from annotations.planning.task_plan import MOST_OVERLAP, NAME_LENGTH, ROWS
from annotations.planning.task_store import set_status
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.statistics.ratings import Bools, Ints
from core.statistics.threshold import ACCEPTED, UNJUDGED
from db.connection import first_row

Order = Literal["highest", "lowest", "random", "work"]
SEED = 0


@dataclass(frozen=True)
class Wish:
    """What is to be sent.

    Attributes:
        low: least score; None for no limit.
        high: scores have to be below it; None for no limit.
        accepted: only what the filter itself accepts; for filters without a score.
        limit: at most so many; None for all.
        order: which come first, and which are left out where there are more than `limit`: those of
            the highest or lowest score, drawn at random, or in the order of work.
    """

    low: float | None = None
    high: float | None = None
    accepted: bool = False
    limit: int | None = None
    order: Order = "highest"


@dataclass(frozen=True)
class Selection:
    """What would be sent.

    Attributes:
        rows: rows of the table, in the order in which people would get them.
        fitting: how many fit before the limit.
        judged: fit, but people have judged them.
        sent: fit, but people are asked about them in another task already.
    """

    rows: Ints
    fitting: int
    judged: int
    sent: int


def select(table: Filtered, wish: Wish) -> Selection:
    """What a wish comes to; what people have judged, or are asked about elsewhere, is left out."""
    fits = _fitting(table, wish)
    judged = (table.people != UNJUDGED) | table.tie
    free = np.flatnonzero(fits & ~judged & ~table.sent)
    score = np.nan_to_num(table.score[free])
    if wish.order == "random":
        order = np.random.default_rng(SEED).permutation(len(free))
    elif wish.order == "work":
        order = np.arange(len(free))
    else:
        order = np.argsort(-score if wish.order == "highest" else score, kind="stable")
    limit = len(free) if wish.limit is None else wish.limit
    return Selection(
        free[order][:limit].astype(np.int64), len(free), int((fits & judged).sum()),
        int((fits & table.sent & ~judged).sum()),
    )  # fmt: skip


def _fitting(table: Filtered, wish: Wish) -> Bools:
    scored = np.isfinite(table.score)
    fits = np.ones(len(table.score), dtype=np.bool_)
    if wish.low is not None:
        fits &= scored & (np.nan_to_num(table.score) >= wish.low)
    if wish.high is not None:
        fits &= scored & (np.nan_to_num(table.score) < wish.high)
    if wish.accepted:
        fits &= verdicts(table) == ACCEPTED
    return fits


def send_as_task(
    workspace: Workspace, table: Filtered, indices: Ints, name: str, overlap: int = 1
) -> int:
    """The id of a new, open task of the filter's kind that holds copies of these items, in order.

    Settings and instructions are those of the filter's task. It does not grow.

    Raises:
        ValueError: for a name that is taken or empty, nothing to send, or no people.
    """
    name = " ".join(name.split())
    if not name or len(name) > NAME_LENGTH:
        raise Refusal(f"The name is {name[:80]!r}. Allowed: 1 to {NAME_LENGTH} characters.")
    if not len(indices):
        raise Refusal("There is nothing to send. Change the limits.")
    if not 1 <= overlap <= MOST_OVERLAP:
        raise Refusal(f"{overlap} people per item. Allowed: 1 to {MOST_OVERLAP}.")
    with workspace.store.write() as database:
        if first_row(database, "SELECT 1 FROM task WHERE name = ?", [name]):
            raise Refusal(f"A task {name!r} exists already. Choose another name.")
        task_id = database.conn.execute(
            "INSERT INTO task (name, kind, settings, overlap, source, adaptive, skip_limit, rate,"
            " instructions, created_at) SELECT ?, kind, settings, ?, ?, adaptive, skip_limit, rate,"
            " instructions, ? FROM task WHERE id = ? RETURNING id",
            [name, overlap, ROWS, now_text(), table.run.task_id],
        ).fetchone()[0]
        database.conn.executemany(
            "INSERT INTO item (task_id, uid, question_id, video_id, payload, position)"
            " SELECT ?, uid, question_id, video_id, payload, ? FROM item WHERE id = ?",
            [[task_id, i, int(table.item_id[index])] for i, index in enumerate(indices)],
        )
        database.conn.execute(
            "INSERT INTO item (task_id, uid, question_id, video_id, payload, position, role,"
            " expected) SELECT ?, uid, question_id, video_id, payload, ? + position, role, expected"
            " FROM item WHERE task_id = ? AND role <> 'work' AND status = 'open'",
            [task_id, len(indices), table.run.task_id],
        )
        note = {"task": task_id, "items": len(indices), "at": now_text()}
        database.conn.execute(
            "UPDATE run SET facts = json_set(facts, '$.sent', json(?)) WHERE id = ?",
            [json.dumps([*_sent(table), note]), table.run.id],
        )
    return int(task_id)


def _sent(table: Filtered) -> list[dict[str, object]]:
    return list(table.run.facts.get("sent") or [])


def send_first(
    workspace: Workspace, table: Filtered, indices: Ints, author: Person | None, priority: int = 1
) -> int:
    """How many items of the filter's own task are handed out before its others; it is opened.

    Raises:
        ValueError: if there is nothing to send.
    """
    if not len(indices):
        raise Refusal("There is nothing to send. Change the limits.")
    set_priority(workspace, author, [int(table.item_id[index]) for index in indices], priority)
    set_status(workspace, table.run.task, "open")
    return len(indices)
