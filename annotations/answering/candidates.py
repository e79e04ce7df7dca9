"""What the queue could hand to a person: what they hold, and what would come next."""

import math
from dataclasses import dataclass
from typing import cast

from sqlite_utils import Database

from annotations.answering.admission import Admission
from annotations.answering.attention import distance, reached
from annotations.answering.availability import (
    ALLOWED,
    ANSWERED,
    KEY_HIDDEN,
    KEY_SEEN,
    OPEN,
    RETURNED,
    RETURNED_ANSWER,
    RETURNED_SKIP,
    ROOM,
)
from annotations.answering.progress import counts_of
from annotations.record.item import Item
from annotations.record.lease import Handed, Lease
from annotations.record.shown import Shown
from db.connection import rows


@dataclass(frozen=True)
class Candidates:
    """What could be handed to a person, read before anything is written.

    Attributes:
        held: what they hold already, the one to go on with first.
        returned: items that were returned to them, `unreturned` all others, in order.
        attention: items with known answers that they have not met.
        most: how many of those they meet in all.
        work_left: items of work that they may hold and answer yet; None is no limit.
    """

    held: list[Handed]
    returned: list[Item]
    unreturned: list[Item]
    attention: list[Item]
    every: float
    work_done: int
    met: int
    most: int
    work_left: int | None


def candidates_of(database: Database, names: dict[str, object], limit: int) -> Candidates:
    """What could be handed to the person that the names are about, `limit` of a part at most."""
    held = _held(database, names)
    holding = {handed.item.id for handed in held}
    fresh = [
        (Item.from_row(row), bool(row["returned"]))
        for row in _fresh(database, names, limit + len(held))
        if row["id"] not in holding
    ]
    admitted = cast("Admission", names["admission"])
    returned = [item for item, is_returned in fresh if is_returned]
    unreturned = [
        item
        for item, is_returned in fresh
        if not is_returned
        and (admitted.practice if item.role == "practice" else admitted.work != 0)
    ]
    if not names["mixes_attention"]:
        return Candidates(held, returned, unreturned, [], math.inf, 0, 0, 0, admitted.work)
    counts = counts_of(database, names)
    waiting = [Item.from_row(row) for row in rows(database, _ATTENTION, names)]
    work, known = counts["work_done"] + counts["work_open"], counts["attention"]
    return Candidates(
        held, returned, unreturned, waiting, distance(work, known), counts["work_done"],
        met=known - len(waiting), most=reached(work, known), work_left=admitted.work,
    )  # fmt: skip


_ATTENTION = f"""
  SELECT i.* FROM item i INDEXED BY item_known WHERE i.task_id = :task AND i.status = 'open'
    AND i.role = 'attention' AND i.role <> 'work' AND {OPEN}
    AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.item_id = i.id AND l.annotator_id = :person
                    AND l.ended_at IS NULL AND l.expires_at > :now)
  ORDER BY i.position
"""


def _held(database: Database, names: dict[str, object]) -> list[Handed]:
    """Items whose leases a person holds, those with drafts and returned ones first."""
    leased = rows(
        database,
        "SELECT i.*, l.id AS lease_id, l.annotator_id, l.shown, l.question_revision_id,"
        " l.leased_at, l.expires_at FROM lease l JOIN item i ON i.id = l.item_id"
        " LEFT JOIN draft d ON d.item_id = i.id AND d.annotator_id = :person"
        " WHERE l.annotator_id = :person AND l.ended_at IS NULL AND l.expires_at > :now"
        f" AND {OPEN} ORDER BY d.item_id IS NULL,"
        f" NOT ({RETURNED_ANSWER} OR {RETURNED_SKIP}), i.role <> 'practice', l.id",
        names,
    )
    return [
        Handed(
            Item.from_row(row),
            Lease(
                id=row["lease_id"], item_id=row["id"], annotator_id=row["annotator_id"],
                shown=Shown.from_row(row), leased_at=row["leased_at"],
                expires_at=row["expires_at"],
            ),
        )
        for row in leased
    ]  # fmt: skip


def _fresh(database: Database, names: dict[str, object], limit: int) -> list[dict[str, object]]:
    """What could be handed out next: returned items, practice, and work in its order.

    Each part is read by an index of its own, so that nobody waits while a task's finished items
    are passed by.
    """
    return rows(database, _FRESH, {**names, "limit": limit})


_FRESH = f"""
  SELECT * FROM (
    SELECT i.*, 1 AS returned FROM item i NOT INDEXED WHERE {RETURNED} AND {OPEN}
    ORDER BY i.role = 'work', i.priority DESC, i.position LIMIT :limit)
  UNION ALL SELECT * FROM (
    SELECT i.*, 0 FROM item i INDEXED BY item_known WHERE i.task_id = :task
      AND i.role = 'practice' AND i.role <> 'work' AND i.status = 'open' AND NOT {ANSWERED}
      AND NOT {KEY_HIDDEN} AND {ALLOWED} ORDER BY i.priority DESC, i.position LIMIT :limit)
  UNION ALL SELECT * FROM (
    SELECT i.*, 0 FROM item i INDEXED BY item_asks WHERE i.task_id = :task AND i.asks = 1
      AND NOT {KEY_HIDDEN} AND NOT {KEY_SEEN} AND NOT {ANSWERED} AND {ROOM} AND {ALLOWED}
    ORDER BY i.priority DESC, i.position LIMIT :limit)
  LIMIT :limit
"""
