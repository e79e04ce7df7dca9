"""What an answer costs does not grow with the items of its task, nor look through any table.

Cost is counted in steps of SQLite's machine, which are the same on every computer.
"""

import json
import re
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from building import content_hash, keep_frame_table, make_clip, make_question, make_video

import db.connection
from annotations.answering import answer_store, open_counts, queue
from annotations.answering.answer_store import Answer
from annotations.answering.assignments import assign
from annotations.answering.progress import progress
from annotations.people import Person, add_annotator
from annotations.planning.task_store import create_task, grow, set_status
from annotations.record.lease import Handed
from annotations.workspace import Workspace

FEW, MANY = 60, 1_500
# Tables of which a workspace has a handful of rows, however long people work.
SMALL = {"task", "assignment", "onboarding", "s", "CONSTANT"}


class Watched:
    """A workspace whose connections count their steps and keep what they run while they write."""

    def __init__(self, root: Path, items: int, monkeypatch: pytest.MonkeyPatch):
        self.steps = 0
        self.written: list[str] = []
        self.workspace = Workspace.create(root)
        self.tasks = _with_tasks(self.workspace, items)
        usual = db.connection.open_connection
        self.workspace.store.close()

        def watched(path: Path) -> Any:
            database = usual(path)
            if path == self.workspace.store.path:
                database.conn.set_progress_handler(self._step, 1)
                database.conn.set_trace_callback(self._keeper())
            return database

        monkeypatch.setattr(db.connection, "open_connection", watched)

    def _step(self) -> int:
        self.steps += 1
        return 0

    def _keeper(self) -> Callable[[str], None]:
        writes = False

        def keep(sql: str) -> None:
            nonlocal writes
            writes = sql == "BEGIN IMMEDIATE" or (writes and sql not in ("COMMIT", "ROLLBACK"))
            if writes and sql.partition(" ")[0] in ("SELECT", "INSERT", "UPDATE", "DELETE"):
                self.written.append(sql)

        return keep

    def cost(self, work: Callable[[], object]) -> int:
        """The steps that some work takes, the second time: statements are compiled by then."""
        before = self.steps
        work()
        return self.steps - before


def _with_tasks(workspace: Workspace, items: int) -> dict[str, int]:
    """Two tasks of the same questions, each about a clip of its own, and one that reviews them."""
    sha256 = content_hash("one.mp4")
    keep_frame_table(workspace, sha256)
    with workspace.store.write() as database:
        video = make_video(database, "one.mp4", sha256=sha256)
        for number in range(items):
            clip = make_clip(database, video, start_s=0.0, end_s=0.5 + number / 1e6)
            make_question(database, f"count/{number}", clip)
    declared = {
        "full": ("human_evaluation", {"condition": "full video"}),
        "frames": ("human_evaluation", {"condition": "16 frames"}),
    }
    tasks = {
        name: create_task(workspace, name, kind, settings, 2)
        for name, (kind, settings) in declared.items()
    }
    for task in tasks.values():
        grow(workspace, task)
    return tasks


def person(workspace: Workspace, name: str) -> Person:
    with workspace.store.write() as database:
        return Person(add_annotator(database.conn, name, "person", "annotator"), name, "annotator")


def answer(handed: Handed) -> Answer:
    return Answer(
        uuid4().hex, handed.item.id, handed.lease.id, {"choice": 0}, None, 1.0, time.time()
    )


def work_of_one(watched: Watched, ada: Person, ben: Person, task: int) -> dict[str, int]:
    """The costs of one person's steps, while another one holds items too."""
    workspace = watched.workspace
    queue.lease(workspace, task, ben, 8)
    first, second, *others = queue.lease(workspace, task, ada, 16)
    answer_store.store(workspace, task, ada, [answer(first)])
    progress(workspace, task, ada)
    held = frozenset(one.item.id for one in others)
    return {
        "store": watched.cost(lambda: answer_store.store(workspace, task, ada, [answer(second)])),
        "progress": watched.cost(lambda: progress(workspace, task, ada)),
        "lease": watched.cost(lambda: queue.lease(workspace, task, ada, 2, have=held)),
        "gone": watched.cost(lambda: queue.gone(workspace, task, ada, held)),
        "draft": watched.cost(
            lambda: answer_store.save_draft(
                workspace, ada, others[0].item.id, others[0].lease.id, json.dumps({}), 1.0
            )
        ),
        "release": watched.cost(lambda: queue.release(workspace, ada, sorted(held))),
    }


@pytest.fixture
def few_and_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Watched]:
    # What is read once for a moment in a large task: a moment is long on a slow computer too.
    for kept in (open_counts._hidden, open_counts._by_items):
        monkeypatch.setattr(kept, "seconds", 3_600.0)
    return [Watched(tmp_path / str(items), items, monkeypatch) for items in (FEW, MANY)]


@pytest.mark.parametrize("named", ["nobody", "for the task", "for items"])
def test_an_answer_costs_the_same_in_a_task_of_twenty_five_times_the_items(
    few_and_many: list[Watched], named: str
) -> None:
    costs = []
    for watched in few_and_many:
        ada, ben = person(watched.workspace, "Ada"), person(watched.workspace, "Ben")
        task = watched.tasks["frames"]
        if named == "for the task":
            assign(watched.workspace, task, ["Ada", "Ben"])
        if named == "for items":
            found = watched.workspace.store.rows("SELECT id FROM item WHERE task_id = ?", [task])
            assign(watched.workspace, task, ["Ada", "Ben"], items=[row["id"] for row in found])
        costs.append(work_of_one(watched, ada, ben, task))
    is_the_same(*costs)


def test_a_task_that_shows_keys_costs_the_same_in_large(few_and_many: list[Watched]) -> None:
    def costs(watched: Watched) -> dict[str, int]:
        workspace = watched.workspace
        review = create_task(workspace, "review", "question_review", {"keep": [1, 2]}, 2)
        grow(workspace, review)
        for name in watched.tasks:
            set_status(workspace, name, "closed")  # nobody is asked now, so that keys are shown
        ada = person(workspace, "Ada")
        held = frozenset(one.item.id for one in queue.lease(workspace, review, ada, 16))
        assert len(held) == 16
        progress(workspace, review, ada)
        return {
            "progress": watched.cost(lambda: progress(workspace, review, ada)),
            "lease": watched.cost(lambda: queue.lease(workspace, review, ada, 2, have=held)),
            "gone": watched.cost(lambda: queue.gone(workspace, review, ada, held)),
        }

    is_the_same(*map(costs, few_and_many))


def is_the_same(few: dict[str, int], many: dict[str, int]) -> None:
    assert min(few.values()) > 5  # steps are counted
    for what, steps in many.items():
        assert steps <= 1.1 * few[what] + 20, (what, few, many)


def test_while_an_answer_is_stored_no_table_is_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(tmp_path / "w", FEW, monkeypatch)
    ada, ben = person(watched.workspace, "Ada"), person(watched.workspace, "Ben")
    watched.written.clear()
    work_of_one(watched, ada, ben, watched.tasks["frames"])
    statements = sorted(set(watched.written))
    assert any("INTO annotation" in sql for sql in statements)
    assert any("INTO lease" in sql for sql in statements)
    with sqlite3.connect(watched.workspace.store.path) as connection:
        for sql in statements:
            for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {sql}"):
                looked = re.fullmatch(r"SCAN (\w+)(?! USING (COVERING )?INDEX).*", step)
                table = looked[1] if looked else ""
                assert table in {"", "json_each", *SMALL}, (step, sql)
                # An index by the task alone leads through all of its items.
                assert not re.match(r"SEARCH i USING .*INDEX item_\w+ \(task_id", step), (step, sql)
