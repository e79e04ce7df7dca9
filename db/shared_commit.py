"""A transaction that several writers of a process share, so that they wait for the disk once."""

import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event

from sqlite_utils import Database

_ALONE = ((), ("ROLLBACK",), ())
_BESIDE_OTHERS = (
    ("SAVEPOINT part",),
    ("ROLLBACK TO part", "RELEASE part"),
    ("RELEASE part",),
)


class SharedTransaction:
    """Begun by the first of some writers, committed by the last; each writes behind a savepoint.

    Only whoever holds the writers' lock may call anything here but `outcome`.
    """

    def __init__(self, database: Database):
        """Begin it; `database` belongs to it until it is committed.

        Raises:
            sqlite3.OperationalError: if other processes write for too long.
        """
        self.database = database
        self._ended = Event()
        self._error: sqlite3.Error | None = None
        self._is_empty = True
        self._began = time.monotonic()
        database.conn.execute("BEGIN IMMEDIATE")

    def is_over(self, longest_s: float) -> bool:
        """Whether it has to be committed: it was undone as a whole, or is open for so long."""
        return not self._in_transaction() or time.monotonic() - self._began > longest_s

    @contextmanager
    def part(self) -> Generator[Database]:
        """One writer's part: what it raises undoes this part alone."""
        execute = self.database.conn.execute
        # Before the first part there is nothing that it could undo: it needs no savepoint.
        begin, undo, end = _ALONE if self._is_empty else _BESIDE_OTHERS
        for statement in begin:
            execute(statement)
        try:
            yield self.database
        except BaseException as error:
            if self._in_transaction():
                for statement in undo:
                    execute(statement)
            elif isinstance(error, sqlite3.Error):
                # A full disk or a damaged file ends the whole transaction, and so for all.
                self._error = error
            raise
        for statement in end:
            execute(statement)
        self._is_empty = False

    def _in_transaction(self) -> bool:
        return self.database.conn.in_transaction

    def commit(self) -> None:
        """Put it on the disk; an error is kept for `outcome`, which each writer asks for."""
        try:
            if self._error is None and self._in_transaction():
                self.database.conn.execute("COMMIT")
        except sqlite3.Error as error:
            self._error = error
            if self._in_transaction():
                self.database.conn.execute("ROLLBACK")
        finally:
            self._ended.set()

    def outcome(self, patience_s: float) -> bool:
        """Whether it is on the disk; False if nobody committed it for so long.

        Raises:
            sqlite3.Error: why nothing of it was stored.
        """
        if not self._ended.wait(patience_s):
            return False
        if self._error is not None:  # one of its own for each: they are raised in several threads
            error = type(self._error)(*self._error.args)
            error.sqlite_errorcode = self._error.sqlite_errorcode
            raise error from self._error
        return True
