"""95 % percentile bootstrap intervals, resampling whole clusters such as videos.

Questions about one video are not independent, so the video is what gets drawn again: as many
clusters as there are, with replacement, each with all its rows (Davison and Hinkley 1997, section
3.8). Since a statistic is a function of totals (`core/statistics/metric.py`), a resample is a row
of draw counts times the clusters' sums, and thousands of resamples of dozens of runs are a few
matrix products.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.statistics.coding import coded
from core.statistics.metric import Estimate, Floats, Statistic

RESAMPLES = 10_000
LEVEL = 0.95
SEED = 0
_BLOCK = 100

Clusters = Sequence[Hashable] | npt.NDArray[np.int64]


def estimate(
    statistic: Statistic,
    rows: Floats,
    clusters: Clusters | None = None,
    *,
    cluster_word: str = "video",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """The statistic over all rows, with its interval.

    Args:
        statistic: a module of ``core/metrics``.
        rows: (units, columns), from the statistic's own ``rows``.
        clusters: the cluster of each unit; None makes every unit its own cluster.
        cluster_word: what a cluster is called when the reason speaks of it.
        resamples: how many times the clusters are drawn.
        seed: the same seed and data give the same interval.

    Returns:
        An estimate without interval when there are fewer than two clusters or no resample is
        defined; its reason says so. Resamples in which the statistic is undefined are left out and
        counted in the reason.
    """
    return estimate_many(
        statistic,
        rows[:, None],
        clusters,
        cluster_word=cluster_word,
        resamples=resamples,
        seed=seed,
    )[0]


def estimate_many(
    statistic: Statistic,
    rows: Floats,
    clusters: Clusters | None = None,
    *,
    cluster_word: str = "video",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Estimate]:
    """One estimate a run, all over the same units and the same resamples; as `estimate` otherwise.

    Args:
        statistic: a module of ``core/metrics``.
        rows: (units, runs, columns); a unit that a run has no answer for adds zeros there.
        clusters: the cluster of each unit; None makes every unit its own cluster.
        cluster_word: what a cluster is called when the reason speaks of it.
        resamples: how many times the clusters are drawn.
        seed: the same seed and data give the same intervals.
    """
    units, runs, columns = rows.shape
    sums = cluster_sums(rows.reshape(units, runs * columns), clusters)
    totals = sums.sum(axis=0).reshape(runs, columns)
    values = statistic.value(totals)
    drawn = np.empty((0, runs))
    if len(sums) > 1:
        drawn = statistic.value(resample(sums, resamples, seed).reshape(resamples, runs, columns))
    return [
        interval(
            drawn[:, run], Estimate(float(values[run]), n=units, clusters=len(sums)), cluster_word
        )
        if not np.isnan(values[run])
        else Estimate(None, n=units, clusters=len(sums), reason=statistic.undefined(totals[run]))
        for run in range(runs)
    ]


def difference(
    statistic: Statistic,
    minuend: Floats,
    second: Floats,
    clusters: Clusters | None = None,
    *,
    cluster_word: str = "video",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """First minus second over the same units, with its paired interval; as `estimate` otherwise.

    Args:
        statistic: a module of ``core/metrics``.
        first: (units, columns).
        second: (units, columns); row i is about the same unit as row i of `first`.
        clusters: the cluster of each unit; None makes every unit its own cluster.
        cluster_word: what a cluster is called when the reason speaks of it.
        resamples: how many times the clusters are drawn.
        seed: the same seed and data give the same interval.

    Raises:
        ValueError: if the two have different shapes.
    """
    if minuend.shape != second.shape:
        raise ValueError(
            f"A paired difference needs two tables over the same units; got {minuend.shape} and "
            f"{second.shape}. Keep the units that both have, in the same order."
        )
    return estimate(
        _Difference(statistic, minuend.shape[1]),
        np.concatenate([minuend, second], axis=1),
        clusters,
        cluster_word=cluster_word,
        resamples=resamples,
        seed=seed,
    )


@dataclass(frozen=True)
class _Difference:
    """The statistic of the first columns minus that of the others."""

    statistic: Statistic
    columns: int

    def value(self, totals: Floats) -> Floats:
        minuend, second = totals[..., : self.columns], totals[..., self.columns :]
        return self.statistic.value(minuend) - self.statistic.value(second)

    def undefined(self, totals: Floats) -> str:
        minuend, second = totals[: self.columns], totals[self.columns :]
        return self.statistic.undefined(minuend) or self.statistic.undefined(second)


def cluster_sums(rows: Floats, clusters: Clusters | None) -> Floats:
    """Sums of each cluster's rows, (clusters, columns).

    Raises:
        ValueError: if there are not as many clusters given as rows.
    """
    if clusters is None:
        return rows
    if len(clusters) != len(rows):
        raise ValueError(
            f"Got {len(rows)} rows and {len(clusters)} clusters; each row needs its cluster."
        )
    if isinstance(clusters, np.ndarray):
        codes = coded(clusters)[0]
    else:
        seen: dict[Hashable, int] = {}
        codes = np.array(
            [seen.setdefault(cluster, len(seen)) for cluster in clusters], dtype=np.int64
        )
    sums = np.zeros((int(codes.max()) + 1 if len(codes) else 0, rows.shape[1]))
    for column in range(rows.shape[1]):
        sums[:, column] = np.bincount(codes, weights=rows[:, column], minlength=len(sums))
    return sums


def few(kinds: Floats, count: int) -> bool:
    """Whether drawing by kinds pays for this many clusters."""
    return len(kinds) * 10 < count


def resample_kinds(
    kinds: Floats, sizes: npt.NDArray[np.int64], resamples: int, seed: int
) -> Floats:
    """As `resample`, from different sums (kinds, columns) and how many clusters have each.

    Clusters with equal sums are interchangeable: drawing how often each kind comes up is the same
    distribution at a fraction of the price.
    """
    count = int(sizes.sum())
    random = np.random.default_rng(seed)
    return random.multinomial(count, sizes / count, size=resamples) @ kinds


def resample(sums: Floats, resamples: int, seed: int) -> Floats:
    """Totals of each resample, (resamples, columns), from clusters' sums (clusters, columns)."""
    count, columns = sums.shape
    if columns <= 32:
        kinds, sizes = np.unique(sums, axis=0, return_counts=True)
        if few(kinds, count):
            return resample_kinds(kinds, sizes, resamples, seed)
    random = np.random.default_rng(seed)
    totals = np.empty((resamples, columns))
    offsets = (np.arange(_BLOCK, dtype=np.int64) * count)[:, None]
    for start in range(0, resamples, _BLOCK):
        size = min(_BLOCK, resamples - start)
        drawn = random.integers(0, count, (size, count), dtype=np.int32) + offsets[:size]
        times = np.bincount(drawn.ravel(), minlength=size * count).reshape(size, count)
        totals[start : start + size] = times.astype(np.float64) @ sums
    return totals


def interval(drawn: Floats, point: Estimate, cluster_word: str) -> Estimate:
    """The estimate of a defined value, with what its resampled values say about it.

    Args:
        drawn: the value of each resample; without any there is no interval, and no reason for it.
        point: the value, and of how many clusters it is.
        cluster_word: what a cluster is called when the reason speaks of it.
    """

    def with_interval(low: float | None, high: float | None, reason: str) -> Estimate:
        return replace(point, low=low, high=high, reason=reason)

    if point.clusters < 2:
        return with_interval(None, None, f"one {cluster_word} only: an interval needs at least two")
    if not len(drawn):
        return with_interval(None, None, "")
    defined = drawn[~np.isnan(drawn)]
    if not len(defined):
        return with_interval(None, None, "undefined in every resample: no interval")
    low, high = (float(end) for end in np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    reason = ""
    if len(defined) < len(drawn):
        reason = f"undefined in {len(drawn) - len(defined):,} of {len(drawn):,} resamples, left out"
    elif high - low < 1e-12:
        reason = "every resample gives the same value: it cannot show how uncertain that is"
    return with_interval(low, high, reason)
