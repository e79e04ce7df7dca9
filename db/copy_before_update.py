"""A copy of a database beside it, made before its schema is brought up to date."""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

LOG = logging.getLogger(__name__)


def copy_before_update(path: Path, first_step: str) -> Path:
    """Copy a database file as it is before a step, and return where the copy lies.

    It is called while the caller holds the write lock, so that the copy is of exactly that state.
    One that is there already is of an update that was interrupted, and stays.

    Raises:
        sqlite3.Error, OSError: if there is no room for it; then nothing is updated either.
    """
    target = path.with_name(f"{path.name}.before-{first_step}")
    if target.exists():
        return target
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        os.close(descriptor)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    LOG.warning(
        "%s is of an older Rushes and is brought up to date. A copy of it as it was is kept: %s",
        path.name, target,
    )  # fmt: skip
    return target
