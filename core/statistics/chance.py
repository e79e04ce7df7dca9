"""1 - observed / expected disagreement: the form that the kappas and alpha share."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.statistics.distance import Distance, matrix_of
from core.statistics.metric import Floats, Statistic
from core.statistics.ratings import Ints

# Beyond these, expected disagreement is followed to first order (`ChanceCorrected`).
_EXACT_NUMBERS = 4_000_000
_EXACT_LABELS = 256


@dataclass(frozen=True, eq=False)
class ChanceCorrected:
    """1 - observed / expected disagreement.

    Totals are: observed disagreement, its weight, answers a margin, then the margins. With few
    labels the margins are how often each label was given, by the first and by the second rater (or
    by anybody, once), and expected disagreement is exact in every resample. With many it is one
    column, the mean distance of an item's answers from all answers, which follows the expected
    disagreement to first order; the value itself is exact either way.

    Attributes:
        matrix: (labels, labels) distances; None with many labels.
        expected: expected disagreement of all items together, before `unbiased`.
        two: whether the two margins are of different raters.
        unbiased: whether an answer is not paired with itself: n / (n - 1), as in alpha.
    """

    matrix: Floats | None
    expected: float
    two: bool
    unbiased: bool

    def value(self, totals: Floats) -> Floats:
        """The coefficient, (..., columns) to (...); NaN where nothing can be expected."""
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = totals[..., 0] / totals[..., 1]
            expected = self.chance(totals)
            return np.where(expected > self._rounding, 1 - observed / expected, np.nan)

    def undefined(self, totals: Floats) -> str:
        """Why one set of totals has no coefficient; '' if it has."""
        return "" if self.chance(totals) > self._rounding else "every answer is the same"

    @property
    def _rounding(self) -> float:
        """Up to this, expected disagreement is 0 but for rounding, whatever the unit of labels."""
        return 1e-12 if self.matrix is None else 1e-12 * self.expected

    @property
    def worst(self) -> float | None:
        """The greatest distance of two labels; None with many labels."""
        return None if self.matrix is None else float(self.matrix.max(initial=0.0))

    def chance(self, totals: Floats) -> Floats:
        """Expected disagreement, (..., columns) to (...)."""
        answers, margins = totals[..., 2], totals[..., 3:]
        if self.matrix is None:
            observed_margin = margins[..., 0] / answers - self.expected
        else:
            labels = len(self.matrix)
            shares_a = margins[..., :labels] / answers[..., None]
            second = margins[..., labels:] / answers[..., None] if self.two else shares_a
            observed_margin = ((shares_a @ self.matrix) * second).sum(axis=-1)
        return observed_margin * answers / (answers - 1) if self.unbiased else observed_margin


def chance_corrected(
    observed: Floats,
    weight: Floats | Ints,
    values: Sequence[Ints],
    distance: Distance,
    shares: Sequence[Floats],
    *,
    unbiased: bool = False,
) -> tuple[Statistic, Floats]:
    """The statistic `ChanceCorrected` and its rows, (patterns, columns).

    Args:
        observed: (patterns,) disagreement within each.
        weight: (patterns,) what it counts.
        values: for each margin (patterns, answers) value codes, -1 where there is none.
        distance: between value codes.
        shares: for each margin the share of each label in all answers, (labels,).
        unbiased: as in `ChanceCorrected`.
    """
    labels = len(shares[0])
    answers = (values[0] >= 0).sum(axis=1)
    columns = [observed, weight, answers]
    two = len(values) == 2
    means = [distance.mean_from(share) for share in shares]
    expected = float(shares[0] @ means[-1])
    matrix = None
    if labels <= _EXACT_LABELS and len(observed) * labels * len(values) <= _EXACT_NUMBERS:
        matrix = matrix_of(distance, labels)
        for value in values:
            columns.extend(_times_given(value, labels).T)
    else:
        # An item's answers are as far from all answers as they are from the other margin's.
        far = sum(
            np.where(value >= 0, mean[value], 0.0).sum(axis=1)
            for value, mean in zip(values, reversed(means), strict=True)
        )
        columns.append(far if two else 2 * far)
    statistic = ChanceCorrected(matrix, expected, two, unbiased)
    return statistic, np.stack(columns, axis=1).astype(np.float64)


def _times_given(values: Ints, labels: int) -> Ints:
    """How often each row has each label, (rows, labels)."""
    row, column = np.nonzero(values >= 0)
    cell = row * labels + values[row, column]
    return np.bincount(cell, minlength=len(values) * labels).reshape(len(values), labels)
