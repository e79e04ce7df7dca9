"""Items whose answers differ, over stored answers of any kind of task: worst first."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotations import task as tasks_of
from annotations.agreement.groups import (
    NO_CATEGORY,
    WITH_RUNS,
    Among,
    chosen_among,
    item_facts,
    names,
)
from annotations.agreement.votes import TaskVotes, task_votes
from annotations.record.task import task_in
from annotations.scoring.snapshot import Snapshot
from annotations.task_parts import Tolerates
from core.refusal import Refusal
from core.statistics.disagreement import agreement_with_others, disagreement
from core.statistics.distance import Distance, Paired, by_name
from core.statistics.metric import Floats
from core.statistics.ratings import Ints
from core.stored_json import stored_json

# Joined to all items of a page at once: a view of questions is read whole for each statement.
_FACTS = """
  SELECT i.id, i.uid, coalesce(nullif(q.category, ''), ?) AS category
  FROM item i LEFT JOIN current_question q ON q.question_id = i.question_id
  WHERE i.id IN (SELECT value FROM json_each(?))
"""
_ANSWERS = """
  SELECT item_id, annotator_id, response FROM current_annotation
  WHERE item_id IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True)
class Disagreement:
    """An item whose counted current answers differ.

    Attributes:
        distance: mean distance of two answers to it, in [0, 1] unless the task's own is not.
        answers: (annotator, response), oldest annotator first.
    """

    item_id: int
    uid: str
    task_id: int
    task: str
    category: str
    distance: float
    answers: tuple[tuple[str, dict[str, Any]], ...]


@dataclass(frozen=True)
class Disagreements:
    """Some of the disagreements, worst first.

    Attributes:
        checked: items with at least two answers, under the same filters.
        total: how many of them are in disagreement.
        rows: those of the page that was asked for.
    """

    checked: int
    total: int
    rows: tuple[Disagreement, ...]


def disagreements(
    snapshot: Snapshot,
    task_ids: Sequence[int],
    *,
    category: str | None = None,
    annotators: Sequence[str] = (),
    among: Among = "everybody",
    leave_out: Collection[int] = (),
    limit: int = 50,
    offset: int = 0,
) -> Disagreements:
    """Items whose counted current answers differ, worst first.

    Worst is the greatest mean distance of two answers, then the most answers, then the order of
    work. Where the kind has a tolerance, such as 0.7 in temporal IoU, two answers within it are
    at distance 0.

    Args:
        snapshot: of whose answers.
        task_ids: of which tasks.
        category: of the question as it is now.
        annotators: one name: whose answer differs from another's; two: who differ from each other.
        among: whose answers.
        leave_out: ids of items, such as those that are resolved.
        limit: how many rows.
        offset: how many rows to pass over.

    Raises:
        LookupError: if there is no such task.
        ValueError: for more than two annotators.
    """
    if len(annotators) > 2:
        raise Refusal(f"At most two annotators can be compared; got {len(annotators)}.")
    tasks = [
        task_votes(snapshot, task_id, runs=among in WITH_RUNS, decisions=True)
        for task_id in task_ids
    ]
    parts = [_apart(snapshot, votes, category, annotators, among, leave_out) for votes in tasks]
    checked = sum(len(items) for items, _, _ in parts)
    part = np.repeat(np.arange(len(parts)), [len(items) for items, _, _ in parts])
    item, apart, answers = (
        np.concatenate([np.empty(0), *(part[column] for part in parts)]) for column in range(3)
    )
    differ = np.flatnonzero(apart > 0)
    order = np.lexsort((item[differ], part[differ], -answers[differ], -apart[differ]))
    page: list[int] = differ[order[offset : offset + limit]].tolist()
    of: list[int] = part[page].tolist()
    listed = [
        (tasks[task], int(item[row]), float(apart[row])) for row, task in zip(page, of, strict=True)
    ]
    rows = _listed(snapshot, listed)
    return Disagreements(checked, len(differ), tuple(rows))


def _apart(
    snapshot: Snapshot,
    votes: TaskVotes,
    category: str | None,
    annotators: Sequence[str],
    among: Among,
    leave_out: Collection[int],
) -> tuple[Ints, Floats, Ints]:
    """Shared items under the filters, how far their answers are apart, and how many they have."""
    ratings = votes.ratings
    chosen = chosen_among(snapshot, votes, among)
    everyone = names(snapshot, votes)
    wanted = [code for code, name in enumerate(everyone) if name in annotators]
    if len(wanted) < len(annotators):
        chosen[:] = False
    elif len(annotators) == 2:
        chosen &= np.isin(ratings.rater, wanted)
    allowed = np.ones(len(votes.items), dtype=np.bool_)
    if leave_out:
        allowed &= ~np.isin(votes.items, list(leave_out))
    if category is not None:
        categories, codes = item_facts(snapshot, votes, "category")
        allowed &= codes == (categories.index(category) if category in categories else -1)
    chosen &= allowed[ratings.item]
    ratings = ratings.where(chosen)
    distance = votes.distance
    between = by_name(distance, ratings) if isinstance(distance, str) else distance
    tolerance = _tolerance(snapshot, votes.task_id)
    if tolerance:
        between = _beyond(between, tolerance)
    patterns = ratings.patterns
    apart, answers = disagreement(patterns.values, between)
    item, apart, answers = patterns.items, apart[patterns.of], answers[patterns.of]
    if len(annotators) == 1:
        rater, of_item, share = agreement_with_others(ratings, between)
        of_task = rater == wanted[0] if wanted else np.zeros(len(rater), dtype=np.bool_)
        agreed = np.isin(item, of_item[of_task & (share >= 1)])
        answered = np.isin(item, of_item[of_task])
        return item[answered], np.where(agreed, 0.0, apart)[answered], answers[answered]
    return item, apart, answers


def _tolerance(snapshot: Snapshot, task_id: int) -> float:
    """The distance up to which two answers to a task count as the same."""
    task = task_in(snapshot.database, task_id)
    kind: object = tasks_of.kind(task.kind)
    return kind.tolerance(task.settings) if isinstance(kind, Tolerates) else 0.0


def _beyond(distance: Distance, tolerance: float) -> Paired:
    """The distance, with 0 up to the tolerance.

    Each pair is compared with it, so that of many answers a single one far off still counts.
    """

    def between(first: Ints, second: Ints) -> Floats:
        apart = distance.between(first, second)
        return np.where(apart <= tolerance + 1e-9, 0.0, apart)

    return Paired(between)


def _listed(
    snapshot: Snapshot, listed: Sequence[tuple[TaskVotes, int, float]]
) -> list[Disagreement]:
    """The items of a page, each given by its votes, its index in them and its distance."""
    ids = [int(votes.items[index]) for votes, index, _ in listed]
    facts = {row["id"]: row for row in snapshot.rows(_FACTS, [NO_CATEGORY, json.dumps(ids)])}
    responses: dict[int, dict[int | None, dict[str, Any]]] = {item_id: {} for item_id in ids}
    for row in snapshot.rows(_ANSWERS, [json.dumps(ids)]):
        responses[row["item_id"]][row["annotator_id"]] = stored_json(row["response"])
    rows: list[Disagreement] = []
    for item_id, (votes, index, apart) in zip(ids, listed, strict=True):
        everyone, ratings = names(snapshot, votes), votes.ratings
        begin, end = np.searchsorted(ratings.item, [index, index + 1])
        raters: list[int] = ratings.rater[begin:end].tolist()
        answers = tuple(
            (everyone[rater], responses[item_id][votes.annotators[rater]]) for rater in raters
        )
        item = facts[item_id]
        rows.append(
            Disagreement(
                item_id, item["uid"], votes.task_id, votes.name, item["category"], apart, answers
            )
        )
    return rows
