"""Schemas are numbered files, found by being there; a database of any version opens."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlite_utils import Database

from db.connection import Store
from db.footage import open_footage
from db.migrations import MIGRATIONS, SCHEMAS, migrations_of, steps_in

# What a workspace has recorded that was last opened when steps were named by their order, and one
# that was last opened when steps were named by their subject.
BY_ORDER = (
    "first_schema", "second_schema", "third_schema", "fourth_schema", "fifth_schema",
    "sixth_schema", "seventh_schema", "eighth_schema", "ninth_schema", "tenth_schema",
    "eleventh_schema", "twelfth_schema", "thirteenth_schema", "fourteenth_schema",
)  # fmt: skip
BY_SUBJECT = (
    *BY_ORDER, "schema_of_edits", "schema_of_access", "schema_of_generation",
    "schema_of_labelled_videos", "schema_of_open_work",
    "schema_of_recruiting",
)  # fmt: skip


def tables_of(path: Path) -> set[tuple[str, str, str]]:
    """Type, name and text of everything that a database file defines."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master").fetchall()
    connection.close()
    return set(rows)


@pytest.mark.parametrize("recorded", [BY_ORDER[:7], BY_ORDER, BY_SUBJECT])
def test_a_workspace_of_an_older_version_opens_and_becomes_what_a_new_one_is(
    tmp_path: Path, recorded: tuple[str, ...]
):
    older = tmp_path / "older.db"
    database = Database(older)
    later = [step.name for step in steps_in(SCHEMAS / "workspace")][len(recorded) :]
    MIGRATIONS.apply(database, stop_before=later)
    assert tuple(step.name for step in MIGRATIONS.applied(database)) == recorded
    database.conn.execute(
        "INSERT INTO video (name, sha256, status, created_at) VALUES ('a.mp4', '', 'missing', '')"
    )
    database.conn.commit()
    database.close()
    opened = Store(older)
    assert opened.rows("SELECT name FROM video") == [{"name": "a.mp4"}]
    opened.close()
    Store(tmp_path / "new.db").close()
    assert tables_of(older) == tables_of(tmp_path / "new.db")


def test_footage_of_an_older_version_opens(tmp_path: Path):
    store = open_footage(tmp_path / "footage.db")
    assert store.rows("SELECT migration_set, name FROM _sqlite_migrations") == [
        {"migration_set": "footage", "name": "first_footage_schema"}
    ]


def test_numbers_and_names_are_without_doubles():
    for folder in sorted(SCHEMAS.iterdir()):
        steps = steps_in(folder)
        assert steps[0].number == 1
        assert len({step.name for step in steps}) == len(steps)


def test_a_new_file_is_a_step_by_being_there(tmp_path: Path):
    copy = tmp_path / "checkout"
    shutil.copytree(SCHEMAS.parent, copy / "db", ignore=shutil.ignore_patterns("__pycache__"))
    number = steps_in(SCHEMAS / "workspace")[-1].number + 1
    (copy / "db" / "schemas" / "workspace" / f"{number:04}_moods.sql").write_text(
        "-- How people felt.\nCREATE TABLE mood (word TEXT);\n"
    )
    program = (
        "import sys; from pathlib import Path; from db.connection import Store;"
        " store = Store(Path(sys.argv[1])); print(store.rows('SELECT count(*) AS n FROM mood'));"
        " print(store.rows('SELECT name FROM _sqlite_migrations ORDER BY id DESC LIMIT 1'))"
    )
    Store(tmp_path / "rushes.db").close()  # one that has all but the new step
    answer = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "rushes.db")],
        cwd=copy, env=os.environ | {"PYTHONPATH": str(copy)}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert answer.stdout.splitlines() == ["[{'n': 0}]", "[{'name': 'moods'}]"]


def test_a_file_without_a_number_or_with_one_that_is_taken_is_refused(tmp_path: Path):
    (tmp_path / "0001_videos.sql").write_text("CREATE TABLE video (id INTEGER);\n")
    (tmp_path / "moods.sql").write_text("CREATE TABLE mood (word TEXT);\n")
    with pytest.raises(ValueError, match=r"moods\.sql is no step .* NNNN_what_it_adds\.sql"):
        steps_in(tmp_path)
    (tmp_path / "moods.sql").rename(tmp_path / "0001_moods.sql")
    with pytest.raises(ValueError, match=r"0001_moods\.sql and .*0001_videos\.sql have the same"):
        steps_in(tmp_path)
    (tmp_path / "0001_moods.sql").rename(tmp_path / "0002_videos.sql")
    with pytest.raises(ValueError, match="already registered"):
        migrations_of("twice", tmp_path)
