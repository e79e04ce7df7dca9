"""Which frames of a video a model sees, and the words for them."""

from typing import Any

from annotations.annotator import Need, number_words
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.video import plans


def wanted(
    workspace: Workspace,
    sha256: str,
    frames: tuple[int, ...] = (),
    *,
    longest_side: int | None = None,
    sound: bool = False,
    span: tuple[float, float | None] = (0.0, None),
) -> Need:
    """What has to be fetched of a video.

    Args:
        longest_side: px; 0 or None keeps the size.
        span: of the sound, s from the first frame.

    Raises:
        ValueError: if the video's file is not in the workspace.
    """
    path = workspace.media.find_original(sha256)
    if path is None:
        raise Refusal("the video's file is not in the workspace")
    table = str(workspace.media.table(sha256))
    return Need(str(path), table, frames, longest_side or None, sound, *span)


def even(
    workspace: Workspace, sha256: str, start_s: float, end_s: float | None, count: int
) -> tuple[tuple[int, ...], list[float]]:
    """Frames of a clip, evenly spread, and their times in s.

    Raises:
        ValueError: if the clip holds no frame.
    """
    available, times = _of_clip(workspace, sha256, start_s, end_s)
    frames = tuple(available[at] for at in plans.uniform(len(available), count))
    return frames, [times[index] for index in frames]


def by_rate(
    workspace: Workspace,
    sha256: str,
    start_s: float,
    end_s: float | None,
    rate: float,
    most_frames: int,
) -> tuple[tuple[int, ...], list[float]]:
    """The frames of a clip at so many a second, `most` at most, and their times in s.

    Raises:
        ValueError: if the clip holds no frame.
    """
    available, times = _of_clip(workspace, sha256, start_s, end_s)
    chosen = plans.by_rate([times[index] for index in available], rate, most_frames)
    frames = tuple(available[at] for at in chosen)
    return frames, [times[index] for index in frames]


def _of_clip(
    workspace: Workspace, sha256: str, start_s: float, end_s: float | None
) -> tuple[list[int], list[float]]:
    available = workspace.media.frames_between(sha256, start_s, end_s)
    if not available:
        raise Refusal("the clip holds no frame")
    return available, [round(time, 6) for time in workspace.media.frame_table(sha256).times]


def words(count: int, facts: dict[str, Any]) -> str:
    """What a model is told about the pictures that it gets; '' for none."""
    if not count:
        return ""
    if facts.get("frames_per_s"):
        rate = f"{facts['frames_per_s']:g}"
        return f"You see {number_words(count, 'frame')} of a video, about {rate} a second."
    return f"You see {number_words(count, 'frame')} of a video."
