import json
from collections.abc import Callable

import pytest
from building import make_video

from annotations.demo.clips import CLIPS
from annotations.demo.earlier_filter import (
    ALIVE,
    FACTS,
    FAILS,
    LIVING,
    MISTAKEN,
    SHAPES,
    SLIPS,
    TASK,
    add_earlier_filter,
    score_of,
    verdict_of,
)
from annotations.filter.filter_audit import audit
from annotations.filter.filter_table import filtered
from annotations.people import Person
from annotations.run.runs import all_runs
from annotations.scoring.snapshot import take
from annotations.tasks import screening
from annotations.workspace import Workspace

NAMES = {clip.name for clip in CLIPS}


@pytest.fixture
def footage(workspace: Workspace, add_person: Callable[..., Person]) -> Workspace:
    """The names of the demo's videos without their pictures, and its two earlier people."""

    with workspace.store.write() as database:
        for clip in CLIPS:
            name = f"{clip.demonstration}/{clip.key}"
            make_video(database, name, facts={"duration_s": 5.0})
    for person in ("Noor", "Emil"):
        add_person(person)
    return workspace


def test_every_name_is_that_of_a_clip():
    assert LIVING | SHAPES | set(MISTAKEN) | SLIPS | {FAILS[0]} <= NAMES
    assert not LIVING & SHAPES


def test_every_verdict_is_one_that_the_task_takes():
    ids = {one["id"] for one in screening.check_settings(ALIVE)["reasons"]}
    for name in NAMES | {"copy"}:
        assert set(verdict_of(name)["reasons"]) <= ids
        assert 0 < score_of(name) < 1


def test_the_filter_is_labelled_as_made_up_and_has_something_to_say(footage: Workspace):
    run = add_earlier_filter(footage)
    [found] = all_runs(footage)
    assert found.facts["simulated"]
    assert "made up" in found.model
    assert found.facts["words"] == FACTS["words"]
    assert (found.predictions, found.errors, found.status) == (len(CLIPS) - 1, 1, "finished")
    table = filtered(take(footage), run)
    result = audit(table, resamples=200)
    assert result.counts.judged > 15
    assert result.counts.only_people
    assert result.counts.only_filter
    assert 0.5 < (result.accuracy.value or 0) < 0.95
    assert len(set(table.score.tolist())) > 20
    assert (table.people == -1).sum() >= 8  # some are left to be sent to people


def test_its_task_is_closed_so_that_nobody_is_asked(footage: Workspace):
    add_earlier_filter(footage)
    [task] = footage.store.rows("SELECT status, settings FROM task WHERE name = ?", [TASK])
    assert task["status"] == "closed"
    assert json.loads(task["settings"])["reasons"] == ALIVE["reasons"]
