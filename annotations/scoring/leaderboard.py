"""How often runs are right: a leaderboard, by groups of questions, and two runs compared.

What a model did not answer readably counts as wrong and is told apart by how it came about; what it
was never asked, or failed on, is no answer. Two runs are compared on the questions of both.
"""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from annotations.scoring.human_accuracy import DRAW_SEED, Baseline, Resampled
from annotations.scoring.people_columns import Bools, Ints
from annotations.scoring.run_counts import Counts, counts
from annotations.scoring.run_estimates import estimate_each
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import (
    EVERY_QUESTION,
    Entry,
    SolvedTable,
    Which,
    chosen_rows,
    groups,
    solved_table,
)
from core.metrics import accuracy, frequent_choice, random_guess
from core.statistics import bootstrap
from core.statistics.metric import Estimate, Floats

ALL = "all"


@dataclass(frozen=True)
class Line:
    """One run on the leaderboard.

    Attributes:
        accuracy: over scored answers; what its `excluded` names is in no number.
        counts: what was asked and what became of it.
        questions: distinct questions of the scored answers.
    """

    entry: Entry
    accuracy: Estimate
    counts: Counts
    questions: int


@dataclass(frozen=True)
class GroupLine:
    """Accuracy of one run on one group of questions, with the baselines of that group."""

    group: str
    entry: Entry
    accuracy: Estimate
    questions: int
    random_guess: float | None
    frequent_choice: float | None


@dataclass(frozen=True)
class Comparison:
    """First minus second on the questions that both answered.

    Attributes:
        group: category, or 'all'.
        difference: paired.
        first: accuracy of the first on these questions, and `second` that of the other.
        solved: questions by who got them right more often than not: both, only the first, only the
            second, neither.
        questions: common ones.
        alone: questions that only the first, and only the second, has answered.
    """

    group: str
    difference: Estimate
    first: float | None
    second: float | None
    solved: tuple[int, int, int, int]
    questions: int
    alone: tuple[int, int]


def clusters(solved: SolvedTable, resample: Resampled) -> Ints:
    """What is drawn again for an interval, (questions,)."""
    return solved.video if resample == "video" else solved.question_id


def leaderboard(
    snapshot: Snapshot, which: Which = EVERY_QUESTION, resample: Resampled = "video"
) -> list[Line]:
    """Every run, and people under every condition, in the order of the sheet."""
    table, solved = snapshot.predictions, solved_table(snapshot)
    rows = chosen_rows(snapshot, which)
    memo_key = ("leaderboard", which, resample)
    if memo_key not in table.memo:
        table.memo[memo_key] = _accuracies(solved, rows, resample)
    estimates = cast("list[Estimate]", table.memo[memo_key])
    asked = counts(snapshot, which)
    questions = (solved.answers[rows] > 0).sum(axis=0).tolist()
    return [
        Line(entry, replace(estimates[i], excluded=asked[i].excluded), asked[i], questions[i])
        for i, entry in enumerate(solved.entries)
    ]


def by_group(
    snapshot: Snapshot,
    by: str,
    which: Which = EVERY_QUESTION,
    resample: Resampled = "video",
) -> list[GroupLine]:
    """Accuracy of every run on each group of questions; groups in order, then entries.

    Args:
        by: 'category', 'duration' in bins, or the name of a tag.
    """
    table, solved = snapshot.predictions, solved_table(snapshot)
    memo_key = ("groups", by, which, resample)
    if memo_key not in table.memo:
        names, codes = groups(snapshot, by)
        rows = chosen_rows(snapshot, which)
        lines: list[GroupLine] = []
        for code, name in enumerate(names):
            inside = rows & (codes == code)
            if not inside.any():
                continue
            answers = (solved.answers[inside] > 0).sum(axis=0).tolist()
            guess, frequent = _baseline_values(solved, inside)
            estimates = _accuracies(solved, inside, resample)
            lines += [
                GroupLine(name, entry, estimates[i], answers[i], guess, frequent)
                for i, entry in enumerate(solved.entries)
            ]
        table.memo[memo_key] = lines
    return cast("list[GroupLine]", table.memo[memo_key])


def _accuracies(solved: SolvedTable, rows: Bools, resample: Resampled) -> list[Estimate]:
    """Accuracy of the entries on some rows."""
    right, answers = solved.right[rows], solved.answers[rows]
    estimates = estimate_each(
        accuracy,
        np.stack([right, answers], axis=2),
        answers > 0,
        clusters(solved, resample)[rows],
        resample,
    )
    return [
        accuracy.with_bound(replace(estimate, n=int(answers[:, i].sum())), resample)
        for i, estimate in enumerate(estimates)
    ]


def baselines(
    snapshot: Snapshot, which: Which = EVERY_QUESTION, resample: Resampled = "video"
) -> list[Baseline]:
    """Random guess and most frequent option over all questions that runs or people answered."""
    solved = solved_table(snapshot)
    rows = chosen_rows(snapshot, which)
    options, keys = _options_and_keys(solved, rows)
    drawn_again = clusters(solved, resample)[rows]
    guess = bootstrap.estimate(
        random_guess, random_guess.rows(options), drawn_again, cluster_word=resample
    )
    frequent = bootstrap.estimate(
        frequent_choice, frequent_choice.rows(keys), drawn_again, cluster_word=resample
    )
    hits = int((random_guess.draw(options, DRAW_SEED) == keys).sum())
    return [
        Baseline(random_guess.NAME, guess, hits / len(keys) if len(keys) else None),
        Baseline(frequent_choice.NAME, frequent),
    ]


def _baseline_values(solved: SolvedTable, rows: Bools) -> tuple[float, float]:
    options, keys = _options_and_keys(solved, rows)
    return (
        float(random_guess.value(random_guess.rows(options).sum(axis=0))),
        float(frequent_choice.value(frequent_choice.rows(keys).sum(axis=0))),
    )


def _options_and_keys(solved: SolvedTable, rows: Bools) -> tuple[Ints, Ints]:
    questions = [solved.questions[i] for i in np.flatnonzero(rows).tolist()]
    options = np.array([question.options for question in questions], dtype=np.int64)
    return options, np.array([question.key for question in questions], dtype=np.int64)


def compare(
    snapshot: Snapshot,
    key_a: str,
    key_b: str,
    which: Which = EVERY_QUESTION,
    resample: Resampled = "video",
    by: str = "category",
) -> list[Comparison]:
    """The paired difference of two entries: over all, then on each group.

    Args:
        key_a: key of an entry, such as 'run 3' or 'people 16 frames'.
        key_b: key of the other.
        by: what groups the questions, as in `by_group`.

    Raises:
        LookupError: if there is no such entry.
    """
    table, solved = snapshot.predictions, solved_table(snapshot)
    column_a, column_b = solved.column(key_a), solved.column(key_b)
    memo_key = ("compare", key_a, key_b, which, resample, by)
    if memo_key not in table.memo:
        rows = chosen_rows(snapshot, which)
        names, codes = groups(snapshot, by)
        parts = [(ALL, rows)] + [(name, rows & (codes == i)) for i, name in enumerate(names)]
        table.memo[memo_key] = [
            _comparison(solved, name, inside, (column_a, column_b), resample)
            for name, inside in parts
            if name == ALL or inside.any()
        ]
    return cast("list[Comparison]", table.memo[memo_key])


def _comparison(
    solved: SolvedTable, name: str, rows: Bools, pair: tuple[int, int], resample: Resampled
) -> Comparison:
    has: list[Bools] = [(solved.answers[:, column] > 0) & rows for column in pair]
    both = has[0] & has[1]
    sides = [_of_entry(solved, both, column) for column in pair]
    estimate = bootstrap.difference(
        accuracy, sides[0], sides[1], clusters(solved, resample)[both], cluster_word=resample
    )
    estimate = accuracy.difference_with_bound(estimate, resample)
    if not both.any():
        estimate = replace(estimate, reason="no question was answered by both")
    share = [side[:, 0] / side[:, 1] > 0.5 for side in sides]
    won: list[int] = np.bincount(2 * ~share[0] + ~share[1], minlength=4).tolist()
    accuracy_a, accuracy_b = (
        float(side[:, 0].sum() / side[:, 1].sum()) if both.any() else None for side in sides
    )
    alone = [int((answered & ~both).sum()) for answered in has]
    return Comparison(
        group=name,
        difference=estimate,
        first=accuracy_a,
        second=accuracy_b,
        solved=(won[0], won[1], won[2], won[3]),
        questions=int(both.sum()),
        alone=(alone[0], alone[1]),
    )


def _of_entry(solved: SolvedTable, rows: Bools, column: int) -> Floats:
    return np.stack([solved.right[rows, column], solved.answers[rows, column]], axis=1)
