"""What the report of a cross-check says was answered, in the words of the question then asked."""

import time

import pytest

from annotations.adjudication.answers_side_by_side import answers_side_by_side
from annotations.adjudication.cross_check import check_keys, decided
from annotations.adjudication.decision_words import decision_words
from annotations.adjudication.resolution import resolve
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.planning.item_list import newest_answers
from annotations.planning.task_store import create_task, grow
from annotations.question.questions import revise
from annotations.record.stage import Content
from annotations.scoring.snapshot import take
from annotations.task import describer, kind

SETTINGS = {"condition": "full video", "shuffle_options": True, "cannot_tell": True}
OPTIONS = ("one", "two", "three", "four")


@pytest.fixture
def answer(workspace, add_person):
    """Has a new person answer an item of a task."""

    def give(task, item, name, response):
        person = add_person(name)
        lease = queue.hand(workspace, task, person, item).lease
        sent = Answer(f"answer-{name}-{item}", item, lease.id, response, None, 1.0, time.time())
        [receipt] = answer_store.store(workspace, task, person, [sent])
        assert receipt.status == "stored", receipt

    return give


@pytest.fixture
def asked(workspace, add_question):
    """(task, item, question) of one question with the key B."""
    question = add_question("count/1", options=OPTIONS, key=1)
    task = create_task(workspace, "t", "human_evaluation", SETTINGS, 2)
    grow(workspace, task)
    [row] = workspace.store.rows("SELECT id FROM item")
    return task, row["id"], question


def settle(workspace, add_person, item, outcome, **more):
    rows = workspace.store.rows(
        "SELECT id FROM current_annotation WHERE item_id = ? ORDER BY annotator_id", [item]
    )
    table = tuple(row["id"] for row in rows)
    clara = add_person("Clara", "author")
    resolve(workspace, item, clara, outcome, answers=table, seen_revision=0, signatures=1, **more)


def report_words(workspace, task):
    [words] = decision_words(workspace, decided(take(workspace), [task]))
    return words


def test_answers_are_options_with_their_letters_in_the_questions_own_order(
    workspace, asked, answer, add_person
):
    task, item, _ = asked
    answer(task, item, "Ada", {"choice": 0})
    answer(task, item, "Ben", {"choice": "cannot_tell"})
    settle(workspace, add_person, item, "first")
    words = report_words(workspace, task)
    assert words.answers == ("A. one", "I cannot tell.")
    assert words.value == "A. one"


def test_an_answer_keeps_the_words_of_the_revision_that_it_was_given_to(
    workspace, asked, answer, add_person
):
    task, item, question = asked
    answer(task, item, "Ada", {"choice": 0})
    with workspace.store.write() as database:  # the same option, in other words, in another place
        changed = {"options": ["four", "three", "two", "one"], "key": 2}
        revise(database, question, changed, ask_again=False)
    answer(task, item, "Ben", {"choice": 0})
    assert [shown.words for shown in answers_side_by_side(workspace, item).answers] == [
        "A. one", "A. four",
    ]  # fmt: skip
    assert {listed.words for listed in newest_answers(workspace, task)} == {"A. one", "A. four"}
    settle(workspace, add_person, item, "retire")
    with workspace.store.write() as database:
        revise(database, question, {"options": ["5", "6", "7", "8"], "key": 0}, ask_again=False)
    assert report_words(workspace, task).answers == ("A. one", "A. four")


def test_another_answer_has_the_words_of_the_question_as_it_was_decided_about(
    workspace, asked, answer, add_person
):
    task, item, question = asked
    answer(task, item, "Ada", {"choice": 0})
    answer(task, item, "Ben", {"choice": 2})
    settle(workspace, add_person, item, "other", value={"choice": 3})
    with workspace.store.write() as database:
        database.conn.execute("UPDATE question_revision SET created_at = '2020' || revision")
        revise(database, question, {"options": ["5", "6", "7", "8"], "key": 0}, ask_again=False)
        database.conn.execute(
            "UPDATE question_revision SET created_at = '9999' WHERE options LIKE '%5%'"
        )
    assert report_words(workspace, task).value == "D. four"


def test_a_stored_key_on_the_table_is_named_like_any_answer(
    workspace, add_question, answer, add_person
):
    add_question("count/1", options=OPTIONS, key=1)
    task = check_keys(workspace, "keys", "human_evaluation", {"condition": "full video"}, ())
    [row] = workspace.store.rows("SELECT id FROM item")
    answer(task, row["id"], "Ada", {"choice": 3})
    changes = {"text": "How many?", "options": ["one", "two", "three", "five"], "key": 1}
    settle(workspace, add_person, row["id"], "fix_question", changes=changes)
    words = report_words(workspace, task)
    assert set(words.answers) == {"B. two", "D. four"}
    assert words.value == "How many?; A. one  B. two  C. three  D. five; key B"


def test_a_review_is_said_in_words_by_the_letters_of_its_question():
    options = {"key": "2", "kept": ["0"], "texts": {"0": "one", "2": "3 times"}}
    kept = {"verdict": "keep", "question": "How often?", "options": options,
            "flags": ["wrong_key"], "note": "blurred"}  # fmt: skip

    def describe(response, values):
        return describer(kind("question_review"), Content("", None, values))(response)

    assert describe(kept, {}) == (
        "keep: How often?; key C. 3 times; kept A. one; flagged wrong key; blurred"
    )
    assert describe({"verdict": "discard", "flags": [], "note": ""}, {}) == "discard"
    written = {"category": "count", "question": "How often?", "answer": "twice",
               "wrong": ["once", "never"], "note": ""}  # fmt: skip
    assert describe(written, {}) == ("count: How often?; key: twice; wrong answers: once, never")
