"""How many items are open to a person: what is asked for with every answer.

The database keeps count of the items that ask for answers. What is taken off grows with the
person's own answers and with all that people hold at the moment, not with the task. Where people
are named for single items, or keys are hidden, items have to be looked at one by one: in large
tasks that is done once for some seconds.
"""

from dataclasses import dataclass

from sqlite_utils import Database

from annotations.answering.availability import (
    ALLOWED,
    ANSWERED,
    HAS_SEEN,
    KEY_HIDDEN,
    OPEN,
    PLACES,
    RETURNED,
    ROOM,
    TO_THIS_VERSION,
)
from annotations.answering.moments import Moments

HELD_BY_MANY = 500  # held items from which on those without a place are read once for a moment
LARGE_TASK = 1_000  # asking items from which on looking at each is done once for a moment

_MINE_TO_TAKE = f"NOT {ANSWERED} AND {ROOM} AND {ALLOWED}"
_MINE_THAT_ASK = f"""
  annotation a CROSS JOIN item i ON i.id = a.item_id
  WHERE a.annotator_id = :person AND i.task_id = :task AND i.asks AND {TO_THIS_VERSION}
"""
_HIDDEN = f"""
  SELECT count(*) FROM item i INDEXED BY item_asks
  WHERE i.task_id = :task AND i.asks = 1 AND {KEY_HIDDEN} AND {_MINE_TO_TAKE}
"""
OPEN_COUNTS = f"""
  SELECT (SELECT count FROM tally WHERE what = 'asking' AND id = :task) AS asking,
    EXISTS (SELECT 1 FROM assignment WHERE task_id = :task AND coalesce(item_id, -1) >= 0)
      AS named_for_items,
    EXISTS (SELECT 1 FROM assignment WHERE task_id = :task AND coalesce(item_id, -1) = -1)
      AND NOT EXISTS (SELECT 1 FROM assignment WHERE task_id = :task
        AND coalesce(item_id, -1) = -1 AND annotator_id = :person) AS only_others,
    EXISTS (SELECT 1 FROM lease INDEXED BY lease_running WHERE ended_at IS NULL
      AND expires_at > :now AND annotator_id <> :person) AS others_hold,
    (SELECT count(DISTINCT a.item_id) FROM {_MINE_THAT_ASK}) AS answered,
    CASE WHEN :asks_key OR :meet_once THEN (SELECT count(*)
       FROM (SELECT DISTINCT question_id FROM ({HAS_SEEN})) s
       CROSS JOIN item i ON i.question_id = s.question_id WHERE i.task_id = :task AND i.asks = 1
       AND NOT {KEY_HIDDEN} AND {_MINE_TO_TAKE})
     ELSE 0 END AS seen,
    (SELECT count(*) FROM item i INDEXED BY item_known WHERE i.task_id = :task
     AND i.role = 'practice' AND i.role <> 'work' AND i.status = 'open'
     AND NOT {KEY_HIDDEN} AND NOT {ANSWERED}) AS practice_open,
    (SELECT count(*) FROM item i NOT INDEXED WHERE {RETURNED} AND {OPEN}) AS returned
"""
_FULL = f"""
  SELECT h.item_id, h.leases, i.answers + h.holders - {PLACES} AS beyond
  FROM (SELECT item_id, count(*) AS leases, count(DISTINCT annotator_id) AS holders
        FROM lease INDEXED BY lease_running WHERE ended_at IS NULL AND expires_at > :now
        GROUP BY item_id) h CROSS JOIN item i ON i.id = h.item_id
  WHERE i.task_id = :task AND i.asks
"""
_OWN = """
  SELECT DISTINCT item_id FROM lease
  WHERE annotator_id = :person AND ended_at IS NULL AND expires_at > :now
"""


@dataclass(frozen=True)
class _Full:
    """Items without a place left.

    Attributes:
        beyond: by item how many more hold or have answered it than it has places; 0 for none.
        leases: held items of the task.
    """

    beyond: dict[int, int]
    leases: int


_full_items = Moments[_Full](1.0)
_hidden = Moments[int](5.0)
_by_items = Moments[tuple[int, dict[str, int]]](5.0)


def open_counts(
    database: Database, names: dict[str, object], counts: dict[str, int], handled: int
) -> dict[str, int]:
    """Return what is open to a person: work_open, practice_open, returned, hidden and seen.

    Args:
        database: in a transaction.
        names: of `availability.names`.
        counts: what `OPEN_COUNTS` gave.
        handled: items of the task that the person has answered or skipped.
    """
    asking = counts["asking"] or 0
    hidden = _count_hidden(database, names, asking) if names["shows_key"] else 0
    kept = {"practice_open": counts["practice_open"], "returned": counts["returned"],
            "hidden": hidden, "seen": counts["seen"]}  # fmt: skip
    if counts["named_for_items"]:
        return kept | _one_by_one(database, names, asking, handled)
    if counts["only_others"]:
        return kept | {"work_open": 0, "practice_open": 0}
    held = _held_by_others(database, names) if counts["others_hold"] else 0
    work_open = asking - counts["answered"] - held - hidden - counts["seen"]
    return kept | {"work_open": max(0, work_open)}


def _held_by_others(database: Database, names: dict[str, object]) -> int:
    """Items that ask for answers, that the person has not answered and has no place in."""

    def read() -> _Full:
        rows = database.conn.execute(_FULL, names).fetchall()
        beyond = {row["item_id"]: row["beyond"] for row in rows if row["beyond"] >= 0}
        return _Full(beyond, sum(row["leases"] for row in rows))

    full = _full_items.value(
        database, (names["task"],), read, lambda full: full.leases >= HELD_BY_MANY
    )
    if not full.beyond:
        return 0
    # The person's own place in an item is one that nobody else holds.
    own_items = {row[0] for row in database.conn.execute(_OWN, names)}
    mine = f"SELECT a.item_id FROM {_MINE_THAT_ASK}"
    answered = {row[0] for row in database.conn.execute(mine, names)}
    return sum(
        item not in answered and (beyond > 0 or item not in own_items)
        for item, beyond in full.beyond.items()
    )


def _count_hidden(database: Database, names: dict[str, object], asking: int) -> int:
    return _hidden.value(
        database,
        (names["task"], names["person"]),
        lambda: int(database.conn.execute(_HIDDEN, names).fetchone()[0]),
        lambda _: asking >= LARGE_TASK,
    )


def _one_by_one(
    database: Database, names: dict[str, object], asking: int, handled: int
) -> dict[str, int]:
    """Counts where people are named for single items; what they did since is taken off."""
    handled_then, counts = _by_items.value(
        database,
        (names["task"], names["person"]),
        lambda: (handled, counts_by_looking(database, names)),
        lambda _: asking >= LARGE_TASK,
    )
    return counts | {"work_open": max(0, counts["work_open"] - (handled - handled_then))}


def counts_by_looking(database: Database, names: dict[str, object]) -> dict[str, int]:
    """Items that are open to a person, counted by looking at every open item of the task."""
    free = {"work_open": 0, "practice_open": 0, "returned": 0}
    for row in database.conn.execute(
        f"SELECT i.role, {ANSWERED} AS answered, count(*) AS n FROM item i WHERE {OPEN}"
        " GROUP BY 1, 2",
        names,
    ):
        part = "returned" if row["answered"] else f"{row['role']}_open"
        free[part] = free.get(part, 0) + row["n"]
    return free
