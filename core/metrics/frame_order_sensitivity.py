"""Frame order sensitivity: how much more is right with frames in order than shuffled.

TOMATO, equation 2: Acc(m frames) / (Acc(shuffled m frames) + e) - 1. Near 0, the order does not
matter.
"""

from core.statistics import gain
from core.statistics.metric import Floats

NAME = "Frame order sensitivity"
RANGE = gain.RANGE
COLUMNS = gain.COLUMNS
HIGHER_IS_BETTER = True


def rows(ordered: Floats, shuffled: Floats) -> Floats:
    """What each question adds, (questions, 4); see `core.statistics.gain.rows`.

    Args:
        ordered: (questions, 2), right answers and answers, from m frames in order.
        shuffled: the same, from the same frames shuffled.

    Raises:
        ValueError: if the two are not about the same questions.
    """
    return gain.rows(ordered, shuffled)


def value(totals: Floats) -> Floats:
    """The gain, 0.5 for half as many right again with frames in order; NaN where undefined."""
    return gain.value(totals)


def undefined(totals: Floats) -> str:
    """Why there is none: no answers, or none of them right, with shuffled frames."""
    return gain.undefined(totals, "frames in order", "shuffled frames")
