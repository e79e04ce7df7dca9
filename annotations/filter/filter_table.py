"""A filter's answers beside people's decisions on the same videos, as columns.

A filter is a run on a task whose kind has `passes(response)`: accept or reject. People's decision
is that of authors once enough have signed, else the rule's over their counted answers, on the same
item or, where the same clip stands in another task of the kind and of the same settings, there.
"""

import json
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
from sqlite_utils import Database

from annotations.filter.filter_items import FilterItems, Sent, Span, read_items, read_sent
from annotations.filter.filter_people import People, read_people
from annotations.filter.filter_verdicts import (
    NO_VERDICTS,
    NONE_GIVEN,
    Reasons,
    Verdicts,
    read_verdicts,
)
from annotations.filter_kind import FilterKind, filter_kind, is_filter
from annotations.record.task import Task, task_in
from annotations.run.runs import Run, run_in, runs_in
from annotations.scoring.snapshot import Snapshot
from core.statistics.metric import Floats
from core.statistics.ratings import Bools, Ints
from core.statistics.threshold import UNJUDGED
from db.connection import rows as rows_of
from db.tally import tally

_serials = count(1)


@dataclass(frozen=True, eq=False)
class Filtered:
    """A run's task, one open item of work a row, in the order of work; columns are (items,).

    Attributes:
        serial: no two tables have the same; while it stays, nothing has changed.
        run: the filter.
        labels: of the reasons, by id.
        item_id: of the item.
        names: of the item's video.
        sha256: of its video; '' without one.
        clip: (start, end) in s by row; end None is the video's end.
        video: number of its video: items of equal number are resampled together.
        model: its verdict, `ACCEPTED` or `REJECTED`; `UNJUDGED` where it has none.
        people: people's verdict; `UNJUDGED` where there is none.
        tie: whether people have answered and not decided.
        people_item: the item on which people judged it; 0 where they did not.
        sent: whether the same clip is work for people in another task that is not closed.
        score: of the filter, high for what it accepts; NaN where it gave none.
        model_reasons: of its rejection.
        people_reasons: of people's rejection.
    """

    serial: int
    run: Run
    labels: dict[str, str]
    item_id: Ints
    names: tuple[str, ...]
    sha256: tuple[str, ...]
    clip: tuple[Span, ...]
    video: Ints
    model: Ints
    people: Ints
    tie: Bools
    people_item: Ints
    sent: Bools
    score: Floats
    model_reasons: tuple[Reasons, ...]
    people_reasons: tuple[Reasons, ...]


@dataclass(frozen=True, eq=False)
class _OfTask:
    """What all filters on a task share."""

    items: FilterItems
    sent: Sent
    people: People


@dataclass(frozen=True, eq=False)
class _OfRun:
    """A filter as it was read: how often runs had changed, the table and what it was made of."""

    verdicts: Verdicts
    runs: int
    run: Run
    parts: tuple[object, ...]
    table: Filtered


def filtered(snapshot: Snapshot, run_id: int) -> Filtered:
    """A filter beside people.

    It is the same object while nothing of it has changed; else only what is new is read.

    Raises:
        LookupError: if there is no such run.
        ValueError: if it is no filter.
    """
    return snapshot.grown(("filter", run_id), lambda kept: _of_run(snapshot, run_id, kept)).table


def filter_runs(database: Database) -> list[Run]:
    """Return the runs whose answers accept or reject, the oldest first."""
    settings = {row["id"]: row["settings"] for row in rows_of(database, _SETTINGS)}
    return [
        run
        for run in runs_in(database)
        if is_filter(run.kind, json.loads(settings.get(run.task_id, "{}")))
    ]


_SETTINGS = "SELECT id, settings FROM task"


def read_ahead(snapshot: Snapshot) -> None:
    """Read the newest filter, so that whoever looks at it first need not wait; if there is one."""
    for run in reversed(filter_runs(snapshot.database)):
        if run.predictions:
            filtered(snapshot, run.id)
            return


def _of_run(snapshot: Snapshot, run_id: int, kept: _OfRun | None) -> _OfRun:
    runs = tally(snapshot.database, "runs")
    run = kept.run if kept and kept.runs == runs else run_in(snapshot.database, run_id)
    if kept and run.facts == kept.run.facts:
        run = kept.run
    task = task_in(snapshot.database, run.task_id)
    kind = filter_kind(run.kind, task.settings)
    shared = snapshot.grown(
        ("filters on a task", task.id), lambda read: _of_task(snapshot.database, task, kind, read)
    )
    verdicts = read_verdicts(
        snapshot.database, run.id, kind, kept.verdicts if kept else NO_VERDICTS
    )
    parts = (run, shared.items, shared.sent, shared.people.people, verdicts)
    if kept and all(a is b for a, b in zip(parts, kept.parts, strict=True)):
        return replace(kept, runs=runs)
    table = _table(run, kind.reason_labels(task.settings), shared, verdicts)
    return _OfRun(verdicts, runs, run, parts, table)


def _of_task(database: Database, task: Task, kind: FilterKind, kept: _OfTask | None) -> _OfTask:
    items = read_items(database, task.id, kept.items if kept else None)
    sent = read_sent(database, task.id, items, kept.sent if kept else None)
    people = read_people(
        database, task.id, kind, task.settings, items, kept.people if kept else None
    )
    return _OfTask(items, sent, people)


def _table(
    run: Run,
    labels: dict[str, str],
    shared: _OfTask,
    verdicts: Verdicts,
) -> Filtered:
    items, people = shared.items, shared.people
    row, known = items.rows_of(verdicts.item_id)
    rows = row[known]
    model = np.full(len(items.keys), UNJUDGED, dtype=np.int64)
    model[rows] = verdicts.verdict[known]
    score = np.full(len(items.keys), np.nan)
    score[rows] = verdicts.score[known]
    reasons = [NONE_GIVEN] * len(items.keys)
    for index, named, standing in zip(row.tolist(), verdicts.reasons, known.tolist(), strict=True):
        if standing:
            reasons[index] = named
    return Filtered(
        serial=next(_serials),
        run=run,
        labels=labels,
        item_id=items.item_id,
        names=items.names,
        sha256=items.sha256,
        clip=items.clip,
        video=items.video,
        model=model,
        people=people.people,
        tie=people.tie,
        people_item=people.people_item,
        sent=shared.sent.sent,
        score=score,
        model_reasons=tuple(reasons),
        people_reasons=people.reasons,
    )
