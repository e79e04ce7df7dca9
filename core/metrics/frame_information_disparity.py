"""Frame information disparity: how much more one handpicked frame tells than a random one.

TOMATO, equation 3: Acc(handpicked frame) / (Acc(random frame) + e) - 1. Near 0, information is
spread evenly over the frames, which is what a benchmark of temporal reasoning wants.
"""

from core.statistics import gain
from core.statistics.metric import Floats

NAME = "Frame information disparity"
RANGE = gain.RANGE
COLUMNS = gain.COLUMNS
HIGHER_IS_BETTER = False


def rows(handpicked: Floats, random: Floats) -> Floats:
    """What each question adds, (questions, 4); see `core.statistics.gain.rows`.

    Args:
        handpicked: (questions, 2), right answers and answers, from one handpicked frame.
        random: the same, from one random frame.

    Raises:
        ValueError: if the two are not about the same questions.
    """
    return gain.rows(handpicked, random)


def value(totals: Floats) -> Floats:
    """The gain, 0.5 for half as many right again from the handpicked frame; NaN where undefined."""
    return gain.value(totals)


def undefined(totals: Floats) -> str:
    """Why there is none: no answers, or none of them right, with a random frame."""
    return gain.undefined(totals, "the handpicked frame", "a random frame")
