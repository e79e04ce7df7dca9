import json
from collections.abc import Callable

import pytest

from annotations.people import Person
from annotations.planning.task_store import ensure_tasks, status
from annotations.question.questions import revise
from annotations.run.run_answers import ModelAnswer, Stored, store_answers, store_errors
from annotations.run.runs import all_runs, condition_task, ensure_run
from annotations.scoring.prediction_columns import EMPTY, READ, REFUSED
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.reply.result import Reading

READ_B = Reading(1, "read", "letter", "the reply is the letter B")
REFUSAL = Reading(None, "refused", "policy", "the model declines")


def answer(workspace: Workspace, task_id: int, uid: str, reading: Reading, reply: str | None):
    row = workspace.store.rows(
        "SELECT i.id, q.id AS revision FROM item i"
        " JOIN current_question q ON q.question_id = i.question_id"
        " WHERE i.task_id = ? AND q.uid = ?",
        [task_id, uid],
    )[0]
    shown = {"condition": "16 frames", "option_order": [0, 1, 2]}
    return ModelAnswer(
        row["id"], row["revision"], {"choice": reading.choice}, shown, reading, reply
    )


def test_an_answer_is_stored_once_and_a_changed_one_becomes_its_next_revision(
    workspace: Workspace, add_question: Callable[..., int]
):
    add_question("count/1")
    task_id = condition_task(workspace, "16 frames")
    run_id = ensure_run(workspace, "gpt-x", task_id)
    first = answer(workspace, task_id, "count/1", READ_B, "B")
    assert store_answers(workspace, run_id, [first]) == Stored(new=1)
    assert store_answers(workspace, run_id, [first]) == Stored(same=1)
    other = answer(workspace, task_id, "count/1", REFUSAL, "I cannot help with that.")
    assert store_answers(workspace, run_id, [other]) == Stored(changed=1)
    table = take(workspace).predictions
    assert table.state.tolist() == [REFUSED]
    assert (table.right.tolist(), table.scored.tolist()) == ([False], [True])


def test_a_model_fills_no_place_of_people_and_people_are_asked_all_the_same(
    workspace: Workspace, add_question: Callable[..., int]
):
    add_question("count/1")
    ensure_tasks(workspace)
    task_id = condition_task(workspace, "16 frames")
    run_id = ensure_run(workspace, "gpt-x", task_id)
    store_answers(workspace, run_id, [answer(workspace, task_id, "count/1", READ_B, "B")])
    item = workspace.store.rows("SELECT answers FROM item WHERE task_id = ?", [task_id])[0]
    assert item["answers"] == 0
    counts = status(workspace)
    assert (counts["annotations"], counts["extras"]) == (0, 0)
    assert (counts["runs"], counts["predictions"]) == (1, 1)


def test_a_condition_that_no_task_asks_for_gets_a_task_closed_for_people(
    workspace: Workspace, add_question: Callable[..., int]
):
    add_question("count/1")
    task_id = condition_task(workspace, "1  Random frame")
    row = workspace.store.rows("SELECT * FROM task WHERE id = ?", [task_id])[0]
    assert row["status"] == "closed"
    assert json.loads(row["settings"])["condition"] == "1 random frame"
    assert condition_task(workspace, "1 random frame") == task_id


def test_a_corrected_key_moves_what_is_right(
    workspace: Workspace, add_question: Callable[..., int]
):
    question = add_question("count/1", key=0)
    task_id = condition_task(workspace, "16 frames")
    run_id = ensure_run(workspace, "gpt-x", task_id)
    store_answers(workspace, run_id, [answer(workspace, task_id, "count/1", READ_B, "B")])
    assert take(workspace).predictions.right.tolist() == [False]
    with workspace.store.write() as database:
        revise(database, question, {"key": 1})
    table = take(workspace).predictions
    assert (table.right.tolist(), table.state.tolist()) == ([True], [READ])


def test_a_failed_item_is_kept_with_its_reason_until_it_is_answered(
    workspace: Workspace, add_question: Callable[..., int]
):
    add_question("count/1")
    task_id = condition_task(workspace, "16 frames")
    run_id = ensure_run(workspace, "gpt-x", task_id)
    given = answer(workspace, task_id, "count/1", Reading(None, "empty", "", "no reply"), None)
    store_errors(workspace, run_id, [(given.item_id, "the server did not answer in 60 s")])
    assert [run.errors for run in all_runs(workspace)] == [1]
    store_answers(workspace, run_id, [given])
    assert [(run.errors, run.predictions) for run in all_runs(workspace)] == [(0, 1)]
    assert take(workspace).predictions.state.tolist() == [EMPTY]


def test_a_model_cannot_take_the_name_of_a_person(
    workspace: Workspace, add_question: Callable[..., int], add_person: Callable[..., Person]
):
    add_question("count/1")
    add_person("ada")
    with pytest.raises(ValueError, match="name of a person"):
        ensure_run(workspace, "Ada", condition_task(workspace, "16 frames"))
