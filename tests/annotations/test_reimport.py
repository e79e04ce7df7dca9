"""Importing a file again undoes nothing that people did in between."""

import json
from pathlib import Path
from typing import Any

import pytest
from building import insert

from annotations.failure.failure_key import fix_key
from annotations.importing.import_plan import ImportPlan, carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.prediction_format import PredictionChoices
from annotations.question.questions import revise
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace

HEADER = "id,video,question,A,B,C,answer,category,difficulty\n"
ROW = "q1,one,Which way?,left,right,,A,direction,easy"


@pytest.fixture
def clara(add_person: Any) -> Any:
    return add_person("Clara", "author")


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    def write(*rows: str) -> Path:
        path = tmp_path / "questions.csv"
        path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
        return path

    return write


@pytest.fixture
def bring(workspace: Workspace, ask: Any) -> Any:
    def both(*rows: str, take: tuple[str, ...] = ()) -> tuple[ImportPlan, dict[str, Any]]:
        plan = plan_import(workspace, ask(*rows))
        foretold = plan.report()
        report = carry_out(workspace, plan, take_file=take)
        if not take:
            assert foretold["questions"] == report["questions"]
            assert foretold["conflicts"] == report["conflicts"]
        return plan, report

    return both


def counts(report: dict[str, Any]) -> dict[str, int]:
    return {name: count for name, count in report["questions"].items() if count}


def revisions(workspace: Workspace, uid: str = "q1") -> list[tuple[Any, ...]]:
    found = workspace.store.rows(
        "SELECT r.* FROM question_revision r JOIN question q ON q.id = r.question_id"
        " WHERE q.uid = ? ORDER BY r.revision",
        [uid],
    )
    return [(one["origin"], one["text"], one["key"], one["category"]) for one in found]


def fix(workspace: Workspace, clara: Any, key: int, uid: str = "q1") -> None:
    [row] = workspace.store.rows(
        "SELECT question_id, revision FROM current_question WHERE uid = ?", [uid]
    )
    fix_key(
        workspace, clara, row["question_id"], seen_revision=row["revision"], key=key, reason="seen"
    )


def edit(workspace: Workspace, **changes: Any) -> None:
    with workspace.store.write() as database:
        [number] = database.conn.execute("SELECT id FROM question WHERE uid = 'q1'").fetchone()
        revise(database, number, changes)


def test_the_same_file_again_leaves_a_fixed_key(
    workspace: Workspace, bring: Any, clara: Any
) -> None:
    bring(ROW, "q2,one,How many?,1,2,,B,count,easy")
    fix(workspace, clara, 1)
    plan, report = bring(ROW, "q2,one,How many?,1,2,,B,count,easy")
    assert (counts(report), plan.conflicts) == ({"unchanged": 2}, [])
    assert revisions(workspace) == [
        ("import", "Which way?", 0, "direction"), ("here", "Which way?", 1, "direction"),
    ]  # fmt: skip


def test_another_part_of_the_file_is_taken_beside_a_fixed_key_and_once(
    workspace: Workspace, bring: Any, clara: Any
) -> None:
    bring(ROW)
    fix(workspace, clara, 1)
    row = ROW.replace("direction", "turning")
    _, report = bring(row)
    assert counts(report) == {"changed": 1, "merged": 1}
    assert report["changed_parts"] == {"category": 1}
    # What the file says is kept as such, so that the next import has it to compare with.
    assert revisions(workspace)[2:] == [
        ("import", "Which way?", 0, "turning"), ("here", "Which way?", 1, "turning"),
    ]  # fmt: skip
    _, report = bring(row)
    assert (counts(report), len(revisions(workspace))) == ({"unchanged": 1}, 4)


def test_signatures_go_with_what_was_merged(workspace: Workspace, bring: Any, clara: Any) -> None:
    bring(ROW)
    edit(workspace, text="Which way does it turn?")
    with workspace.store.write() as database:
        [revision] = database.conn.execute("SELECT id FROM current_question").fetchone()
        insert(database, "revision_signature", question_revision_id=revision, annotator_id=clara.id)
    bring(ROW.replace("easy", "hard"))
    [row] = workspace.store.rows(
        "SELECT r.revision, r.text, r.tags FROM revision_signature s JOIN question_revision r"
        " ON r.id = s.question_revision_id WHERE r.revision > 2"
    )
    assert row == {
        "revision": 4, "text": "Which way does it turn?", "tags": '{"difficulty": "hard"}',
    }  # fmt: skip


def test_a_corrected_key_that_is_the_fixed_one_is_no_change(
    workspace: Workspace, bring: Any, clara: Any
) -> None:
    bring(ROW)
    fix(workspace, clara, 1)
    _, report = bring(ROW.replace(",A,", ",B,"))
    assert (counts(report), len(revisions(workspace))) == ({"unchanged": 1}, 2)
    _, report = bring(ROW)  # and the uncorrected file takes nothing back
    assert (counts(report), len(revisions(workspace))) == ({"unchanged": 1}, 2)


def test_what_both_changed_stays_and_is_listed_the_same_each_time(
    workspace: Workspace, bring: Any, clara: Any
) -> None:
    bring(ROW, "q2,one,How many?,1,2,,B,count,easy")
    fix(workspace, clara, 1)
    row = ROW.replace("Which way?", "Which way from above?")
    for time in range(2):
        plan, report = bring(row, "q2,one,How many?,1,2,,A,count,easy")
        assert counts(report) == {"kept": 1, "unchanged" if time else "changed": 1}
        [one] = report["conflicts"]
        assert (one["uid"], one["revision"], one["file"], one["row"]) == (
            "q1", 2, "questions.csv", "row 2",
        )  # fmt: skip
        assert [tuple(part.values()) for part in one["clashes"]] == [
            ("text", "Which way?", "Which way?", "Which way from above?"),
            ("key", "A “left”", "B “right”", "A “left”"),
        ]
        assert "--take-file q1" in one["todo"]
        assert len(revisions(workspace)) == 2
    assert [one[2] for one in revisions(workspace, "q2")] == [1, 0]
    text = Path(report["problems_file"]).read_text(encoding="utf-8")
    assert text.count("q1: edited here and in the file") == 1
    assert plan.accepted == 2


def test_the_file_is_taken_where_a_person_says_so(
    workspace: Workspace, bring: Any, clara: Any
) -> None:
    bring(ROW)
    fix(workspace, clara, 1)
    row = ROW.replace("Which way?", "Which way from above?")
    plan, report = bring(row, take=("q1",))
    assert (counts(report), report["conflicts"], plan.conflicts) == ({"changed": 1}, [], [])
    assert revisions(workspace)[-1] == ("import", "Which way from above?", 0, "direction")
    _, report = bring(row)
    assert (counts(report), len(revisions(workspace))) == ({"unchanged": 1}, 3)


def test_taking_the_file_leaves_what_only_people_changed(
    workspace: Workspace, bring: Any, clara: Any
) -> None:
    bring(ROW)
    fix(workspace, clara, 1)
    with workspace.store.write() as database:  # as a review does that raises a flag
        database.conn.execute(
            """UPDATE question_revision SET tags = '{"difficulty": "easy", "flags": ["dark"]}'"""
            " WHERE revision = 2"
        )
    bring(ROW.replace("Which way?", "Whither?"), take=("q1",))
    [row] = workspace.store.rows("SELECT text, key, tags FROM current_question")
    assert (row["text"], row["key"]) == ("Whither?", 0)
    assert json.loads(row["tags"]) == {"difficulty": "easy", "flags": ["dark"]}


def test_what_was_edited_again_after_the_plan_is_kept(
    workspace: Workspace, ask: Any, bring: Any, clara: Any
) -> None:
    bring(ROW)
    edit(workspace, text="Where?")
    plan = plan_import(workspace, ask(ROW.replace("Which way?", "Whither?")))
    edit(workspace, text="Where to?")
    report = carry_out(workspace, plan, take_file={"q1"})
    assert counts(report) == {"kept": 1}
    assert [one["revision"] for one in report["conflicts"]] == [3]
    assert revisions(workspace)[-1][1] == "Where to?"


def test_what_was_edited_between_plan_and_writing_is_not_undone(
    workspace: Workspace, ask: Any, bring: Any, clara: Any
) -> None:
    bring(ROW)
    plan = plan_import(workspace, ask(ROW.replace("Which way?", "Whither?")))
    assert plan.questions["changed"] == 1
    edit(workspace, text="Where?")
    report = carry_out(workspace, plan)
    assert (counts(report), revisions(workspace)[-1][1]) == ({"kept": 1}, "Where?")


def test_a_question_made_here_is_not_overwritten(
    workspace: Workspace, bring: Any, clara: Any
) -> None:
    bring(ROW)
    with workspace.store.write() as database:
        database.conn.execute("UPDATE question_revision SET origin = 'here'")
    _, report = bring(ROW)
    assert counts(report) == {"unchanged": 1}
    _, report = bring(ROW.replace(",A,", ",B,"))
    assert counts(report) == {"kept": 1}
    assert list(report["conflicts"][0]["clashes"]) == [
        {"part": "key", "before": "", "here": "A “left”", "file": "B “right”"}
    ]


def test_a_retired_question_stays_retired(workspace: Workspace, bring: Any) -> None:
    bring(ROW)
    with workspace.store.write() as database:
        database.conn.execute("UPDATE question SET retired_at = '2024-05-31T00:00:00+00:00'")
    bring(ROW.replace("Which way?", "Whither?"))
    assert workspace.store.rows("SELECT * FROM asked_question") == []


def test_predictions_again_leave_the_tags_that_people_gave_after_a_key_was_fixed(
    workspace: Workspace, bring: Any, clara: Any, tmp_path: Path
) -> None:
    bring(ROW, "q2,one,How many?,1,2,,B,count,easy")
    path = tmp_path / "replies.jsonl"
    replies = [{"id": "q1", "response": "B"}, {"id": "q2", "response": "A"}]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in replies), encoding="utf-8")
    choices = PredictionChoices(model="m", condition="full video")

    def predict() -> tuple[int, int, int]:
        [(_, done)] = write_predictions(workspace, plan_predictions(workspace, [path], choices))
        return done.new, done.changed, done.same

    assert predict() == (2, 0, 0)
    before = take(workspace).predictions.annotation_id.tolist()
    fix(workspace, clara, 1, "q1")
    fix(workspace, clara, 0, "q2")
    # Tags hang on these answers; the same replies to the same options are the same answers.
    assert predict() == (0, 0, 2)
    assert take(workspace).predictions.annotation_id.tolist() == before
    assert take(workspace).predictions.right.tolist() == [True, True]
    replies[1]["response"] = "B"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in replies), encoding="utf-8")
    assert predict() == (0, 1, 1)
