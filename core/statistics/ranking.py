"""Ranks of runs over the same units, with what drawing the units again says about them."""

from dataclasses import dataclass

import numpy as np

from core.statistics import bootstrap
from core.statistics.bootstrap import LEVEL, Clusters
from core.statistics.metric import Floats, Statistic


@dataclass(frozen=True)
class Rank:
    """A run's place, 1 the best; ties share the better one.

    Attributes:
        low: best place within the 95 % of resamples; `high` the worst.
        first: share of resamples in which no run is better.
    """

    rank: int
    low: int
    high: int
    first: float


def ranks(
    statistic: Statistic,
    rows: Floats,
    clusters: Clusters | None = None,
    *,
    higher_is_better: bool = True,
    resamples: int = bootstrap.RESAMPLES,
    seed: int = bootstrap.SEED,
) -> list[Rank]:
    """The rank of each run over units that all of them have.

    Args:
        statistic: a module of ``core/metrics``, defined for every run.
        rows: (units, runs, columns).
        clusters: the cluster of each unit; None makes every unit its own.
        higher_is_better: of the statistic.
        resamples: how many times the clusters are drawn.
        seed: the same seed and data give the same ranks.
    """
    units, runs, columns = rows.shape
    sums = bootstrap.cluster_sums(rows.reshape(units, runs * columns), clusters)
    totals = sums.sum(axis=0).reshape(1, runs, columns)
    drawn = bootstrap.resample(sums, resamples, seed).reshape(resamples, runs, columns)
    sign = 1.0 if higher_is_better else -1.0
    values = sign * np.concatenate([statistic.value(totals), statistic.value(drawn)])
    # Values that differ by rounding alone are equal.
    places = 1 + (values[:, None, :] > values[:, :, None] + 1e-12).sum(axis=2)
    tail = (1 - LEVEL) / 2
    low = np.quantile(places[1:], tail, axis=0, method="inverted_cdf")
    high = np.quantile(places[1:], 1 - tail, axis=0, method="inverted_cdf")
    first = (places[1:] == 1).mean(axis=0)
    return [
        Rank(int(places[0, run]), int(low[run]), int(high[run]), float(first[run]))
        for run in range(runs)
    ]
