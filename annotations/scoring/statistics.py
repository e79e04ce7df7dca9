"""Every statistic of ``core/metrics`` over stored answers, of people and of each run.

A file in that folder is found here by being there, and by that on the pages *Metrics* and *Runs*,
in `rushes metrics` and in exports. What it is computed from, its arguments say
(`core/statistics/metric.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np

from annotations.scoring.human_accuracy import Resampled
from annotations.scoring.leaderboard import clusters
from annotations.scoring.people_columns import Bools, Ints
from annotations.scoring.population import SCORED
from annotations.scoring.run_estimates import estimate_each
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import (
    EVERY_QUESTION,
    Entry,
    SolvedTable,
    Which,
    chosen_rows,
    solved_table,
)
from core.statistics.metric import OF_ANSWERS, Estimate, Floats, Statistic, needs, statistics_of

_OF_QUESTIONS = {"options", "keys"}


@dataclass(frozen=True)
class Figure:
    """One statistic of one run, or of people under one condition.

    Attributes:
        statistic: name of its file in ``core/metrics``.
        label: its name in words.
        as_share: whether its values lie in [0, 1], and are shown in percent.
        estimate: `n` counts answers, or questions where it is about those alone.
    """

    statistic: str
    label: str
    as_share: bool
    entry: Entry
    estimate: Estimate


@runtime_checkable
class HasBound(Protocol):
    """A statistic that has exact bounds where resampling shows no spread."""

    def with_bound(self, estimate: Estimate, cluster_word: str) -> Estimate:
        """The same estimate with its bounds."""
        ...


def figures(
    snapshot: Snapshot,
    which: Which = EVERY_QUESTION,
    resample: Resampled = "video",
    *,
    people_alone: bool = False,
) -> list[Figure]:
    """Every statistic of answers, of every run and of people under every condition.

    Statistics come in the order of their files, runs in that of the leaderboard. One that is
    about questions alone, such as a baseline, takes each question once.

    Args:
        which: questions.
        resample: what is drawn again for the intervals.
        people_alone: leave the runs of models out.
    """
    solved, memo = solved_table(snapshot), snapshot.predictions.memo
    key = ("statistics", which, resample, people_alone)
    if key not in memo:
        inside = chosen_rows(snapshot, which)
        entries = [one for one in solved.entries if one.run is None or not people_alone]
        answers = [_Answers.of(snapshot, entry, inside) for entry in entries]
        memo[key] = [
            figure
            for name, module in statistics_of(OF_ANSWERS).items()
            for figure in _figures(name, module, solved, answers, resample)
        ]
    return cast("list[Figure]", memo[key])


def scored_rows(snapshot: Snapshot, entry: Entry, inside: Bools) -> tuple[Ints, Ints]:
    """The answers of an entry that count: rows of their table, and of each that of its question.

    Args:
        snapshot: whose predictions and people's answers.
        entry: a run, or people under a condition.
        inside: (questions,) of the solved table, which questions are meant.
    """
    table, people = snapshot.predictions, snapshot.people
    if entry.run is not None:
        answers = np.flatnonzero(table.scored & (table.run == entry.run))
        question_id = table.question_id[answers]
    else:
        answers = np.flatnonzero((people.state == SCORED) & (people.condition == entry.line))
        question_id = people.question_id[answers]
    question = np.searchsorted(solved_table(snapshot).question_id, question_id)
    return answers[inside[question]], question[inside[question]]


@dataclass(frozen=True, eq=False)
class _Answers:
    """The scored answers of one entry; columns are (answers,) arrays, `row` that in the table."""

    entry: Entry
    row: Ints
    columns: dict[str, Any]

    @classmethod
    def of(cls, snapshot: Snapshot, entry: Entry, inside: Bools) -> "_Answers":
        """Read those of a run, or of people under a condition."""
        table = snapshot.predictions
        source = table if entry.run is not None else table.people
        chosen, row = scored_rows(snapshot, entry, inside)
        indices: list[int] = source.question[chosen].tolist()
        asked = [table.questions[index] for index in indices]
        columns = {
            "right": source.right[chosen],
            "options": np.array([question.options for question in asked], dtype=np.int64),
            "keys": np.array([question.key for question in asked], dtype=np.int64),
            "choices": source.choice[chosen],
        }
        return cls(entry, row, columns)

    def rows(self, module: ModuleType) -> tuple[Ints, Floats]:
        """The question of each row that a statistic makes, and the rows."""
        names = needs(module)
        chosen = np.arange(len(self.row))
        if set(names) <= _OF_QUESTIONS:
            chosen = np.unique(self.row, return_index=True)[1]
        made: Floats = module.rows(*(self.columns[name][chosen] for name in names))
        return self.row[chosen], made


def _figures(
    name: str,
    module: ModuleType,
    solved: SolvedTable,
    answers: Sequence[_Answers],
    resample: Resampled,
) -> list[Figure]:
    parts = [part.rows(module) for part in answers]
    width = max((made.shape[1] for _, made in parts), default=0)
    # A statistic reads sums, so the answers to one question may be added up beforehand.
    table = np.zeros((len(solved.questions), len(parts), width))
    has = np.zeros(table.shape[:2], dtype=np.bool_)
    for index, (rows, made) in enumerate(parts):
        np.add.at(table[:, index, : made.shape[1]], rows, made)
        has[rows, index] = True
    estimates = estimate_each(
        cast("Statistic", module), table, has, clusters(solved, resample), resample
    )
    label, as_share = str(module.NAME), tuple(module.RANGE) == (0.0, 1.0)
    bounded: object = module
    estimates_by_group: list[Figure] = []
    for part, estimate, (rows, _) in zip(answers, estimates, parts, strict=True):
        counted = replace(estimate, n=len(rows))
        if isinstance(bounded, HasBound):
            counted = bounded.with_bound(counted, resample)
        estimates_by_group.append(Figure(name, label, as_share, part.entry, counted))
    return estimates_by_group
