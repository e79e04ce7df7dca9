"""Schemas as numbered files, which only go forward: a file in a folder of `schemas` is a step.

    db/schemas/workspace/0020_reviewers.sql      # applied to a workspace when it is opened next

A step is recorded in the database under its name without the number. The oldest were recorded
under other names, which their first lines say, so that workspaces of every version open.
"""

import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from sqlite_utils import Database, Migrations

from db.copy_before_update import copy_before_update

SCHEMAS = Path(__file__).with_name("schemas")
_FILE = re.compile(r"(\d{4})_([a-z0-9_]+)")
_RECORDED = re.compile(r"-- Recorded as (\w+)\.\n")


class NewerSchemaError(ValueError):
    """The database was written by a newer Rushes than this one."""


@dataclass(frozen=True)
class Step:
    """A file of a schema.

    Attributes:
        number: of the file, by which steps are in order.
        name: under which a database records that it has the step.
        path: of the file.
    """

    number: int
    name: str
    path: Path


def steps_in(folder: Path) -> list[Step]:
    """The steps of a schema, in their order.

    Raises:
        ValueError: for a file without a number, or a number or name that two files have.
    """
    steps: list[Step] = []
    for path in sorted(folder.glob("*.sql")):
        parts = _FILE.fullmatch(path.stem)
        if parts is None:
            raise ValueError(
                f"{path} is no step of a schema. Name it NNNN_what_it_adds.sql, with the next"
                " number."
            )
        recorded = _RECORDED.match(path.read_text(encoding="utf-8"))
        steps.append(Step(int(parts[1]), recorded[1] if recorded else parts[2], path))
    for earlier, later in pairwise(steps):
        if earlier.number == later.number:
            raise ValueError(f"{earlier.path} and {later.path} have the same number. Renumber one.")
    return steps


def migrations_of(name: str, folder: Path) -> Migrations:
    """The steps of a folder, recorded as those of a set of some name."""
    migrations = Migrations(name)
    for step in steps_in(folder):
        migrations(name=step.name)(_runs(step.path))
    return migrations


def _runs(path: Path) -> Callable[[Database], None]:
    def run(database: Database) -> None:
        run_script(database.conn, path)

    return run


def run_script(connection: sqlite3.Connection, path: Path) -> None:
    """Run a file of statements one by one, inside the transaction that is open."""
    statement = ""
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


# Databases record the steps of a workspace as the set 'rushes'.
MIGRATIONS = migrations_of("rushes", SCHEMAS / "workspace")


def apply_migrations(database: Database, migrations: Migrations = MIGRATIONS) -> None:
    """Apply the steps that a database lacks: those of a workspace if no others are named.

    A database that holds something is copied first, to a file beside it.

    Raises:
        ValueError: if the database knows a step that this program does not.
    """
    pending = [migration.name for migration in migrations.pending(database)]
    applied = [migration.name for migration in migrations.applied(database)]
    known = {migration.name for migration in migrations.pending(Database(memory=True))}
    newer = [name for name in applied if name not in known]
    if newer:
        raise NewerSchemaError(
            f"The database was written by a newer Rushes (it has {', '.join(newer)}). "
            "Update Rushes, or open a backup made before the update."
        )
    if pending:
        # Several processes may open an old file at once: the write lock is taken before it is read
        # again what is pending, so that one brings it up to date and the others find it so.
        database.conn.execute("BEGIN IMMEDIATE")
        try:
            still_pending = [migration.name for migration in migrations.pending(database)]
            if applied and still_pending and (path := _file_of(database)):
                copy_before_update(path, still_pending[0])
            migrations.apply(database)
        except BaseException:
            database.conn.execute("ROLLBACK")
            raise
        database.conn.execute("COMMIT")


def _file_of(database: Database) -> Path | None:
    """The file of a database; None for one in memory."""
    file = database.conn.execute("PRAGMA database_list").fetchone()[2]
    return Path(file) if file else None
