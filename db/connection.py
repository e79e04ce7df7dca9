"""The one SQLite file of a workspace: pooled connections, WAL, and writes that begin as writes."""

import os
import queue
import sqlite3
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, RLock
from typing import Any
from urllib.parse import quote

from sqlite_utils import Database

from db.migrations import apply_migrations
from db.shared_commit import SharedTransaction

BUSY_TIMEOUT_MS = 10_000
LOOK_AGAIN_S = 0.05
LONGEST_SHARED_S = 0.02  # after which a shared transaction is committed, whoever waits


def open_connection(path: Path) -> Database:
    """A configured connection to the database file.

    WAL with ``synchronous=FULL``: once a commit returns, the answer is on the disk, also after a
    power cut. A writer that finds the file busy waits up to `BUSY_TIMEOUT_MS`.
    """
    raw = sqlite3.connect(
        path, check_same_thread=False, isolation_level=None, cached_statements=512
    )
    raw.row_factory = sqlite3.Row
    raw.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA foreign_keys = ON")
    return Database(raw)


def open_resting(path: Path) -> Database:
    """A connection that cannot write, to a file in a folder that cannot be written.

    Raises:
        sqlite3.OperationalError: if a write-ahead log lies beside the file that cannot be read.
    """
    # Without a log nobody writes there, and the file can be read as one that rests.
    log = path.with_name(path.name + "-wal")
    how = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    raw = sqlite3.connect(
        f"file:{quote(str(path))}?{how}", uri=True, check_same_thread=False, isolation_level=None
    )
    raw.row_factory = sqlite3.Row
    return Database(raw)


def is_writable(path: Path) -> bool:
    """Whether a database file can be written, or made where there is none."""
    effective = os.access in os.supports_effective_ids
    return all(
        os.access(part, os.W_OK, effective_ids=effective)
        for part in (path.parent, path)
        if part.exists()
    )


def rows(
    database: Database, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()
) -> list[dict[str, Any]]:
    """All rows of a query as dictionaries."""
    return [dict(row) for row in database.conn.execute(sql, parameters)]


def first_row(
    database: Database, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()
) -> dict[str, Any] | None:
    """The first row of a query, None if there is none."""
    row = database.conn.execute(sql, parameters).fetchone()
    return dict(row) if row is not None else None


def _failed(words: str, code: int) -> sqlite3.OperationalError:
    """An error as SQLite itself would raise it."""
    error = sqlite3.OperationalError(words)
    error.sqlite_errorcode = code
    return error


class Store:
    """A pool of connections to one database file; each is used by one thread at a time."""

    def __init__(
        self,
        path: Path,
        migrate: Callable[[Database], None] = apply_migrations,
        mapped_bytes: int = 0,
    ):
        """Open the file, creating it and bringing its schema up to date where needed.

        Args:
            path: the file.
            migrate: brings a schema up to date; that of a workspace if none is named.
            mapped_bytes: how much of the file is read as memory, which for queries that look up
                thousands of rows all over a large file is faster by a third.

        Raises:
            ValueError: if the schema is newer than this program knows.
        """
        self.path = path
        self.is_read_only = path.exists() and not is_writable(path)
        self._mapped_bytes = mapped_bytes
        self._idle: queue.LifoQueue[Database] = queue.LifoQueue()
        self._writing = RLock()
        self._shared: SharedTransaction | None = None
        self._queued = 0  # writers who wait to share one
        self._counting = Lock()
        with self._connection() as database:
            migrate(database)

    def _taken(self) -> Database:
        """A connection that nobody uses."""
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            opens = open_resting if self.is_read_only else open_connection
            database = opens(self.path)
            if self._mapped_bytes:
                database.conn.execute(f"PRAGMA mmap_size = {self._mapped_bytes}")
            return database

    @contextmanager
    def _connection(self) -> Generator[Database]:
        database = self._taken()
        try:
            yield database
        finally:
            self._idle.put(database)

    @contextmanager
    def read(self) -> Generator[Database]:
        """A connection whose statements all see the same state of the database."""
        with self._connection() as database:
            database.conn.execute("BEGIN")
            try:
                yield database
            finally:
                database.conn.execute("ROLLBACK")

    @contextmanager
    def single(self) -> Generator[Database]:
        """A connection for one statement, which sees one state by itself."""
        with self._connection() as database:
            yield database

    @contextmanager
    def write(self) -> Generator[Database]:
        """A transaction that holds the write lock from its first statement.

        A transaction that begins with reading and then writes fails at once when another writer
        came between, whatever the timeout; one that begins as a write waits its turn.
        Writers of this process queue here: SQLite's own waiting is not fair, and polls.

        Raises:
            sqlite3.OperationalError: if others write for longer than `BUSY_TIMEOUT_MS`, or the
                file or its folder cannot be written.
        """
        self._take_turn()
        try:
            self._end_shared()
            with self._connection() as database:
                database.conn.execute("BEGIN IMMEDIATE")
                try:
                    yield database
                except BaseException:
                    database.conn.execute("ROLLBACK")
                    raise
                database.conn.execute("COMMIT")
        finally:
            self._writing.release()

    @contextmanager
    def write_shared(self) -> Generator[Database]:
        """A short transaction, committed together with those of others who queue to write.

        A commit waits for the disk: of people who answer at once the last one waits for all. As
        with `write`, what was written is on the disk when this ends.

        Raises:
            sqlite3.OperationalError: as `write`.
        """
        with self._queueing():
            self._take_turn()
        try:
            shared = self._shared or self._begin_shared()
            with shared.part() as database:
                yield database
        finally:
            if not self._queued or (self._shared and self._shared.is_over(LONGEST_SHARED_S)):
                self._end_shared()
            self._writing.release()
        while not shared.outcome(LOOK_AGAIN_S):
            # Whoever queued behind this one gave up: nobody is left to commit for it.
            if self._writing.acquire(blocking=False):
                self._end_shared()
                self._writing.release()

    def _take_turn(self) -> None:
        """Wait for the lock that writers of this process queue for."""
        if self.is_read_only:
            raise _failed("attempt to write a readonly database", sqlite3.SQLITE_READONLY)
        if not self._writing.acquire(timeout=BUSY_TIMEOUT_MS / 1000):
            raise _failed("database is locked", sqlite3.SQLITE_BUSY)

    @contextmanager
    def _queueing(self) -> Generator[None]:
        """Count a writer who waits to share a transaction."""
        with self._counting:
            self._queued += 1
        try:
            yield
        finally:
            with self._counting:
                self._queued -= 1

    def _begin_shared(self) -> SharedTransaction:
        database = self._taken()
        try:
            self._shared = SharedTransaction(database)
        except BaseException:
            self._idle.put(database)
            raise
        return self._shared

    def _end_shared(self) -> None:
        """Commit what writers share, if there is such; for whoever holds the lock."""
        if self._shared is not None:
            shared, self._shared = self._shared, None
            shared.commit()
            self._idle.put(shared.database)

    def rows(
        self, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()
    ) -> list[dict[str, Any]]:
        """All rows of one query; a single statement sees one state by itself."""
        with self._connection() as database:
            return rows(database, sql, parameters)

    def close(self) -> None:
        """Fold the write-ahead log into the file, so that it holds everything, and close."""
        # A log that cannot be folded in now stays beside the file; the next opening reads it.
        if not self.is_read_only:
            with suppress(sqlite3.OperationalError), self._connection() as database:
                database.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        while not self._idle.empty():
            self._idle.get_nowait().close()
