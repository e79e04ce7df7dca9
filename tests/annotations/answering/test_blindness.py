"""Nobody sees a question's key who may still be asked for it, in either order of tasks."""

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.planning.task_store import create_task, grow, set_status

EVALUATION, REVIEW = "evaluation", "review"


@pytest.fixture
def made(workspace, add_question):
    """Three questions to be answered by two people, and to be reviewed beside their keys."""
    for number in range(3):
        add_question(f"count/{number}")
    tasks = {
        EVALUATION: create_task(
            workspace, EVALUATION, "human_evaluation", {"condition": "full video"}, 2
        ),
        REVIEW: create_task(
            workspace, REVIEW, "question_review", {"show_key": True, "keep": [1]}, 3
        ),
    }
    for task in tasks.values():
        grow(workspace, task)
    return tasks


def leased(workspace, task, person):
    return queue.lease(workspace, task, person, 16)


def answer_all(workspace, task, person):
    for handed in leased(workspace, task, person):
        answer_store.store(
            workspace, task, person,
            [Answer(f"{person.name}-{handed.item.id:08}", handed.item.id, handed.lease.id,
                    {"choice": 0}, None, 1.0, 0.0)],
        )  # fmt: skip


def test_keys_are_shown_to_nobody_who_may_still_be_asked(workspace, made, add_person):
    ada = add_person("Ada")
    assert leased(workspace, made[REVIEW], ada) == []
    while leased(workspace, made[EVALUATION], ada):
        answer_all(workspace, made[EVALUATION], ada)
    assert leased(workspace, made[REVIEW], ada)  # she has answered all: now she may see keys


def test_who_has_seen_a_key_is_not_asked(workspace, made, add_person):
    ada = add_person("Ada")
    set_status(workspace, EVALUATION, "closed")  # nobody is asked now, so keys may be shown
    reviewed = {handed.item.question_id for handed in leased(workspace, made[REVIEW], ada)}
    assert reviewed
    set_status(workspace, EVALUATION, "open")
    asked = {handed.item.question_id for handed in leased(workspace, made[EVALUATION], ada)}
    assert not asked & reviewed


def test_enough_answers_of_others_let_keys_be_shown(workspace, made, add_person):
    for name in ("Ben", "Cem"):
        person = add_person(name)
        while leased(workspace, made[EVALUATION], person):
            answer_all(workspace, made[EVALUATION], person)
    assert leased(workspace, made[REVIEW], add_person("Ada"))


def test_who_works_on_another_task_by_name_is_not_asked_and_may_see_keys(
    workspace, made, add_person
):
    from annotations.answering.assignments import assign

    ada, ben = add_person("Ada"), add_person("Ben")
    assign(workspace, made[EVALUATION], ["Ben"])
    assert leased(workspace, made[REVIEW], ada)
    assert leased(workspace, made[REVIEW], ben) == []


def test_authors_see_keys_anyhow(workspace, made, add_person):
    assert leased(workspace, made[REVIEW], add_person("Eva", "author"))
