"""Runs by keys that people still check: what is counted, and the estimate by hand."""

import uuid

import numpy as np
import pytest

from annotations.adjudication.checked_keys import NOT_SETTLED, keys_under_check, more_checks
from annotations.adjudication.cross_check import check_keys
from annotations.adjudication.draw_checks import draw_checks, key_doubt
from annotations.adjudication.resolution import resolve
from annotations.answering import answer_store, queue
from annotations.condition import Condition
from annotations.question.questions import revise
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import condition_task, ensure_run
from annotations.scoring.snapshot import take
from core.refusal import Refusal
from core.reply.reading import read

KEY = 1  # of every question that add_question makes
CONDITION = {"condition": "full video", "shuffle_options": False}


@pytest.fixture
def add_replies(workspace):
    """Stores a run that says one letter a question, in order."""

    def add(model, letters):
        task = condition_task(workspace, "16 frames")
        run = ensure_run(workspace, model, task)
        items = workspace.store.rows(
            "SELECT i.id, q.id AS revision FROM item i JOIN current_question q"
            " ON q.question_id = i.question_id WHERE i.task_id = ? ORDER BY q.question_id",
            [task],
        )
        shown = {"condition": Condition.parse("16 frames").name, "option_order": [0, 1, 2]}
        answers = []
        for item, letter in zip(items, letters, strict=True):
            reading = read(letter, ["left", "right", "up"])
            answers.append(
                ModelAnswer(item["id"], item["revision"], {"choice": reading.choice}, shown,
                            reading, letter)
            )  # fmt: skip
        store_answers(workspace, run, answers)
        return run

    return add


@pytest.fixture
def answer(workspace):
    """Has a person check the key of the question of an item."""

    def give(task, person, item, choice):
        handed = queue.hand(workspace, task, person, item)
        given = answer_store.Answer(
            uuid.uuid4().hex, item, handed.lease.id, {"choice": choice}, None, 1.0, 0.0
        )
        [receipt] = answer_store.store(workspace, task, person, [given])
        assert receipt.status == "stored", receipt

    return give


def items_of(workspace, task):
    stored = workspace.store.rows(
        "SELECT id, question_id FROM item WHERE task_id = ? ORDER BY question_id", [task]
    )
    return [row["id"] for row in stored]


@pytest.fixture
def study(workspace, add_question, add_replies, add_person, answer):
    """Forty questions; a run is right by the stored key on 30; Ann checks 20 keys, 2 are wrong.

    On the first 20 the run says the key 15 times and "left" 5 times; Ann says "left" on the first
    two of those five, and the key on all others.
    """
    for number in range(40):
        add_question(f"count/{number:02}")
    add_replies("m", "A" * 5 + "B" * 15 + "A" * 5 + "B" * 15)
    task = check_keys(workspace, "Keys", "human_evaluation", CONDITION, ())
    ann = add_person("Ann")
    for place, item in enumerate(items_of(workspace, task)[:20]):
        answer(task, ann, item, 0 if place < 2 else KEY)
    return workspace, task


def test_few_checks_and_all_stored_keys_estimate_the_accuracy_by_hand(study):
    workspace, _ = study
    with take(workspace) as snapshot:
        checked = keys_under_check(snapshot)
    assert checked is not None
    stands_on = checked.population
    assert (stands_on.stands_on, checked.confirmed, checked.everything) == (20, 18, 40)
    assert stands_on.words == (
        "Checks of the stored keys: 20 answers of 1 person to 20 questions about 20 videos,"
        " given in “Keys”"
    )
    assert dict(stands_on.among) == {NOT_SETTLED: 2}
    [run] = checked.runs
    assert run.by_stored == 30 / 40
    assert run.figures is not None
    # By Ann's answers the run is right on 15 and on the two that she mends: 17 of 20.
    assert run.figures.alone.value == pytest.approx(17 / 20)
    # The stored keys call 15 of the 20 right and 30 of 40: the same share, so nothing is moved.
    assert run.figures.estimate.value == pytest.approx(17 / 20)
    # Y and f over the 20: cov = (15 - 20 * 0.85 * 0.75) / 19 = 2.25 / 19, var f = 20 * 0.1875 / 19;
    # the 40 answers have 40 * 0.1875 / 39; n / N = 1/2.
    power = (2.25 / 19) / (3.75 / 19 + 0.5 * 7.5 / 39)
    assert run.figures.power == pytest.approx(power)
    assert run.figures.estimate.low < 0.85 < run.figures.estimate.high
    assert more_checks(run.figures) > 0


def test_a_key_that_is_mended_since_does_not_hide_what_the_check_has_found(study):
    workspace, task = study
    with take(workspace) as snapshot:
        before = keys_under_check(snapshot)
    first = workspace.store.rows(
        "SELECT question_id FROM item WHERE task_id = ? ORDER BY question_id LIMIT 1", [task]
    )[0]["question_id"]
    with workspace.store.write() as database:
        revise(database, first, {"key": 0})
    with take(workspace) as snapshot:
        after = keys_under_check(snapshot)
    assert before is not None
    assert after is not None
    assert after.runs[0].by_stored == before.runs[0].by_stored
    assert after.runs[0].figures == before.runs[0].figures
    assert after.confirmed == 18


def test_what_authors_settle_holds_and_what_they_retire_is_left_out(study, add_person):
    workspace, task = study
    clara = add_person("Clara", "author")
    kept, retired = items_of(workspace, task)[:2]
    for item, outcome in ((kept, "first"), (retired, "retire")):
        on_table = workspace.store.rows(
            "SELECT id FROM current_annotation WHERE item_id = ? ORDER BY annotator_id",
            [item],
        )
        resolve(
            workspace, item, clara, outcome, reason="looked", seen_revision=0,
            answers=tuple(row["id"] for row in on_table),
        )  # fmt: skip
    with take(workspace) as snapshot:
        checked = keys_under_check(snapshot)
    assert checked is not None
    # The key was right after all on one, and the other question is gone.
    assert (checked.population.stands_on, checked.confirmed) == (19, 19)
    assert checked.population.among == ()
    assert dict(checked.population.answers) == {
        "to questions that authors then changed or retired": 1
    }


def test_too_few_checks_say_how_many_are_needed(
    workspace, add_question, add_replies, add_person, answer
):
    for number in range(12):
        add_question(f"count/{number:02}")
    add_replies("m", "B" * 12)
    with take(workspace) as snapshot:
        assert keys_under_check(snapshot) is None
    task = check_keys(workspace, "Keys", "human_evaluation", CONDITION, ())
    ann = add_person("Ann")
    for item in items_of(workspace, task)[:9]:
        answer(task, ann, item, KEY)
    with take(workspace) as snapshot:
        checked = keys_under_check(snapshot)
    assert checked is not None
    assert checked.runs[0].figures is None
    assert checked.runs[0].why.startswith("9 of its answers are to questions whose key is checked")


def test_drawn_checks_are_weighed_by_their_stored_chances(
    workspace, add_question, add_replies, add_person, answer
):
    for number in range(60):
        add_question(f"count/{number:02}")
    # Three models say the same other option on the first twelve: their keys are doubted most.
    for model in ("a", "b", "c"):
        add_replies(model, "A" * 12 + "B" * 48)
    with take(workspace) as snapshot:
        ids = np.array([q.question_id for q in snapshot.people.current])
        doubt = key_doubt(snapshot.predictions, ids)
        assert doubt.tolist() == [1.0] * 12 + [0.0] * 48
        task = draw_checks(workspace, snapshot, 20, "Drawn keys")
    chances = dict(
        tuple(row.values())
        for row in workspace.store.rows(
            "SELECT i.question_id, c.chance FROM label_chance c JOIN item i ON i.id = c.item_id"
        )
    )
    # 20 * 0.3 / 60 = 0.1 each; the twelve share 14 more, which is above 1 each: they have 1, and
    # the others share the rest.
    assert [round(chances[number], 3) for number in ids[:12]] == [1.0] * 12
    assert [round(chances[number], 4) for number in ids[12:]] == [round(8 / 48, 4)] * 48
    asked = items_of(workspace, task)
    assert len(asked) in (19, 20, 21)
    ann = add_person("Ann")
    for place, item in enumerate(asked):
        answer(task, ann, item, 0 if place < 6 else KEY)
    with take(workspace) as snapshot:
        checked = keys_under_check(snapshot)
    assert checked is not None
    assert checked.chances
    run = checked.runs[0]
    assert run.figures is not None
    # Right by people: 6 of the twelve, which stand for 12, and all others: (6 + 48) / 60.
    assert run.figures.estimate.value == pytest.approx(54 / 60, abs=0.02)
    with take(workspace) as snapshot:
        again = draw_checks(workspace, snapshot, 20, "More keys")
    drawn = {row["question_id"] for row in workspace.store.rows(
        "SELECT question_id FROM item WHERE task_id = ?", [task])}  # fmt: skip
    new = {row["question_id"] for row in workspace.store.rows(
        "SELECT question_id FROM item WHERE task_id = ?", [again])}  # fmt: skip
    assert new
    assert not drawn & new


def test_what_cannot_be_drawn_is_refused_with_the_reason(workspace, add_question, add_replies):
    add_question("count/1")
    with take(workspace) as snapshot:
        with pytest.raises(Refusal, match="Draw 10 or more"):
            draw_checks(workspace, snapshot, 5, "Keys")
        with pytest.raises(Refusal, match="No model has answered yet"):
            draw_checks(workspace, snapshot, 10, "Keys")


def test_checks_in_the_order_of_import_are_no_sample(study):
    workspace, task = study
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET order_seed = NULL WHERE id = ?", [task])
    with take(workspace) as snapshot:
        checked = keys_under_check(snapshot)
    assert checked is not None
    assert checked.runs[0].figures is None
    assert "order of import" in checked.runs[0].why
