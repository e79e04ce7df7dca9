"""What an agreement coefficient is, and its estimate over a table of answers.

A coefficient is a plug-in ``core/agreements/NAME.py`` with:

- ``NAME``: in words, as a heading shows it;
- ``MEANS``: what its value says, in a sentence or two for a person;
- ``RANGE`` and ``HIGHER_IS_BETTER`` as any statistic (`core/statistics/metric.py`);
- ``DISTANCES``: names of the distances that it is defined for, see `core/statistics/distance.py`;
  where ``OWN_DISTANCE`` is True, also any other;
- ``RATERS``: 2 if it is of two raters only, else None;
- ``LEAST_ITEMS``: shared items that it needs;
- ``sums(ratings, distance)``: what each item adds, and the statistic of the totals.

A coefficient is a function of totals over items, so one resampling serves all
(`core/statistics/metric.py`), and items with the same answers add the same row, so it costs a few
hundred rows instead of a million answers.
"""

from dataclasses import dataclass, replace
from typing import Protocol, cast

import numpy as np

from core import plugins
from core.number_text import percent_text
from core.refusal import Refusal
from core.statistics import bootstrap
from core.statistics.chance import ChanceCorrected
from core.statistics.distance import Distance, Paired, by_name
from core.statistics.metric import Estimate, Floats, Statistic
from core.statistics.ratings import Ints, Ratings
from core.statistics.share import bounds

PACKAGE = "core.agreements"
ONE_SIDED = 0.9
_DRAWS = 200_000_000


@dataclass(frozen=True, eq=False)
class Sums:
    """What items add to a coefficient.

    Attributes:
        statistic: reads the coefficient off the totals.
        rows: (patterns, columns), one for items with the same answers.
        of: (items,) the row of each item.
        items: (items,) the items' codes.
    """

    statistic: Statistic
    rows: Floats
    of: Ints
    items: Ints


class Coefficient(Protocol):
    """The module of an agreement coefficient."""

    NAME: str
    MEANS: str
    RANGE: tuple[float, float]
    HIGHER_IS_BETTER: bool
    DISTANCES: tuple[str, ...]
    OWN_DISTANCE: bool
    RATERS: int | None
    LEAST_ITEMS: int

    def sums(self, ratings: Ratings, distance: Distance) -> Sums:
        """What the items with at least two answers add."""
        ...


def coefficient(name: str) -> Coefficient:
    """The coefficient of this name.

    Raises:
        LookupError: if there is none; the message lists those there are.
    """
    return cast("Coefficient", plugins.load(PACKAGE, name))


def coefficients() -> tuple[str, ...]:
    """Names of all coefficients."""
    return plugins.names(PACKAGE)


def estimate(
    name: str,
    ratings: Ratings,
    distance: str | Distance = "nominal",
    *,
    clusters: Ints | None = None,
    cluster_word: str = "item",
    resamples: int = bootstrap.RESAMPLES,
    seed: int = bootstrap.SEED,
) -> Estimate:
    """A coefficient over a table of answers, with its 95 % percentile bootstrap interval.

    Its `n` is the number of shared items, those with at least two answers; what it does not rest
    on is in `excluded`. An undefined value says why: 'no answers yet', 'needs two raters', 'no
    shared items', 'only 1 shared item', or that everybody always answered the same. Where nine of
    ten answers are the same, the reason says so, with percent agreement and counts: chance alone
    then agrees so often that a coefficient near 0 says little.

    Args:
        name: a module of ``core/agreements``.
        ratings: the table of answers.
        distance: a name of `core.statistics.distance.NAMES`, or a distance of its own.
        clusters: (highest item code + 1,) the cluster of each item, such as its video, resampled
            together; None resamples items.
        cluster_word: what a cluster is called when the reason speaks of it.
        resamples: how many times; 0 for no interval. Lowered down to 1,000 where more than 20,000
            clusters are all different.
        seed: the same seed and data give the same interval.

    Raises:
        LookupError: if there is no such coefficient.
        ValueError: if the coefficient is not defined for this distance.
    """
    module = coefficient(name)
    _check_distance(module, distance)
    shared, alone = ratings.shared_items, int((ratings.counts == 1).sum())
    excluded = (("items with one answer", alone),) if alone else ()
    reason = _too_little(module, ratings)
    if reason:
        return Estimate(None, n=shared, clusters=shared, reason=reason, excluded=excluded)
    between = by_name(distance, ratings) if isinstance(distance, str) else distance
    sums = module.sums(ratings, between)
    result = from_sums(
        sums,
        clusters=clusters,
        cluster_word=cluster_word,
        resamples=resamples,
        seed=seed,
    )
    if name == "percent":
        result = _with_bound(result, cluster_word)
    elif isinstance(sums.statistic, ChanceCorrected):
        result = _corrected_bound(result, sums, sums.statistic, module.RANGE[0], cluster_word)
    notes = [result.reason]
    if module.RANGE[0] < 0:
        notes.append(_one_sided(ratings))
        if isinstance(between, Paired) and between.sampled(len(ratings.labels)):
            notes.append("expected disagreement is that of a sample of pairs")
    reason = "; ".join(filter(None, notes))
    return replace(result, n=shared, reason=reason, excluded=excluded)


def _with_bound(result: Estimate, cluster_word: str) -> Estimate:
    """Percent agreement with exact bounds where everybody always agrees, or never.

    Resampling shows no spread then, however few items there are (Clopper and Pearson 1934); each
    cluster counts once.
    """
    if result.value not in (0.0, 1.0) or result.clusters < 1:
        return result
    exact = bounds(result.clusters if result.value else 0, result.clusters)
    words = "all answers agree" if result.value else "no two answers agree"
    reason = (
        f"{words}: resampling cannot show how uncertain that is; the exact "
        f"{percent_text(bootstrap.LEVEL, 0)} bounds, with each {cluster_word} counted once, are "
        f"{percent_text(exact[0])} to {percent_text(exact[1])}"
    )
    return replace(result, exact=exact, reason=reason)


def _corrected_bound(
    result: Estimate, sums: Sums, statistic: ChanceCorrected, least: float, cluster_word: str
) -> Estimate:
    """A kappa or alpha of 1 with the bound that so many agreeing clusters allow.

    Where all agree, every resample gives 1. At most a share p of all clusters can then hold
    disagreement, p = 1 - a**(1/n) with a = (1 - LEVEL) / 2 (Clopper and Pearson 1934); if they
    disagree as much as two labels can, the coefficient is 1 - p * worst / expected, with the
    disagreement that is expected here.
    """
    if result.value != 1.0 or result.clusters < 1 or statistic.worst is None:
        return result
    totals = np.bincount(sums.of, minlength=len(sums.rows)) @ sums.rows
    far = 1 - bounds(result.clusters, result.clusters)[0]
    low = max(least, 1 - far * statistic.worst / float(statistic.chance(totals)))
    reason = (
        "all answers agree: resampling cannot show how uncertain that is; with each"
        f" {cluster_word} counted once, the {percent_text(bootstrap.LEVEL, 0)} bounds are"
        f" {low:.2f} to 1"
    )
    return replace(result, exact=(low, 1.0), reason=reason)


def from_sums(
    sums: Sums,
    *,
    clusters: Ints | None = None,
    cluster_word: str = "item",
    resamples: int = bootstrap.RESAMPLES,
    seed: int = bootstrap.SEED,
) -> Estimate:
    """The estimate of a statistic from what items add; arguments as in `estimate`."""
    totals = np.bincount(sums.of, minlength=len(sums.rows)) @ sums.rows
    value = float(sums.statistic.value(totals))
    count = len(sums.of)
    if np.isnan(value):
        why = sums.statistic.undefined(totals)
        return Estimate(None, n=count, clusters=count, reason=why)
    drawn, groups = _drawn(sums, clusters, resamples, seed)
    return bootstrap.interval(drawn, Estimate(value, n=count, clusters=groups), cluster_word)


def _check_distance(module: Coefficient, distance: str | Distance) -> None:
    allowed = distance in module.DISTANCES if isinstance(distance, str) else module.OWN_DISTANCE
    if not allowed:
        got = distance if isinstance(distance, str) else "of your own"
        raise Refusal(
            f"{module.NAME} is not defined for the distance {got!r}. "
            f"Allowed: {', '.join(module.DISTANCES)}."
        )


def _too_little(module: Coefficient, ratings: Ratings) -> str:
    """Why a table cannot have this coefficient at all; '' if it can."""
    raters = len(ratings.raters)
    if raters == 0:
        return "no answers yet"
    if raters == 1:
        return "needs two raters"
    if module.RATERS is not None and raters != module.RATERS:
        return f"is of {module.RATERS} raters; these answers are of {raters}: choose a pair"
    if ratings.shared_items == 0:
        return "no shared items"
    if ratings.shared_items < module.LEAST_ITEMS:
        return f"only {ratings.shared_items} shared item{'s'[: ratings.shared_items != 1]}"
    return ""


def _one_sided(ratings: Ratings) -> str:
    """That most answers are the same, with percent agreement and counts; '' if they are not."""
    counts = ratings.shared_values
    if counts.max(initial=0) < ONE_SIDED * counts.sum() or counts.sum() == 0:
        return ""
    same = estimate("percent", ratings, resamples=0).value or 0.0
    common: list[int] = np.argsort(-counts, kind="stable")[:4].tolist()
    named = ", ".join(f"{counts[code]:,} {ratings.labels[code]}" for code in common if counts[code])
    others = int(counts.sum() - counts[common].sum())
    return (
        f"labels are too one-sided for the coefficient ({named}"
        f"{f', {others:,} others' if others else ''}); percent agreement is {percent_text(same)}"
    )


def _drawn(sums: Sums, clusters: Ints | None, resamples: int, seed: int) -> tuple[Floats, int]:
    """The coefficient of each resample, and how many clusters were drawn from."""
    if clusters is None:
        groups = len(sums.of)
        if resamples == 0 or groups < 2:
            return np.empty(0), groups
        if bootstrap.few(sums.rows, groups):
            sizes = np.bincount(sums.of, minlength=len(sums.rows))
            drawn = bootstrap.resample_kinds(sums.rows, sizes, resamples, seed)
            return sums.statistic.value(drawn), groups
        rows = sums.rows[sums.of]
    else:
        rows = bootstrap.cluster_sums(sums.rows[sums.of], clusters[sums.items])
        groups = len(rows)
        if resamples == 0 or groups < 2:
            return np.empty(0), groups
    resamples = min(resamples, max(1_000, _DRAWS // groups))
    return sums.statistic.value(bootstrap.resample(rows, resamples, seed)), groups
