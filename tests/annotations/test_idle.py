"""Why a person finds nothing to do, and where they go on."""

from uuid import uuid4

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.idle import idle_reason
from annotations.answering.returns import skipped_items, waiting_items
from annotations.planning.own_tasks import next_task, tasks_of_person
from annotations.planning.task_store import create_task, grow, set_status


@pytest.fixture
def tasks(workspace, add_question):
    """Two tasks of the same three text questions, one person an item, asked of anybody twice."""
    for i in range(3):
        add_question(f"q{i}")
    ids = []
    for name in ("first", "second"):
        settings = {"condition": "text only", "meet_once": False}
        ids.append(create_task(workspace, name, "human_evaluation", settings, 1))
        grow(workspace, ids[-1])
    return ids


def work(workspace, task, person, skip=None):
    """Answer or skip everything that is handed out."""
    for _ in range(3):  # nobody takes more than half at once
        for row in queue.lease(workspace, task, person, 16):
            response = None if skip else {"choice": 0}
            answer = Answer(uuid4().hex, row.item.id, row.lease.id, response, skip, 2.0, 0.0)
            [receipt] = answer_store.store(workspace, task, person, [answer])
            assert receipt.status == "stored", receipt.reason


def test_a_task_says_that_it_is_closed_or_paused_not_that_others_work(workspace, tasks, add_person):
    ada = add_person("Ada")
    for status in ("closed", "paused"):
        set_status(workspace, "first", status)
        assert idle_reason(workspace, tasks[0], ada) == status


def test_who_has_answered_and_skipped_everything_is_done(workspace, tasks, add_person):
    ada = add_person("Ada")
    [row, *_] = queue.lease(workspace, tasks[0], ada, 16)
    skip = Answer(uuid4().hex, row.item.id, row.lease.id, None, "Too dark", 1.0, 0.0)
    answer_store.store(workspace, tasks[0], ada, [skip])
    work(workspace, tasks[0], ada)
    assert idle_reason(workspace, tasks[0], ada) == "done"


def test_others_are_named_only_while_they_hold_what_is_left(workspace, tasks, add_person):
    ada, ben = add_person("Ada"), add_person("Ben")
    held = []
    for _ in range(3):
        rows = queue.lease(workspace, tasks[0], ben, 16, have=frozenset(held))
        held += [row.item.id for row in rows]
    assert len(held) == 3
    assert idle_reason(workspace, tasks[0], ada) == "others"
    work(workspace, tasks[0], ben)
    assert idle_reason(workspace, tasks[0], ada) == "done"


def test_what_cannot_be_shown_yet_is_not_said_to_be_with_others(
    workspace, add_question, add_person
):
    add_question("q0")
    settings = {"condition": "1 handpicked frame"}
    task = create_task(workspace, "picked", "human_evaluation", settings, 1)
    grow(workspace, task)
    ada = add_person("Ada")
    assert queue.lease(workspace, task, ada, 16) == []
    assert idle_reason(workspace, task, ada) == "not_ready"


def test_one_goes_on_with_the_first_open_task_that_has_work(workspace, tasks, add_person):
    ada = add_person("Ada")
    following = next_task(workspace, ada)
    assert following is not None
    assert following.name == "first"
    work(workspace, tasks[0], ada)
    following = next_task(workspace, ada)
    assert following is not None
    assert following.name == "second"
    set_status(workspace, "second", "closed")
    assert next_task(workspace, ada) is None
    assert [own.task.status for own in tasks_of_person(workspace, ada)] == ["open", "closed"]


def test_a_single_skip_reaches_the_author_with_its_reason(workspace, tasks, add_person):
    ada = add_person("Ada")
    [row, *_] = queue.lease(workspace, tasks[0], ada, 16)
    skip = Answer(uuid4().hex, row.item.id, row.lease.id, None, "Too dark", 1.0, 0.0)
    answer_store.store(workspace, tasks[0], ada, [skip])
    [item] = skipped_items(workspace, tasks[0])
    assert (item.id, item.reasons) == (row.item.id, ("Ada: Too dark",))
    assert waiting_items(workspace, tasks[0]) == []


def test_a_task_that_shows_keys_waits_for_ones_own_answers_and_says_so(
    workspace, tasks, add_person
):
    """Three questions are asked in two tasks; the third task shows their keys."""
    review = create_task(workspace, "review", "question_review", {"keep": [1, 2]}, 2)
    grow(workspace, review)
    ada = add_person("Ada")
    assert queue.lease(workspace, review, ada, 16) == []
    assert idle_reason(workspace, review, ada) == "hidden"
    own = next(own for own in tasks_of_person(workspace, ada) if own.task.name == "review")
    assert (own.can_work, own.progress["open_for_me"], own.progress["hidden"]) == (False, 0, 3)
    for task in tasks:
        work(workspace, task, ada)
    assert len(queue.lease(workspace, review, ada, 16)) == 3
    assert [own.task.name for own in tasks_of_person(workspace, ada) if own.can_work] == ["review"]


def test_what_is_open_behind_hidden_items_is_found(workspace, tasks, add_question, add_person):
    """The first 2 x wanted items in the queue are hidden; the ones behind them are handed out."""
    for number in range(3):
        add_question(f"later{number}")
    review = create_task(workspace, "review", "question_review", {"keep": [1, 2]}, 2,
                         order="as imported")  # fmt: skip
    grow(workspace, review)
    ada = add_person("Ada")
    [handed] = queue.lease(workspace, review, ada, 1)
    assert handed.item.uid == "question:later0"


def test_who_has_seen_the_keys_of_what_is_left_is_told_so(workspace, tasks, add_person):
    review = create_task(workspace, "review", "question_review", {"keep": [1, 2]}, 1)
    grow(workspace, review)
    ada = add_person("Ada")
    for name in ("first", "second"):
        set_status(workspace, name, "closed")  # nobody is asked now, so keys may be shown
    assert len(queue.lease(workspace, review, ada, 16)) == 3
    set_status(workspace, "first", "open")
    assert queue.lease(workspace, tasks[0], ada, 16) == []
    assert idle_reason(workspace, tasks[0], ada) == "seen"
    [first, *_] = [own for own in tasks_of_person(workspace, ada) if own.task.name == "first"]
    assert (first.can_work, first.progress["seen"], first.progress["total"]) == (False, 3, 0)
