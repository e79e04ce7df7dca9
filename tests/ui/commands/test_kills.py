"""kill -9 of imports, exports and updates at chance moments: what is there is whole, each time."""

import csv
import json
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from building import insert
from killing import Nursery

from annotations.backup.check import check
from annotations.exporting.export import export
from annotations.planning.task_store import create_task, grow
from annotations.workspace import Workspace
from db.connection import open_connection
from db.migrations import MIGRATIONS, SCHEMAS, steps_in

KILLS = 4
QUESTIONS = 2_500
OLD_ANSWERS = 20_000


def answers_of(workspace: Workspace, people: int) -> None:
    """Every item answered by so many people, without the detours of a desk."""
    with workspace.store.write() as database:
        for number in range(people):
            person = insert(
                database, "annotator", name=f"P{number}", kind="person", role="annotator",
                invite=f"{number}", facts="{}", created_at="",
            )  # fmt: skip
            database.conn.execute(
                "INSERT INTO annotation (uid, item_id, annotator_id, revision,"
                " question_revision_id, task_kind, schema_version, response, shown, counted,"
                " active_s, answered_at, stored_at)"
                " SELECT 'a' || i.id || '/' || ?1, i.id, ?1, 1, q.id, 'human_evaluation', 1,"
                ' \'{"choice": 0}\', \'{"condition": "full video", "option_order": [0, 1, 2]}\','
                " 1, 1.0, 0.0, 0.0 FROM item i JOIN current_question q"
                " ON q.question_id = i.question_id",
                [person],
            )
        database.conn.execute("UPDATE item SET answers = ?", [people])


def test_an_import_that_is_killed_leaves_whole_questions_and_the_next_finishes_it(
    workspace: Workspace, add_question: Callable[..., int], tmp_path: Path
) -> None:
    add_question("count/0", video="one.mp4")
    path = tmp_path / "questions.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "video", "question", "option_a", "option_b", "answer"])
        for number in range(QUESTIONS):
            writer.writerow([f"new/{number}", "one.mp4", f"What is {number}?", "a", "b", "A"])

    def questions() -> int:
        [row] = workspace.store.rows("SELECT count(*) AS n FROM question")
        return int(row["n"])

    chance = random.Random(4)
    line = ["import", str(path), "--yes", "--workspace", str(workspace.root)]
    reached = [questions()]
    with Nursery("ui.cli", "ui.commands.import_", "annotations.importing.import_plan",
                 "annotations.planning.task_store", "annotations.tasks.human_evaluation",
                 "annotations.formats.table") as nursery:  # fmt: skip
        for _ in range(KILLS):
            child, before = nursery.start("ui.cli", line), questions()
            while child.is_alive() and questions() == before:
                time.sleep(0.005)
            time.sleep(chance.random() * 0.05)
            child.kill()
            reached.append(questions())
        assert reached == sorted(reached)
        assert 1 < reached[1] < QUESTIONS, reached
        assert nursery.start("ui.cli", line).wait() == 0
    assert questions() == QUESTIONS + 1
    [row] = workspace.store.rows("SELECT count(*) AS n FROM question_revision")
    assert row["n"] == QUESTIONS + 1
    doubled = "SELECT task_id FROM item GROUP BY task_id, uid HAVING count(*) > 1"
    assert workspace.store.rows(doubled) == []
    by_task = workspace.store.rows("SELECT count(*) AS n FROM item GROUP BY task_id")
    assert {row["n"] for row in by_task} == {QUESTIONS + 1}
    assert [fault for fault in check(workspace.root, media=False) if fault.area != "media"] == []


def test_an_export_that_is_killed_leaves_whole_files_and_the_next_takes_its_rest_away(
    workspace: Workspace, add_question: Callable[..., int], tmp_path: Path
) -> None:
    for number in range(60):
        add_question(f"count/{number}", video="one.mp4")
    grow(workspace, create_task(workspace, "t", "human_evaluation", {}, 100))
    answers_of(workspace, 100)
    folder = tmp_path / "out"
    export(workspace, folder)
    whole = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    chance = random.Random(5)
    line = ["export", str(folder), "--workspace", str(workspace.root)]
    killed = 0
    with Nursery(
        "ui.cli", "ui.commands.export", "annotations.exporting.export", "annotations.scoring.pivot"
    ) as nursery:
        for _ in range(KILLS):
            child = nursery.start("ui.cli", line)
            while child.is_alive() and not list(folder.glob(".votes.jsonl.*.part")):
                time.sleep(0.002)
            time.sleep(chance.random() * 0.1)
            killed += child.kill() == -9
            for name in ("questions.jsonl", "votes.jsonl"):
                assert (folder / name).read_bytes() == whole[name]
        assert killed
        assert list(folder.glob(".*.part"))
        assert nursery.start("ui.cli", line).wait() == 0
    assert [path.name for path in folder.rglob("*") if path.name.endswith(".part")] == []
    votes = (folder / "votes.jsonl").read_text(encoding="utf-8").splitlines()
    assert len({json.loads(vote)["uid"] for vote in votes}) == 6_000


@pytest.fixture
def old_workspace(workspace: Workspace) -> Path:
    """A workspace whose database is of the first version, with answers of one person."""
    workspace.close()
    path = workspace.root / "rushes.db"
    path.unlink()
    database = open_connection(path)
    MIGRATIONS.apply(database, stop_before="second_schema")
    execute = database.conn.execute
    execute("INSERT INTO video (name, status, created_at) VALUES ('a.mp4', 'missing', '')")
    execute(
        "INSERT INTO task (name, kind, overlap, created_at) VALUES ('t', 'human_evaluation', 2, '')"
    )
    execute(
        "INSERT INTO annotator (name, kind, role, invite, facts, created_at)"
        " VALUES ('Ada', 'person', 'annotator', 'x', '{}', '')"
    )
    numbers = (
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OLD_ANSWERS})"
    )
    execute("BEGIN")
    execute(
        "INSERT INTO item (id, task_id, uid, video_id, position, answers)"
        f" {numbers} SELECT i, 1, 'item:' || i, 1, i, 1 FROM n"
    )
    execute(
        "INSERT INTO annotation (uid, item_id, annotator_id, revision, task_kind,"
        " schema_version, response, shown, counted, active_s, answered_at, stored_at)"
        f" {numbers} SELECT 'a' || i, i, 1, 1, 'human_evaluation', 1, '{{}}', '{{}}', 1, 1.0, 0.0,"
        " 0.0 FROM n"
    )
    execute("COMMIT")
    database.close()
    return workspace.root


def test_an_update_that_is_killed_is_done_or_not_and_the_next_opening_finishes_it(
    old_workspace: Path, tmp_path: Path
) -> None:
    path = old_workspace / "rushes.db"
    all_steps = len(steps_in(SCHEMAS / "workspace"))
    chance = random.Random(6)
    line = ["status", "--workspace", str(old_workspace)]
    reached: list[int] = []
    with Nursery("ui.cli", "ui.commands.status", "annotations.workspace",
                 "annotations.planning.task_store") as nursery:  # fmt: skip
        for _ in range(KILLS):
            child = nursery.start("ui.cli", line)
            while child.is_alive() and not list(old_workspace.glob("rushes.db.before-*")):
                time.sleep(0.001)
            # The first at once, while its copy is being made: an idle machine is done in no time.
            time.sleep(chance.random() * 0.15 if reached else 0)
            child.kill()
            with sqlite3.connect(path) as connection:
                assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
                [steps] = connection.execute("SELECT count(*) FROM _sqlite_migrations").fetchone()
                [answers] = connection.execute("SELECT count(*) FROM annotation").fetchone()
            assert answers == OLD_ANSWERS
            reached.append(steps)
        assert set(reached) <= {1, all_steps}
        assert reached[0] == 1  # killed while it was under way
        assert nursery.start("ui.cli", line).wait() == 0
    with sqlite3.connect(path) as connection:
        # Two answers are wanted and one is there: every item asks, as the last steps count it.
        assert connection.execute("SELECT sum(asks), count(*) FROM item").fetchone() == (
            OLD_ANSWERS, OLD_ANSWERS,
        )  # fmt: skip
    [copy] = old_workspace.glob("rushes.db.before-*")
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM annotation").fetchone() == (OLD_ANSWERS,)
