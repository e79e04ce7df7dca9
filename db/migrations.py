"""The schema, as steps that only go forward."""

import sqlite3
from pathlib import Path

from sqlite_utils import Database, Migrations

MIGRATIONS = Migrations("rushes")


class NewerSchemaError(ValueError):
    """The database was written by a newer Rushes than this one."""


@MIGRATIONS()
def first_schema(database: Database) -> None:
    """Videos, clips, questions, tasks, items, annotators and their annotations."""
    run_script(database.conn, Path(__file__).with_name("first_schema.sql"))


@MIGRATIONS()
def second_schema(database: Database) -> None:
    """Known answers, early ends, named people and returned answers."""
    run_script(database.conn, Path(__file__).with_name("second_schema.sql"))


@MIGRATIONS()
def third_schema(database: Database) -> None:
    """Sources of items, and what authors did to single items."""
    run_script(database.conn, Path(__file__).with_name("third_schema.sql"))


@MIGRATIONS()
def fourth_schema(database: Database) -> None:
    """Resolutions, signatures and comments."""
    run_script(database.conn, Path(__file__).with_name("fourth_schema.sql"))


@MIGRATIONS()
def fifth_schema(database: Database) -> None:
    """People whose work is put aside, and questions that resolutions change."""
    run_script(database.conn, Path(__file__).with_name("fifth_schema.sql"))


@MIGRATIONS()
def sixth_schema(database: Database) -> None:
    """Which questions are still asked."""
    run_script(database.conn, Path(__file__).with_name("sixth_schema.sql"))


@MIGRATIONS()
def seventh_schema(database: Database) -> None:
    """Runs of models, their predictions, and the items that failed."""
    run_script(database.conn, Path(__file__).with_name("seventh_schema.sql"))


@MIGRATIONS()
def eighth_schema(database: Database) -> None:
    """Signatures that a task asks for."""
    run_script(database.conn, Path(__file__).with_name("eighth_schema.sql"))


@MIGRATIONS()
def ninth_schema(database: Database) -> None:
    """Splits: questions that a rule over runs kept."""
    run_script(database.conn, Path(__file__).with_name("ninth_schema.sql"))


@MIGRATIONS()
def tenth_schema(database: Database) -> None:
    """Scores of judge models."""
    run_script(database.conn, Path(__file__).with_name("tenth_schema.sql"))


@MIGRATIONS()
def eleventh_schema(database: Database) -> None:
    """What is said and written in videos."""
    run_script(database.conn, Path(__file__).with_name("eleventh_schema.sql"))


@MIGRATIONS()
def twelfth_schema(database: Database) -> None:
    """The order of work, and reviews that were carried over into questions."""
    run_script(database.conn, Path(__file__).with_name("twelfth_schema.sql"))


@MIGRATIONS()
def thirteenth_schema(database: Database) -> None:
    """How often the data have changed, counted by the database."""
    run_script(database.conn, Path(__file__).with_name("thirteenth_schema.sql"))


@MIGRATIONS()
def fourteenth_schema(database: Database) -> None:
    """Which revisions of questions came with an import, and which were made here."""
    run_script(database.conn, Path(__file__).with_name("fourteenth_schema.sql"))


@MIGRATIONS()
def schema_of_edits(database: Database) -> None:
    """Videos that are made of others, and which belong together."""
    run_script(database.conn, Path(__file__).with_name("schema_of_edits.sql"))


@MIGRATIONS()
def schema_of_access(database: Database) -> None:
    """Sessions that ended, and seconds beyond the clock."""
    run_script(database.conn, Path(__file__).with_name("schema_of_access.sql"))


@MIGRATIONS()
def schema_of_generation(database: Database) -> None:
    """Questions written by models: their replies, step by step."""
    run_script(database.conn, Path(__file__).with_name("schema_of_generation.sql"))


@MIGRATIONS()
def schema_of_labelled_videos(database: Database) -> None:
    """Classes, captions and scores of videos, and splits of them."""
    run_script(database.conn, Path(__file__).with_name("schema_of_labelled_videos.sql"))


@MIGRATIONS()
def schema_of_open_work(database: Database) -> None:
    """Which items of work ask for answers."""
    run_script(database.conn, Path(__file__).with_name("schema_of_open_work.sql"))


@MIGRATIONS()
def schema_of_recruiting(database: Database) -> None:
    """Links for strangers, what they have to pass, and what they are paid."""
    run_script(database.conn, Path(__file__).with_name("schema_of_recruiting.sql"))


def run_script(connection: sqlite3.Connection, path: Path) -> None:
    """Run a file of statements one by one, inside the transaction that is open."""
    statement = ""
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


def apply_migrations(database: Database) -> None:
    """Bring the schema of a workspace up to date.

    Raises:
        ValueError: if the database knows a step that this program does not.
    """
    apply_steps(MIGRATIONS, STEPS, database)


def apply_steps(migrations: Migrations, steps: frozenset[str], database: Database) -> None:
    """Apply the steps that a database lacks.

    Raises:
        ValueError: if the database knows a step that this program does not.
    """
    pending = [migration.name for migration in migrations.pending(database)]
    applied = [migration.name for migration in migrations.applied(database)]
    newer = [name for name in applied if name not in steps]
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
            migrations.apply(database)
        except BaseException:
            database.conn.execute("ROLLBACK")
            raise
        database.conn.execute("COMMIT")


STEPS = frozenset(migration.name for migration in MIGRATIONS.pending(Database(memory=True)))
