"""People judge titles that a step kept and threw away: what its threshold is worth, and misses."""

import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from annotations import task as tasks
from annotations.footage.step_results import StepResult, results_about, results_of, sizes_and_scores
from annotations.planning.task_store import create_task
from annotations.workspace import Workspace
from core.lot import drawn_by_lot
from core.refusal import Refusal
from core.statistics.metric import Estimate
from core.statistics.share import share_of
from core.stored_json import stored_json
from db.connection import Store

FITS, NOT, UNSURE = "yes", "no", "cannot tell"
SETTINGS = {
    "stage": "text",
    "text": "Looked for: {actions}\n\n{title}\n\n{channel}\n\n{description}",
    "fields": [
        {"name": "fits", "label": "May the video show what is looked for?", "type": "choice",
         "options": [FITS, NOT, UNSURE]},
    ],
}  # fmt: skip
LOT = "people/"  # salt of the draw: another than that of a step's own sample
EACH = 30  # titles of either kind
DESCRIPTION = 600  # signs of a description that people read


@dataclass(frozen=True)
class AtThreshold:
    """What a threshold would keep.

    Attributes:
        threshold: of the score.
        kept: of all titles with a score, counted.
        precision: of them the share that fits, in [0, 1], from the sample; None without any.
        recall: of all that fit the share that is kept, likewise.
    """

    threshold: float
    kept: int
    precision: float | None
    recall: float | None


@dataclass(frozen=True)
class TitleAudit:
    """A step that reads titles, against people.

    Attributes:
        task_id: whose answers these are.
        asked: titles in the task; `undecided` of them have no yes or no yet.
        precision: of the titles kept, the share that people call fitting.
        missed: of those thrown away, the share that people call fitting.
        recall: of all that fit, the share kept; its ends are those of the two intervals.
        thresholds: what others would keep, ascending; empty for a step without scores.
    """

    task_id: int
    asked: int
    undecided: int
    precision: Estimate
    missed: Estimate
    recall: Estimate
    thresholds: tuple[AtThreshold, ...]


def task_name(pipeline: str, step: str) -> str:
    """The name of the task in which people judge a step's titles."""
    return f"Titles: {pipeline}, step {step}"


def ask_people(
    workspace: Workspace,
    store: Store,
    pipeline: str,
    step: str,
    *,
    each: int = 30,
    overlap: int = 1,
) -> int:
    """The id of a task with titles that a step kept and as many that it threw away, by lot.

    Which they are follows from the videos' ids alone; people do not see which is which.

    Raises:
        Refusal: for a number below 1, or a step that has judged nothing.
    """
    if each < 1:
        raise Refusal(f"The number of titles is {each}. Allowed: 1 or more.")
    results = results_of(store, pipeline, step)
    if not results:
        raise Refusal("This step has judged no title yet. Run the pipeline first.")
    drawn = [
        result
        for kept in (True, False)
        for result in drawn_by_lot((r for r in results if r.kept is kept), each, LOT, _unit)
    ]
    about = _titles(store, pipeline, [int(result.unit) for result in drawn])
    mixed = drawn_by_lot(drawn, None, LOT, _unit)
    rows = [{"id": result.unit, **about[int(result.unit)]} for result in mixed]
    return create_task(workspace, task_name(pipeline, step), "own_form", SETTINGS, 1, rows=rows)


def title_audit(workspace: Workspace, store: Store, pipeline: str, step: str) -> TitleAudit | None:
    """What people say of a step's titles; None where they were not asked.

    The sample holds kept and thrown titles in other shares than the step has, so that each judged
    title stands for as many as its half of the sample stands for.
    """
    verdicts = _verdicts(workspace, task_name(pipeline, step))
    if verdicts is None:
        return None
    task_id, by_unit = verdicts
    sizes, scores = sizes_and_scores(store, pipeline, step)
    results = results_about(
        store, pipeline, step, [unit for unit, fits in by_unit.items() if fits is not None]
    )
    judged = {result.unit: by_unit[result.unit] for result in results}
    halves = {kept: [result for result in results if result.kept is kept] for kept in (True, False)}
    precision, missed = (
        share_of(
            sum(bool(judged[result.unit]) for result in halves[kept]), len(halves[kept]), "title"
        )
        for kept in (True, False)
    )
    weights = {
        result.unit: sizes[kept] / len(half) for kept, half in halves.items() for result in half
    }
    return TitleAudit(
        task_id, len(by_unit), sum(fits is None for fits in by_unit.values()), precision, missed,
        _recall(sizes[True], precision, sizes[False], missed),
        _thresholds(scores, results, judged, weights),
    )  # fmt: skip


def _unit(result: StepResult) -> str:
    return result.unit


def _titles(store: Store, pipeline: str, ids: Sequence[int]) -> dict[int, dict[str, str]]:
    """What people read of each video: title, channel, description, and what is looked for."""
    marks = ", ".join("?" * len(ids))
    return {
        row["id"]: {
            "title": row["title"],
            "channel": row["channel"],
            "description": row["description"][:DESCRIPTION],
            "actions": row["actions"] or pipeline,
        }
        for row in store.rows(
            "SELECT v.id, v.title, v.channel, v.description,"
            " (SELECT group_concat(m.action, ' or ') FROM title_match m"
            "  WHERE m.video_id = v.id AND m.pipeline = ?) AS actions"
            f" FROM video v WHERE v.id IN ({marks})",
            [pipeline, *ids],
        )
    }


def _verdicts(workspace: Workspace, name: str) -> tuple[int, dict[str, bool | None]] | None:
    """The task of a name, and what the majority says of each video, by its id."""
    task_rows = workspace.store.rows("SELECT id, settings FROM task WHERE name = ?", [name])
    if not task_rows:
        return None
    [task] = task_rows
    votes: dict[str, list[dict[str, object]]] = {}
    for row in workspace.store.rows(
        "SELECT i.uid, a.response FROM item i LEFT JOIN current_annotation a ON a.item_id = i.id"
        " AND a.counted AND a.skip_reason IS NULL WHERE i.task_id = ? AND i.role = 'work'",
        [task["id"]],
    ):
        mine = votes.setdefault(row["uid"].removeprefix("row:"), [])
        if row["response"]:
            mine.append(stored_json(row["response"]))
    kind, settings = tasks.kind("own_form"), json.loads(task["settings"])
    concluded = {unit: kind.decide(responses, settings).value for unit, responses in votes.items()}
    return task["id"], {
        unit: {FITS: True, NOT: False}.get(value["values"]["fits"] if value else UNSURE)
        for unit, value in concluded.items()
    }


def _recall(kept: int, precision: Estimate, thrown: int, missed: Estimate) -> Estimate:
    """What fits and is kept, of all that fits: both halves by their sizes in the whole."""
    if (precision.value is None and kept) or (missed.value is None and thrown):
        return Estimate(None, reason="people have not judged titles of both kinds yet")

    def share(fitting: float | None, missing: float | None) -> float | None:
        right, lost = kept * (fitting or 0.0), thrown * (missing or 0.0)
        return right / (right + lost) if right + lost else None

    value = share(precision.value, missed.value)
    if value is None:
        return Estimate(None, reason="no title fits")
    return Estimate(
        value, share(precision.low, missed.high), share(precision.high, missed.low),
        n=precision.n + missed.n,
    )  # fmt: skip


def _thresholds(
    scores: Sequence[float],
    results: Sequence[StepResult],
    judged: dict[str, bool | None],
    weights: dict[str, float],
) -> tuple[AtThreshold, ...]:
    """Nine thresholds, evenly over the ranks of the scores, each with what it would keep."""
    if not scores or not judged:
        return ()
    thresholds = sorted({scores[round(k * (len(scores) - 1) / 8)] for k in range(9)})
    scored = [result for result in results if result.score is not None]
    fitting = sum(weights[result.unit] for result in scored if judged[result.unit])
    table: list[AtThreshold] = []
    for threshold in thresholds:
        above = [result for result in scored if (result.score or 0.0) >= threshold]
        weight = sum(weights[result.unit] for result in above)
        right = sum(weights[result.unit] for result in above if judged[result.unit])
        table.append(
            AtThreshold(
                threshold, len(scores) - bisect_left(scores, threshold),
                right / weight if weight else None, right / fitting if fitting else None,
            )
        )  # fmt: skip
    return tuple(table)
