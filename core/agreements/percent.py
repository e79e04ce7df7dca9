"""Percent agreement: how often two people who answered the same item answered the same."""

from dataclasses import dataclass

import numpy as np

from core.statistics.agreement import Sums
from core.statistics.disagreement import disagreement
from core.statistics.distance import Distance
from core.statistics.metric import Floats
from core.statistics.ratings import Ratings

NAME = "Percent agreement"
MEANS = (
    "How often two people who answered the same item gave the same answer. Chance alone can make "
    "it high."
)
RANGE = (0.0, 1.0)
HIGHER_IS_BETTER = True
DISTANCES = ("nominal",)
OWN_DISTANCE = True
RATERS = None
LEAST_ITEMS = 1


@dataclass(frozen=True)
class Mean:
    """The mean over items; totals are (agreement, items)."""

    def value(self, totals: Floats) -> Floats:
        """Agreement per item, (..., 2) to (...); NaN without items."""
        agreement, items = totals[..., 0], totals[..., 1]
        return np.divide(agreement, items, out=np.full_like(agreement, np.nan), where=items > 0)

    def undefined(self, totals: Floats) -> str:
        """That there are no items; '' if there are."""
        return "no shared items" if totals[1] <= 0 else ""


def sums(ratings: Ratings, distance: Distance) -> Sums:
    """What each item adds: the share of its pairs of answers that agree, and 1.

    Every item counts the same, however many answers it has. With a distance in [0, 1] of one's own
    an item adds 1 minus its mean distance: with temporal IoU, this is mean matched IoU.
    """
    patterns = ratings.patterns
    apart, _ = disagreement(patterns.values, distance)
    rows = np.stack([1 - apart, np.ones_like(apart)], axis=1)
    return Sums(Mean(), rows, patterns.of, patterns.items)
