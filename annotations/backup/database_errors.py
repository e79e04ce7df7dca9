"""What an error of SQLite or of the disk means for a person, and what to do about it."""

import errno
import sqlite3

NO_ROOM = "Make room on that disk and try again; what was stored before is safe."
DISK_WORDS = {
    errno.ENOSPC: NO_ROOM,
    errno.EDQUOT: NO_ROOM,
    errno.EROFS: "That disk is mounted read-only. Make it writable, or name another place.",
}
WORDS = {
    sqlite3.SQLITE_FULL: "The disk is full: the database has no room. Make room on the disk of the "
    "workspace; what was stored before is safe.",
    sqlite3.SQLITE_IOERR: "The disk failed while the database was read or written. Look at the "
    "disk and the room on it, then: rushes check WORKSPACE",
    sqlite3.SQLITE_READONLY: "The database cannot be written: the file or its folder is "
    "read-only. Give the user who runs Rushes the right to write there.",
    sqlite3.SQLITE_CANTOPEN: "The database cannot be opened: its folder is gone, or may not be "
    "written. Look whether the disk is there and who owns the folder.",
    sqlite3.SQLITE_BUSY: "Another process has been writing to the database for too long. Wait "
    "until it is done, or stop it, and try again.",
    sqlite3.SQLITE_LOCKED: "Another process has been writing to the database for too long. Wait "
    "until it is done, or stop it, and try again.",
    sqlite3.SQLITE_CORRUPT: "The database file is damaged. Stop the server, look what is wrong "
    "(rushes check WORKSPACE), and restore the newest backup (rushes restore FILE NEW_FOLDER).",
    sqlite3.SQLITE_NOTADB: "The database file is damaged, or no database. Stop the server and "
    "restore the newest backup (rushes restore FILE NEW_FOLDER).",
}
BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def error_class(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code of an error; 0 if it has none."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def error_words(error: sqlite3.Error) -> str:
    """Return what happened and what to do, '' for an error that is a bug of ours."""
    return WORDS.get(error_class(error), "")


def disk_words(error: OSError) -> str:
    """Return what to do about a file that could not be written, '' where the disk is no reason."""
    return DISK_WORDS.get(error.errno or 0, "")
