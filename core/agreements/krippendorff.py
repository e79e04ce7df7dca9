"""Krippendorff's alpha, for any raters, gaps and distance."""

from core.statistics.agreement import Sums
from core.statistics.chance import chance_corrected
from core.statistics.disagreement import disagreement
from core.statistics.distance import Distance
from core.statistics.ratings import Ratings

NAME = "Krippendorff's alpha"
MEANS = (
    "Agreement beyond chance for any number of people, with gaps, small samples and answers that "
    "can be more or less far apart: 1 is always, 0 is chance."
)
RANGE = (-1.0, 1.0)
HIGHER_IS_BETTER = True
DISTANCES = ("nominal", "ordinal", "interval", "ratio")
OWN_DISTANCE = True
RATERS = None
LEAST_ITEMS = 2


def sums(ratings: Ratings, distance: Distance) -> Sums:
    """What each item adds: its mean distance and its labels' counts, weighted by its answers.

    Alpha is 1 - Do / De (Krippendorff 2011): Do is the mean distance within items, each item
    weighted by its answers, De that of any two answers to shared items. Answers that stand alone
    on their item are left out. Ordinal ranks are those of all answers in every resample.
    """
    patterns = ratings.patterns
    apart, answers = disagreement(patterns.values, distance)
    shares = ratings.shared_values / ratings.shared_values.sum()
    statistic, rows = chance_corrected(
        apart * answers, answers, [patterns.values], distance, [shares], unbiased=True
    )
    return Sums(statistic, rows, patterns.of, patterns.items)
