import sqlite3
import threading

import pytest
from at_once import at_once

from db.connection import BUSY_TIMEOUT_MS, Store, open_connection
from db.migrations import MIGRATIONS


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "rushes.db")
    with opened.write() as database:
        database.conn.execute("CREATE TABLE counter (n INTEGER)")
        database.conn.execute("INSERT INTO counter VALUES (0)")
        database.conn.execute("CREATE TABLE vote (id INTEGER PRIMARY KEY, who TEXT)")
    return opened


def test_eight_writers_lose_none_of_400_rows(store):
    failures = []

    def write(name: str) -> None:
        try:
            for _ in range(50):
                with store.write() as database:
                    database.conn.execute("INSERT INTO vote (who) VALUES (?)", [name])
        except sqlite3.Error as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=[f"w{i}"]) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.rows("SELECT count(*) AS n FROM vote") == [{"n": 400}]


def test_two_stores_on_one_file_wait_for_each_other_instead_of_failing(store, tmp_path):
    other = Store(tmp_path / "rushes.db")

    def increment(through: Store) -> None:
        for _ in range(20):
            with through.write() as database:
                n = database.conn.execute("SELECT n FROM counter").fetchone()[0]
                database.conn.execute("UPDATE counter SET n = ?", [n + 1])

    threads = [threading.Thread(target=increment, args=[s]) for s in (store, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.rows("SELECT n FROM counter") == [{"n": 40}]


def test_the_file_is_in_wal_mode_with_a_long_wait_and_full_sync(tmp_path):
    connection = open_connection(tmp_path / "x.db").conn
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA busy_timeout").fetchone()[0] == BUSY_TIMEOUT_MS >= 5000
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1


def test_a_failed_transaction_leaves_nothing_behind(store):
    def change_and_fail():
        with store.write() as database:
            database.conn.execute("UPDATE counter SET n = 5")
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        change_and_fail()
    assert store.rows("SELECT n FROM counter") == [{"n": 0}]


def test_reading_does_not_write(store):
    with store.read() as database:
        database.conn.execute("UPDATE counter SET n = 5")
    assert store.rows("SELECT n FROM counter") == [{"n": 0}]


def test_a_database_of_a_newer_program_is_refused(tmp_path):
    Store(tmp_path / "rushes.db").close()
    raw = sqlite3.connect(tmp_path / "rushes.db")
    raw.execute(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
        " VALUES ('rushes', 'from_the_future', '2100-01-01')"
    )
    raw.commit()
    raw.close()
    with pytest.raises(ValueError, match="newer Rushes"):
        Store(tmp_path / "rushes.db")


def test_several_processes_may_bring_an_old_file_up_to_date_at_once(tmp_path):
    path = tmp_path / "old.db"
    first = open_connection(path)
    MIGRATIONS.apply(first, stop_before="second_schema")
    first.close()
    at_once(lambda _: Store(path).close(), 4)
    assert Store(path).rows("SELECT count(*) AS n FROM task") == [{"n": 0}]


def test_a_copy_is_kept_of_what_an_update_changes(tmp_path, caplog):
    path = tmp_path / "rushes.db"
    old = open_connection(path)
    MIGRATIONS.apply(old, stop_before="second_schema")
    old.conn.execute(
        "INSERT INTO annotator (name, kind, role, invite, facts, created_at)"
        " VALUES ('Ada', 'person', 'annotator', 'x', '{}', '')"
    )
    old.close()
    with caplog.at_level("WARNING"):
        Store(path).close()
    [copy] = tmp_path.glob("rushes.db.before-*")
    assert copy.name == "rushes.db.before-second_schema"
    assert copy.stat().st_mode & 0o077 == 0
    assert str(copy) in caplog.text
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT name FROM annotator").fetchall() == [("Ada",)]
        assert "adaptive" not in str(connection.execute("SELECT sql FROM sqlite_master").fetchall())
    Store(path).close()  # nothing is pending any more
    assert [*tmp_path.glob("rushes.db.before-*")] == [copy]
    Store(tmp_path / "new.db").close()  # a new file holds nothing to keep
    assert [*tmp_path.glob("new.db.before-*")] == []


def test_without_room_for_the_copy_nothing_is_updated(tmp_path):
    path = tmp_path / "rushes.db"
    old = open_connection(path)
    MIGRATIONS.apply(old, stop_before="second_schema")
    old.close()
    before = path.read_bytes()
    (tmp_path / "rushes.db.before-second_schema.part").mkdir()  # nothing can be written there
    with pytest.raises(OSError, match="part"):
        Store(path)
    with sqlite3.connect(path) as connection:
        assert "adaptive" not in str(connection.execute("SELECT sql FROM sqlite_master").fetchall())
    assert path.read_bytes() == before
