"""Failure tagging as a task: items, what is shown, answers, decisions."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from annotations import task as tasks
from annotations.answering import queue
from annotations.failure.failed_answer import CAME_WITHOUT, FRAMES_NOT_KNOWN, not_known, seen
from annotations.importing.prediction_shown import DRAWN, UNKNOWN
from annotations.people import Person
from annotations.planning.task_plan import plan_task
from annotations.planning.task_store import create_task
from annotations.record.item import items_of_task
from annotations.record.stage import Grid, Player
from annotations.workspace import Workspace

KIND: Any = tasks.kind("failure_tagging")
ModelSays = Callable[..., int]


def item(workspace: Workspace, prediction: int, **settings: Any) -> tuple[Any, Any]:
    """What is shown of the only item of a task about a prediction, and its content."""
    rows = [{"prediction": prediction}]
    task = create_task(workspace, f"t {prediction}", "failure_tagging", settings, 2, rows=rows)
    with workspace.store.read() as database:
        [row] = items_of_task(database, task)
    checked = KIND.check_settings(settings)
    shown = KIND.show(workspace, row, checked, "seed")
    return shown, KIND.content(workspace, row, shown)


def test_annotators_see_the_models_frames_key_answer_and_reply(
    workspace: Workspace, add_question: Callable[..., int], model_says: ModelSays
):
    add_question("count/1", key=1)
    shown, content = item(workspace, model_says("m", "count/1", "It is A", order=(2, 0, 1)))
    assert isinstance(content.stage, Grid)
    assert (content.stage.frames, content.stage.times) == ((0, 30, 59), (0.0, 1.0, 1.966667))
    answer = content.values["answer"]
    assert [(one["letter"], one["key"], one["chosen"]) for one in answer["options"]] == [
        ("A", False, True), ("B", False, False), ("C", True, False),
    ]  # fmt: skip
    assert (answer["reply"], answer["note"]) == ("It is A", "")
    # Under 'option_order' it would be taken for a person's answer to the question.
    assert "option_order" not in shown.facts


def test_unknown_frames_are_said_to_be_unknown_and_text_alone_has_no_picture(
    workspace: Workspace, add_question: Callable[..., int], model_says: ModelSays
):
    add_question("count/1", key=1)
    _, content = item(workspace, model_says("m", "count/1", "A", frames=()))
    assert isinstance(content.stage, Player)
    assert content.values["answer"]["note"] == FRAMES_NOT_KNOWN.format(CAME_WITHOUT)
    _, content = item(workspace, model_says("m", "count/1", "A", "text only", frames=()))
    assert content.stage is None
    assert "no picture" in content.values["answer"]["note"]
    _, content = item(workspace, model_says("m", "count/1", "A", "full video", frames=()))
    assert isinstance(content.stage, Player)
    assert content.values["answer"]["note"] == ""


def test_items_are_drawn_from_wrong_predictions_by_run_category_and_reading(
    workspace: Workspace, add_question: Callable[..., int], model_says: ModelSays
):
    for uid in ("count/1", "count/2", "turn/1"):
        add_question(uid, key=1)
        model_says("m", uid, "A")
        model_says("n", uid, "I cannot view the video." if uid == "turn/1" else "B")

    def uids(**settings: Any) -> list[str]:
        plan = plan_task(workspace, name="new", kind="failure_tagging", settings=settings)
        return [one.draft.uid.partition(" (")[0] for one in plan.items]

    m = [f"prediction:{uid} · m · 16 frames" for uid in ("count/1", "count/2", "turn/1")]
    assert uids() == m
    assert uids(categories=["count"]) == m[:2]
    assert uids(runs=["n · 16 frames"], states=["refused"]) == ["prediction:turn/1 · n · 16 frames"]
    assert len(uids(most_per_run=2)) == 2
    assert uids(most_per_run=2, seed=3) == uids(most_per_run=2, seed=3)
    assert {tuple(uids(most_per_run=1, seed=seed)) for seed in range(9)} == {(one,) for one in m}
    # Who is drawn alone is among those drawn of two.
    assert set(uids(most_per_run=1)) < set(uids(most_per_run=2))
    with pytest.raises(ValueError, match=r"There is no run 'x'\. Allowed: m · 16 frames"):
        uids(runs=["x"])
    with pytest.raises(ValueError, match="holds no usable predictions"):
        uids(categories=["nothing"])


def test_a_row_names_a_prediction_by_number_or_by_run_and_question(
    workspace: Workspace, add_question: Callable[..., int], model_says: ModelSays
):
    add_question("count/1", key=1)
    one, right = model_says("m", "count/1", "A"), model_says("n", "count/1", "B")
    rows = [{"run": "m · 16 frames", "question": "count/1"}]
    [draft] = KIND.build_items(workspace, KIND.check_settings({}), rows)
    assert draft.payload["prediction"] == one
    for row, words in (
        ({"prediction": right}, "row 1.*not a wrong prediction"),
        ({"prediction": 999}, "row 1.*no such prediction"),
        ({"run": "m", "question": "count/1"}, "row 1.*no such prediction"),
    ):
        with pytest.raises(ValueError, match=words):
            KIND.build_items(workspace, KIND.check_settings({}), [row])


def test_an_item_is_handed_out_no_more_once_its_answer_is_right(
    workspace: Workspace,
    add_question: Callable[..., int],
    add_person: Callable[..., Person],
    model_says: ModelSays,
):
    from annotations.question.questions import revise

    question = add_question("count/1", key=1)
    rows = [{"prediction": model_says("m", "count/1", "A")}]
    task = create_task(workspace, "t", "failure_tagging", {}, 2, rows=rows)
    assert len(queue.lease(workspace, task, add_person("ada"), 5)) == 1
    with workspace.store.write() as database:
        revise(database, question, {"key": 0})
    assert queue.lease(workspace, task, add_person("ben"), 5) == []


def test_classes_are_the_authors_own_and_none_of_these_is_always_there():
    found = KIND.check_settings({"classes": ["Too slow", {"id": "x", "label": "Else"}]})
    assert [one["id"] for one in found["classes"]] == ["too_slow", "x", "none"]
    assert KIND.check_settings(json.loads(json.dumps(found))) == found
    with pytest.raises(ValueError, match="allowed: read"):
        KIND.check_settings({"states": ["odd"]})


@pytest.mark.parametrize(
    ("classes", "words"),
    [([], "No class"), (["a", "z"], "no class of this list"), (["a", "none"], "beside a class")],
)
def test_an_answer_needs_offered_classes(classes: list[str], words: str):
    shown = tasks.Shown({"classes": ["a", "b", "none"]})
    with pytest.raises(ValueError, match=words):
        KIND.check_response({"classes": classes}, shown)
    kept = KIND.check_response({"classes": ["b", "a"], "note": " so "}, shown)
    assert kept == {"classes": ["a", "b"], "note": "so"}


def test_a_class_holds_where_more_than_half_named_it():
    settings = KIND.check_settings({"classes": ["a", "b"]})

    def said(*answers: str) -> list[dict[str, Any]]:
        return [{"classes": list(one), "note": ""} for one in answers]

    found = KIND.decide(said("a", "ab", "b"), settings)
    assert (found.value, found.status, found.words) == (
        ["a", "b"], "decided", "2 of 3 “a”, 2 of 3 “b”",
    )  # fmt: skip
    assert KIND.decide(said("a", "b"), settings).status == "tie"
    assert KIND.decide([], settings).status == "none"
    # Two of two say a and nothing else: a third can change neither a, nor b, nor 'none'.
    assert KIND.settled(said("a", "a"), 1, settings)
    assert not KIND.settled(said("a"), 1, settings)
    assert KIND.distance(*said("a", "ab")) == 0.5
    assert KIND.feedback(*said("ab", "a"), settings)[0]
    named = KIND.check_settings({"classes": [{"id": "a", "label": "Looked away"}, "b"]})
    assert KIND.feedback(*said("b", "a"), named) == (False, "Also, or rather: Looked away.")


def test_why_the_frames_are_not_known_is_said_as_the_import_found_it(
    workspace: Workspace, add_question: Callable[..., int], model_says: ModelSays
):
    add_question("count/1", key=1)
    prediction = model_says("m", "count/1", "A", frames=(), **{UNKNOWN: DRAWN})
    said = not_known(workspace, seen(workspace, prediction))
    assert said == (
        "It is not known which frames the model saw: the frames were drawn at random, and the file"
        " does not say which. This is the whole clip."
    )
