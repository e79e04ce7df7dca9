"""Accuracy of people over the stored answers: by condition, category, tag and person.

Accuracy is the share of counted current answers that choose the key; baselines take each of the
questions once.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

import numpy as np

from annotations.scoring.people_columns import OTHER_ANSWERS, Answers, Bools, Ints
from annotations.scoring.population import SCORED
from annotations.scoring.score_coverage import excluded
from annotations.scoring.scored_questions import Question
from annotations.scoring.snapshot import Snapshot
from core.metrics import accuracy, frequent_choice, random_guess
from core.refusal import Refusal
from core.statistics import bootstrap, crossed
from core.statistics.metric import Estimate, Floats
from core.statistics.strata import weighted_mean

Resampled = Literal["video", "question"]
EVERYTHING = "all"
NO_TAG = "not stated"
DRAW_SEED = 42


@dataclass(frozen=True)
class Row:
    """Accuracy of one group under one condition.

    Attributes:
        group: category, tag value or person; 'all' for everything.
        condition: what was shown; 'all' for every condition together.
        accuracy: over answers; its `excluded` says what was left out here. Its interval is that of
            these people; `like_these` has the same value with bounds for other people as well.
        beside: answers among them beside the options, (what was answered, how many).
        questions: distinct questions that the scored answers are about.
        videos: distinct videos that these are about.
        active_s: time spent by people, skips and extras included, s.
        random_guess: expected share of blind guesses on these questions; None without any.
        frequent_choice: share right when always choosing the most frequent place; None without any.
    """

    group: str
    condition: str
    accuracy: Estimate
    questions: int
    videos: int
    active_s: float
    random_guess: float | None
    frequent_choice: float | None
    like_these: Estimate = field(default_factory=lambda: Estimate(None))
    beside: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Baseline:
    """A baseline over all questions that scored answers are about.

    Attributes:
        drawn: accuracy of one seeded draw, for the random guess; else None.
    """

    name: str
    estimate: Estimate
    drawn: float | None = None


@dataclass(frozen=True)
class Difference:
    """Accuracy under the first condition minus the second, on questions answered under both."""

    first: str
    second: str
    estimate: Estimate
    questions: int


def accuracy_table(
    snapshot: Snapshot,
    by: str = "condition",
    condition: str | None = None,
    resample: Resampled = "video",
) -> list[Row]:
    """Accuracy of each group, under each condition apart or under all together.

    Args:
        snapshot: whose answers.
        by: 'condition' for no further groups, 'category', 'person', or the name of a tag such as
            'demonstration_type'.
        condition: only this condition; None means each apart, 'all' means every one together.
        resample: what is drawn again for the interval, videos or questions.

    Raises:
        ValueError: if `by` is none of these; the message lists the tags that exist.
    """
    table = snapshot.people
    known = ("condition", "category", "person", *tags(snapshot))
    if by not in known:
        raise Refusal(f"Accuracy by {by!r} is not possible. Allowed: {', '.join(known)}.")
    pooled = condition == EVERYTHING
    memo_key = ("accuracy", by, pooled, resample)
    if memo_key not in table.memo:
        table.memo[memo_key] = _rows(table, by, pooled, resample)
    rows: list[Row] = table.memo[memo_key]
    return [row for row in rows if condition in (None, row.condition)]


def tags(snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    """The values of each tag of the current questions, both in the order in which they come up."""
    values_of: dict[str, dict[str, None]] = {}
    for question in snapshot.people.current:
        for name, value in question.tags.items():
            values_of.setdefault(name, {})[value] = None
    return {name: tuple(values) for name, values in values_of.items()}


def baselines(snapshot: Snapshot, resample: Resampled = "video") -> list[Baseline]:
    """Random guess and most frequent option over all questions that scored answers are about."""
    table = snapshot.people
    once = _each_question_once(table, np.flatnonzero(table.state == SCORED))
    counts, keys = _options_and_keys(table, once)
    clusters = (table.video if resample == "video" else table.question_id)[once]
    guess = bootstrap.estimate(
        random_guess, random_guess.rows(counts), clusters, cluster_word=resample
    )
    frequent = bootstrap.estimate(
        frequent_choice, frequent_choice.rows(keys), clusters, cluster_word=resample
    )
    right = int((random_guess.draw(counts, DRAW_SEED) == keys).sum())
    drawn = right / len(keys) if len(keys) else None
    return [Baseline(random_guess.NAME, guess, drawn), Baseline(frequent_choice.NAME, frequent)]


def differences(snapshot: Snapshot, resample: Resampled = "video") -> list[Difference]:
    """The paired difference of each two conditions, over questions answered under both."""
    table = snapshot.people
    scored = table.state == SCORED
    once = _each_question_once(table, np.flatnonzero(scored))
    clusters = (table.video if resample == "video" else table.question_id)[once]
    questions = table.question_id[once]
    sums = {
        name: np.stack(
            [
                _count_by(questions, table.question_id[chosen & table.right]),
                _count_by(questions, table.question_id[chosen]),
            ],
            axis=1,
        )
        for code, name in enumerate(table.conditions)
        if (chosen := scored & (table.condition == code)).any()
    }
    pairs: list[Difference] = []
    for name_a, second in combinations(sums, 2):
        both = (sums[name_a][:, 1] > 0) & (sums[second][:, 1] > 0)
        estimate = bootstrap.difference(
            accuracy, sums[name_a][both], sums[second][both], clusters[both], cluster_word=resample
        )
        estimate = accuracy.difference_with_bound(estimate, resample)
        if not both.any():
            estimate = replace(estimate, reason="no question is answered under both conditions yet")
        pairs.append(Difference(name_a, second, estimate, int(both.sum())))
    return pairs


def weighted(snapshot: Snapshot, resample: Resampled = "video") -> list[tuple[str, Estimate]]:
    """Accuracy on each line of a sampled task, weighted to what all questions hold of categories.

    A sample of 200 questions is comparable to the whole by that, however it was drawn.
    """
    table = snapshot.people
    if "weighted" not in table.memo:
        drawn = [
            row[0]
            for row in snapshot.tuples(
                "SELECT id FROM task WHERE coalesce(settings ->> 'sample', 0) > 0"
            )
        ]
        table.memo["weighted"] = sorted(
            {table.line_of_task[task] for task in drawn if task in table.line_of_task}
        )
    lines: list[int] = table.memo["weighted"]
    whole = Counter(q.category for q in table.current if q.usable and q.key is not None)
    place = {name: index for index, name in enumerate(whole)}
    shares = np.array(list(whole.values()), dtype=np.float64)
    of_question = np.array(
        [place.get(question.category, -1) for question in table.questions], dtype=np.int64
    )
    estimates_by_group: list[tuple[str, Estimate]] = []
    for line in lines:
        chosen = np.flatnonzero((table.condition == line) & (table.state == SCORED))
        chosen = chosen[of_question[table.question[chosen]] >= 0]
        clusters = (table.video if resample == "video" else table.question_id)[chosen]
        estimates_by_group.append(
            (
                table.conditions[line],
                weighted_mean(
                    table.right[chosen], of_question[table.question[chosen]], shares, clusters,
                    cluster_word=resample,
                ),
            )
        )  # fmt: skip
    return estimates_by_group


def _rows(table: Answers, by: str, pooled: bool, resample: Resampled) -> list[Row]:
    """Rows of every group under every condition, groups in their own order."""
    groups, group_of = _groups(table, by)
    conditions = (EVERYTHING,) if pooled else table.conditions
    condition_of = np.zeros_like(table.condition) if pooled else table.condition
    rows: list[Row] = []
    for group_code, group in enumerate(groups):
        for code, condition in enumerate(conditions):
            chosen = (group_of == group_code) & (condition_of == code)
            if by == "person" and not chosen.any():
                continue
            rows.append(_row(table, group, condition, chosen, resample))
    return rows


def _groups(table: Answers, by: str) -> tuple[tuple[str, ...], Ints]:
    """Names of the groups in order, and the group of each answer.

    Groups are those of the questions that can be answered now, and of those that were.
    """
    if by == "condition":
        return (EVERYTHING,), np.zeros(len(table.state), dtype=np.int64)
    if by == "person":
        return table.people, table.person

    def name(question: Question) -> str:
        return question.category if by == "category" else question.tags.get(by, NO_TAG)

    code_of: dict[str, int] = {}
    for question in table.current:
        if question.usable:
            code_of.setdefault(name(question), len(code_of))
    answered: list[int] = table.question.tolist()
    codes = [
        code_of.setdefault(name(table.questions[question_index]), len(code_of))
        for question_index in answered
    ]
    return tuple(code_of), np.array(codes, dtype=np.int64)


def _row(table: Answers, group: str, condition: str, chosen: Bools, resample: Resampled) -> Row:
    scored = np.flatnonzero(chosen & (table.state == SCORED))
    clusters = (table.video if resample == "video" else table.question_id)[scored]
    estimate = accuracy.with_bound(
        bootstrap.estimate(
            accuracy, accuracy.rows(table.right[scored]), clusters, cluster_word=resample
        ),
        resample,
    )
    once = _each_question_once(table, scored)
    counts, keys = _options_and_keys(table, once)
    chance = random_guess.value(random_guess.rows(counts).sum(axis=0))
    frequent = frequent_choice.value(frequent_choice.rows(keys).sum(axis=0))
    return Row(
        group=group,
        condition=condition,
        accuracy=replace(estimate, excluded=excluded(table, chosen)),
        like_these=crossed.mean(
            table.right[scored].astype(np.float64), table.person[scored], clusters
        ),
        beside=tuple(
            (words, count)
            for choice, words in OTHER_ANSWERS.items()
            if (count := int((table.choice[scored] == choice).sum()))
        ),
        questions=len(once),
        videos=len(np.unique(table.video[scored])),
        active_s=float(table.active_s[chosen].sum()),
        random_guess=float(chance) if len(once) else None,
        frequent_choice=float(frequent) if len(once) else None,
    )


def _each_question_once(table: Answers, indices: Ints) -> Ints:
    """The first of the places of each distinct question."""
    return indices[np.unique(table.question_id[indices], return_index=True)[1]]


def _options_and_keys(table: Answers, indices: Ints) -> tuple[Ints, Ints]:
    asked: list[int] = table.question[indices].tolist()
    questions = [table.questions[index] for index in asked]
    counts = np.array([question.options for question in questions], dtype=np.int64)
    keys = np.array([question.key for question in questions], dtype=np.int64)
    return counts, keys


def _count_by(names: Ints, values: Ints) -> Floats:
    """How often each of the sorted names comes up among values that are all names."""
    return np.bincount(np.searchsorted(names, values), minlength=len(names)).astype(np.float64)
