"""The schema of footage.db: metadata of videos that nobody has downloaded yet, and their index."""

from pathlib import Path

from db.connection import Store
from db.migrations import SCHEMAS, apply_migrations, migrations_of

MAPPED_BYTES = 2**31 - 2**16  # of the file: the most that SQLite maps
MIGRATIONS = migrations_of("footage", SCHEMAS / "footage")


def open_footage(path: Path) -> Store:
    """The store of footage.db, made where there is none.

    Raises:
        ValueError: if it was written by a newer program.
    """
    return Store(path, lambda database: apply_migrations(database, MIGRATIONS), MAPPED_BYTES)
