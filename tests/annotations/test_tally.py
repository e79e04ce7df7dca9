"""The database's own counts of changes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from building import make_answer

from annotations.people import Person
from annotations.planning.task_store import add_items, create_task, grow
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import all_runs, condition_task, ensure_run
from annotations.scoring.snapshot import data_version
from annotations.workspace import Workspace
from core.reply.result import Reading
from db import migrations
from db.connection import open_connection
from db.tally import tally

READ = Reading(None, "read", "letter at the end", "")


@pytest.fixture
def task(workspace: Workspace, add_question: Callable[..., int]) -> int:
    for number in range(3):
        add_question(f"count/{number}")
    return condition_task(workspace, "16 frames")


def answer(item: int, choice: int) -> ModelAnswer:
    return ModelAnswer(item, item, {"choice": choice}, {}, READ)


def test_items_that_a_run_has_answered_are_counted_once_whatever_it_says_later(
    workspace: Workspace, task: int
):
    run, other = ensure_run(workspace, "gpt", task), ensure_run(workspace, "llama", task)
    store_answers(workspace, run, [answer(1, 0), answer(2, 0)])
    store_answers(workspace, run, [answer(1, 0), answer(2, 1)])  # the same; its next revision
    store_answers(workspace, other, [answer(3, 0)])
    assert [found.predictions for found in all_runs(workspace)] == [2, 1]
    with workspace.store.read() as database:
        assert tally(database, "answered", run) == 2
        assert tally(database, "answered", 99) == 0


def test_how_many_items_are_new_is_not_mixed_up_with_what_the_database_counts(
    workspace: Workspace, task: int, add_question: Callable[..., int]
):
    add_question("count/9")
    assert [grow(workspace, task), grow(workspace, task), add_items(workspace, task, ())] == [
        1, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ("UPDATE item SET status = 'withdrawn' WHERE id = 1", True),
        ("UPDATE item SET overlap = 0 WHERE id = 1", True),
        ("UPDATE task SET status = 'paused'", True),
        ("UPDATE video SET status = 'broken' WHERE id = 1", True),
        ("UPDATE annotator SET aside_at = 'now'", True),
        ("UPDATE annotation SET counted = 0", True),
        ("UPDATE item SET priority = 3", False),
        ("UPDATE run SET progress = '{}'", False),
    ],
)
def test_a_change_that_numbers_hang_on_is_seen_also_when_it_is_taken_back(
    workspace: Workspace,
    task: int,
    add_person: Callable[..., Person],
    change: str,
    seen: bool,
):
    ada = add_person("Ada")
    with workspace.store.write() as database:
        make_answer(database, 1, ada.id)
    before = data_version(workspace)
    with workspace.store.write() as database:
        database.conn.execute("SAVEPOINT once")
        database.conn.execute(change)
        database.conn.execute("ROLLBACK TO once")
    assert data_version(workspace) == before
    with workspace.store.write() as database:
        database.conn.execute(change)
    assert (data_version(workspace) != before) is seen


def test_a_workspace_that_had_answers_before_is_counted_when_it_is_opened(
    workspace: Workspace, task: int, tmp_path: Path, add_person: Callable[..., Person]
):
    run = ensure_run(workspace, "gpt", task)
    store_answers(workspace, run, [answer(1, 0), answer(2, 0)])
    store_answers(workspace, run, [answer(2, 1)])
    copy = tmp_path / "older.db"
    with workspace.store.read() as database:
        database.conn.execute("ROLLBACK")
        database.conn.execute("VACUUM INTO ?", [str(copy)])
        database.conn.execute("BEGIN")
        now = database.conn.execute(
            "SELECT * FROM tally WHERE what IN ('answers', 'answered')"
        ).fetchall()
    older = open_connection(copy)
    triggers = older.conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'tally_%'"
    ).fetchall()
    for row in triggers:
        older.conn.execute(f"DROP TRIGGER {row[0]}")
    older.conn.execute("DROP TABLE tally")
    older.conn.execute("BEGIN")
    migrations.run_script(
        older.conn, migrations.steps_in(migrations.SCHEMAS / "workspace")[12].path
    )
    older.conn.execute("COMMIT")
    found = older.conn.execute("SELECT * FROM tally ORDER BY what, id").fetchall()
    assert sorted(map(tuple, found)) == sorted(map(tuple, now))
    assert len(found) == 2  # answers of the model: three; items that it answered: two


def test_a_task_of_its_own_counts_its_own_items(workspace: Workspace, task: int):
    def items() -> int:
        with workspace.store.read() as database:
            return tally(database, "items", task)

    before = items()
    grow(workspace, create_task(workspace, "Other", "screening", {"duplicates": False}, 1))
    assert items() == before
