"""Cohen's kappa of two raters, plain or weighted, over the items that both answered."""

import numpy as np

from core.statistics.agreement import Sums
from core.statistics.chance import chance_corrected
from core.statistics.distance import Distance
from core.statistics.ratings import Ratings, distinct_rows

NAME = "Cohen's kappa"
MEANS = (
    "Agreement of two people beyond what their own habits would bring about by chance: 1 is "
    "always, 0 is chance, below 0 is less than chance."
)
RANGE = (-1.0, 1.0)
HIGHER_IS_BETTER = True
DISTANCES = ("nominal", "linear", "interval")
OWN_DISTANCE = True
RATERS = 2
LEAST_ITEMS = 2


def sums(ratings: Ratings, distance: Distance) -> Sums:
    """What each shared item adds: the distance of the two answers, and which they were.

    Kappa is 1 - observed / expected distance (Cohen 1960, 1968), expected from how often each of
    the two gave each label on shared items; what only one of them answered is left out of both.
    Weights are the distance: 'linear' the difference, 'interval' its square (quadratic weights).
    Numbers themselves weigh, so that a value that nobody used keeps its place on the scale.
    """
    items = np.flatnonzero(ratings.counts > 1)
    representatives, of, sizes = distinct_rows(ratings.answers)
    values = list(ratings.answers[representatives].T)
    apart = distance.between(values[0], values[1])
    shares = [
        np.bincount(value, weights=sizes, minlength=len(ratings.labels)) / len(items)
        for value in values
    ]
    statistic, rows = chance_corrected(
        apart, np.ones_like(apart), [value[:, None] for value in values], distance, shares
    )
    return Sums(statistic, rows, of, items)
