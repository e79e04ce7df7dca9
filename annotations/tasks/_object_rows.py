"""Rows of an object check: the frame that each names, and the objects that it lists."""

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

from annotations.reading import checks
from annotations.reading.records import Fault
from annotations.task import ItemDraft
from annotations.video.clips_in_rows import Videos, text_of
from annotations.workspace import Workspace


def object_draft(
    workspace: Workspace, videos: Videos, row: dict[str, Any], most_objects: int
) -> ItemDraft:
    video = videos.find(row.get("video"))
    frame = _frame(row, workspace.media.frame_table(video.sha256).times, videos.duration_s(video))
    source = text_of(row, "source")
    uid = text_of(row, "id") or " ".join(filter(None, (f"{video.name}#{frame}", source)))
    return ItemDraft(
        f"frame:{uid}",
        video_id=video.id,
        payload={
            "video": video.sha256,
            "name": video.name,
            "frame": frame,
            "objects": _objects(row.get("objects"), most_objects),
            "source": source,
        },
    )


def _frame(row: dict[str, Any], times: Sequence[float], duration_s: float) -> int:
    """Index of the frame that a row names, or that is on the screen at the time it names."""
    value = row.get("frame")
    if value not in (None, ""):
        index = int(value) if re.fullmatch(r"\d{1,9}", str(value)) else -1
        if not 0 <= index < len(times):
            raise Fault(
                "no such frame", column="frame", value=value, allowed=f"0 to {len(times) - 1}",
                todo="Frames count from 0.",
            )  # fmt: skip
        return index
    time_s = checks.read_seconds(row.get("time"), "time")
    if time_s is None:
        raise Fault("lacking", column="frame", allowed="'frame' from 0, or 'time' in s")
    if time_s >= duration_s:
        raise Fault(
            "beyond the video", column="time", value=time_s,
            allowed=f"0 to before {duration_s:.3f} s", todo="Correct the time, or the video.",
        )  # fmt: skip
    return max(0, bisect_right(times, time_s + 1e-6) - 1)


def _objects(value: object, most_objects: int) -> list[str]:
    """The objects: a list, a JSON list, or a text with ; , | or lines between them."""
    listed = _listed(value) if isinstance(value, str) else value
    names = cast("list[object]", listed) if isinstance(listed, list) else []
    objects = [checks.read_text(name, "objects") for name in names]
    if not 1 <= len(objects) <= most_objects or not all(objects):
        raise Fault(
            f"{len(objects)} objects" if objects else "no list of objects", column="objects",
            value=value, allowed=f'1 to {most_objects} names, such as ["dog", "red ball"]',
        )  # fmt: skip
    counts = Counter(name.casefold() for name in objects)
    twice = next((name for name in objects if counts[name.casefold()] > 1), None)
    if twice is not None:
        raise Fault(
            "listed twice", column="objects", value=twice, allowed="every object once",
            todo="Leave one of them out.",
        )  # fmt: skip
    return objects


def _listed(value: str) -> object:
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            return value
    return [name.strip() for name in re.split(r"[;,|\n]", value) if name.strip()]
