"""A snapshot is one moment: figures made while people answer are those of a recount."""

import threading
from collections.abc import Callable

import numpy as np
import pytest
from building import make_annotator

from annotations.answering import answer_store, queue
from annotations.people import Person
from annotations.run.runs import condition_task
from annotations.scoring.columns import Kept, Source, extended, newest_and_totals, newest_rows
from annotations.scoring.leaderboard import by_group, leaderboard
from annotations.scoring.snapshot import Snapshot, take
from annotations.workspace import Workspace
from core.statistics import bootstrap

QUESTIONS = 400


def recount(snapshot: Snapshot) -> tuple[int, int]:
    """Right and all answers of people to questions, straight from the database."""
    [row] = snapshot.rows(
        "SELECT count(*) AS n, coalesce(sum(json_extract(a.response, '$.choice') = r.key), 0) AS r"
        " FROM annotation a JOIN question_revision r ON r.id = a.question_revision_id"
        " JOIN annotator p ON p.id = a.annotator_id WHERE p.kind = 'person'"
    )
    return row["r"], row["n"]


def answer(workspace: Workspace, task: int, person: Person, item: int, number: int) -> None:
    handed = queue.hand(workspace, task, person, item)
    given = answer_store.Answer(
        f"answer-{number:04}", item, handed.lease.id, {"choice": number % 3}, None, 2.0,
        0.0,
    )  # fmt: skip
    [receipt] = answer_store.store(workspace, task, person, [given], closed_counts=True)
    assert receipt.status == "stored", receipt


@pytest.mark.slow
def test_the_leaderboard_is_a_recount_at_every_moment_while_400_questions_are_answered(
    workspace: Workspace,
    add_question: Callable[..., int],
    add_run: Callable[..., int],
    add_person: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(bootstrap, "RESAMPLES", 20)
    ada = add_person("Ada")
    for number in range(QUESTIONS):
        add_question(f"count/{number}", video=f"v{number % 7}.mp4")
    task = condition_task(workspace, "16 frames")
    add_run("gpt", "16 frames", "rw" * 10)
    items = [row["id"] for row in workspace.store.rows(
        "SELECT id FROM item WHERE task_id = ? ORDER BY id", [task])]  # fmt: skip
    failures: list[object] = []
    looks: list[int] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            try:
                with take(workspace) as snapshot:
                    lines = leaderboard(snapshot)
                    groups = by_group(snapshot, "category")
                    right, n = recount(snapshot)
                people = [line for line in lines if line.entry.run is None]
                seen = people[0].accuracy if people else None
                grouped = sum(row.accuracy.n for row in groups if row.entry.run is None)
                if (seen.n if seen else 0) != n or grouped != n:
                    failures.append((seen, grouped, n))
                elif seen and abs((seen.value or 0) * n - right) > 1e-6:
                    failures.append((seen.value, right, n))
                looks.append(n)
            except Exception as error:
                failures.append(error)

    watcher = threading.Thread(target=look)
    watcher.start()
    for number, item in enumerate(items):
        answer(workspace, task, ada, item, number)
    done.set()
    watcher.join()
    assert failures == []
    assert len(set(looks)) > 5  # it did look at several moments
    # Of 400 answers every third is the second option, the key: 1, 4, ... 397.
    assert recount(take(workspace)) == (133, QUESTIONS)


def test_a_snapshot_stays_what_it_was(
    workspace: Workspace, add_question: Callable[..., int], add_person: Callable[..., Person]
):
    ada = add_person("Ada")
    for number in range(2):
        add_question(f"count/{number}")
    task = condition_task(workspace, "16 frames")
    items = [row["id"] for row in workspace.store.rows(
        "SELECT id FROM item WHERE task_id = ? ORDER BY id", [task])]  # fmt: skip
    answer(workspace, task, ada, items[0], 0)
    with take(workspace) as before:
        answer(workspace, task, ada, items[1], 1)
        with take(workspace) as after:
            assert len(after.people.state) == 2
        # Read for the first time only now, when somebody else has read a newer state.
        assert len(before.people.state) == 1
        assert len(before.predictions.people.state) == 1
    assert take(workspace).people is after.people


def test_what_is_kept_is_never_of_another_state(
    workspace: Workspace, add_person: Callable[..., Person]
):
    def names(snapshot: Snapshot) -> list[str]:
        return snapshot.derived(
            "names", lambda: [row["name"] for row in snapshot.rows("SELECT name FROM annotator")]
        )

    def counts(snapshot: Snapshot) -> list[int]:
        def read(earlier: list[int] | None) -> list[int]:
            return [*(earlier or []), len(snapshot.rows("SELECT 1 FROM annotator"))]

        return snapshot.grown("counts", read)

    add_person("Ada")
    with take(workspace) as before:
        add_person("Ben")
        with take(workspace) as after:
            assert names(after) == ["Ada", "Ben"]
            assert names(after) is names(after)
            assert counts(after) == [2]
            # The older one neither sees nor replaces what the newer one has kept.
            assert names(before) == ["Ada"]
            assert counts(before) == [1]
            assert names(after) == ["Ada", "Ben"]
            assert counts(after) == [2, 2]
    with take(workspace) as later:
        assert names(later) is names(later) == ["Ada", "Ben"]
        assert counts(later) == [2, 2, 2]


def test_rows_are_read_once_and_cut_for_an_older_state(workspace: Workspace):
    source = Source(
        "SELECT id, length(name) AS size, id * 0.5 AS half, name FROM annotator"
        " WHERE id > ? AND id <= ?",
        ("id", "size"), ("half",), ("name",),
    )  # fmt: skip

    def add(*names: str) -> None:
        with workspace.store.write() as database:
            for name in names:
                make_annotator(database, name)

    with workspace.store.read() as database:
        begin = database.conn.execute("SELECT coalesce(max(id), 0) FROM annotator").fetchone()[0]
    add("Ann", "Bo")
    with workspace.store.read() as database:
        first = extended(database, source, None, begin + 2)
    add("Ann, 2", "")
    with workspace.store.read() as database:
        rows = extended(database, source, first, begin + 4)
        assert extended(database, source, rows, begin + 4) is rows
        earlier = extended(database, source, rows, begin + 2)
        again = extended(database, source, rows, begin + 4, epoch=1)
    names = [rows.texts["name"][code] for code in rows.ints("name")]
    assert names[-4:] == ["Ann", "Bo", "Ann, 2", ""]
    assert rows.ints("size").tolist()[-4:] == [3, 2, 6, 0]
    assert rows.floats("half")[-1] == (begin + 4) / 2
    assert earlier.ints("id").tolist() == first.ints("id").tolist()
    assert again.ints("id").tolist() == rows.ints("id").tolist()


def test_the_newest_row_of_each_key_stays_with_the_sum_over_all_of_them():
    item, person = np.array([5, 5, 2, 5]), np.array([1, 2, 1, 1])
    seconds = np.array([1.0, 10.0, 100.0, 0.5])
    assert newest_rows(item, person).tolist() == [1, 2, 3]
    rows, total = newest_and_totals(seconds, item, person)
    assert rows.tolist() == [1, 2, 3]
    assert total.tolist() == [10.0, 100.0, 1.5]  # the corrected answer of item 5 took 1 + 0.5 s


def test_what_was_not_used_for_longest_makes_room():
    kept = Kept[str](2)
    kept.put("a", "A")
    kept.put("b", "B")
    kept.put("a", "A again")
    kept.put("c", "C")
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == ("A again", None, "C")
