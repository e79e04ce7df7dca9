"""Agreement of people and models over stored answers: by task, category, field, pair and person.

Whatever the kind of task: a task kind may say what its responses mean to agreement and how far two
are apart (`annotations/agreement/response_scale.py`); otherwise two answers are equal or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from annotations.agreement.by_field import field_ratings
from annotations.agreement.groups import WITH_RUNS, Among, chosen_among, item_facts, names
from annotations.agreement.votes import TaskVotes, task_votes
from annotations.scoring.snapshot import Snapshot
from core.agreements import percent
from core.statistics import agreement, bootstrap
from core.statistics.agreement import Coefficient, Sums
from core.statistics.disagreement import agreement_with_others
from core.statistics.distance import Distance, by_name
from core.statistics.metric import Estimate
from core.statistics.ratings import Ints, Ratings

By = Literal["task", "category", "field", "pair", "annotator"]
Resampled = Literal["item", "video"]
EVERYTHING = "all"
PAIR_RESAMPLES = 2_000


@dataclass(frozen=True)
class Row:
    """One coefficient of one group of answers.

    Attributes:
        group: category, annotator, or the first of a pair; 'all' for the task as a whole.
        partner: the second of a pair; 'others' for an annotator; else ''.
        coefficient: a name of ``core/agreements``.
        distance: a name of `core.statistics.distance.NAMES`, or 'own'.
        estimate: with its reason where undefined; `excluded` says what is left out.
        answers: on shared items.
    """

    group: str
    partner: str
    coefficient: str
    distance: str
    estimate: Estimate
    answers: int


def agreement_table(
    snapshot: Snapshot,
    task_id: int,
    by: By = "task",
    *,
    distance: str | None = None,
    among: Among = "everybody",
    resample: Resampled = "item",
    resamples: int = bootstrap.RESAMPLES,
) -> list[Row]:
    """Every coefficient of each group that has one, with 95 % intervals.

    By task, category and field of a form: percent agreement, Fleiss, Krippendorff, and Cohen where
    two people answered; by pair: percent agreement and Cohen; by annotator: how far they agree
    with the others, as percent agreement of their answers with each other answer to the same item.

    Args:
        snapshot: of whose answers.
        task_id: the task.
        by: the groups.
        distance: a name instead of the task kind's own distance; those that do not fit a
            coefficient leave it out.
        among: whose answers.
        resample: what is drawn again for the interval.
        resamples: how many times, 0 for no intervals; pairs at most 2,000 times.

    Raises:
        LookupError: if there is no such task.
        ValueError: if the distance does not exist or needs numbers.
    """
    votes = task_votes(snapshot, task_id, runs=among in WITH_RUNS)
    key = (by, distance, among, resample, resamples)
    if key not in votes.memo:
        clusters = item_facts(snapshot, votes, "video")[1] if resample == "video" else None
        job = _Job(votes, distance or votes.distance, clusters, resample, resamples)
        ratings = votes.ratings.where(chosen_among(snapshot, votes, among))
        if distance is not None:
            by_name(distance, ratings)  # refuses what does not exist or does not fit
        if by == "task":
            rows = job.rows(EVERYTHING, "", ratings)
        elif by == "category":
            categories, codes = item_facts(snapshot, votes, "category")
            rows = [
                row
                for name, code in sorted((name, code) for code, name in enumerate(categories))
                for row in job.rows(name, "", ratings.where(codes[ratings.item] == code))
            ]
        elif by == "field":
            rows = [
                row
                for label, of_field, apart in field_ratings(snapshot, task_id, ratings)
                for row in replace(job, distance=apart).rows(label, "", of_field)
            ]
        elif by == "pair":
            rows = _pairs(job, ratings, names(snapshot, votes))
        else:
            rows = _annotators(job, ratings, names(snapshot, votes))
        votes.memo[key] = rows
    return votes.memo[key]


@dataclass(frozen=True, eq=False)
class _Job:
    """What all rows of one table share."""

    votes: TaskVotes
    distance: str | Distance
    clusters: Ints | None
    cluster_word: str
    resamples: int

    def rows(self, group: str, partner: str, ratings: Ratings) -> list[Row]:
        """All coefficients of one group that take this distance."""
        rows: list[Row] = []
        for name in ("percent", "cohen") if partner else agreement.coefficients():
            module = agreement.coefficient(name)
            if module.RATERS is not None and len(ratings.raters) > module.RATERS:
                continue
            distance = self._fitting(name, module)
            if distance is None:
                continue
            estimate = agreement.estimate(
                name,
                ratings,
                distance,
                clusters=self.clusters,
                cluster_word=self.cluster_word,
                resamples=min(self.resamples, PAIR_RESAMPLES) if partner else self.resamples,
            )
            rows.append(self.row(group, partner, name, distance, estimate, ratings))
        return rows

    def _fitting(self, name: str, module: Coefficient) -> str | Distance | None:
        """The distance that this coefficient takes here; None if it takes none."""
        if not isinstance(self.distance, str):
            return self.distance if module.OWN_DISTANCE else None
        if self.distance in module.DISTANCES:
            return self.distance
        return "nominal" if name == "percent" else None

    def row(
        self, group: str, partner: str, name: str, distance: str | Distance, estimate: Estimate,
        ratings: Ratings,
    ) -> Row:  # fmt: skip
        """The row, with what the whole task leaves out beside the task as a whole."""
        if group == EVERYTHING:
            estimate = replace(estimate, excluded=(*estimate.excluded, *self.votes.excluded))
        word = distance if isinstance(distance, str) else "own"
        return Row(group, partner, name, word, estimate, int(ratings.shared_values.sum()))


def _pairs(job: _Job, ratings: Ratings, names: Sequence[str]) -> list[Row]:
    raters: list[int] = ratings.raters.tolist()
    return [
        row
        for rater_a, second in combinations(raters, 2)
        for row in job.rows(names[rater_a], names[second], ratings.of_pair(rater_a, second))
    ]


def _annotators(job: _Job, ratings: Ratings, names: Sequence[str]) -> list[Row]:
    """Each annotator's agreement with the others; 'no shared items' for who has none."""
    distance = job.distance if not isinstance(job.distance, str) else by_name("nominal", ratings)
    rater, item, share = agreement_with_others(ratings, distance)
    lines: list[Row] = []
    for code in map(int, ratings.raters):
        answered = rater == code
        alone = int((ratings.rater == code).sum() - answered.sum())
        estimate = Estimate(None, reason="no shared items")
        if answered.any():
            values, of = np.unique(share[answered], return_inverse=True)
            rows = np.stack([values, np.ones_like(values)], axis=1)
            estimate = agreement.from_sums(
                Sums(percent.Mean(), rows, of, item[answered]),
                clusters=job.clusters,
                cluster_word=job.cluster_word,
                resamples=job.resamples,
            )
        excluded = (("items that nobody else answered", alone),) if alone else ()
        word = "nominal" if isinstance(job.distance, str) else "own"
        lines.append(
            Row(
                names[code], "others", "percent", word, replace(estimate, excluded=excluded),
                int(answered.sum()),
            )
        )  # fmt: skip
    return lines
