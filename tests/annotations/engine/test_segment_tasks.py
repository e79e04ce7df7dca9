"""Segments that a model named become clips for people, closed, and never twice."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from annotations import task as tasks
from annotations.annotator import Setup, TextLine
from annotations.answering import queue
from annotations.engine.segment_tasks import make_segment_task, task_of_segments, waiting_segments
from annotations.people import Person
from annotations.planning.task_store import all_tasks, create_task, grow, set_status
from annotations.run.run_plan import facts_of
from annotations.run.runs import Run, all_runs, ensure_run
from annotations.video.video_texts import NewText, segments, store_texts
from annotations.workspace import Workspace

WHY = "the speaker says: now the kick"


def named(workspace: Workspace, run: int, number: int, *spans: tuple[float, float]) -> None:
    """The run finds these spans in the footage's item of this number."""
    [row] = workspace.store.rows(
        "SELECT i.id, v.sha256 FROM item i JOIN video v ON v.id = i.video_id"
        " JOIN task t ON t.id = i.task_id WHERE t.name = 'Footage' AND v.name = ?",
        [f"{number}.mp4"],
    )
    lines = tuple(TextLine(start, end, WHY) for start, end in spans)
    state = "found" if lines else "empty: no moment named"
    store_texts(workspace, run, [NewText(row["id"], row["sha256"], "segments", state, lines)])


@pytest.fixture
def run(workspace: Workspace, add_question: Callable[..., int]) -> Run:
    """A run that named three segments in three videos of 2 s; one video has none."""
    for number in range(3):
        add_question(f"a/{number}", video=f"{number}.mp4")
    settings = {"duplicates": False, "reasons": ["Too dark"], "with_titles": True}
    task = create_task(workspace, "Footage", "screening", settings, 1)
    grow(workspace, task)
    set_status(workspace, "Footage", "closed")
    setup = Setup("segment_finder", "stub:text", "text", {"action": "a kick", "side_s": 15.0})
    made = ensure_run(workspace, "stub · segments", task, "segment_finder", facts_of(setup))
    named(workspace, made, 0, (0.25, 0.75), (1.0, 2.0))
    named(workspace, made, 1, (0.0, 2.0))
    named(workspace, made, 2)
    return the(workspace)


def the(workspace: Workspace) -> Run:
    [found] = all_runs(workspace)
    return found


def items(workspace: Workspace, task: int) -> dict[str, dict[str, Any]]:
    rows = workspace.store.rows("SELECT * FROM item WHERE task_id = ? ORDER BY id", [task])
    return {row["uid"]: {**row, "payload": json.loads(row["payload"])} for row in rows}


def test_segments_become_clips_to_be_screened_under_the_rules_of_their_footage(
    workspace: Workspace, run: Run, add_person: Callable[..., Person]
):
    assert task_of_segments(workspace, run, "screening") is None
    made = make_segment_task(workspace, run, "screening")
    assert (made.name, made.items, made.new) == ("Segments of a kick, screening", 3, 3)
    task = next(one for one in all_tasks(workspace) if one.id == made.id)
    assert (task.status, task.source, task.overlap) == ("closed", "rows", 1)
    assert task.settings["reasons"][0]["label"] == "Too dark"
    found = items(workspace, made.id)
    spans = {uid: (one["payload"]["clip"]["start"], one["payload"]["clip"]["end"])
             for uid, one in found.items()}  # fmt: skip
    # An end at the video's own is the video's end.
    assert spans == {
        "video:0.mp4 0.25-0.75": (0.25, 0.75),
        "video:0.mp4 1-2": (1.0, None),
        "video:1.mp4 0-2": (0.0, None),
    }
    # What the model said of them is nowhere in what people get.
    assert WHY not in json.dumps(found)
    person = add_person("Ada")
    assert queue.lease(workspace, made.id, person, 5) == []
    set_status(workspace, made.name, "open")
    assert len(queue.lease(workspace, made.id, person, 5)) == 3


def test_a_second_press_makes_nothing_twice_and_takes_in_what_was_found_since(
    workspace: Workspace, run: Run
):
    first = make_segment_task(workspace, run, "screening", name="Kicks", overlap=2)
    before = items(workspace, first.id)
    assert waiting_segments(workspace, segments(workspace, run.id), first) == 0
    again = make_segment_task(workspace, run, "screening", name="Another name")
    assert (again.id, again.name, again.items, again.new) == (first.id, "Kicks", 3, 0)
    assert items(workspace, first.id) == before
    assert len(all_tasks(workspace)) == 2
    set_status(workspace, "Kicks", "open")
    with workspace.store.write() as database:
        database.conn.execute("DELETE FROM video_text WHERE lines = '[]'")
    named(workspace, run.id, 2, (0.5, 1.5))
    assert waiting_segments(workspace, segments(workspace, run.id), first) == 1
    more = make_segment_task(workspace, the(workspace), "screening")
    assert (more.id, more.items, more.new) == (first.id, 4, 1)
    assert items(workspace, first.id).keys() - before.keys() == {"video:2.mp4 0.5-1.5"}


def test_segments_become_clips_in_which_the_action_is_to_be_found(workspace: Workspace, run: Run):
    with pytest.raises(ValueError, match="Name the domain of the action"):
        make_segment_task(workspace, run, "localization")
    assert len(all_tasks(workspace)) == 1
    made = make_segment_task(workspace, run, "localization", domain="football")
    found = items(workspace, made.id)
    first = found["clip:0.mp4 0.25-0.75"]["payload"]
    assert (first["action"], first["domain"], first["start"]) == ("a kick", "football", 0.25)
    assert WHY not in json.dumps(found)
    # Both kinds can be made of the same run.
    assert make_segment_task(workspace, the(workspace), "screening").id != made.id
    assert make_segment_task(workspace, the(workspace), "localization").new == 0


def test_long_segments_are_clips_as_they_were_found(
    workspace: Workspace, run: Run, add_question: Callable[..., int]
):
    add_question("long/1", video="9.mp4", frames=60 * 30)
    grow(workspace, run.task_id)
    named(workspace, run.id, 9, (5.0, 50.0))
    made = make_segment_task(workspace, run, "localization", domain="football")
    assert "clip:9.mp4 5-50" in items(workspace, made.id)


def test_what_cannot_be_a_clip_is_left_out_and_counted(workspace: Workspace, run: Run):
    with workspace.store.write() as database:
        database.conn.execute("UPDATE video SET status = 'broken' WHERE name = '1.mp4'")
        database.conn.execute("DELETE FROM video_text WHERE lines = '[]'")
    named(workspace, run.id, 2, (1.0, 1.0))
    made = make_segment_task(workspace, run, "screening")
    assert (made.items, made.left_out) == (2, 2)
    with workspace.store.write() as database:
        database.conn.execute("UPDATE video SET status = 'broken'")
    with pytest.raises(ValueError, match="no segments that could be clips"):
        make_segment_task(workspace, run, "localization", domain="football")
    with pytest.raises(ValueError, match="screening, localization can"):
        make_segment_task(workspace, run, "verification")


def test_videos_of_one_name_stay_apart(workspace: Workspace, run: Run):
    with workspace.store.write() as database:
        database.conn.execute("UPDATE video SET name = '0.mp4' WHERE name = '1.mp4'")
    assert len({one.video for one in segments(workspace, run.id)}) == 1
    assert make_segment_task(workspace, run, "screening").new == 3


def test_the_clips_can_be_shown(workspace: Workspace, run: Run, items_of: Any):
    for kind in ("screening", "localization"):
        made = make_segment_task(workspace, the(workspace), kind, domain="football")
        module = tasks.kind(kind)
        [row] = workspace.store.rows("SELECT settings FROM task WHERE id = ?", [made.id])
        for item in items_of(made.id):
            shown = module.show(workspace, item, json.loads(row["settings"]), "")
            stage: Any = module.content(workspace, item, shown).stage
            assert stage.start_s in (0.0, 0.25, 1.0)
