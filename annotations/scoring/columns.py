"""Append-only tables as columns: read once, then only what is new; the newest row of each key.

    rows = extended(database, SOURCE, earlier, newest, epoch)
    current = newest_rows(rows["item_id"], rows["annotator_id"])

SQLite writes each column as one text, which is read about ten times as fast as row by row.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

from core.statistics.metric import Floats
from core.statistics.ratings import Ints

_STEP = 50_000
_SEPARATOR = "\x1f"  # JSON never holds it raw

T = TypeVar("T")
AnyColumn = npt.NDArray[np.int64] | npt.NDArray[np.float64]


@dataclass(frozen=True)
class Source:
    """A query over a table to which rows are only ever added.

    Attributes:
        sql: takes two ids, rows after the first up to the second; its columns are never NULL. The
            first is `id`, by which rows are in order.
        ints: names of the columns of whole numbers, `id` the first.
        floats: names of the columns of other numbers.
        texts: names of the columns of texts.
    """

    sql: str
    ints: tuple[str, ...]
    floats: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Columns:
    """The rows of a source, oldest first; every column is an array (rows,).

    Attributes:
        newest: id up to which the table was read.
        epoch: what was true of all rows when they were read; a new epoch reads them again.
        arrays: by name; of a column of texts the index into `texts`.
        texts: distinct texts of each column of texts.
    """

    newest: int
    epoch: object
    arrays: Mapping[str, AnyColumn]
    texts: Mapping[str, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.arrays["id"])

    def ints(self, name: str) -> Ints:
        """A column of whole numbers, or of indices into its texts."""
        return cast("Ints", self.arrays[name])

    def floats(self, name: str) -> Floats:
        """A column of other numbers."""
        return cast("Floats", self.arrays[name])


def no_rows(source: Source, epoch: object = None) -> Columns:
    """A source of which nothing is read yet."""
    none: dict[str, AnyColumn] = {
        name: np.empty(0, dtype=np.int64) for name in (*source.ints, *source.texts)
    }
    return Columns(
        0, epoch, none | {name: np.empty(0) for name in source.floats},
        dict.fromkeys(source.texts, ()),
    )  # fmt: skip


def extended(
    database: Database, source: Source, earlier: Columns | None, newest: int, epoch: object = None
) -> Columns:
    """All rows of a source up to an id; of what was read earlier only the rest is read.

    Args:
        database: in a read transaction.
        source: of the rows.
        earlier: what was read before, of a state older or newer than this one.
        newest: greatest id of the table in this state.
        epoch: differs from that of the earlier rows if they may have changed.
    """
    if earlier is None or earlier.epoch != epoch:
        earlier = no_rows(source, epoch)
    if earlier.newest >= newest:
        return _until(earlier, newest)
    parts = [_read(database, source, begin, min(begin + _STEP, newest))
             for begin in range(earlier.newest, newest, _STEP)]  # fmt: skip
    arrays: dict[str, AnyColumn] = dict(earlier.arrays)
    texts = dict(earlier.texts)
    joined = {
        name: np.concatenate([arrays[name], *(cast("Floats", part[name]) for part in parts)])
        for name in (*source.ints, *source.floats)
    }
    order = np.argsort(joined["id"], kind="stable")
    arrays |= {name: cast("AnyColumn", column[order]) for name, column in joined.items()}
    for name in source.texts:
        codes = {text: code for code, text in enumerate(texts[name])}
        numbers = [_coded(cast("list[str]", part[name]), codes) for part in parts]
        coded = np.concatenate([cast("Ints", arrays[name]), *numbers])
        arrays[name] = coded[order]
        texts[name] = tuple(codes)
    return Columns(newest, epoch, arrays, texts)


def _until(columns: Columns, newest: int) -> Columns:
    """The rows that an older state of the data has."""
    if columns.newest == newest:
        return columns
    end = int(np.searchsorted(columns.ints("id"), newest, side="right"))
    arrays = {name: column[:end] for name, column in columns.arrays.items()}
    return Columns(newest, columns.epoch, arrays, columns.texts)


def _read(
    database: Database, source: Source, after: int, until: int
) -> dict[str, AnyColumn | list[str]]:
    numbers = (*source.ints, *source.floats)
    grouped = [f'group_concat("{name}")' for name in numbers]
    grouped += [f'group_concat("{name}", char(31))' for name in source.texts]
    listed = database.conn.execute(
        f"SELECT count(*), {', '.join(grouped)} FROM ({source.sql})", [after, until]
    ).fetchone()
    rows, values = listed[0], dict(zip((*numbers, *source.texts), listed[1:], strict=True))
    if not rows:
        values = dict.fromkeys(values, "")
    parsed: dict[str, AnyColumn | list[str]] = {}
    for name in source.ints:
        parsed[name] = np.fromstring(str(values[name]), dtype=np.int64, sep=",")
    for name in source.floats:
        parsed[name] = np.fromstring(str(values[name]), dtype=np.float64, sep=",")
    for name in source.texts:
        parsed[name] = values[name].split(_SEPARATOR) if rows else []
    return parsed


def _coded(texts: list[str], codes: dict[str, int]) -> Ints:
    """The number of each text; new texts get the next ones."""
    for text in dict.fromkeys(texts):
        codes.setdefault(text, len(codes))
    return np.fromiter(map(codes.__getitem__, texts), np.int64, len(texts))


def newest_rows(*keys: Ints) -> Ints:
    """Indices of the last row of each distinct key, ascending.

    Args:
        keys: (rows,) whole numbers from 0, which together name what a row is about.
    """
    key = _one_number(keys)
    if not len(key):
        return key
    if (key[1:] > key[:-1]).all():
        return np.arange(len(key))
    _, backwards = np.unique(key[::-1], return_index=True)
    return np.sort(len(key) - 1 - backwards)


def newest_and_totals(amount: Floats, *keys: Ints) -> tuple[Ints, Floats]:
    """As `newest_rows`, and the sum of an amount over all rows of the same key."""
    key = _one_number(keys)
    if not len(key):
        return key, amount
    _, backwards, code = np.unique(key[::-1], return_index=True, return_inverse=True)
    last = len(key) - 1 - backwards
    total = np.bincount(code, weights=amount[::-1]).astype(np.float64)
    order = np.argsort(last)
    return last[order], total[order]


def _one_number(keys: tuple[Ints, ...]) -> Ints:
    key = keys[0]
    for part in keys[1:]:
        key = key * (int(part.max(initial=0)) + 1) + part
    return key


class Kept(Generic[T]):
    """What was read last, by key; what was not used for longest makes room.

    Whoever uses it holds a lock of their own.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[Hashable, T] = {}

    def get(self, key: Hashable) -> T | None:
        """What is kept under a key, or None."""
        return self._values.get(key)

    def put(self, key: Hashable, value: T) -> T:
        """Keep a value as the one used last."""
        self._values.pop(key, None)
        self._values[key] = value
        for oldest in list(self._values)[: -self._most]:
            del self._values[oldest]
        return value
