"""The items that filters go over, in the order of work: the same for every run on a task."""

from dataclasses import dataclass

import numpy as np
from sqlite_utils import Database

from core.statistics.ratings import Bools, Ints
from db.tally import tally

Key = tuple[str, int | None, str]
Span = tuple[float, float | None]

# By these the same clip is known in another task.
KEY = "i.uid, i.video_id, coalesce(json_extract(i.payload, '$.clip'), '') AS clip"
_ITEMS = f"""
  SELECT {KEY}, i.id, coalesce(json_extract(i.payload, '$.name'), i.uid) AS name,
    coalesce(v.sha256, '') AS sha256, json_extract(i.payload, '$.clip.start') AS start_s,
    json_extract(i.payload, '$.clip.end') AS end_s
  FROM item i LEFT JOIN video v ON v.id = i.video_id
  WHERE i.task_id = ? AND i.role = 'work' AND i.status = 'open' ORDER BY i.position
"""
_ALIKE = """
  SELECT t.id, t.status, t.overlap, y.count FROM task own
  JOIN task t ON t.kind = own.kind AND t.settings = own.settings AND t.id <> own.id
  LEFT JOIN tally y ON y.what = 'items' AND y.id = t.id
  WHERE own.id = ? ORDER BY t.id
"""
# Clips that people are asked about in other tasks, answered or not.
_SENT = f"""
  SELECT {KEY} FROM task own
  JOIN task t ON t.kind = own.kind AND t.settings = own.settings AND t.id <> own.id
  JOIN item i ON i.task_id = t.id
  WHERE own.id = ? AND t.status <> 'closed' AND i.role = 'work' AND i.status = 'open'
    AND coalesce(i.overlap, t.overlap) > 0
"""


@dataclass(frozen=True, eq=False)
class FilterItems:
    """Open items of work, one a row; columns are (items,).

    Attributes:
        version: `items_version` when they were read.
        keys: by which the same clip is known in other tasks; `index` is the row of each.
        video: number of its video: items of equal number are of one video.
    """

    version: tuple[object, ...]
    item_id: Ints
    names: tuple[str, ...]
    sha256: tuple[str, ...]
    clip: tuple[Span, ...]
    video: Ints
    keys: tuple[Key, ...]
    index: dict[Key, int]

    def rows_of(self, item_id: Ints) -> tuple[Ints, Bools]:
        """Rows of some items, and which of those items are among these at all."""
        order = np.argsort(self.item_id)
        if not len(order):
            return np.zeros(len(item_id), dtype=np.int64), np.zeros(len(item_id), dtype=np.bool_)
        at = np.searchsorted(self.item_id, item_id, sorter=order)
        row = order[np.minimum(at, len(order) - 1)]
        return row, self.item_id[row] == item_id


@dataclass(frozen=True, eq=False)
class Sent:
    """Which of the items are work for people in another task, (items,)."""

    version: tuple[object, ...]
    items: FilterItems
    sent: Bools


def items_version(database: Database, task_id: int) -> tuple[object, ...]:
    """A value that differs once items of the task, or the files of their videos, have changed."""
    return tally(database, "items", task_id), tally(database, "contents")


def read_items(
    database: Database, task_id: int, earlier: FilterItems | None = None
) -> FilterItems:  # fmt: skip
    """The items as they are now; those read before, if nothing has changed."""
    version = items_version(database, task_id)
    if earlier is not None and earlier.version == version:
        return earlier
    rows = database.conn.execute(_ITEMS, [task_id]).fetchall()
    uid, video_id, clip, item_id, names, sha256, start, end = (
        zip(*rows, strict=True) if rows else [()] * 8
    )
    keys = tuple(zip(uid, video_id, clip, strict=True))
    codes: dict[str, int] = {}
    video = [codes.setdefault(of or name, len(codes)) for of, name in zip(sha256, uid, strict=True)]
    return FilterItems(
        version,
        np.array(item_id, dtype=np.int64),
        tuple(names),
        tuple(sha256),
        tuple((begin or 0.0, finish) for begin, finish in zip(start, end, strict=True)),
        np.array(video, dtype=np.int64),
        keys,
        {key: index for index, key in enumerate(keys)},
    )


def sent_version(database: Database, task_id: int) -> tuple[object, ...]:
    """A value that differs once other tasks of the same kind and settings, or theirs, change."""
    return tuple(tuple(row) for row in database.conn.execute(_ALIKE, [task_id]))


def read_sent(
    database: Database, task_id: int, items: FilterItems, earlier: Sent | None = None
) -> Sent:
    """Which clips are with people as it is now; what was read before, if nothing has changed."""
    version = sent_version(database, task_id)
    if earlier is not None and earlier.version == version and earlier.items is items:
        return earlier
    sent = np.zeros(len(items.keys), dtype=np.bool_)
    if version:
        indices = (items.index.get(tuple(row)) for row in database.conn.execute(_SENT, [task_id]))
        sent[[index for index in indices if index is not None]] = True
    return Sent(version, items, sent)
