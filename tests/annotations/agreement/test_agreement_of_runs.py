"""Agreement of models with each other and with people, and of people in an adaptive task."""

import uuid

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from annotations.agreement.coefficients import agreement_table
from annotations.answering import answer_store, queue
from annotations.run.runs import condition_task
from annotations.scoring.snapshot import take

MARKS = [
    "rrrwwrwrru", "rrwwwrwrrr", "rrrwwrwwrr", "wrrwwrrrrr", "rrrwwrwrrr",
    "rrrrwrwrrr", "rwrwwrwrrr", "rrrwwwwrrr", "rrrwrrwrrr",
]  # fmt: skip


@pytest.fixture
def nine(workspace, add_question, add_run):
    for number in range(10):
        add_question(f"count/{number}")
    for number, marks in enumerate(MARKS):
        add_run(f"model {number}", "16 frames", marks)
    return condition_task(workspace, "16 frames")


def by_name(rows):
    return {(row.group, row.partner, row.coefficient): row for row in rows}


def test_fleiss_of_nine_runs_is_that_of_an_independent_implementation(workspace, nine):
    with take(workspace) as snapshot:
        assert by_name(agreement_table(snapshot, nine))["all", "", "fleiss"].estimate.n == 0
        rows = by_name(agreement_table(snapshot, nine, among="models"))
    table = np.array([["rw".index(mark) for mark in marks[:9]] for marks in MARKS]).T
    # The tenth question has an unread reply: eight answers, all alike. The others are complete.
    kappa = rows["all", "", "percent"].estimate
    assert kappa.n == 10
    assert ("in which no answer could be read", 1) in kappa.excluded
    first_nine = fleiss_kappa(aggregate_raters(table)[0])
    with take(workspace) as snapshot:
        pairs = agreement_table(snapshot, nine, "pair", among="models")
    assert len({(row.group, row.partner) for row in pairs}) == 36
    # Adding an item on which all agree raises it a little, no more.
    assert first_nine < rows["all", "", "fleiss"].estimate.value < first_nine + 0.1


def test_a_person_is_compared_with_a_model(workspace, nine, add_person):
    ann = add_person("Ann")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET status = 'open' WHERE id = ?", [nine])
    for row in workspace.store.rows("SELECT id FROM item ORDER BY id"):
        handed = queue.hand(workspace, nine, ann, row["id"])
        given = answer_store.Answer(
            uuid.uuid4().hex, handed.item.id, handed.lease.id, {"choice": 1}, None, 1.0, 0.0
        )
        answer_store.store(workspace, nine, ann, [given])
    with take(workspace) as snapshot:
        pairs = by_name(agreement_table(snapshot, nine, "pair", among="people and models"))
        counted = by_name(agreement_table(snapshot, nine, "pair"))
    # Ann always says what is right; "model 0" does so on 6 of the 9 questions it was read on.
    assert pairs["model 0", "Ann", "percent"].estimate.value == pytest.approx(6 / 9)
    assert counted == {}


def test_an_adaptive_task_agrees_as_the_answers_asked_whatever_happens(
    workspace, add_question, add_person
):
    for number in range(4):
        add_question(f"count/{number}")
    task = condition_task(workspace, "16 frames")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET status = 'open', overlap = 3, adaptive = 1")
    people = [add_person(name) for name in ("Ann", "Ben", "Cem")]
    items = [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY id")]
    # Three items end after two equal answers; on the fourth two differ and Cem joins Ann.
    for index, item in enumerate(items):
        for person, choice in zip(people, [1, 1, 1] if index < 3 else [1, 0, 1], strict=True):
            if person.name == "Cem" and index < 3:
                continue
            handed = queue.hand(workspace, task, person, item)
            given = answer_store.Answer(
                uuid.uuid4().hex, item, handed.lease.id, {"choice": choice}, None, 1.0, 0.0
            )
            answer_store.store(workspace, task, person, [given])
    with take(workspace) as snapshot:
        [percent] = [row for row in agreement_table(snapshot, task) if row.coefficient == "percent"]
    assert percent.estimate.value == 3 / 4
    assert percent.estimate.excluded == (
        ("asked only because the answers before them differed", 1),
    )


def test_percent_agreement_has_exact_bounds_where_all_agree(workspace, add_question, add_run):
    for number in range(6):
        add_question(f"count/{number}")
    add_run("one", "16 frames", "rrrrrr")
    add_run("two", "16 frames", "rrrrrr")
    task = condition_task(workspace, "16 frames")
    with take(workspace) as snapshot:
        rows = agreement_table(snapshot, task, among="models")
    [percent] = [row.estimate for row in rows if row.coefficient == "percent"]
    assert percent.value == 1.0
    assert percent.exact == pytest.approx((0.025 ** (1 / 6), 1.0))  # Clopper and Pearson, 6 of 6
