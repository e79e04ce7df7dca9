import time

import pytest

from annotations.agreement.coefficients import agreement_table
from annotations.agreement.disagreements import disagreements
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.exclusion import put_aside, take_back
from annotations.answering.progress import progress
from annotations.people import everyone
from annotations.planning.task_store import create_task, grow
from annotations.run.runs import ensure_run
from annotations.scoring import human_accuracy, score_coverage
from annotations.scoring.snapshot import take

SETTINGS = {"condition": "full video", "shuffle_options": False}


def give(workspace, task, person, item, choice, revision=1):
    row = queue.hand(workspace, task, person, item)
    uid = f"{person.name}-{item}-{revision}"
    given = Answer(uid.ljust(8, "-"), item, row.lease.id, {"choice": choice}, None, 2.0,
                   time.time())  # fmt: skip
    [receipt] = answer_store.store(workspace, task, person, [given])
    return receipt.status


@pytest.fixture
def study(workspace, add_question, add_person):
    """Three questions with key 1; Ada is always right, Ben never; two people are wanted."""
    for number in range(3):
        add_question(f"count/{number}")
    task = create_task(workspace, "t", "human_evaluation", SETTINGS, 2, order="as imported")
    grow(workspace, task)
    people = {name: add_person(name) for name in ("Ada", "Ben", "Cem")}
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY id")]
    for item in items:
        give(workspace, task, people["Ada"], item, 1)
        give(workspace, task, people["Ben"], item, 2)
    return task, items, people


def accuracy(workspace):
    [row] = human_accuracy.accuracy_table(take(workspace))
    return row.accuracy


def percent(workspace, task):
    rows = agreement_table(take(workspace), task, resamples=0)
    [row] = [row for row in rows if row.coefficient == "percent"]
    return row.estimate


def test_work_that_is_put_aside_leaves_metrics_agreement_and_the_queue_at_once(workspace, study):
    task, items, people = study
    assert accuracy(workspace).value == 0.5
    assert percent(workspace, task).value == 0.0
    assert disagreements(take(workspace), [task]).total == 3
    assert queue.lease(workspace, task, people["Cem"], 5) == []

    assert put_aside(workspace, "ben") == 3
    assert accuracy(workspace).value == 1.0
    assert dict(score_coverage.population(take(workspace)).answers) == {
        "of people whose work is put aside": 3
    }
    found = percent(workspace, task)
    assert (found.value, found.reason) == (None, "needs two raters")
    assert ("of annotators whose work is put aside", 3) in found.excluded
    assert disagreements(take(workspace), [task]).total == 0
    handed = queue.lease(workspace, task, people["Cem"], 5)
    assert [row.item.id for row in handed] == items
    assert workspace.store.rows("SELECT count(*) AS n FROM annotation") == [{"n": 6}]


def test_whoever_is_put_aside_is_handed_nothing_and_what_they_send_is_kept_uncounted(
    workspace, study, add_question
):
    task, items, people = study
    add_question("count/9")
    grow(workspace, task)
    [new] = queue.lease(workspace, task, people["Ben"], 5)
    put_aside(workspace, "Ben")
    given = Answer("late-answer", new.item.id, new.lease.id, {"choice": 1}, None, 1.0, time.time())
    [receipt] = answer_store.store(workspace, task, people["Ben"], [given])
    assert receipt.status == "extra"
    give(workspace, task, people["Ben"], items[0], 1, revision=2)  # a correction counts no more
    assert queue.lease(workspace, task, people["Ben"], 5) == []
    assert progress(workspace, task, people["Ben"])["open_for_me"] == 0
    rows = workspace.store.rows("SELECT answers FROM item ORDER BY id")
    assert [row["answers"] for row in rows] == [1, 1, 1, 0]


def test_work_that_is_taken_back_counts_where_places_are_free(workspace, study):
    task, items, people = study
    put_aside(workspace, "Ben")
    give(workspace, task, people["Cem"], items[0], 1)
    assert take_back(workspace, "Ben") == (2, 1)
    rows = workspace.store.rows("SELECT answers FROM item ORDER BY id")
    assert [row["answers"] for row in rows] == [2, 2, 2]
    assert disagreements(take(workspace), [task]).total == 2
    # Ada 3 of 3, Cem 1 of 1, Ben 0 of 2.
    assert accuracy(workspace).value == pytest.approx(4 / 6)
    assert dict(score_coverage.population(take(workspace)).answers) == {
        "extra, beyond the overlap": 1
    }


def test_nobody_is_put_aside_twice_and_nobody_unknown(workspace, study):
    put_aside(workspace, "Ben")
    with pytest.raises(ValueError, match="put aside already"):
        put_aside(workspace, "Ben")
    with pytest.raises(ValueError, match="is not put aside"):
        take_back(workspace, "Ada")
    with pytest.raises(LookupError, match="Nobody here is called 'Eve'"):
        put_aside(workspace, "Eve")


def test_a_model_with_runs_is_not_put_aside_and_stands_in_no_list_of_people(workspace, study):
    [task] = workspace.store.rows("SELECT id FROM task LIMIT 1")
    ensure_run(workspace, "gpt-x", task["id"])
    for turn in (put_aside, take_back):
        with pytest.raises(ValueError, match="gpt-x is a model"):
            turn(workspace, "gpt-x")
    assert "gpt-x" not in {row.name for row in everyone(workspace)}
