"""What a threshold on a score keeps and loses, for every threshold at once.

An item is kept when its score is at least the threshold. People have accepted some items, rejected
some, and not judged the rest.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.refusal import Refusal
from core.statistics import bootstrap, share
from core.statistics.bootstrap import LEVEL
from core.statistics.coding import coded
from core.statistics.metric import Floats
from core.statistics.ratings import Ints

ACCEPTED, REJECTED, UNJUDGED = 1, 0, -1
RESAMPLES = 2_000
MOST_STEPS = 1_000


@dataclass(frozen=True, eq=False)
class Sweep:
    """What each threshold keeps, (thresholds,) arrays, thresholds ascending.

    Attributes:
        thresholds: items that score at least so much are kept.
        items: how many items have a score.
        accepted: how many of them people accept.
        rejected: how many of them people reject.
        kept: items kept.
        accepted_kept: of those that people accept.
        rejected_kept: of those that people reject.
    """

    thresholds: Floats
    items: int
    accepted: int
    rejected: int
    kept: Ints
    accepted_kept: Ints
    rejected_kept: Ints

    @cached_property
    def recall(self) -> Floats:
        """Share of what people accept that is kept; NaN where they accept nothing."""
        return _share(self.accepted_kept, np.full_like(self.kept, self.accepted))

    @cached_property
    def precision(self) -> Floats:
        """Share of what is kept and judged that people accept; NaN where nothing is."""
        return _share(self.accepted_kept, self.accepted_kept + self.rejected_kept)


@dataclass(frozen=True, eq=False)
class Band:
    """The interval of a sweep's recall and precision at each threshold; NaN where there is none."""

    recall_low: Floats
    recall_high: Floats
    precision_low: Floats
    precision_high: Floats


def steps(scores: Floats, limit: int = MOST_STEPS) -> Floats:
    """Thresholds to choose from, ascending: even and round ones over the scores' whole range.

    The first keeps everything, the last nothing. Empty without scores.
    """
    if not len(scores):
        return np.empty(0)
    low, high = float(scores.min()), float(scores.max())
    if high <= low:
        return np.array([low, np.nextafter(low, np.inf)])
    raw = (high - low) / (limit - 2)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
    lowest, highest = math.floor(low / step), math.ceil(high / step)
    thresholds = np.array([round(number * step, 12) for number in range(lowest, highest + 1)])
    thresholds[0] = min(thresholds[0], low)
    return (
        thresholds if thresholds[-1] > high else np.append(thresholds, np.nextafter(high, np.inf))
    )


def sweep(scores: Floats, verdicts: Ints, thresholds: Floats | None = None) -> Sweep:
    """What each threshold keeps.

    Args:
        scores: (items,).
        verdicts: (items,) of people: `ACCEPTED`, `REJECTED` or `UNJUDGED`.
        thresholds: ascending; None takes `steps`.

    Raises:
        ValueError: for scores and verdicts of different lengths, or a score that is no number.
    """
    check(scores, verdicts)
    at = steps(scores) if thresholds is None else thresholds

    def kept(chosen: npt.NDArray[np.bool_]) -> Ints:
        ordered = np.sort(scores[chosen])
        return (len(ordered) - np.searchsorted(ordered, at, side="left")).astype(np.int64)

    accepted, rejected = verdicts == ACCEPTED, verdicts == REJECTED
    return Sweep(
        at,
        len(scores),
        int(accepted.sum()),
        int(rejected.sum()),
        kept(np.ones(len(scores), dtype=np.bool_)),
        kept(accepted),
        kept(rejected),
    )


def band(
    scores: Floats,
    verdicts: Ints,
    thresholds: Floats,
    clusters: Ints | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = bootstrap.SEED,
) -> Band:
    """Bootstrap intervals of recall and precision at each threshold, resampling whole clusters.

    Args:
        scores: (items,).
        verdicts: (items,) of people.
        thresholds: (thresholds,) ascending.
        clusters: (items,) such as the video of each item; None makes each item its own.
        resamples: how many times the clusters are drawn.
        seed: the same seed and data give the same intervals.
    """
    check(scores, verdicts)
    judged = verdicts != UNJUDGED
    count = len(thresholds)
    # Only between which two thresholds a score lies makes a difference.
    bin_of = np.searchsorted(thresholds, scores[judged], side="right")
    cell = bin_of + (count + 1) * (verdicts[judged] == ACCEPTED)
    drawn = _drawn_cells(cell, 2 * (count + 1), None if clusters is None else clusters[judged],
                         resamples, seed)  # fmt: skip
    if drawn is None:
        empty = np.full(count, np.nan)
        return Band(empty, empty, empty, empty)
    tables = drawn.reshape(len(drawn), 2, count + 1)
    kept = np.cumsum(tables[:, :, ::-1], axis=2)[:, :, ::-1][:, :, 1:]
    total = tables.sum(axis=2)
    recall = _share(kept[:, 1], np.broadcast_to(total[:, 1, None], kept[:, 1].shape))
    precision = _share(kept[:, 1], kept.sum(axis=1))
    ends = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    return Band(*_quantiles(recall, ends), *_quantiles(precision, ends))


def _drawn_cells(
    cell: Ints, cells: int, clusters: Ints | None, resamples: int, seed: int
) -> Floats | None:
    """How many items fall into each cell in each resample; None with fewer than two clusters."""
    if clusters is None or len(np.unique(clusters)) == len(cell):
        if len(cell) < 2:
            return None
        counts = np.bincount(cell, minlength=cells)
        random = np.random.default_rng(seed)
        drawn = random.multinomial(len(cell), counts / len(cell), size=resamples)
        return drawn.astype(np.float64)
    codes = coded(clusters)[0]
    sums = np.zeros((int(codes.max()) + 1, cells))
    np.add.at(sums, (codes, cell), 1.0)
    return None if len(sums) < 2 else bootstrap.resample(sums, resamples, seed)


def _share(hits: npt.NDArray[np.generic], cases: npt.NDArray[np.generic]) -> Floats:
    return share.value(np.stack([hits, cases], axis=-1).astype(np.float64))


def _quantiles(drawn: Floats, ends: list[float]) -> tuple[Floats, Floats]:
    """Two quantiles of each column, over the resamples in which it is defined."""
    defined = ~np.isnan(drawn)
    low, high = np.full(drawn.shape[1], np.nan), np.full(drawn.shape[1], np.nan)
    whole = defined.all(axis=0)
    if whole.any():
        low[whole], high[whole] = np.quantile(drawn[:, whole], ends, axis=0)
    some = defined.any(axis=0) & ~whole
    if some.any():
        low[some], high[some] = np.nanquantile(drawn[:, some], ends, axis=0)
    return low, high


def check(scores: Floats, verdicts: Ints) -> None:
    """Refuse scores and verdicts that are not about the same items, and scores that are no numbers.

    Raises:
        Refusal: with the shapes that were given.
    """
    if scores.shape != verdicts.shape or scores.ndim != 1:
        raise Refusal(
            f"Scores and verdicts are of the same items; got {scores.shape} and {verdicts.shape}."
        )
    if not np.isfinite(scores).all():
        raise Refusal("A score is no number. Leave out items without one.")
