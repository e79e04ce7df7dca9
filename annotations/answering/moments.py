"""Counts that many people ask for at once and that cost much: read once for all of a moment."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from sqlite_utils import Database

MOST = 4_096

T = TypeVar("T")
_files = WeakKeyDictionary[Database, str]()


def _file_of(database: Database) -> str:
    """The path of a connection's file."""
    file = _files.get(database)
    if file is None:
        file = str(database.conn.execute("PRAGMA database_list").fetchone()[2])
        _files[database] = file
    return file


class Moments(Generic[T]):
    """Values by what they are of, each kept for some seconds where it was dear to read.

    A small one is read anew each time, so that nobody sees an old one where a new one costs
    nothing.
    """

    def __init__(self, seconds: float):
        """Keep nothing yet.

        Args:
            seconds: for which a value is kept.
        """
        self.seconds = seconds
        self._kept: dict[tuple[object, ...], tuple[float, T]] = {}

    def value(
        self,
        database: Database,
        key: tuple[object, ...],
        read: Callable[[], T],
        is_dear: Callable[[T], bool],
    ) -> T:
        """Return a value that was kept, or read it.

        Args:
            database: whose value it is.
            key: what it is of, in the database.
            read: reads it.
            is_dear: says of a value whether it is one to be kept.
        """
        whole_key = (_file_of(database), *key)
        kept = self._kept.get(whole_key)
        if kept is not None and time.monotonic() - kept[0] < self.seconds:
            return kept[1]
        value = read()
        if is_dear(value):
            if len(self._kept) >= MOST:
                self._kept.clear()
            self._kept[whole_key] = time.monotonic(), value
        return value
