"""What frames, their order and their choice bring: the three shortcut metrics of every model.

Each compares two conditions on the questions that were answered under both, for models and for
people, with intervals that draw whole videos again (TOMATO, section 3).
"""

from dataclasses import dataclass, replace
from types import ModuleType
from typing import cast

import numpy as np

from annotations.condition import Condition, shown_first
from annotations.scoring.human_accuracy import Resampled
from annotations.scoring.leaderboard import ALL, clusters
from annotations.scoring.people_columns import Bools
from annotations.scoring.run_estimates import estimate_each
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import (
    EVERY_QUESTION,
    SolvedTable,
    Which,
    chosen_rows,
    groups,
    solved_table,
)
from core.metrics import frame_information_disparity, frame_order_sensitivity, multi_frame_gain
from core.refusal import Refusal
from core.statistics.averaged import average
from core.statistics.metric import OF_CONDITIONS, Estimate, Floats, Statistic, needs, statistics_of

RANDOM, HANDPICKED = "1 random frame", "1 handpicked frame"
_AGAINST_HANDPICKED = "multi-frame gain, handpicked"
_IN_PAPERS: dict[str, ModuleType] = {
    "multi-frame gain": multi_frame_gain,
    _AGAINST_HANDPICKED: multi_frame_gain,
    "frame order sensitivity": frame_order_sensitivity,
    "frame information disparity": frame_information_disparity,
}
# Those of the papers first, then whatever else in core/metrics compares two conditions.
METRICS: dict[str, ModuleType] = _IN_PAPERS | {
    str(module.NAME).lower(): module
    for module in statistics_of(OF_CONDITIONS).values()
    if module not in _IN_PAPERS.values()
}


@dataclass(frozen=True)
class Gain:
    """One shortcut metric of one model, or of people, on one group of questions.

    Attributes:
        metric: a name of `METRICS`.
        group: category, or 'all'.
        above: condition in the numerator, and `below` that in the denominator.
        estimate: 0.5 for half as many right again; undefined with a reason.
        high: accuracy under `above` on the common questions, and `low` under `below`.
        questions: answered under both.
    """

    metric: str
    model: str
    group: str
    above: str
    below: str
    estimate: Estimate
    high: float | None
    low: float | None
    questions: int


def many_conditions(snapshot: Snapshot) -> list[str]:
    """Conditions that show more than one frame in order, those most models have first."""
    having: dict[str, int] = {}
    for entry in solved_table(snapshot).entries:
        try:
            condition = Condition.parse(entry.condition)
        except Refusal:
            continue
        several = condition.order == "uniform" and (condition.count or 0) > 1
        if several or condition.is_video:
            having[condition.name] = having.get(condition.name, 0) + 1
    shown = sorted(having, key=shown_first, reverse=True)
    return sorted(shown, key=lambda name: (-having[name], name == "full video"))


def conditions_of(metric: str, many: str) -> tuple[str, str]:
    """The two conditions that a metric compares, given the one with several frames."""
    if metric == _AGAINST_HANDPICKED:
        return many, HANDPICKED
    count = Condition.parse(many).count
    condition_of = {
        "many": many,
        "ordered": many,
        "shuffled": f"{count} shuffled frames" if count else "shuffled video",
        "single": RANDOM,
        "random": RANDOM,
        "handpicked": HANDPICKED,
    }
    above, below = (condition_of[name] for name in needs(METRICS[metric]))
    return above, below


def gains(
    snapshot: Snapshot,
    metric: str,
    many: str,
    which: Which = EVERY_QUESTION,
    resample: Resampled = "video",
    by: str = "",
) -> list[Gain]:
    """One metric of every model and of people, over all questions or on each group.

    Args:
        metric: a name of `METRICS`.
        many: condition with several frames in order, such as '16 frames'.
        by: '' for all questions together, or what groups them: 'category', 'duration', a tag.

    Raises:
        ValueError: for an unknown metric or condition.
    """
    if metric not in METRICS:
        raise Refusal(f"There is no metric {metric!r}. Allowed: {', '.join(METRICS)}.")
    table, solved = snapshot.predictions, solved_table(snapshot)
    memo_key = ("gains", metric, many, which, resample, by)
    if memo_key not in table.memo:
        rows = chosen_rows(snapshot, which)
        parts = [(ALL, rows)]
        if by:
            names, codes = groups(snapshot, by)
            parts = [(name, rows & (codes == i)) for i, name in enumerate(names)]
        conditions = conditions_of(metric, many)
        table.memo[memo_key] = [
            gain
            for name, inside in parts
            if not by or inside.any()
            for gain in _gains(solved, metric, conditions, name, inside, resample)
        ]
    return cast("list[Gain]", table.memo[memo_key])


def average_gain(
    snapshot: Snapshot,
    metric: str,
    many: str,
    which: Which = EVERY_QUESTION,
    resample: Resampled = "video",
) -> Gain:
    """The mean of a metric over the models that have both conditions, as TOMATO's average rows.

    Raises:
        ValueError: as `gains`.
    """
    table, solved = snapshot.predictions, solved_table(snapshot)
    above, below = conditions_of(metric, many)
    memo_key = ("average gain", metric, many, which, resample)
    if memo_key not in table.memo:
        rows = chosen_rows(snapshot, which)
        column_of = {
            (entry.model, entry.condition): i
            for i, entry in enumerate(solved.entries)
            if entry.run is not None
        }
        models = [m for m, shown in column_of if shown == above and (m, below) in column_of]
        parts: list[Floats] = []
        for condition in (above, below):
            columns = [column_of[model, condition] for model in models]
            parts += [solved.right[rows][:, columns], solved.answers[rows][:, columns]]
        answered = (parts[1] > 0) & (parts[3] > 0)
        estimate = average(
            cast("Statistic", METRICS[metric]),
            np.stack(parts, axis=2) * answered[:, :, None],
            clusters(solved, resample)[rows],
            cluster_word=resample,
        )
        if not models:
            estimate = Estimate(None, reason=f"no model has answers with {above} and {below}")
        count = int(answered.any(axis=1).sum())
        table.memo[memo_key] = Gain(
            metric, f"Average of {len(models)} models", ALL, above, below, estimate, None, None,
            count,
        )  # fmt: skip
    return cast("Gain", table.memo[memo_key])


def _gains(
    solved: SolvedTable,
    metric: str,
    conditions: tuple[str, str],
    group: str,
    rows: Bools,
    resample: Resampled,
) -> list[Gain]:
    """The metric of all models on one group of questions."""
    column_of = {(entry.model, entry.condition): i for i, entry in enumerate(solved.entries)}
    models = list(dict.fromkeys(entry.model for entry in solved.entries))
    complete = [
        model
        for model in models
        if all((model, condition) in column_of for condition in conditions)
    ]
    columns: list[Floats] = []
    for condition in conditions:
        columns_of = [column_of[model, condition] for model in complete]
        columns += [solved.right[rows][:, columns_of], solved.answers[rows][:, columns_of]]
    answered = (columns[1] > 0) & (columns[3] > 0)
    table = np.stack(columns, axis=2) * answered[:, :, None]
    estimates = estimate_each(
        cast("Statistic", METRICS[metric]),
        table,
        answered,
        clusters(solved, resample)[rows],
        resample,
    )
    known = {
        model: _gain(estimates[i], table[:, i].sum(axis=0).tolist(), int(answered[:, i].sum()))
        for i, model in enumerate(complete)
    }
    result: list[Gain] = []
    for model in models:
        missing = [condition for condition in conditions if (model, condition) not in column_of]
        none = Estimate(None, reason=f"no answers with {' or '.join(missing)}"), None, None, 0
        result.append(Gain(metric, model, group, *conditions, *known.get(model, none)))
    return result


def _gain(
    estimate: Estimate, sums: list[float], questions: int
) -> tuple[Estimate, float | None, float | None, int]:
    """The estimate, the two accuracies that it compares, and on how many questions."""
    if not questions:
        reason = "no question was answered under both conditions"
        return replace(estimate, reason=reason), None, None, 0
    return estimate, sums[0] / sums[1], sums[2] / sums[3], questions
