"""Which answers agreement stands on, said in words and counts."""

import pytest
from building import make_answer

from annotations.adjudication.cross_check import check_keys
from annotations.agreement.agreement_population import (
    OF_AUTHORS,
    OF_KEYS,
    agreement_population,
)
from annotations.planning.task_store import create_task, grow
from annotations.scoring.snapshot import take
from core.refusal import Missing


def items_of(workspace, task):
    rows = workspace.store.rows("SELECT id FROM item WHERE task_id = ? ORDER BY id", [task])
    return [row["id"] for row in rows]


@pytest.fixture
def three_questions(workspace, add_question):
    for number in range(3):
        add_question(f"count/{number}")


@pytest.mark.usefixtures("three_questions")
def test_who_decides_is_counted_with_authors_and_extras_apart(workspace, add_person):
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2)
    grow(workspace, task)
    ann, ben, clara = add_person("Ann"), add_person("Ben"), add_person("Clara", "author")
    first, second, _ = items_of(workspace, task)
    with workspace.store.write() as database:
        for item, person in ((first, ann), (first, clara), (second, ann)):
            make_answer(database, item, person.id, {"choice": 1})
        make_answer(database, second, ben.id, {"choice": 0}, counted=False)
    with take(workspace) as snapshot:
        stands_on = agreement_population(snapshot, task)
    assert stands_on.words == (
        "Whoever decides: 3 answers of 2 annotators to 2 items about 2 videos, given in “t”"
    )
    assert stands_on.sentences() == [
        "1 answer left out: extra, beyond the overlap",
        f"1 of the answers that count are {OF_AUTHORS}",
    ]


@pytest.mark.usefixtures("three_questions")
def test_stored_keys_of_a_cross_check_are_told_apart(workspace, add_person):
    task = check_keys(workspace, "Keys", "human_evaluation", {"condition": "full video"}, ())
    ann, items = add_person("Ann"), items_of(workspace, task)
    with workspace.store.write() as database:
        make_answer(database, items[0], ann.id, {"choice": 1})
    with take(workspace) as snapshot:
        everybody = agreement_population(snapshot, task)
        people = agreement_population(snapshot, task, "people")
    assert (everybody.stands_on, dict(everybody.among)) == (4, {OF_KEYS: 3})
    assert (people.stands_on, people.people) == (1, 1)
    assert dict(people.answers) == {"of models": 3}


@pytest.mark.usefixtures("three_questions")
def test_runs_are_among_models_and_left_out_of_decisions(workspace, add_run):
    add_run("m", "16 frames", "rwu")
    task = workspace.store.rows("SELECT task_id FROM run")[0]["task_id"]
    with take(workspace) as snapshot:
        models = agreement_population(snapshot, task, "models")
        everybody = agreement_population(snapshot, task)
    assert (models.stands_on, models.people) == (2, 1)
    assert dict(models.answers) == {"in which no answer could be read": 1}
    assert everybody.stands_on == 0
    assert dict(everybody.answers) == {"of models in their runs, which count for no decision": 3}


def test_a_task_that_is_not_there_is_refused(workspace):
    with take(workspace) as snapshot, pytest.raises(Missing):
        agreement_population(snapshot, 7)
