"""What is kept of speech, moments and text on screen that a model finds in a video."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotations.annotators.segment_finder import moment_s
from annotations.engine.engine import work
from annotations.planning.task_store import grow
from annotations.run.run_plan import plan_run
from annotations.video.video_texts import lines_of, segments, texts
from annotations.workspace import Workspace
from core.model import Heard, Line

Results = Callable[[int], Any]


@pytest.fixture
def heard_clips(
    workspace: Workspace, footage: Callable[..., int], add_clip: Callable[..., int], speaking: Path
) -> int:
    """A task of two clips, a silent one and one in which somebody speaks."""
    task_id = footage(1)
    add_clip("speaking.mp4", speaking)
    grow(workspace, task_id)
    return task_id


def test_speech_is_stored_with_its_times_and_silence_is_no_error(
    workspace: Workspace, heard_clips: int, scripted: Any
):
    # VI-07: no audio track, audio without speech, speech; and the batch ends.
    scripted.heard = (Heard(0.5, 1.25, " Here it comes. "), Heard(1.5, 2.0, " "))
    run_id = plan_run(workspace, "transcript", "scripted", task_id=heard_clips)
    assert work(workspace, run_id).errors == {}
    found = {one.video: one for one in texts(workspace, run_id)}
    assert found["clip-000.mp4"].state == "none: no audio track"
    [line] = found["speaking.mp4"].lines
    assert (line.start_s, line.end_s, line.text) == (0.5, 1.25, "Here it comes.")
    scripted.heard = ()
    other = plan_run(workspace, "transcript", "other", task_id=heard_clips)
    work(workspace, other)
    states = {one.video: one.state for one in texts(workspace, other)}
    assert states["speaking.mp4"] == "empty: no speech found"


def test_segments_reach_to_both_sides_within_the_video_and_those_that_touch_are_one(
    workspace: Workspace, heard_clips: int, scripted: Any
):
    scripted.heard = (Heard(0.5, 1.0, "Now the kick."), Heard(2.5, 2.8, "Great kick!"))
    work(workspace, plan_run(workspace, "transcript", "scripted", task_id=heard_clips))
    scripted.replies = ['[{"time": 0.5, "why": "Now"}, {"time": "0:02.5", "why": "Great"},]']
    run_id = plan_run(
        workspace, "segment_finder", "scripted", task_id=heard_clips,
        settings={"action": "a kick", "side_s": 0.4},
    )  # fmt: skip
    work(workspace, run_id)
    [request] = scripted.requests  # the silent clip is not asked about
    assert "[0.5] Now the kick.\n[2.5] Great kick!" in request.text
    states = {one.video: one.state for one in texts(workspace, run_id)}
    assert states == {"clip-000.mp4": "empty: no speech found"} | states
    found = segments(workspace, run_id)
    assert [(one.start_s, one.end_s, one.why) for one in found] == [
        (0.1, 0.9, "Now"), (2.1, 2.9, "Great"),
    ]  # fmt: skip
    wide = plan_run(
        workspace, "segment_finder", "scripted", task_id=heard_clips, settings={"action": "a kick"}
    )
    work(workspace, wide)
    [one] = segments(workspace, wide)
    assert (one.start_s, one.end_s, one.why) == (0.0, 3.0, "Now; Great")


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (2, 2.0), ("2.5", 2.5), ("12.5 s", 12.5), ("3 seconds", 3.0), ("[1:02]", 62.0),
        ("00:01:02.5", 62.5), ("4:75", None), ("1:60:00", None), ("-3", None), ("soon", None),
        (None, None), (True, None), ("nan", None), ("1:2:3:4", None),
    ],
)  # fmt: skip
def test_moments_are_times_as_elsewhere(written: object, seconds: float | None):
    assert moment_s(written) == seconds


def test_a_moment_outside_the_video_costs_its_item(
    workspace: Workspace,
    footage: Callable[..., int],
    scripted: Any,
    speaking: Path,
    add_clip: Callable[..., int],
    failures: Results,
):
    task_id = footage(0)
    add_clip("speaking.mp4", speaking)
    grow(workspace, task_id)
    scripted.heard = (Heard(0.5, 1.0, "Now the kick."),)
    work(workspace, plan_run(workspace, "transcript", "scripted", task_id=task_id))
    scripted.replies = ['[{"time": 700}]']
    run_id = plan_run(
        workspace, "segment_finder", "scripted", task_id=task_id, settings={"action": "a kick"}
    )
    work(workspace, run_id)
    assert failures(run_id)["video:speaking.mp4"].startswith("no time in the video")


def test_text_on_screen_is_one_line_over_the_frames_in_which_it_stands(
    workspace: Workspace, footage: Callable[..., int], scripted: Any
):
    box = ((0.0, 0.0),) * 4
    scripted.lines = [
        (Line("Scor 3-1", 0.7, box), Line("faint", 0.2, box)),
        (Line("Score 3-1", 0.9, box),),
        (Line("Goodbye", 0.8, box), Line("-0-", 0.99, box)),
    ]
    task_id = footage(1)
    run_id = plan_run(
        workspace, "on_screen_text", "scripted", task_id=task_id, settings={"frames_per_s": 1.0}
    )
    work(workspace, run_id)
    [found] = texts(workspace, run_id)
    lines = [(one.start_s, one.end_s, one.text, one.confidence) for one in found.lines]
    # Frames at 0, 1 and 2 s.
    assert lines == [(0.0, 1.0, "Score 3-1", 0.9), (2.0, 2.0, "Goodbye", 0.8)]
    assert lines_of(workspace, found.sha256, "screen") == found.lines
    assert lines_of(workspace, found.sha256, "speech") is None
