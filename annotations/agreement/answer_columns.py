"""Every stored answer as arrays, read once and then only what is new.

A million answers are read in about a second, by letting SQLite write each column as one text.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
from sqlite_utils import Database

from core.statistics.ratings import Ints

COUNTED, SKIPPED, FLAGS = 1, 2, 2
_STEP = 50_000
_SEPARATOR = "\x1f"  # JSON never holds it raw

_COLUMNS = f"""
  SELECT group_concat(item_id),
         group_concat((annotator_id << {FLAGS}) + (skip_reason IS NOT NULL) * {SKIPPED} + counted),
         group_concat(coalesce(question_revision_id, 0)),
         group_concat(response, char(31)), sum(id * counted)
  FROM annotation WHERE id > ? AND id <= ?
"""


@dataclass(frozen=True, eq=False)
class Stored:
    """Every annotation, oldest first; columns are (annotations,).

    Attributes:
        newest: id of the newest one.
        counted: sum of the ids of counted ones, by which a change of old ones is noticed.
        item: id.
        by: id of the annotator, shifted by `FLAGS`, with the flags `COUNTED` and `SKIPPED`.
        revision: id of the question's revision, 0 for none.
        codes: place of the response among `texts`.
        texts: distinct responses.
    """

    newest: int
    counted: int
    item: Ints
    by: Ints
    revision: Ints
    codes: Ints
    texts: tuple[str, ...]


_NONE = np.empty(0, dtype=np.int64)
_NOTHING = Stored(0, 0, _NONE, _NONE, _NONE, _NONE, ())


def read_stored(database: Database, earlier: Stored | None) -> Stored:
    """All annotations; those that were read before are kept unless one of them changed."""
    execute = database.conn.execute
    newest = int(execute("SELECT coalesce(max(id), 0) FROM annotation").fetchone()[0])
    earlier = earlier or _NOTHING
    counted_sum = execute(
        "SELECT sum(id * counted) FROM annotation WHERE id <= ?", [earlier.newest]
    )
    if (counted_sum.fetchone()[0] or 0) != earlier.counted:
        earlier = _NOTHING
    columns = [[earlier.item], [earlier.by], [earlier.revision], [earlier.codes]]
    codes = {text: code for code, text in enumerate(earlier.texts)}
    counted = earlier.counted
    for begin in range(earlier.newest, newest, _STEP):
        *numbers, responses, ids = execute(_COLUMNS, [begin, min(begin + _STEP, newest)]).fetchone()
        if responses is None:
            continue
        parts = cast("str", responses).split(_SEPARATOR)
        for text in dict.fromkeys(parts):
            codes.setdefault(text, len(codes))
        of = np.fromiter(map(codes.__getitem__, parts), np.int64, len(parts))
        for column, part in zip(columns, [*map(parsed, numbers), of], strict=True):
            column.append(part)
        counted += int(ids)
    item, by, revision, of = map(np.concatenate, columns)
    return Stored(newest, counted, item, by, revision, of, tuple(codes))


def parsed(text: str) -> Ints:
    """The integers of a text such as '1,2,3'."""
    return np.fromstring(text, dtype=np.int64, sep=",")
