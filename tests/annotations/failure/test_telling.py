"""Which failures are shown first, and what a small card of one holds."""

from collections.abc import Callable
from typing import Any

import pytest

from annotations.answering import queue
from annotations.answering.answer_store import Answer, store
from annotations.failure.failure_tags import all_tags
from annotations.failure.failure_wall import wall
from annotations.failure.failures import FailureFilter, find
from annotations.planning.task_store import create_task, grow
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace

WANTED = FailureFilter(once=True, order="telling")


@pytest.fixture
def study(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
) -> Workspace:
    """Questions with key B: what runs and people made of each stands in its name."""
    said = {
        "all/wrong": ("A", "C", ""),
        "one/right": ("B", "A", ""),
        "only/text": ("", "", "A"),
        "text/too": ("A", "A", "C"),
    }
    for uid, (frames, video, text) in said.items():
        add_question(uid)
        for condition, letter in (("16 frames", frames), ("full video", video)):
            if letter:
                model_says("m", uid, letter, condition)
        if text:
            model_says("m", uid, text, "text only", frames=())
    return workspace


def listed(workspace: Workspace, wanted: FailureFilter = WANTED) -> list[dict[str, Any]]:
    with take(workspace) as snapshot:
        tags = all_tags(snapshot)
        rows: list[int] = find(snapshot, tags, wanted).rows.tolist()
        cards = wall(snapshot, workspace.media, snapshot.predictions, tags, rows)
    return [{**card.facts, "picture": card.picture} for card in cards]


def test_runs_that_disagree_come_before_what_nobody_gets_and_the_text_alone_comes_last(study):
    assert [card["uid"] for card in listed(study)] == [
        "one/right",
        "all/wrong",
        "text/too",
        "only/text",
    ]


def test_what_people_get_right_and_every_run_wrong_comes_first(study, add_person):
    settings = {"condition": "full video", "shuffle_options": False}
    task = create_task(study, "people", "human_evaluation", settings, 1)
    grow(study, task)
    [item] = study.store.rows(
        "SELECT i.id FROM item i JOIN question q ON q.id = i.question_id"
        " WHERE i.task_id = ? AND q.uid = 'text/too'",
        [task],
    )
    ada = add_person("Ada")
    lease = queue.hand(study, task, ada, item["id"]).lease.id
    answer = Answer("the answer of Ada", item["id"], lease, {"choice": 1}, None, 1.0, 0.0)
    [receipt] = store(study, task, ada, [answer])
    assert receipt.status == "stored", receipt
    cards = listed(study)
    assert [card["uid"] for card in cards][:2] == ["text/too", "one/right"]
    assert cards[0]["people"] == [1, 1]


def test_a_card_shows_the_run_that_saw_most_and_every_answer_by_the_questions_letters(
    study, model_says
):
    # B stands at A in the order that this run saw: its answer is the key all the same.
    model_says("n", "all/wrong", "A", "1 random frame", order=(1, 0, 2), frames=(30,))
    [card] = [card for card in listed(study) if card["uid"] == "all/wrong"]
    assert card["key"] == "B"
    answers = card["answers"]
    assert sorted(zip(answers["letters"], answers["right"], strict=True)) == [
        ("A", 0), ("B", 1), ("C", 0),
    ]  # fmt: skip
    assert card["picture"].frames == (0, 30, 59)  # of the run with frames, not of the random one


def test_the_text_alone_has_no_picture_and_more_than_sixteen_frames_are_thinned_out(
    study, add_question, model_says
):
    [only] = [card for card in listed(study) if card["uid"] == "only/text"]
    assert only["picture"] is None
    add_question("many/1")
    model_says("m", "many/1", "A", "32 frames", frames=tuple(range(32)))
    [many] = [card for card in listed(study) if card["uid"] == "many/1"]
    assert len(many["picture"].frames) == 16
    assert many["picture"].frames == tuple(sorted(many["picture"].frames))
