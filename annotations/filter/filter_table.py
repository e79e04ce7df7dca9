"""A filter's answers beside people's decisions on the same videos, as columns.

A filter is a run on a task whose kind has `passes(response)`: accept or reject. People's decision
is that of authors once enough have signed, else the rule's over their counted answers, on the same
item or, where the same clip stands in another task of the kind and of the same settings, there.
"""

import json
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import Any

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
from annotations.filter_kind import filter_kind, is_filter
from annotations.run.runs import Run, all_runs, run_in
from annotations.scoring.columns import Kept
from annotations.workspace import Workspace
from core.statistics.metric import Floats
from core.statistics.ratings import Bools, Ints
from core.statistics.threshold import UNJUDGED
from db.tally import tally

MOST_RUNS, MOST_TASKS = 8, 4
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


@dataclass
class _OfTask:
    """What all filters on a task share."""

    items: FilterItems | None = None
    sent: Sent | None = None
    people: People | None = None


@dataclass
class _OfRun:
    """A filter as it was read last."""

    verdicts: Verdicts = NO_VERDICTS
    runs: int = -1
    run: Run | None = None
    parts: tuple[object, ...] = ()
    table: Filtered | None = None


_tasks = Kept[_OfTask](MOST_TASKS)
_runs = Kept[_OfRun](MOST_RUNS)
_lock = Lock()


def filtered(workspace: Workspace, run_id: int) -> Filtered:
    """A filter beside people as it is stored now.

    It is the same object while nothing of it has changed; else only what is new is read.

    Raises:
        LookupError: if there is no such run.
        ValueError: if it is no filter.
    """
    path = workspace.store.path
    with _lock, workspace.store.read() as database:
        kept = _runs.get((path, run_id)) or _OfRun()
        runs = tally(database, "runs")
        if kept.run is None or kept.runs != runs:
            run = run_in(database, run_id)
            if kept.run is None or run.facts != kept.run.facts:
                kept.run = run
            kept.runs = runs
        shared = _tasks.get((path, kept.run.task_id)) or _OfTask()
        table = _read(database, kept, kept.run, shared)
        _runs.put((path, run_id), kept)
        _tasks.put((path, kept.run.task_id), shared)
        return table


def read_ahead(workspace: Workspace) -> None:
    """Read the newest filter, so that whoever looks at it first need not wait; if there is one."""
    for run in reversed(all_runs(workspace)):
        if is_filter(run.kind) and run.predictions:
            filtered(workspace, run.id)
            return


def _read(database: Database, kept: _OfRun, run: Run, shared: _OfTask) -> Filtered:
    kind, task_id = filter_kind(run.kind), run.task_id
    text = database.conn.execute("SELECT settings FROM task WHERE id = ?", [task_id]).fetchone()[0]
    settings: dict[str, Any] = json.loads(text)
    items = shared.items = read_items(database, task_id, shared.items)
    sent = shared.sent = read_sent(database, task_id, items, shared.sent)
    people = shared.people = read_people(database, task_id, kind, settings, items, shared.people)
    verdicts = kept.verdicts = read_verdicts(database, run.id, kind, kept.verdicts)
    parts = (run, items, sent, people.people, verdicts)
    if kept.table is None or any(a is not b for a, b in zip(parts, kept.parts, strict=True)):
        kept.parts = parts
        kept.table = _table(run, kind.reason_labels(settings), items, sent, people, verdicts)
    return kept.table


def _table(
    run: Run,
    labels: dict[str, str],
    items: FilterItems,
    sent: Sent,
    people: People,
    verdicts: Verdicts,
) -> Filtered:
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
        sent=sent.sent,
        score=score,
        model_reasons=tuple(reasons),
        people_reasons=people.reasons,
    )
