"""Writers that queue share one commit, and each still hears what became of its own."""

import sqlite3
import threading
from collections.abc import Callable

import pytest

from db.connection import Store, open_connection


@pytest.fixture
def store(tmp_path) -> Store:
    opened = Store(tmp_path / "rushes.db")
    with opened.write() as database:
        database.conn.execute("CREATE TABLE person (name TEXT PRIMARY KEY)")
        database.conn.execute("CREATE TABLE vote (who TEXT REFERENCES person (name))")
        database.conn.execute("INSERT INTO person VALUES ('Ada')")
    return opened


def queued(store: Store, parts: list[Callable[[sqlite3.Connection], object]]) -> list[str]:
    """What becomes of parts that are written while another writer holds the lock, in order."""
    outcomes = [""] * len(parts)

    def write(number: int) -> None:
        try:
            with store.write_shared() as database:
                parts[number](database.conn)
            outcomes[number] = "stored"
        except Exception as error:
            outcomes[number] = type(error).__name__

    threads = [threading.Thread(target=write, args=[number]) for number in range(len(parts))]
    with store.write():
        for number, thread in enumerate(threads, start=1):
            thread.start()
            while store._queued < number:
                pass
    for thread in threads:
        thread.join(20)
    return outcomes


def vote(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO vote VALUES ('Ada')")


def votes(store: Store) -> int:
    return store.rows("SELECT count(*) AS n FROM vote")[0]["n"]


def test_writers_that_queue_are_committed_at_once(store: Store):
    commits: list[str] = []

    def traced(connection: sqlite3.Connection) -> None:
        connection.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
        vote(connection)

    assert queued(store, [traced] * 8) == ["stored"] * 8
    assert votes(store) == 8
    # All eight were written within 20 ms, or on a slow machine in a few transactions.
    assert 1 <= len(commits) < 8


def test_what_one_raises_undoes_its_own_part_only(store: Store):
    def breaks(connection: sqlite3.Connection) -> None:
        vote(connection)
        raise ValueError

    assert queued(store, [vote, breaks, vote]) == ["stored", "ValueError", "stored"]
    assert votes(store) == 2


def test_a_commit_that_fails_is_told_to_each_that_shared_it(store: Store):
    def breaks_in_the_end(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        connection.execute("INSERT INTO vote VALUES ('nobody')")

    outcomes = queued(store, [breaks_in_the_end, vote])
    assert outcomes in (["IntegrityError", "IntegrityError"], ["IntegrityError", "stored"])
    assert votes(store) == outcomes.count("stored")
    with store.write_shared() as database:
        vote(database.conn)
    assert votes(store) == outcomes.count("stored") + 1


def test_what_was_written_is_in_the_file_when_the_writer_goes_on(store: Store):
    with store.write_shared() as database:
        vote(database.conn)
    other = open_connection(store.path)
    assert other.conn.execute("SELECT count(*) FROM vote").fetchone()[0] == 1


def test_a_part_waits_for_nobody_who_gave_up(store: Store):
    with store._queueing():  # somebody queued, who never comes
        with store.write_shared() as database:
            vote(database.conn)
        assert votes(store) == 1


def test_a_writer_on_its_own_commits_what_others_shared(store: Store):
    with store._queueing():
        done = threading.Event()

        def share() -> None:
            with store.write_shared() as database:
                vote(database.conn)
            done.set()

        thread = threading.Thread(target=share)
        thread.start()
        while store._shared is None and not done.is_set():
            pass
        with store.write() as database:
            seen = database.conn.execute("SELECT count(*) FROM vote").fetchone()[0]
        assert seen == 1
        thread.join(20)
        assert done.is_set()


def test_forty_threads_lose_nothing(store: Store):
    def work() -> None:
        for _ in range(25):
            with store.write_shared() as database:
                vote(database.conn)

    threads = [threading.Thread(target=work) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert votes(store) == 1000
    assert store._queued == 0
    assert store._shared is None
