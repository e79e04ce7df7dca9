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
from annotations.footage.step_results import StepResult
from annotations.footage.video_steps import Context, Paused, actions_of
from annotations.planning.task_plan import ROWS, planned_items
from annotations.planning.task_store import add_items, create_task, set_status, task_named
from annotations.run.run_plan import plan_run
from annotations.run.runs import ensure_run
from annotations.video.video_about import about_video
from annotations.video.video_texts import NewText, lines_of, store_texts
from core.footage.captions import possible_lines, read_captions
from core.refusal import Missing

CAPTIONS = "captions"
FOR_PEOPLE = "verification"  # what the task of people is called, and its kind
SUFFIXES = (".json3", ".vtt", ".srt")
FOUND, NO_WORDS = "found", "empty: no speech found"


def transcript(context: Context, step: DeclaredStep) -> None:
    """Captions that came with a video; a speech model hears those that have none."""
    items = _video_items(context, step)
    _store_captions(context, items)
    silent = [
        item["id"]
        for item in items
        if lines_of(context.workspace, item["sha256"], "speech") is None
    ]
    if step.own["model"] and silent:
        _run(context, step, "transcript", _task_id(context, "videos"), silent, step.settings)
    results: list[StepResult] = []
    for item in items:
        lines = lines_of(context.workspace, item["sha256"], "speech")
        why = "no transcript" if lines is None else f"{len(lines)} lines"
        results.append(StepResult(item["unit"], True, None, why, item["label"]))
    context.keep(step, results)


def segment_finder(context: Context, step: DeclaredStep) -> None:
    """Moments of long videos, by action; short videos are clips as they are."""
    items = _video_items(context, step)
    actions = actions_of(context)
    longest = float(step.own["whole_below_s"])
    by_action: dict[str, list[dict[str, Any]]] = defaultdict(list)
    results: list[StepResult] = []
    for item in items:
        for action in actions.get(int(item["unit"]), []):
            if item["duration_s"] <= longest:
                span = (0.0, item["duration_s"])
                results.append(_clip(item, action, span, "short enough as it is"))
            else:
                by_action[action].append(item)
    context.keep(step, results)
    task_id = _task_id(context, "videos")
    for action, group in by_action.items():
        context.check()
        settings = {**step.settings, "action": action}
        ids = [item["id"] for item in group]
        run_id = _run(context, step, "segment_finder", task_id, ids, settings)
        context.keep(step, _segments(context, run_id, action, group))


def _segments(
    context: Context, run_id: int, action: str, group: Sequence[dict[str, Any]]
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
    items = {item["id"]: item for item in group}
    results: list[StepResult] = []
    for row in rows:
        item = items.get(row["item_id"])
        if item is None:
            continue
        if row["start_s"] is None:
            unit = f"{item['unit']}|{action}|none"
            results.append(StepResult(unit, False, None, "no moment named", item["label"]))
        else:
            span = (float(row["start_s"]), float(row["end_s"]))
            results.append(_clip(item, action, span, row["why"]))
    for row in errors:
        if row["item_id"] in items:
            item = items[row["item_id"]]
            unit = f"{item['unit']}|{action}|none"
            results.append(StepResult(unit, False, None, f"failed: {row['reason']}", item["label"]))
    return results


def _clip(item: Mapping[str, Any], action: str, span: tuple[float, float], why: str) -> StepResult:
    unit = f"{item['unit']}|{action}|{span[0]:.3f}-{span[1]:.3f}"
    label = f"{action}: {item['label']} {span[0]:.0f} to {span[1]:.0f} s"
    return StepResult(unit, True, None, why, label)


def clip_filter(context: Context, step: DeclaredStep) -> None:
    """Clips that a model accepts, by frames that look like the domain or by a written verdict."""
    earlier = context.kept_before(step)
    items = _clip_items(context, earlier)
    settings = dict(step.settings)
    if step.do == "clip_similarity":
        settings.setdefault("text", context.pipeline.domain)
    task_id = _task_id(context, "clips")
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
        clips = [_clip_row(context, result) for result in group[:limit]]
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
        task_id = _task_id(context, FOR_PEOPLE, settings, int(step.own["overlap"]))
        [task] = context.workspace.store.rows("SELECT settings FROM task WHERE id = ?", [task_id])
        stored = json.loads(task["settings"])
        planned = planned_items(context.workspace, FOR_PEOPLE, stored, ROWS, rows)
        add_items(context.workspace, task_id, planned)
    context.keep(
        step,
        [StepResult(f"0|{row['action']}|people", True, None, f"{len(row['clips'])} clips",
                    row["action"]) for row in rows],
    )  # fmt: skip


def _clip_row(context: Context, result: StepResult) -> dict[str, Any]:
    number, _, span = result.unit.split("|")
    start, _, end = span.partition("-")
    row = _stored(context, int(number))
    about = about_video(context.workspace, row["id"])
    end_s = min(float(end), float(row["duration_s"]))
    return {
        "video": row["sha256"], "start": float(start), "end": end_s,
        "title": about.title or row["name"], "link": about.source_url,
    }  # fmt: skip


def _stored(context: Context, video_id: int) -> dict[str, Any]:
    """The workspace's video of a candidate: id, name, sha256, duration_s."""
    [download] = context.store.rows(
        "SELECT sha256 FROM download WHERE video_id = ? AND end_s = 0", [video_id]
    )
    return context.workspace.store.rows(
        "SELECT id, name, sha256, coalesce(json_extract(facts, '$.duration_s'), 0) AS duration_s"
        " FROM video WHERE sha256 = ? AND status = 'usable' ORDER BY id LIMIT 1",
        [download["sha256"]],
    )[0]


def _video_items(context: Context, step: DeclaredStep) -> list[dict[str, Any]]:
    """The items of the downloaded videos in a task of the pipeline, added where they lack."""
    earlier = context.kept_before(step)
    stored = [(result, _stored(context, int(result.unit))) for result in earlier]
    rows = [
        {"id": f"{result.unit} {row['name']}", "video": row["sha256"]} for result, row in stored
    ]
    numbers = _items(context, "videos", rows)
    return [
        {
            "id": numbers[f"video:{result.unit} {row['name']}"], "unit": result.unit,
            "label": result.label, **{name: row[name] for name in ("sha256", "duration_s", "name")},
        }
        for result, row in stored
    ]  # fmt: skip


def _clip_items(context: Context, results: Sequence[StepResult]) -> dict[str, int]:
    """Ids of the items of clips by unit, added to a task of the pipeline where they lack."""
    rows: list[dict[str, Any]] = []
    for result in results:
        clip = _clip_row(context, result)
        rows.append({"id": result.unit, **{n: clip[n] for n in ("video", "start", "end")}})
    numbers = _items(context, "clips", rows)
    return {result.unit: numbers[f"video:{result.unit}"] for result in results}


def _items(context: Context, what: str, rows: list[dict[str, Any]]) -> dict[str, int]:
    criteria = list(context.pipeline.criteria) or [f"It shows {context.pipeline.domain}."]
    settings = {"criteria": criteria, "duplicates": False}
    task_id = _task_id(context, what, settings, 1)
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


def _task_id(
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


def _store_captions(context: Context, items: Sequence[dict[str, Any]]) -> None:
    """Store the captions that lie beside videos, as the transcripts of a run of their own."""
    workspace = context.workspace
    texts: list[NewText] = []
    for item in items:
        text = _captions_of(context, item)
        if not text or lines_of(workspace, item["sha256"], "speech") is not None:
            continue
        try:
            spoken = possible_lines(read_captions(text), item["duration_s"])
        except ValueError:
            continue  # no captions after all: a model may hear it
        lines = tuple(TextLine(x.start_s, x.end_s or 0.0, x.text) for x in spoken)
        state = FOUND if lines else NO_WORDS
        texts.append(NewText(item["id"], item["sha256"], "speech", state, lines))
    if texts:
        run_id = ensure_run(
            workspace, CAPTIONS, _task_id(context, "videos"), CAPTIONS, {"source": "files"}
        )
        store_texts(workspace, run_id, texts)


def _captions_of(context: Context, item: Mapping[str, Any]) -> str:
    """The captions that were kept with a video or lie beside its file; '' for none."""
    folder = context.workspace.media.folder(item["sha256"])
    kept = [folder / f"captions{suffix}" for suffix in SUFFIXES]
    [row] = context.store.rows("SELECT file FROM video WHERE id = ?", [int(item["unit"])])
    if row["file"]:
        file = Path(row["file"])
        for suffix in SUFFIXES:
            kept += [file.with_suffix(suffix), *sorted(file.parent.glob(f"{file.stem}.*{suffix}"))]
    for path in kept:
        if path.is_file():
            return path.read_text(encoding="utf-8", errors="replace")
    return ""
