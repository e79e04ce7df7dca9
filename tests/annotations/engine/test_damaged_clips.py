"""A frame that cannot be decoded costs itself: people and models get the rest."""

import hashlib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotations.engine.engine import work
from annotations.planning.task_store import create_task, grow
from annotations.run.run_plan import plan_run
from annotations.video.frame_images import make_stills, sheet_facts
from annotations.workspace import Workspace
from core.video.encode import write_video
from core.video.errors import VideoError
from core.video.table import read_table


def test_a_model_sees_what_is_left_of_a_damaged_clip_as_people_do(
    workspace: Workspace,
    add_clip: Callable[..., int],
    scripted: Any,
    tmp_path: Path,
    lose_frames: Callable[..., Path],
    results: Callable[[int], list[dict[str, Any]]],
    failures: Callable[..., Any],
):
    whole = tmp_path / "whole.mp4"
    write_video(
        whole,
        (np.full((48, 64, 3), 20 * i, np.uint8) for i in range(12)),
        Fraction(4),
        keyframe_every=1,
    )
    lost = {"part": (3, 7), "none": tuple(range(12))}
    shas = {}
    for name, frames in lost.items():
        path = lose_frames(whole, tmp_path / f"{name}.mp4", frames)
        add_clip(f"{name}.mp4", path)
        shas[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        # Of a clip of which nothing can be decoded the table is that of the whole one.
        workspace.media.table(shas[name]).write_text(read_table(whole).to_json())
    task_id = create_task(workspace, "Footage", "screening", {"duplicates": False}, 1)
    grow(workspace, task_id)
    run_id = plan_run(
        workspace, "vlm_screening", "scripted", task_id=task_id, settings={"frames_per_s": 4.0}
    )
    scripted.replies = ['{"verdict": "accept"}']
    work(workspace, run_id)
    [answer] = results(run_id)
    assert answer["uid"] == "video:part.mp4"
    assert answer["shown"]["frames"] == list(range(12))
    assert answer["shown"]["missing_frames"] == [3, 7]
    [request] = scripted.requests
    assert "You see 10 frames of a video" in request.text
    assert len(request.frames) == 10
    assert request.times == tuple(i / 4 for i in range(12) if i not in (3, 7))
    assert failures(run_id) == {
        "video:none.mp4": "no frame could be decoded: of the 12 that were wanted"
    }
    # People: the frames that are lost are drawn as missing, and with none there is nothing.
    media = workspace.media
    make_stills(media.root, shas["part"], (1, 3))
    facts = sheet_facts(media, shas["part"], (1, 3))
    assert facts is not None
    assert facts["statuses"] == ["exact", "missing"]
    with pytest.raises(VideoError, match="no frame could be decoded"):
        make_stills(media.root, shas["none"], (1, 3))
    with pytest.raises(VideoError, match="no frame could be decoded"):
        make_stills(media.root, shas["part"], (3, 7))
