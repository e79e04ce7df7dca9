"""The stage of a form of one's own: what is shown of an item's clips, and how it is drawn."""

from typing import Any

from annotations.form import items
from annotations.form.declaration import FRAME, SEGMENTS
from annotations.record.stage import Clips, ClipView, Grid, Picker, Player, Stage
from annotations.video.frame_clock import clock_facts
from annotations.video.frame_images import preview_frames
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.video import plans

PLAYER, GRID, CLIPS, NO_STAGE = STAGES = ("player", "grid", items.CLIPS, items.NO_STAGE)
VIDEOS, QUESTIONS = ABOUT = ("videos", "questions")


def clip_facts(
    workspace: Workspace, clip: dict[str, Any], settings: dict[str, Any]
) -> dict[str, Any]:
    """What one person is shown of a clip: its span, and the frames that the fields ask for.

    Raises:
        Refusal: if frames are asked for and the clip holds none.
    """
    span = clip["video"], clip["start"], clip["end"]
    facts: dict[str, Any] = {"video": span[0], "start_s": span[1], "end_s": span[2]}
    types = {field["type"] for field in settings["fields"]}
    if types & {SEGMENTS, FRAME}:
        facts["clock"] = clock_facts(workspace.media, *span)
    if settings["stage"] == GRID or FRAME in types:
        inside = workspace.media.frames_between(*span)
        if not inside:
            raise Refusal(f"The clip from {span[1]:g} s holds no frame.")
        frames = [inside[index] for index in plans.uniform(len(inside), settings["frames"])]
        times = workspace.media.frame_table(span[0]).times
        facts |= {"frames": frames, "times": [round(times[index], 6) for index in frames]}
    elif SEGMENTS in types:
        facts["frames"] = list(preview_frames(workspace.media, *span))
    return facts


def stage_of(clips: list[dict[str, Any]], facts: dict[str, Any]) -> Stage | None:
    """The stage by what was shown; None for a text alone."""
    if facts["stage"] == CLIPS:
        by_id = {clip["id"]: clip for clip in clips}
        ordered = [by_id[name] for name in facts["clips"]]
        return Clips(tuple(
            ClipView(
                clip["id"], clip["title"] or f"Clip {number}", clip["link"],
                Player(clip["video"], clip["start"], clip["end"]),
            )
            for number, clip in enumerate(ordered, start=1)
        ))  # fmt: skip
    if "video" not in facts:
        return None
    marks = any(field["type"] == SEGMENTS for field in facts["fields"])
    clip = clips[0]
    player = Player(
        facts["video"], facts["start_s"], facts["end_s"], marks=marks, title=clip["title"],
        link=clip["link"],
    )  # fmt: skip
    grid = Grid(facts["video"], tuple(facts.get("frames", ())), tuple(facts.get("times", ())))
    if any(field["type"] == FRAME for field in facts["fields"]):
        return Picker(grid, player)
    return grid if facts["stage"] == GRID else player
