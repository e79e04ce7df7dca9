"""Failures among stored predictions: which are found under which filter, in which order."""

from collections.abc import Callable
from typing import Any

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.failure.failure_cards import page
from annotations.failure.failure_tags import all_tags, tag
from annotations.failure.failures import FailureFilter, find
from annotations.people import Person
from annotations.run.runs import all_runs, condition_task
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace

ModelSays = Callable[..., int]

# Keys are B. What two models replied to three questions; 'no' is a refusal.
SAID = {
    ("m", "count/1"): "A", ("m", "count/2"): "B", ("m", "turn/1"): "C",
    ("n", "count/1"): "C", ("n", "count/2"): "A", ("n", "turn/1"): "I cannot view the video.",
}  # fmt: skip


@pytest.fixture
def said(
    workspace: Workspace, add_question: Callable[..., int], model_says: ModelSays
) -> dict[tuple[str, str], int]:
    for uid in ("count/1", "count/2", "turn/1"):
        add_question(uid)
    return {named: model_says(*named, reply) for named, reply in SAID.items()}


def found(workspace: Workspace, **wanted: Any) -> list[tuple[str, str]]:
    """Model and question of what is found, in order."""
    snapshot = take(workspace)
    table = snapshot.predictions
    listed = find(snapshot, all_tags(snapshot), FailureFilter.from_json(wanted))
    made = page(take(workspace), table, all_tags(take(workspace)), listed.rows.tolist())
    model = {run.id: run.model for run in table.runs}
    return [(model[one["run"]], one["question"]["uid"]) for one in made.cards]


def person_answers(workspace: Workspace, person: Person, uid: str, choice: int) -> None:
    task_id = condition_task(workspace, "16 frames")
    [item] = workspace.store.rows(
        "SELECT id FROM item WHERE task_id = ? AND uid = ?", [task_id, f"question:{uid}"]
    )
    row = queue.hand(workspace, task_id, person, item["id"])
    given = Answer(f"{person.name}-{uid}", item["id"], row.lease.id, {"choice": choice}, None, 1, 0)
    answer_store.store(workspace, task_id, person, [given], closed_counts=True)


def test_wrong_answers_stand_in_the_order_of_questions_and_runs(workspace: Workspace, said: Any):
    assert found(workspace) == [
        ("m", "count/1"), ("n", "count/1"), ("n", "count/2"), ("m", "turn/1"), ("n", "turn/1"),
    ]  # fmt: skip
    assert found(workspace, outcome="right") == [("m", "count/2")]
    assert len(found(workspace, outcome="all")) == 6


def test_questions_that_most_runs_got_wrong_come_first_on_request(workspace: Workspace, said: Any):
    # count/1 and turn/1: two of two wrong; count/2: one of two.
    assert [uid for _, uid in found(workspace, order="hard")] == [
        "count/1", "count/1", "turn/1", "turn/1", "count/2",
    ]  # fmt: skip
    assert found(workspace, order="new")[0] == ("n", "turn/1")
    assert [model for model, _ in found(workspace, order="run")] == ["m", "m", "n", "n", "n"]


def test_all_wrong_and_differing_runs_are_told_apart_and_count_chosen_runs_only(
    workspace: Workspace, said: Any
):
    # An answer that was not read is another answer than C.
    assert found(workspace, others="all wrong", once=True) == [("m", "count/1"), ("m", "turn/1")]
    assert found(workspace, others="some right") == [("n", "count/2")]
    assert found(workspace, others="differ", once=True) == [
        ("m", "count/1"), ("n", "count/2"), ("m", "turn/1"),
    ]  # fmt: skip
    n = all_runs(workspace)[1].id
    assert found(workspace, runs=[n], others="all wrong") == [
        ("n", "count/1"), ("n", "count/2"), ("n", "turn/1"),
    ]  # fmt: skip
    assert found(workspace, runs=[n], others="differ") == []


def test_refusals_categories_and_text_narrow_the_list(workspace: Workspace, said: Any):
    assert found(workspace, states=["refused"]) == [("n", "turn/1")]
    assert found(workspace, categories=["turn"], states=["read"]) == [("m", "turn/1")]
    assert found(workspace, text="CANNOT view") == [("n", "turn/1")]
    assert found(workspace, text="turn/") == [("m", "turn/1"), ("n", "turn/1")]
    assert found(workspace, text="100%_") == []
    assert found(workspace, question="count/2", outcome="all") == [
        ("m", "count/2"), ("n", "count/2"),
    ]  # fmt: skip
    assert found(workspace, conditions=["text only"]) == []


def test_people_are_right_where_more_than_half_of_their_answers_are(
    workspace: Workspace, said: Any, add_person: Callable[..., Person]
):
    ada, ben = add_person("ada"), add_person("ben")
    person_answers(workspace, ada, "count/1", 1)
    person_answers(workspace, ada, "count/2", 1)
    person_answers(workspace, ben, "count/2", 0)  # half are right: not more than half
    assert found(workspace, people="right") == [("m", "count/1"), ("n", "count/1")]
    assert found(workspace, people="wrong") == [("n", "count/2")]
    assert found(workspace, people="none") == [("m", "turn/1"), ("n", "turn/1")]
    assert found(workspace, order="people")[:3] == [
        ("m", "count/1"), ("n", "count/1"), ("n", "count/2"),
    ]  # fmt: skip


def test_what_is_tagged_can_be_asked_for_by_class(
    workspace: Workspace, said: dict[tuple[str, str], int], add_person: Callable[..., Person]
):
    clara = add_person("clara", "author")
    tag(workspace, clara, said["m", "count/1"], ["oversight"], uid="uid-00000001")
    assert found(workspace, tagged="yes") == [("m", "count/1")]
    assert len(found(workspace, tagged="no")) == 4
    assert found(workspace, classes=["oversight", "causal"]) == [("m", "count/1")]
    assert found(workspace, classes=["causal"]) == []


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"colour": "red"}, "no filter 'colour'"),
        ({"order": "upwards"}, "Allowed: 'telling', 'question'"),
        ({"states": ["odd"]}, "Allowed: read"),
        ({"runs": ["1"]}, "runs is"),
        ({"once": 1}, "once is"),
    ],
)
def test_a_filter_that_does_not_exist_is_refused(wanted: dict[str, Any], words: str):
    with pytest.raises(ValueError, match=words):
        FailureFilter.from_json(wanted)


def test_a_workspace_without_predictions_has_no_failures(workspace: Workspace):
    assert found(workspace, others="differ", order="hard", people="right") == []


def test_a_card_shows_options_as_the_model_saw_them_and_every_other_answer(
    workspace: Workspace,
    add_question: Callable[..., int],
    model_says: ModelSays,
    add_person: Callable[..., Person],
):
    add_question("count/1", key=1)
    model_says("m", "count/1", "A", order=(2, 0, 1))  # the first shown is 'up', of index 2
    model_says("n", "count/1", "B", "full video")
    person_answers(workspace, add_person("ada"), "count/1", 1)
    table = take(workspace).predictions
    n = table.runs[1].id
    made = page(take(workspace), table, all_tags(take(workspace)), [0], compare=[n])
    [card] = made.cards
    assert [(one["letter"], one["text"]) for one in card["question"]["options"]] == [
        ("A", "up"), ("B", "left"), ("C", "right"),
    ]  # fmt: skip
    assert (card["choice"], card["question"]["key"], card["right"]) == (2, 1, False)
    assert [(one["reply"], one["right"]) for one in card["beside"]] == [("B", True)]
    [facts] = made.questions.values()
    assert [(one["choice"], one["right"]) for one in facts["cells"]] == [(2, False), (1, True)]
    assert [(one["name"], one["choice"]) for one in facts["people"]] == [("ada", 1)]


def test_a_long_reply_is_cut_on_the_card_and_had_whole(
    workspace: Workspace, add_question: Callable[..., int], model_says: ModelSays
):
    from annotations.failure.failure_cards import REPLY_SHOWN, whole_reply

    add_question("count/1")
    reply = "So <b>it</b> is. " * 200 + "Answer: A"
    one = model_says("m", "count/1", reply)
    table = take(workspace).predictions
    [card] = page(take(workspace), table, all_tags(take(workspace)), [0]).cards
    assert card["reply"] == reply[:REPLY_SHOWN]
    assert card["longer"] == len(reply) - REPLY_SHOWN
    assert whole_reply(take(workspace), one) == reply
