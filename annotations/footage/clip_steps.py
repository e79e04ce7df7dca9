"""The steps of a pipeline that work on downloaded videos and on clips of them.

Each is a run of an existing annotator on a task of the pipeline, so that it is stopped, resumed,
spread over GPUs or a cluster, and compared with people like any other run.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotations.annotator import TextLine
from annotations.engine.engine import work
from annotations.engine.engine_hold import Progress, request_stop
from annotations.footage.pipeline_file import DeclaredStep
from annotations.footage.pipeline_tasks import (
    FOR_PEOPLE,
    VideoItem,
    clip_items,
    clip_row,
    task_of,
    video_items,
)
from annotations.footage.step_results import StepResult
from annotations.footage.video_steps import Context, Paused, actions_of
from annotations.planning.task_plan import ROWS, planned_items
from annotations.planning.task_store import add_items
from annotations.run.run_plan import plan_run
from annotations.run.runs import ensure_run
from annotations.video.video_texts import NewText, lines_of, store_texts
from core.footage.captions import possible_lines, read_captions

CAPTIONS = "captions"
SUFFIXES = (".json3", ".vtt", ".srt")
FOUND, NO_WORDS = "found", "empty: no speech found"


def transcript(context: Context, step: DeclaredStep) -> None:
    """Captions that came with a video; a speech model hears those that have none."""
    items = video_items(context, step)
    _store_captions(context, items)
    silent = [
        item.id for item in items if lines_of(context.workspace, item.sha256, "speech") is None
    ]
    if step.own["model"] and silent:
        _run(context, step, "transcript", task_of(context, "videos"), silent, step.settings)
    results: list[StepResult] = []
    for item in items:
        lines = lines_of(context.workspace, item.sha256, "speech")
        why = "no transcript" if lines is None else f"{len(lines)} lines"
        results.append(StepResult(item.unit, True, None, why, item.label))
    context.keep(step, results)


def segment_finder(context: Context, step: DeclaredStep) -> None:
    """Moments of long videos, by action; short videos are clips as they are."""
    items = video_items(context, step)
    actions = actions_of(context)
    longest = float(step.own["whole_below_s"])
    by_action: dict[str, list[VideoItem]] = defaultdict(list)
    results: list[StepResult] = []
    for item in items:
        for action in actions.get(int(item.unit), []):
            if item.duration_s <= longest:
                span = (0.0, item.duration_s)
                results.append(_clip(item, action, span, "short enough as it is"))
            else:
                by_action[action].append(item)
    context.keep(step, results)
    task_id = task_of(context, "videos")
    for action, group in by_action.items():
        context.check()
        settings = {**step.settings, "action": action}
        ids = [item.id for item in group]
        run_id = _run(context, step, "segment_finder", task_id, ids, settings)
        context.keep(step, _segments(context, run_id, action, group))


def _segments(
    context: Context, run_id: int, action: str, group: Sequence[VideoItem]
) -> list[StepResult]:
    rows = context.workspace.store.rows(
        "SELECT t.item_id, x.value ->> 'start_s' AS start_s, x.value ->> 'end_s' AS end_s,"
        " x.value ->> 'text' AS why FROM video_text t LEFT JOIN json_each(t.lines) x"
        " WHERE t.run_id = ?",
        [run_id],
    )
    errors = context.workspace.store.rows(
        "SELECT item_id, reason FROM run_error WHERE run_id = ?", [run_id]
    )
    items = {item.id: item for item in group}
    results: list[StepResult] = []
    for row in rows:
        item = items.get(row["item_id"])
        if item is None:
            continue
        if row["start_s"] is None:
            unit = f"{item.unit}|{action}|none"
            results.append(StepResult(unit, False, None, "no moment named", item.label))
        else:
            span = (float(row["start_s"]), float(row["end_s"]))
            results.append(_clip(item, action, span, row["why"]))
    for row in errors:
        if row["item_id"] in items:
            item = items[row["item_id"]]
            unit = f"{item.unit}|{action}|none"
            results.append(StepResult(unit, False, None, f"failed: {row['reason']}", item.label))
    return results


def _clip(item: VideoItem, action: str, span: tuple[float, float], why: str) -> StepResult:
    unit = f"{item.unit}|{action}|{span[0]:.3f}-{span[1]:.3f}"
    label = f"{action}: {item.label} {span[0]:.0f} to {span[1]:.0f} s"
    return StepResult(unit, True, None, why, label)


def clip_filter(context: Context, step: DeclaredStep) -> None:
    """Clips that a model accepts, by frames that look like the domain or by a written verdict."""
    earlier = context.kept_before(step)
    items = clip_items(context, earlier)
    settings = dict(step.settings)
    if step.do == "clip_similarity":
        settings.setdefault("text", context.pipeline.domain)
    task_id = task_of(context, "clips")
    run_id = _run(context, step, step.do, task_id, [items[r.unit] for r in earlier], settings)
    verdicts = {
        row["item_id"]: row
        for row in context.workspace.store.rows(
            "SELECT a.item_id, a.response ->> 'verdict' AS verdict, p.score, p.words,"
            " a.response ->> 'note' AS note FROM prediction p"
            " JOIN annotation a ON a.id = p.annotation_id WHERE p.run_id = ?",
            [run_id],
        )
    }
    errors = {
        row["item_id"]: row["reason"]
        for row in context.workspace.store.rows(
            "SELECT item_id, reason FROM run_error WHERE run_id = ?", [run_id]
        )
    }
    results: list[StepResult] = []
    for result in earlier:
        row = verdicts.get(items[result.unit])
        if row is not None:
            why = row["note"] or row["words"] or ""
            accepted = row["verdict"] == "accept"
            results.append(StepResult(result.unit, accepted, row["score"], why, result.label))
        elif items[result.unit] in errors:
            why = f"failed: {errors[items[result.unit]]}"
            results.append(StepResult(result.unit, False, None, why, result.label))
    context.keep(step, results)


def people(context: Context, step: DeclaredStep) -> None:
    """A verification task, open at once: for each action its best clips, five at most."""
    best: dict[str, list[StepResult]] = defaultdict(list)
    for result in context.kept_before(step):
        best[result.unit.split("|")[1]].append(result)
    rows: list[dict[str, Any]] = []
    longest = 30.0
    limit = min(5, int(step.own["clips"]))
    for action, group in best.items():
        group.sort(key=lambda result: -(result.score or 0.0))
        clips = [clip_row(context, result) for result in group[:limit]]
        longest = max([longest, *(clip["end"] - clip["start"] for clip in clips)])
        rows.append(
            {
                "id": action, "action": action, "domain": context.pipeline.domain or "video",
                "description": context.actions.get(action) or f"Look for: {action}.",
                "clips": clips,
            }
        )  # fmt: skip
    if rows:
        settings = {"longest_clip_s": min(3600.0, longest)}
        task_id = task_of(context, FOR_PEOPLE, settings, int(step.own["overlap"]))
        [task] = context.workspace.store.rows("SELECT settings FROM task WHERE id = ?", [task_id])
        stored = json.loads(task["settings"])
        planned = planned_items(context.workspace, FOR_PEOPLE, stored, ROWS, rows)
        add_items(context.workspace, task_id, planned)
    context.keep(
        step,
        [StepResult(f"0|{row['action']}|people", True, None, _clips(len(row["clips"])),
                    row["action"]) for row in rows],
    )  # fmt: skip


def _clips(number: int) -> str:
    return "1 clip" if number == 1 else f"{number:,} clips"


def _run(
    context: Context, step: DeclaredStep, annotator: str, task_id: int, items: Sequence[int],
    settings: Mapping[str, Any],
) -> int:  # fmt: skip
    """The id of the run of a step's model on items of a task, worked on until they are done.

    Raises:
        Paused: if somebody asked to stop, or the run failed.
    """
    run_id = plan_run(
        context.workspace, annotator, step.own["model"], task_id=task_id, settings=settings
    )

    def say(progress: Progress) -> None:
        context.say(f"{annotator}: {progress.note}", progress.done + progress.failed,
                    progress.wanted)  # fmt: skip
        if context.stop():
            request_stop(context.workspace, run_id)

    if items:
        ended = work(context.workspace, run_id, only=items, where=context.where, say=say)
        if ended.status == "failed":
            raise Paused(f"{annotator} failed: {ended.note}")
    context.check()
    return run_id


def _store_captions(context: Context, items: Sequence[VideoItem]) -> None:
    """Store the captions that lie beside videos, as the transcripts of a run of their own."""
    workspace = context.workspace
    texts: list[NewText] = []
    for item in items:
        text = _captions_of(context, item)
        if not text or lines_of(workspace, item.sha256, "speech") is not None:
            continue
        try:
            spoken = possible_lines(read_captions(text), item.duration_s)
        except ValueError:
            continue  # no captions after all: a model may hear it
        lines = tuple(TextLine(x.start_s, x.end_s or 0.0, x.text) for x in spoken)
        state = FOUND if lines else NO_WORDS
        texts.append(NewText(item.id, item.sha256, "speech", state, lines))
    if texts:
        run_id = ensure_run(
            workspace, CAPTIONS, task_of(context, "videos"), CAPTIONS, {"source": "files"}
        )
        store_texts(workspace, run_id, texts)


def _captions_of(context: Context, item: VideoItem) -> str:
    """The captions that were kept with a video or lie beside its file; '' for none."""
    folder = context.workspace.media.folder(item.sha256)
    kept = [folder / f"captions{suffix}" for suffix in SUFFIXES]
    [row] = context.store.rows("SELECT file FROM video WHERE id = ?", [int(item.unit)])
    if row["file"]:
        file = Path(row["file"])
        for suffix in SUFFIXES:
            kept += [file.with_suffix(suffix), *sorted(file.parent.glob(f"{file.stem}.*{suffix}"))]
    for path in kept:
        if path.is_file():
            return path.read_text(encoding="utf-8", errors="replace")
    return ""
