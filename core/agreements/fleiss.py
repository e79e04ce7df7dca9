"""Fleiss' kappa, for any number of raters an item, equal or not."""

import numpy as np

from core.statistics.agreement import Sums
from core.statistics.chance import chance_corrected
from core.statistics.disagreement import disagreement
from core.statistics.distance import Distance
from core.statistics.ratings import Ratings

NAME = "Fleiss' kappa"
MEANS = (
    "Agreement of any number of people beyond chance, where chance is how often each answer was "
    "given by anybody: 1 is always, 0 is chance."
)
RANGE = (-1.0, 1.0)
HIGHER_IS_BETTER = True
DISTANCES = ("nominal",)
OWN_DISTANCE = False
RATERS = None
LEAST_ITEMS = 2


def sums(ratings: Ratings, distance: Distance) -> Sums:
    """What each item adds: the share of its pairs of answers that differ, and its labels' counts.

    Fleiss (1971) asks for the same number of raters for every item. Here an item with at least two
    answers counts once, by the share of its own pairs, and a label's share is over all answers to
    such items together (pooled margins). With equal numbers of raters it is Fleiss' value.
    """
    patterns = ratings.patterns
    apart, _ = disagreement(patterns.values, distance)
    shares = ratings.shared_values / ratings.shared_values.sum()
    statistic, rows = chance_corrected(
        apart, np.ones_like(apart), [patterns.values], distance, [shares]
    )
    return Sums(statistic, rows, patterns.of, patterns.items)
