"""Tasks of a pipeline in the workspace, with the items of its videos and clips."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.footage.pipeline_file import DeclaredStep
from annotations.footage.step_results import StepResult
from annotations.footage.video_steps import Context
from annotations.planning.task_plan import ROWS, planned_items
from annotations.planning.task_store import add_items, create_task, set_status, task_named
from annotations.record.video import Video, usable_video
from annotations.video.video_about import about_video
from core.refusal import Missing

FOR_PEOPLE = "verification"  # what the task of people is called, and its kind


@dataclass(frozen=True)
class VideoItem:
    """A downloaded video as an item of the pipeline's task.

    Attributes:
        id: of the item.
        unit: id of the candidate in the metadata, as text.
        label: the candidate's title.
        sha256: content of the video in the workspace, `name` its name there.
        duration_s: s; 0 where it is unknown.
    """

    id: int
    unit: str
    label: str
    sha256: str
    name: str
    duration_s: float


def clip_row(context: Context, result: StepResult) -> dict[str, Any]:
    """A clip as a row of an items file: video, start and end in s, title, link."""
    number, _, span = result.unit.split("|")
    start, _, end = span.partition("-")
    video = _stored(context, int(number))
    about = about_video(context.workspace, video.id)
    return {
        "video": video.sha256, "start": float(start), "end": min(float(end), video.duration_s),
        "title": about.title or video.name, "link": about.source_url,
    }  # fmt: skip


def _stored(context: Context, video_id: int) -> Video:
    """The workspace's video of a candidate."""
    [download] = context.store.rows(
        "SELECT sha256 FROM download WHERE video_id = ? AND end_s = 0", [video_id]
    )
    with context.workspace.store.read() as database:
        video = usable_video(database, download["sha256"])
    assert video is not None, "a download that is done is a usable video"
    return video


def video_items(context: Context, step: DeclaredStep) -> list[VideoItem]:
    """The items of the downloaded videos in a task of the pipeline, added where they lack."""
    earlier = context.kept_before(step)
    stored = [(result, _stored(context, int(result.unit))) for result in earlier]
    rows = [
        {"id": f"{result.unit} {video.name}", "video": video.sha256} for result, video in stored
    ]
    numbers = _items(context, "videos", rows)
    return [
        VideoItem(
            numbers[f"video:{result.unit} {video.name}"], result.unit, result.label,
            video.sha256, video.name, video.duration_s,
        )
        for result, video in stored
    ]  # fmt: skip


def clip_items(context: Context, results: Sequence[StepResult]) -> dict[str, int]:
    """Ids of the items of clips by unit, added to a task of the pipeline where they lack."""
    rows: list[dict[str, Any]] = []
    for result in results:
        clip = clip_row(context, result)
        rows.append({"id": result.unit, **{n: clip[n] for n in ("video", "start", "end")}})
    numbers = _items(context, "clips", rows)
    return {result.unit: numbers[f"video:{result.unit}"] for result in results}


def _items(context: Context, what: str, rows: list[dict[str, Any]]) -> dict[str, int]:
    criteria = list(context.pipeline.criteria) or [f"It shows {context.pipeline.domain}."]
    settings = {"criteria": criteria, "duplicates": False}
    task_id = task_of(context, what, settings, 1)
    workspace = context.workspace
    have = workspace.store.rows("SELECT id, uid FROM item WHERE task_id = ?", [task_id])
    known = {row["uid"] for row in have}
    new = [row for row in rows if f"video:{row['id']}" not in known]
    if new:
        [task] = workspace.store.rows("SELECT settings FROM task WHERE id = ?", [task_id])
        planned = planned_items(workspace, "screening", json.loads(task["settings"]), ROWS, new)
        add_items(workspace, task_id, planned)
        have = workspace.store.rows("SELECT id, uid FROM item WHERE task_id = ?", [task_id])
    return {row["uid"]: int(row["id"]) for row in have}


def task_of(
    context: Context, what: str, settings: dict[str, Any] | None = None, overlap: int = 1
) -> int:
    """The id of a task of the pipeline, made where there is none; people get verification alone."""
    name = f"{context.pipeline.name}: {what}"
    try:
        return task_named(context.workspace, name)
    except Missing:
        for_people = what == FOR_PEOPLE
        kind = what if for_people else "screening"
        task_id = create_task(context.workspace, name, kind, settings or {}, overlap, rows=[])
        if not for_people:
            set_status(context.workspace, name, "closed")
        return task_id
