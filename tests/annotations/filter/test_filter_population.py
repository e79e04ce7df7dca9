"""Which of people's answers a filter is held against, in words and counts."""

from collections.abc import Callable

import pytest
from building import make_answer

from annotations.answering.exclusion import put_aside
from annotations.filter.filter_population import ELSEWHERE, OF_AUTHORS, TIED, filter_population
from annotations.filter.filter_table import filtered
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import ensure_run
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.reply.result import Reading

READ = Reading(None, "read", "threshold", "")
ACCEPT = {"verdict": "accept", "reasons": [], "note": ""}
DARK = {"verdict": "reject", "reasons": ["dark"], "note": ""}


@pytest.fixture
def run(workspace: Workspace, add_question: Callable[..., int]) -> int:
    """A filter that accepted four clips."""
    for number in range(4):
        add_question(f"count/{number}")
    task = create_task(workspace, "Footage", "screening", {"reasons": ["dark"]}, 2)
    grow(workspace, task)
    run = ensure_run(workspace, "CLIP", task, "clip_similarity")
    answers = [ModelAnswer(item, None, ACCEPT, {}, READ, score=0.5) for item in items(workspace)]
    store_answers(workspace, run, answers)
    return run


def items(workspace: Workspace) -> list[int]:
    return [row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY position")]


def test_a_filter_says_on_whose_answers_people_s_verdicts_stand(
    workspace: Workspace, run: int, add_person: Callable[..., Person]
):
    ada, ben, dan, eva = (
        add_person("Ada"), add_person("Ben"), add_person("Dan"), add_person("Eva", "author"),
    )  # fmt: skip
    first, second, third, fourth = items(workspace)
    with workspace.store.write() as database:
        for item, person, response in (
            (first, ada, DARK), (first, ben, DARK),  # decided
            (second, ada, DARK), (second, ben, ACCEPT),  # a tie
            (third, eva, ACCEPT), (third, ben, ACCEPT),  # decided, by an author among others
            (fourth, dan, DARK),  # who is put aside below
        ):  # fmt: skip
            make_answer(database, item, person.id, response)
        make_answer(database, fourth, ada.id, skip="does not play")
        make_answer(database, third, ada.id, ACCEPT, counted=False)  # beyond the overlap of 2
    put_aside(workspace, "Dan")
    with take(workspace) as snapshot:
        people = filter_population(snapshot, filtered(snapshot, run))
    # Ada and Ben on the first, Eva and Ben on the third.
    assert (people.stands_on, people.people, people.questions, people.videos) == (4, 3, 2, 2)
    assert people.tasks == ("Footage",)
    assert dict(people.answers) == {
        "skipped": 1,
        "of people whose work is put aside": 1,
        "extra, beyond the overlap": 1,
        TIED: 2,
    }
    assert people.among == ((OF_AUTHORS, 1),)
    assert ELSEWHERE not in dict(people.answers)
    assert people.words == (
        "People who judged what the filter judged: 4 answers of 3 people to 2 clips about 2 "
        "videos, given in “Footage”"
    )


def test_a_filter_beside_which_nobody_judged_stands_on_nothing(workspace: Workspace, run: int):
    with take(workspace) as snapshot:
        people = filter_population(snapshot, filtered(snapshot, run))
    assert (people.stands_on, people.answers) == (0, ())
