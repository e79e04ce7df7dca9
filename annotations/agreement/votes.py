"""The current answers to a task as a table for agreement, on the scale of its kind."""

import json
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations import task as tasks
from annotations.agreement.answer_columns import COUNTED, FLAGS, SKIPPED, read_stored
from annotations.agreement.response_scale import scale
from annotations.scoring.columns import Columns, newest_rows
from annotations.scoring.population import (
    LEFT_OUT,
    OPEN_DECISION,
    open_decision,
    to_earlier_version,
)
from annotations.scoring.snapshot import Snapshot
from annotations.task import TaskKind
from core.refusal import Missing
from core.statistics.distance import Distance
from core.statistics.metric import Floats
from core.statistics.ratings import Bools, Ints, Ratings

_OPEN_ITEMS = (
    "SELECT id FROM item WHERE task_id = ? AND status = 'open' AND role = 'work' ORDER BY id"
)
_MODELS = "SELECT id FROM annotator WHERE kind = 'model'"
_ASIDE = "SELECT id FROM annotator WHERE aside_at IS NOT NULL"


@dataclass(frozen=True, eq=False)
class TaskVotes:
    """The current counted answers to the open items of one task.

    Attributes:
        task_id: of the task.
        name: of the task.
        ratings: items and raters are indices into `items` and `annotators`.
        distance: a name, or the task kind's own.
        items: (items,) ids, in the order of work.
        annotators: ids.
        excluded: what is left out, as (why, how many).
        memo: tables computed from it.
    """

    task_id: int
    name: str
    ratings: Ratings
    distance: str | Distance
    items: Ints
    annotators: tuple[int, ...]
    excluded: tuple[tuple[str, int], ...]
    memo: dict[object, Any] = field(default_factory=dict[object, Any])


def task_votes(
    snapshot: Snapshot, task_id: int, *, runs: bool = False, decisions: bool = False
) -> TaskVotes:
    """The answers to one task as they are stored.

    Counted answers and open items of real work only; of each annotator the newest revision; of a
    question whose options or clip changed, the answers to its newest version that was answered.

    An adaptive task asks for another answer only where those before it differ. Such answers would
    make people look as if they agreed more than they do, so agreement takes only those that are
    asked whatever happens.

    Args:
        snapshot: of whose answers.
        task_id: of which task.
        runs: whether what models answered in their runs is among them, unread replies left out.
        decisions: whether all answers are wanted that decide an item, also in an adaptive task.

    Raises:
        LookupError: if there is no such task.
    """

    def found() -> _Found:
        return _found(snapshot, task_id, runs=runs)

    def votes() -> TaskVotes:
        answers = snapshot.derived(("newest answers", task_id, runs), found)
        if decisions:
            return _votes(snapshot, answers, answers.left_out)
        further = answers.asked_as_others_differ(snapshot.database)
        if not further.any():  # the same answers, so what is computed of them is shared
            return task_votes(snapshot, task_id, runs=runs, decisions=True)
        return _votes(snapshot, answers, answers.left_out | {LEFT_OUT[OPEN_DECISION]: further})

    return snapshot.derived(("votes", task_id, runs, decisions), votes)


@dataclass(frozen=True, eq=False)
class _Found:
    """The newest answers to one task, before any is left out.

    Attributes:
        task_id: of the task.
        runs: whether what models answered in their runs is among them.
        stored: the answers to all tasks.
        items: (items,) ids of the open ones.
        index_of: of an item's id, its place in `items`, or -1.
        rows: (answers,) in `stored`.
        in_run: (answers,) whether a model gave it in its run.
        left_out: (answers,) which are left out, for each reason that always holds.
    """

    task_id: int
    runs: bool
    stored: Columns
    items: Ints
    index_of: Ints
    rows: Ints
    in_run: Bools
    left_out: dict[str, Bools]

    def asked_as_others_differ(self, database: Database) -> Bools:
        """(answers,) which were asked for only because those before them differed."""
        counted = ~np.any([*self.left_out.values(), self.in_run], axis=0)
        return open_decision(database, self.stored.ints("item")[self.rows], counted)


def _found(snapshot: Snapshot, task_id: int, *, runs: bool) -> _Found:
    def read(earlier: Columns | None) -> Columns:
        return read_stored(snapshot.database, earlier)

    stored = snapshot.grown("answers of everybody", read, cuts=True)
    stored_item = stored.ints("item")
    items = np.array([row[0] for row in snapshot.tuples(_OPEN_ITEMS, [task_id])], dtype=np.int64)
    index_of = np.full(max(items.max(initial=0), stored_item.max(initial=0)) + 1, -1)
    index_of[items] = np.arange(len(items))
    rows = _newest(index_of, stored)
    in_run, left_out = _left_out(snapshot, stored, rows, index_of, runs=runs)
    return _Found(task_id, runs, stored, items, index_of, rows, in_run, left_out)


def _votes(snapshot: Snapshot, found: _Found, left_out: dict[str, Bools]) -> TaskVotes:
    task_rows = snapshot.rows("SELECT name, kind FROM task WHERE id = ?", [found.task_id])
    if not task_rows:
        raise Missing(f"There is no task {found.task_id}. Choose one of those on the page Tasks.")
    stored = found.stored
    rows = found.rows[~np.any([*left_out.values()], axis=0)]
    annotators, rater = np.unique(stored.ints("by")[rows] >> FLAGS, return_inverse=True)
    value, labels, numbers, distance = _values(tasks.kind(task_rows[0]["kind"]), stored, rows)
    excluded = [(why, int(of.sum())) for why, of in left_out.items() if of.any()]
    unread = int((value < 0).sum()) if found.runs else 0
    if unread:
        excluded.append(("in which no answer could be read", unread))
    item = found.index_of[stored.ints("item")[rows]]
    return TaskVotes(
        task_id=found.task_id,
        name=task_rows[0]["name"],
        ratings=Ratings.from_arrays(item, rater, value, labels, numbers),
        distance=distance,
        items=found.items,
        annotators=tuple(map(int, annotators)),
        excluded=tuple(excluded),
    )


def _left_out(
    snapshot: Snapshot, stored: Columns, rows: Ints, index_of: Ints, *, runs: bool
) -> tuple[Bools, dict[str, Bools]]:
    """Which of some answers models gave in runs, and which are left out, each for one reason."""
    database = snapshot.database
    item, by = stored.ints("item")[rows], stored.ints("by")[rows]
    revision = stored.ints("revision")[rows]
    skipped = (by & SKIPPED) > 0
    aside = ~skipped & np.isin(by >> FLAGS, [row[0] for row in snapshot.tuples(_ASIDE)])
    in_run = np.isin(by >> FLAGS, [row[0] for row in snapshot.tuples(_MODELS)])
    in_run &= (by & COUNTED) == 0
    asked_again = ~(skipped | aside) & to_earlier_version(database, item, revision)
    uncounted = ~(skipped | aside | asked_again) & ((by & COUNTED) == 0)
    of_models = uncounted & in_run & (not runs)
    extra = uncounted & ~in_run
    earlier = asked_again
    if group_of := _groups(database):
        earlier = _earlier(index_of[item], revision, group_of) | asked_again
        earlier &= ~(skipped | aside | of_models | extra)
    return in_run, {
        "skipped": skipped,
        "of annotators whose work is put aside": aside,
        "extra, beyond the overlap": extra,
        "of models in their runs, which count for no decision": of_models,
        "on an earlier version of the question": earlier,
    }


def _newest(index_of: Ints, stored: Columns) -> Ints:
    """Rows of the newest revision of each annotator's answer to each item that has a place."""
    at = index_of[stored.ints("item")]
    rows = np.arange(len(at)) if (at >= 0).all() else np.flatnonzero(at >= 0)
    return rows[newest_rows(at[rows], stored.ints("by")[rows] >> FLAGS)]


def _groups(database: Database) -> dict[int, int]:
    """For revisions of changed questions: the first one with the same options and clip."""
    codes: dict[tuple[object, ...], int] = {}
    changed = database.conn.execute(
        "SELECT id, question_id, options, clip_id FROM question_revision WHERE question_id IN"
        " (SELECT question_id FROM question_revision WHERE revision > 1) ORDER BY id"
    )
    return {row[0]: codes.setdefault(tuple(row)[1:], row[0]) for row in changed}


def _earlier(item: Ints, revision: Ints, group_of: dict[int, int]) -> Bools:
    """Which answers are to other options or another clip than the newest answer to their item."""
    group = np.arange(max(int(revision.max(initial=0)), *group_of) + 1)
    group[list(group_of)] = list(group_of.values())
    newest = np.zeros(int(item.max(initial=0)) + 1, dtype=np.int64)
    np.maximum.at(newest, item, revision)
    return group[revision] != group[newest[item]]


def _values(
    kind: TaskKind, stored: Columns, rows: Ints
) -> tuple[Ints, list[Hashable], Floats | None, str | Distance]:
    """Value codes of some answers, the labels, their numbers, and the distance."""
    codes, texts = stored.ints("response")[rows], stored.texts["response"]
    used = np.flatnonzero(np.bincount(codes, minlength=len(texts)))
    values, distance = scale(kind, [json.loads(texts[code]) for code in used.tolist()])
    labels: dict[Hashable, int] = {}
    value_of = np.full(len(texts) + 1, -1)
    for code, value in zip(used.tolist(), values, strict=True):
        if value is not None:
            value_of[code] = labels.setdefault(value, len(labels))
    names = list(labels)
    numeric = bool(names) and all(type(name) in (int, float) for name in names)
    numbers = np.array(names, dtype=np.float64) if numeric else None
    return value_of[codes], names, numbers, distance
