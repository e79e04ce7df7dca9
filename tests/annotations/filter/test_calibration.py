import json
from collections.abc import Callable

import numpy as np
import pytest
from building import make_answer, make_video

from annotations.filter.calibration import (
    calibrate,
    forget_threshold,
    keep_threshold,
    kept_threshold,
)
from annotations.filter.filter_table import filtered
from annotations.filter.send_to_people import Wish, select, send_as_task, send_first
from annotations.people import Person
from annotations.planning.task_store import all_tasks, create_task, grow, set_status
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import all_runs, ensure_run
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.reply.result import Reading
from core.statistics.threshold import UNJUDGED

READ = Reading(None, "read", "", "")
ACCEPT = {"verdict": "accept", "reasons": [], "note": ""}
REJECT = {"verdict": "reject", "reasons": ["dark"], "note": ""}
Scored = Callable[..., int]


def screened(workspace: Workspace, person: Person, item: int, accept: bool) -> None:
    with workspace.store.write() as database:
        make_answer(database, item, person.id, ACCEPT if accept else REJECT)


def items(workspace: Workspace, task: int = 1) -> list[int]:
    found = workspace.store.rows("SELECT id FROM item WHERE task_id = ? ORDER BY position", [task])
    return [row["id"] for row in found]


@pytest.fixture
def scored(workspace: Workspace) -> Scored:
    """Makes a closed task of so many videos and a run that scores them 0, 0.01, 0.02, ..."""

    def make(number: int, *, without: tuple[int, ...] = ()) -> int:
        with workspace.store.write() as database:
            for i in range(number):
                make_video(database, f"v{i}")
        settings = {"reasons": ["dark", "still"], "duplicates": False}
        task = create_task(workspace, "Footage", "screening", settings, 1)
        set_status(workspace, "Footage", "closed")
        grow(workspace, task)
        run = ensure_run(workspace, "CLIP", task, "clip_similarity")
        store_answers(
            workspace,
            run,
            [
                ModelAnswer(item, None, ACCEPT if i >= number // 2 else REJECT, {}, READ,
                            score=None if i in without else i / 100)
                for i, item in enumerate(items(workspace, task))
            ],
        )  # fmt: skip
        return run

    return make


def test_a_threshold_is_learned_on_what_people_judged_and_counted_over_everything(
    workspace: Workspace, scored: Scored, add_person: Callable[..., Person]
):
    run, ada = scored(100), add_person("Ada")
    for place in range(0, 100, 5):  # every fifth; accepted from 0.40 on: 12 of 20
        screened(workspace, ada, items(workspace)[place], place >= 40)
    found = calibrate(filtered(take(workspace), run), 0.75, certain=False)
    # 9 of the 12 accepted have to stay: those from 0.55 on, and with them 45 of 100 items.
    assert found.choice.threshold == pytest.approx(0.55)
    assert found.choice.reached == 0.75
    assert (found.judged, found.accepted, found.scored, found.kept) == (20, 12, 100, 45)
    assert found.warning == ""
    # 12 of 12 make 0.05 ** (1/12) = 77.9 % certain: enough for 75 %, with all of them kept.
    certain = calibrate(filtered(take(workspace), run), 0.75)
    assert certain.choice.threshold == pytest.approx(0.40)
    assert certain.kept == 60
    assert "Clopper-Pearson" in certain.method


def test_a_sample_that_is_none_is_told(
    workspace: Workspace, scored: Scored, add_person: Callable[..., Person]
):
    run, ada = scored(100), add_person("Ada")
    for item in items(workspace)[80:]:
        screened(workspace, ada, item, True)
    found = calibrate(filtered(take(workspace), run), 0.8)
    assert "no random sample" in found.warning
    assert "0.895" in found.warning  # the median of 0.80 to 0.99


def test_without_people_there_is_no_threshold_but_a_reason(workspace: Workspace, scored: Scored):
    run = scored(10)
    found = calibrate(filtered(take(workspace), run), 0.9)
    assert (found.choice.threshold, found.kept) == (None, None)
    assert "judged none" in found.choice.reason


def test_a_chosen_threshold_stays_with_the_run_with_how_it_was_found(
    workspace: Workspace, scored: Scored, add_person: Callable[..., Person]
):
    run, ada = scored(40), add_person("Ada")
    for item in items(workspace)[::2]:
        screened(workspace, ada, item, True)
    found = calibrate(filtered(take(workspace), run), 0.9, certain=False)
    assert found.choice.threshold is not None
    keep_threshold(workspace, run, found.choice.threshold, "Eva", found)
    [stored] = all_runs(workspace)
    assert kept_threshold(stored) == found.choice.threshold
    assert stored.facts["threshold"]["wanted"] == 0.9
    assert stored.facts["threshold"]["by"] == "Eva"
    # One chosen by eye says nothing of how it was found.
    keep_threshold(workspace, run, 0.3, "Eva", found)
    assert "wanted" not in all_runs(workspace)[0].facts["threshold"]
    forget_threshold(workspace, run)
    assert kept_threshold(all_runs(workspace)[0]) is None
    with pytest.raises(ValueError, match="a number"):
        keep_threshold(workspace, run, float("nan"), "Eva")
    with pytest.raises(LookupError, match="no run 99"):
        keep_threshold(workspace, 99, 0.1, "Eva")


def test_what_is_sent_is_what_the_limits_let_through_the_best_first(
    workspace: Workspace, scored: Scored, add_person: Callable[..., Person]
):
    run, ada = scored(20, without=(19,)), add_person("Ada")
    screened(workspace, ada, items(workspace)[18], True)
    table = filtered(take(workspace), run)
    found = select(table, Wish(low=0.1, limit=3))
    # From 0.10 on: 10 to 18; 18 is judged, 19 has no score.
    assert (found.fitting, found.judged, found.sent) == (8, 1, 0)
    assert found.rows.tolist() == [17, 16, 15]
    assert select(table, Wish(0.05, 0.08, order="lowest")).rows.tolist() == [5, 6, 7]
    assert select(table, Wish(accepted=True, order="work")).rows.tolist() == [
        10, 11, 12, 13, 14, 15, 16, 17, 19,
    ]  # fmt: skip
    drawn = select(table, Wish(limit=5, order="random")).rows
    assert len(set(drawn.tolist())) == 5
    assert drawn.tolist() == select(table, Wish(limit=5, order="random")).rows.tolist()


def test_a_task_of_its_own_holds_the_same_clips_and_is_not_sent_twice(
    workspace: Workspace, scored: Scored, add_person: Callable[..., Person]
):
    run, ada = scored(10), add_person("Ada")
    table = filtered(take(workspace), run)
    made = send_as_task(workspace, table, select(table, Wish(low=0.06)).rows, "Round 1", 2)
    [footage, task] = all_tasks(workspace)
    assert (task.id, task.status, task.overlap, task.items) == (made, "open", 2, 4)
    assert task.settings == footage.settings
    assert footage.status == "closed"
    names = [
        json.loads(row["payload"])["name"]
        for row in workspace.store.rows(
            "SELECT payload FROM item WHERE task_id = ? ORDER BY position", [made]
        )
    ]
    assert names == [table.names[place] for place in (9, 8, 7, 6)]
    table = filtered(take(workspace), run)
    assert select(table, Wish(low=0.05)).sent == 4
    assert select(table, Wish(low=0.05)).rows.tolist() == [5]
    assert table.run.facts["sent"][0]["items"] == 4
    # What people answer there counts as people's verdict on the filter's items.
    screened(workspace, ada, items(workspace, made)[0], True)
    assert filtered(take(workspace), run).people.tolist() == [UNJUDGED] * 9 + [1]
    assert grow(workspace, made) == 0


def test_what_cannot_be_sent_is_refused(workspace: Workspace, scored: Scored):
    run = scored(4)
    table = filtered(take(workspace), run)
    places = np.array([0])
    with pytest.raises(ValueError, match="exists already"):
        send_as_task(workspace, table, places, "Footage")
    with pytest.raises(ValueError, match="nothing to send"):
        send_as_task(workspace, table, places[:0], "Round 1")
    with pytest.raises(ValueError, match="0 people"):
        send_as_task(workspace, table, places, "Round 1", 0)
    with pytest.raises(ValueError, match="name is ''"):
        send_as_task(workspace, table, places, "  ")


def test_items_can_go_first_in_the_filters_own_task(
    workspace: Workspace, scored: Scored, add_person: Callable[..., Person]
):
    run = scored(6)
    table = filtered(take(workspace), run)
    assert send_first(workspace, table, select(table, Wish(low=0.04)).rows, None) == 2
    rows = workspace.store.rows("SELECT priority FROM item ORDER BY position")
    assert [row["priority"] for row in rows] == [0, 0, 0, 0, 1, 1]
    assert all_tasks(workspace)[0].status == "open"
