import sqlite3
import time
from dataclasses import replace

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.own_answers import own_answer, own_answers, own_drafts
from annotations.planning.task_store import create_task, grow


@pytest.fixture
def at_work(workspace, add_question, add_person):
    """A task of two questions; Ada holds the first."""
    for number in range(2):
        add_question(f"count/{number}", options=("one", "two", "three", "four"))
    task = create_task(workspace, "t", "human_evaluation", {"condition": "16 frames"}, 2)
    grow(workspace, task)
    ada = add_person("Ada")
    return task, ada, queue.lease(workspace, task, ada, 1)[0]


def an_answer(row, choice=2, uid="00000000-a"):
    return Answer(uid, row.item.id, row.lease.id, {"choice": choice}, None, 1.5, time.time())


def test_the_same_answer_sent_twice_is_stored_once(workspace, at_work):
    task, ada, row = at_work
    first = answer_store.store(workspace, task, ada, [an_answer(row)])[0]
    second = answer_store.store(workspace, task, ada, [an_answer(row)])[0]
    assert (first.status, second.status) == ("stored", "again")
    assert len(workspace.store.rows("SELECT * FROM annotation")) == 1


def test_a_correction_is_a_new_revision_and_the_old_answer_stays(workspace, at_work):
    task, ada, row = at_work
    answer_store.store(workspace, task, ada, [an_answer(row, 2)])
    receipt = answer_store.store(workspace, task, ada, [an_answer(row, 3, uid="00000000-b")])[0]
    assert (receipt.status, receipt.revision) == ("stored", 2)
    kept = workspace.store.rows("SELECT revision, response FROM annotation ORDER BY revision")
    assert [r["response"] for r in kept] == ['{"choice": 2}', '{"choice": 3}']
    current = workspace.store.rows("SELECT response FROM current_annotation")
    assert [r["response"] for r in current] == ['{"choice": 3}']
    assert workspace.store.rows("SELECT answers FROM item WHERE id = ?", [row.item.id]) == [
        {"answers": 1}
    ]


def test_an_answer_keeps_the_exact_frames_and_option_order(workspace, at_work):
    task, ada, row = at_work
    answer_store.store(workspace, task, ada, [an_answer(row)])
    [stored] = workspace.store.rows(
        "SELECT json_extract(shown, '$.frames') AS frames,"
        " json_extract(shown, '$.option_order') AS option_order, question_revision_id"
        " FROM annotation"
    )
    # 16 of 60 frames with both ends: i * 59 / 15, rounded.
    assert stored["frames"] == "[0,4,8,12,16,20,24,28,31,35,39,43,47,51,55,59]"
    assert sorted(eval(stored["option_order"])) == [0, 1, 2, 3]
    assert stored["question_revision_id"] is not None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"response": {"choice": 4}}, "not among those shown"),
        ({"response": {"choice": True}}, "No option is chosen"),
        ({"response": {}}, "No option is chosen"),
        ({"response": None}, "No option is chosen"),
        ({"response": None, "skip": "  "}, "reason for skipping"),
        ({"uid": "short"}, "8 to 64"),
        ({"active_s": float("nan")}, "no numbers"),
    ],
)
def test_an_answer_that_is_none_is_refused_in_words(workspace, at_work, change, words):
    task, ada, row = at_work
    receipt = answer_store.store(workspace, task, ada, [replace(an_answer(row), **change)])[0]
    assert receipt.status == "refused"
    assert words in receipt.reason
    assert workspace.store.rows("SELECT * FROM annotation") == []


def test_one_refused_answer_costs_only_itself(workspace, at_work):
    task, ada, row = at_work
    second = queue.lease(workspace, task, ada, 1, have=frozenset([row.item.id]))[0]
    given = [an_answer(row, 9), an_answer(second, 0, uid="00000000-b")]
    receipts = answer_store.store(workspace, task, ada, given)
    assert [receipt.status for receipt in receipts] == ["refused", "stored"]


def test_nobody_can_answer_on_another_persons_lease(workspace, at_work, add_person):
    task, _, row = at_work
    receipt = answer_store.store(workspace, task, add_person("Ben"), [an_answer(row)])[0]
    assert receipt.status == "refused"
    assert "not handed to you" in receipt.reason


def test_nobody_sees_another_persons_answer_or_draft(workspace, at_work, add_person):
    task, ada, row = at_work
    answer_store.save_draft(workspace, ada, row.item.id, row.lease.id, '{"choice": 1}', 1.0)
    ben = add_person("Ben")
    assert own_drafts(workspace, ben, [row]) == {}
    answer_store.store(workspace, task, ada, [an_answer(row)])
    assert own_answer(workspace, task, ben, row.item.id) is None
    assert own_answers(workspace, task, ben) == []


def test_what_the_desk_is_given_does_not_hold_the_key(workspace, at_work):
    task, ada, row = at_work
    answer_store.store(workspace, task, ada, [an_answer(row)])
    found = own_answer(workspace, task, ada, row.item.id)
    assert found is not None
    assert "key" not in found.content.values
    assert "key" not in found.annotation.shown.facts


def test_a_skip_frees_the_place_and_can_be_corrected_into_an_answer(workspace, at_work):
    task, ada, row = at_work
    skip = replace(an_answer(row), response=None, skip="does not play")
    assert answer_store.store(workspace, task, ada, [skip])[0].status == "stored"
    assert workspace.store.rows("SELECT answers FROM item WHERE id = ?", [row.item.id]) == [
        {"answers": 0}
    ]
    later = answer_store.store(workspace, task, ada, [an_answer(row, uid="00000000-b")])[0]
    assert (later.status, later.revision) == ("stored", 2)


def test_active_time_cannot_exceed_the_time_since_the_lease(workspace, at_work):
    task, ada, row = at_work
    answer_store.store(workspace, task, ada, [replace(an_answer(row), active_s=9999.0)])
    [stored] = workspace.store.rows("SELECT active_s FROM annotation")
    assert stored["active_s"] < 60


def test_the_database_itself_refuses_to_change_or_delete_an_answer(workspace, at_work):
    task, ada, row = at_work
    answer_store.store(workspace, task, ada, [an_answer(row)])
    for statement in ("UPDATE annotation SET response = '{}'", "DELETE FROM annotation"):
        with (
            pytest.raises(sqlite3.IntegrityError, match="append-only"),
            workspace.store.write() as database,
        ):
            database.conn.execute(statement)
