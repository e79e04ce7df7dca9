"""A whole, checked copy of the database file, taken while people work."""

import sqlite3
from contextlib import closing
from pathlib import Path

from annotations.backup.manifest import BackupError

COUNTS = {
    "people": "SELECT count(*) FROM annotator WHERE kind = 'person'",
    "videos": "SELECT count(*) FROM video",
    "questions": "SELECT count(*) FROM question",
    "answers": "SELECT count(*) FROM annotation",
    "decisions": "SELECT count(*) FROM resolution",
    "runs": "SELECT count(*) FROM run",
}


def copy_database(source: Path, target: Path) -> dict[str, int]:
    """Copy a database by SQLite's online backup and return how many rows it holds.

    Nobody waits for it: in WAL mode a reader stops no writer. The copy is one file without a
    write-ahead log, and holds everything that was acknowledged before the call.

    Raises:
        BackupError: if the source cannot be read or the copy is damaged.
    """
    try:
        with closing(read_only(source)) as original, closing(sqlite3.connect(target)) as copy:
            original.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            faults = integrity_faults(copy)
            if faults:
                raise BackupError(
                    f"{source} is damaged ({faults[0]}), so no backup was made of it. "
                    "Look closer with: rushes check WORKSPACE"
                )
            return {name: copy.execute(sql).fetchone()[0] for name, sql in COUNTS.items()}
    except sqlite3.Error as error:
        raise BackupError(f"{source} could not be copied: {error}.") from error


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; it sees what the write-ahead log holds as well."""
    try:
        return _connected(path, "mode=ro")
    except sqlite3.OperationalError:
        if path.with_name(path.name + "-wal").exists():
            raise
        # In a folder that cannot be written, a file without a log is read as one that rests.
        return _connected(path, "immutable=1")


def _connected(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{_quoted(path)}?{how}", uri=True, timeout=10.0)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def integrity_faults(connection: sqlite3.Connection, limit: int = 20) -> list[str]:
    """What SQLite's own check finds wrong, at most so many lines; none for a sound file."""
    lines = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({limit})")]
    return [] if lines == ["ok"] else lines


def _quoted(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
