"""A filter's answers beside people's decisions on the same videos, as columns.

A filter is a run on a task whose kind has `passes(response)`: accept or reject. People's decision
is that of authors once enough have signed, else the rule's over their counted answers, on the same
item or, where the same clip stands in another task of the kind and of the same settings, there.
"""

import json
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, cast

import numpy as np
from sqlite_utils import Database

from annotations import task as tasks
from annotations.runs import Run, runs_in
from annotations.scored import version_in
from annotations.task import TaskKind
from annotations.workspace import Workspace
from core.metric import Floats
from core.ratings import Bools, Ints
from core.threshold import ACCEPTED, REJECTED, UNJUDGED
from db.connection import rows

Key = tuple[str, int | None, str]
Reasons = frozenset[str]
NONE_GIVEN: Reasons = frozenset()

_VERSION = """
  SELECT (SELECT max(annotation_id) FROM prediction), (SELECT group_concat(facts, '') FROM run),
         (SELECT count(*) FROM run), (SELECT max(id) FROM resolution),
         (SELECT max(id) FROM signature)
"""
_KEY = "i.uid, i.video_id, coalesce(json_extract(i.payload, '$.clip'), '') AS clip"
_ITEMS = f"""
  SELECT i.id, {_KEY}, coalesce(json_extract(i.payload, '$.name'), i.uid) AS name,
    coalesce(v.sha256, '') AS sha256, p.response, p.annotation_id, p.score, p.confidence
  FROM item i LEFT JOIN video v ON v.id = i.video_id
  LEFT JOIN (SELECT a.item_id, max(a.id) AS annotation_id, a.response, y.score, y.confidence
    FROM prediction y JOIN annotation a ON a.id = y.annotation_id
    WHERE y.run_id = :run GROUP BY a.item_id) p ON p.item_id = i.id
  WHERE i.task_id = :task AND i.role = 'work' AND i.status = 'open' ORDER BY i.position
"""
# In the order in which they are preferred: items of the task itself first, then the newest.
_DECIDED = f"""
  SELECT i.id, {_KEY}, a.response,
    (SELECT json_object('value', json(c.value)) FROM current_resolution c
     WHERE c.item_id = i.id AND c.outcome <> 'reopen' AND c.signed >= c.signatures) AS resolved
  FROM item i JOIN task t ON t.id = i.task_id
  LEFT JOIN current_annotation a ON a.item_id = i.id AND a.counted = 1 AND a.skip_reason IS NULL
    AND a.annotator_id IN (SELECT id FROM annotator WHERE kind = 'person' AND aside_at IS NULL)
  WHERE t.kind = :kind AND t.settings = :settings AND i.role = 'work' AND i.answers > 0
  ORDER BY t.id = :task DESC, i.id DESC, a.id
"""
# Clips that people are asked about in other tasks, answered or not.
_SENT = f"""
  SELECT {_KEY} FROM item i JOIN task t ON t.id = i.task_id
  WHERE t.kind = :kind AND t.settings = :settings AND t.id <> :task AND t.status <> 'closed'
    AND i.role = 'work' AND i.status = 'open' AND coalesce(i.overlap, t.overlap) > 0
"""


class FilterKind(TaskKind, Protocol):
    """A task kind whose answers accept or reject."""

    def passes(self, value: dict[str, Any]) -> bool:
        """Whether a response, or a decision's value, accepts."""
        ...

    def reasons_given(self, value: dict[str, Any]) -> tuple[str, ...]:
        """Ids of the reasons of a rejection."""
        ...

    def reason_labels(self, settings: dict[str, Any]) -> dict[str, str]:
        """Labels of the reasons by id."""
        ...


@dataclass(frozen=True, eq=False)
class Filtered:
    """A run's task, one open item of work a row, in the order of work; columns are (items,).

    Attributes:
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

    run: Run
    labels: dict[str, str]
    item_id: Ints
    names: tuple[str, ...]
    sha256: tuple[str, ...]
    clip: tuple[tuple[float, float | None], ...]
    video: Ints
    model: Ints
    people: Ints
    tie: Bools
    people_item: Ints
    sent: Bools
    score: Floats
    model_reasons: tuple[Reasons, ...]
    people_reasons: tuple[Reasons, ...]


def is_filter(kind: str) -> bool:
    """Whether answers of this kind of task accept or reject."""
    return hasattr(tasks.kind(kind), "passes")


def filter_kind(kind: str) -> FilterKind:
    """The kind, as a filter.

    Raises:
        ValueError: if its answers do not accept or reject.
    """
    if not is_filter(kind):
        raise ValueError(f"Tasks of the kind {kind} do not accept or reject: they are no filter.")
    return cast("FilterKind", tasks.kind(kind))


_kept: dict[tuple[Path, int], tuple[tuple[object, ...], Filtered]] = {}
_lock = Lock()


def filtered(workspace: Workspace, run_id: int) -> Filtered:
    """A filter beside people as it is stored now; read again only when the data have changed.

    Raises:
        LookupError: if there is no such run.
        ValueError: if it is no filter.
    """
    place = (workspace.store.path, run_id)
    with _lock, workspace.store.read() as database:
        version = filter_version(database)
        kept = _kept.get(place)
        if kept is None or kept[0] != version:
            kept = (version, _read(database, run_id))
            _kept[place] = kept
            for other in list(_kept)[:-8]:
                del _kept[other]
        return kept[1]


def filter_version(database: Database) -> tuple[object, ...]:
    """A value that differs once answers, predictions, decisions or what is kept of runs change."""
    return (*version_in(database), *database.conn.execute(_VERSION).fetchone())


def _read(database: Database, run_id: int) -> Filtered:
    found = [run for run in runs_in(database) if run.id == run_id]
    if not found:
        raise LookupError(f"There is no run {run_id}.")
    run = found[0]
    kind = filter_kind(run.kind)
    task = database.conn.execute("SELECT settings FROM task WHERE id = ?", [run.task_id])
    settings: str = task.fetchone()[0]
    items = rows(database, _ITEMS, {"run": run_id, "task": run.task_id})
    same: dict[str, Any] = {"kind": run.kind, "settings": settings, "task": run.task_id}
    decided = _decided(database, kind, same)
    answers = [None if one["response"] is None else json.loads(one["response"]) for one in items]
    people = [decided.get(_key(one)) for one in items]
    sent = {_key(one) for one in rows(database, _SENT, same)}
    videos: dict[str, int] = {}
    for one in items:
        videos.setdefault(one["sha256"] or one["uid"], len(videos))
    return Filtered(
        run=run,
        labels=kind.reason_labels(json.loads(settings)),
        item_id=np.array([one["id"] for one in items], dtype=np.int64),
        names=tuple(one["name"] for one in items),
        sha256=tuple(one["sha256"] for one in items),
        clip=tuple(_span(one["clip"]) for one in items),
        video=np.array([videos[one["sha256"] or one["uid"]] for one in items], dtype=np.int64),
        model=_codes([None if one is None else kind.passes(one) for one in answers]),
        people=_codes([None if one is None else one[0] for one in people]),
        tie=np.array([one is not None and one[0] is None for one in people], dtype=np.bool_),
        people_item=np.array([0 if one is None else one[2] for one in people], dtype=np.int64),
        sent=np.array([_key(one) in sent for one in items], dtype=np.bool_),
        score=np.array([_score(one) for one in items], dtype=np.float64),
        model_reasons=tuple(_reasons(kind, one) for one in answers),
        people_reasons=tuple(NONE_GIVEN if one is None else one[1] for one in people),
    )


def _key(row: dict[str, Any]) -> Key:
    return row["uid"], row["video_id"], row["clip"]


def _span(clip: str) -> tuple[float, float | None]:
    """Start and end of a clip as its item keeps it, s; without one the whole video."""
    if not clip:
        return 0.0, None
    found: dict[str, float | None] = json.loads(clip)
    return found.get("start") or 0.0, found.get("end")


def _codes(verdicts: list[bool | None]) -> Ints:
    code = {True: ACCEPTED, False: REJECTED, None: UNJUDGED}
    return np.array([code[one] for one in verdicts], dtype=np.int64)


def _reasons(kind: FilterKind, answer: dict[str, Any] | None) -> Reasons:
    return NONE_GIVEN if answer is None or kind.passes(answer) else frozenset(
        kind.reasons_given(answer))  # fmt: skip


def _score(row: dict[str, Any]) -> float:
    """What the model gave; else how probable it held that the item is accepted."""
    if row["score"] is not None:
        return float(row["score"])
    confidence: dict[str, float] = json.loads(row["confidence"]) if row["confidence"] else {}
    return float(confidence.get("accept", np.nan))


def _decided(
    database: Database, kind: FilterKind, same: dict[str, Any]
) -> dict[Key, tuple[bool | None, Reasons, int]]:
    """People's verdict (None: a tie), reasons and item for each clip that they answered."""
    found: dict[Key, tuple[bool | None, Reasons, int]] = {}
    settings: dict[str, Any] = json.loads(same["settings"])
    stored = database.conn.execute(_DECIDED, same)
    for _, group in groupby(stored, key=lambda row: row["id"]):
        given = list(group)
        first = dict(given[0])
        known = found.get(_key(first))
        if known is not None and known[0] is not None:
            continue
        responses = [json.loads(row["response"]) for row in given if row["response"] is not None]
        value = _value(kind, responses, first["resolved"], settings)
        if value is not None:
            reasons = frozenset(kind.reasons_given(value))
            found[_key(first)] = (kind.passes(value), reasons, first["id"])
        elif responses:
            found.setdefault(_key(first), (None, NONE_GIVEN, first["id"]))
    return found


def _value(
    kind: FilterKind,
    responses: list[dict[str, Any]],
    resolved: str | None,
    settings: dict[str, Any],
) -> dict[str, Any] | None:
    """What was concluded: by authors, else by the rule; None where nothing was."""
    settled = json.loads(resolved)["value"] if resolved else None
    if settled is not None:
        return settled
    decision = kind.decide(responses, settings)
    return decision.value if decision.status == "decided" else None
