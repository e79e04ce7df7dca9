"""The schema of footage.db: metadata of videos that nobody has downloaded yet, and their index."""

from pathlib import Path

from sqlite_utils import Database, Migrations

from db.connection import Store
from db.migrations import apply_steps, run_script

MIGRATIONS = Migrations("footage")


@MIGRATIONS()
def first_footage_schema(database: Database) -> None:
    """Videos and how they were found, the index of titles, queries, downloads, action lists."""
    run_script(database.conn, Path(__file__).with_name("first_footage_schema.sql"))


STEPS = frozenset(migration.name for migration in MIGRATIONS.pending(Database(memory=True)))


def open_footage(path: Path) -> Store:
    """The store of footage.db, made where there is none.

    Raises:
        ValueError: if it was written by a newer program.
    """
    return Store(path, lambda database: apply_steps(MIGRATIONS, STEPS, database))
