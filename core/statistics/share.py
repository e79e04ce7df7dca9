"""Shares: how many of some cases are hits, the arithmetic of recall, precision and reason match."""

from dataclasses import replace

import numpy as np
from scipy.special import betaincinv, ndtri  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from core.number_text import percent_text
from core.statistics import bootstrap
from core.statistics.bootstrap import LEVEL, Clusters
from core.statistics.metric import Estimate, Floats, Statistic


def value(totals: Floats) -> Floats:
    """Hits per case from (..., 2) totals of hits and cases, in [0, 1]; NaN without cases."""
    hits, cases = totals[..., 0], totals[..., 1]
    return np.divide(hits, cases, out=np.full_like(hits, np.nan), where=cases > 0)


def at_least(hits: int, cases: int, certainty: float = LEVEL) -> float:
    """The share that is certain: a one-sided lower bound that holds in `certainty` of samples.

    Clopper and Pearson 1934. For a threshold that is itself one of the sample's scores it is
    Wilks' tolerance limit (1941), so it holds although threshold and share come from one sample.

    Args:
        hits: 0..cases.
        cases: at least 1, independent of each other.
        certainty: 0..1.

    Raises:
        ValueError: if there are no cases, or more hits than cases.
    """
    if not 0 <= hits <= cases or cases < 1:
        raise ValueError(f"Got {hits} hits of {cases} cases; allowed: 0 to the number of cases.")
    if hits == 0:
        return 0.0
    return float(betaincinv(hits, cases - hits + 1, 1 - certainty))


def bounds(hits: int, cases: int) -> tuple[float, float]:
    """The two-sided exact interval of a share at the usual level (Clopper and Pearson 1934)."""
    tail = (1 - LEVEL) / 2
    return (
        at_least(hits, cases, 1 - tail),
        1 - at_least(cases - hits, cases, 1 - tail),
    )


def estimates(
    statistic: Statistic,
    rows: Floats,
    clusters: Clusters | None = None,
    *,
    resamples: int = bootstrap.RESAMPLES,
) -> list[Estimate]:
    """One estimate for each of several shares, (units, shares, 2); `n` is its number of cases.

    Where all cases are hits, or none is, resampling shows no spread: the exact bounds stand in
    `exact` then, with each cluster that holds a case counted once.
    """
    shares = bootstrap.estimate_many(statistic, rows, clusters, resamples=resamples)
    finished: list[Estimate] = []
    for index, estimate in enumerate(shares):
        sums = bootstrap.cluster_sums(rows[:, index], clusters)
        cases, held = int(rows[:, index, 1].sum()), int((sums[:, 1] > 0).sum())
        finished.append(_with_bounds(replace(estimate, n=cases, clusters=held)))
    return finished


def _with_bounds(estimate: Estimate) -> Estimate:
    if estimate.value not in (0.0, 1.0) or estimate.clusters < 1:
        return estimate
    exact = bounds(estimate.clusters if estimate.value else 0, estimate.clusters)
    what = "all" if estimate.value else "none"
    reason = (
        f"{what} of {estimate.n:,}: resampling cannot show how uncertain that is; the exact "
        f"{percent_text(LEVEL, 0)} bounds are {percent_text(exact[0])} to {percent_text(exact[1])}"
    )
    return replace(estimate, exact=exact, reason=reason)


def wilson(hits: int, cases: int) -> tuple[float, float]:
    """The score interval of a share of independent cases at the usual level (Wilson 1927).

    Unlike a bootstrap it has a width where all cases are hits, and it holds for few of them.

    Raises:
        ValueError: if there are no cases, or more hits than cases.
    """
    if not 0 <= hits <= cases or cases < 1:
        raise ValueError(f"Got {hits} hits of {cases} cases; allowed: 0 to the number of cases.")
    z = float(ndtri((1 + LEVEL) / 2))
    share, spread = hits / cases, z * z / cases
    middle = (share + spread / 2) / (1 + spread)
    width = z / (1 + spread) * (share * (1 - share) / cases + spread / (4 * cases)) ** 0.5
    return max(0.0, middle - width), min(1.0, middle + width)


def words_of(hits: int, cases: int) -> str:
    """A share with its score interval for a person: '9 of 10 (90.0 %, 59.6 to 98.2)'."""
    if not cases:
        return "0 of 0"
    low, high = wilson(hits, cases)
    return (
        f"{hits:,} of {cases:,} ({percent_text(hits / cases)}, {100 * low:.1f} to {100 * high:.1f})"
    )


def share_of(hits: int, cases: int, what: str = "case") -> Estimate:
    """A share of independent cases with its score interval; undefined without cases."""
    if not cases:
        return Estimate(None, reason=f"no {what}s yet")
    low, high = wilson(hits, cases)
    return Estimate(hits / cases, low, high, n=cases, clusters=cases)
