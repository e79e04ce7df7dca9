"""Segments that a run found become clips of a task for people: to be screened, or localized.

People see the clip, never why the model named it. The task is closed until somebody opens it; a run
has one task of a kind, which takes in what the run has found since.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from annotations import task as tasks
from annotations.planning.task_names import free_name
from annotations.planning.task_plan import NAME_LENGTH, ROWS, TaskPlan, plan_task, planned_items
from annotations.planning.task_store import add_items, make_task, set_status
from annotations.run.runs import Run
from annotations.video.video_about import about_video
from annotations.video.video_texts import Segment, segments
from annotations.workspace import Workspace
from core.refusal import Refusal

LONGEST_CLIP = "longest_clip_s"
LONGEST_S = 3600.0
# Kinds whose items are single clips, and whether people are told the domain of the action there.
KINDS = {"screening": False, "localization": True}


@dataclass(frozen=True)
class SegmentTask:
    """The task of a run's segments.

    Attributes:
        items: of work that it holds.
        new: items that were added just now.
        left_out: segments that cannot be clips: their video is not usable now, or they are empty.
    """

    id: int
    name: str
    kind: str
    items: int
    new: int = 0
    left_out: int = 0


def task_of_segments(workspace: Workspace, run: Run, kind: str) -> SegmentTask | None:
    """The task of a kind that was made of a run's segments; None if there is none yet."""
    tasks_of_run = _made(workspace, run.id).get(kind)
    rows = workspace.store.rows(
        "SELECT t.id, t.name, count(i.id) AS items FROM task t LEFT JOIN item i"
        " ON i.task_id = t.id AND i.role = 'work' WHERE t.id = ? GROUP BY t.id",
        [tasks_of_run["task"] if tasks_of_run else None],
    )
    return SegmentTask(rows[0]["id"], rows[0]["name"], kind, rows[0]["items"]) if rows else None


def waiting_segments(workspace: Workspace, run_segments: list[Segment], task: SegmentTask) -> int:
    """How many of the segments that a run found its task does not hold yet."""
    usable, _ = _usable(run_segments)
    return len(set(_names(usable)) - _have(workspace, task))


def _have(workspace: Workspace, task: SegmentTask) -> set[str]:
    """Names of the clips that a task holds."""
    rows = workspace.store.rows("SELECT uid FROM item WHERE task_id = ?", [task.id])
    return {row["uid"].partition(":")[2] for row in rows}


def usual_name(workspace: Workspace, run: Run, kind: str) -> str:
    """A name for the task that no task has."""
    action = str(run.facts.get("settings", {}).get("action") or "what was named")
    label = tasks.kind(kind).LABEL.lower()
    wish = f"Segments of {action}"[: NAME_LENGTH - 30] + f", {label}"
    return free_name(workspace, wish)


def make_segment_task(
    workspace: Workspace,
    run: Run,
    kind: str,
    *,
    name: str = "",
    domain: str = "",
    overlap: int | None = None,
) -> SegmentTask:
    """The task of a run's segments, made closed; if it is there, with what the run found since.

    Args:
        name: of a new task; '' for a usual one.
        domain: of the action, such as 'football', where people are told it.
        overlap: people for each clip; None for as many as the kind usually has.

    Raises:
        ValueError: if there are no segments, the kind is none that takes clips, or the domain or a
            free name is lacking.
    """
    if kind not in KINDS:
        raise Refusal(f"Segments cannot become a task of kind {kind!r}: {', '.join(KINDS)} can.")
    usable, left_out = _usable(segments(workspace, run.id))
    if not usable:
        raise Refusal("This run has found no segments that could be clips.")
    existing = task_of_segments(workspace, run, kind)
    if existing is not None:
        return _grown(workspace, run, existing, usable, left_out)
    if KINDS[kind] and not domain.strip():
        raise Refusal("Name the domain of the action, such as football: people are told it.")
    name = name.strip() or usual_name(workspace, run, kind)
    rows = _rows(workspace, run, usable, domain.strip())
    plan = plan_task(
        workspace, name=name, kind=kind, settings=_settings(workspace, run, kind),
        overlap=overlap, source=ROWS, rows=rows,
    )  # fmt: skip
    task_id = _make_closed(workspace, plan)
    tasks_of_run = {**_made(workspace, run.id), kind: {"task": task_id, "domain": domain.strip()}}
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE run SET facts = json_set(facts, '$.segment_tasks', json(?)) WHERE id = ?",
            [json.dumps(tasks_of_run), run.id],
        )
    return SegmentTask(task_id, plan.name, kind, len(rows), len(rows), left_out)


def _make_closed(workspace: Workspace, plan: TaskPlan) -> int:
    task_id = make_task(workspace, plan)
    set_status(workspace, plan.name, "closed")
    return task_id


def _grown(
    workspace: Workspace, run: Run, task: SegmentTask, usable: list[Segment], left_out: int
) -> SegmentTask:
    domain, have = _made(workspace, run.id)[task.kind]["domain"], _have(workspace, task)
    [row] = workspace.store.rows("SELECT settings FROM task WHERE id = ?", [task.id])
    rows = _rows(workspace, run, usable, domain, have)
    items = planned_items(workspace, task.kind, json.loads(row["settings"]), ROWS, rows)
    new = add_items(workspace, task.id, items)
    return SegmentTask(task.id, task.name, task.kind, task.items + new, new, left_out)


def _made(workspace: Workspace, run_id: int) -> dict[str, dict[str, Any]]:
    """What was made of a run's segments, by kind: {"task": id, "domain": text}."""
    [row] = workspace.store.rows(
        "SELECT coalesce(json_extract(facts, '$.segment_tasks'), '{}') AS made FROM run"
        " WHERE id = ?",
        [run_id],
    )
    return json.loads(row["made"])


def _settings(workspace: Workspace, run: Run, kind: str) -> dict[str, Any]:
    """Those of the run's own task where it is of the kind; clips may be as long as was found."""
    settings: dict[str, Any] = {}
    if run.kind == kind:
        [row] = workspace.store.rows("SELECT settings FROM task WHERE id = ?", [run.task_id])
        settings = json.loads(row["settings"])
    if LONGEST_CLIP in tasks.kind(kind).check_settings({}):
        settings[LONGEST_CLIP] = LONGEST_S
    return settings


def _usable(named: list[Segment]) -> tuple[list[Segment], int]:
    """Segments that can be clips, each span of a video once, and how many cannot."""
    usable: dict[tuple[str, float, float], Segment] = {}
    left_out = 0
    for segment in named:
        if segment.usable and 0 < segment.end_s - segment.start_s <= LONGEST_S:
            usable.setdefault((segment.sha256, segment.start_s, segment.end_s), segment)
        else:
            left_out += 1
    return list(usable.values()), left_out


def _rows(
    workspace: Workspace,
    run: Run,
    usable: list[Segment],
    domain: str,
    have: Collection[str] = frozenset(),
) -> list[dict[str, Any]]:
    """Rows for new items of the task, without the clips that it has already."""
    action = str(run.facts.get("settings", {}).get("action") or "")
    rows: list[dict[str, Any]] = []
    for name, segment in zip(_names(usable), usable, strict=True):
        if name in have:
            continue
        about = about_video(workspace, segment.video_id)
        rows.append(
            {
                "id": name,
                "video": segment.sha256,
                "start": segment.start_s,
                "end": segment.end_s,
                "action": action,
                "domain": domain,
                "title": about.title,
                "link": about.source_url,
            }
        )
    return rows


def _names(usable: list[Segment]) -> list[str]:
    """What the clips are called, such as 'cup/one.mp4 12-42'; no two alike."""
    known: dict[str, str] = {}
    names: list[str] = []
    for segment in usable:
        content = known.setdefault(segment.video, segment.sha256)
        video = (
            segment.video if content == segment.sha256 else f"{segment.video} {segment.sha256[:12]}"
        )
        names.append(f"{video} {segment.start_s:g}-{segment.end_s:g}")
    return names
