"""Multi-frame gain: how much more is right with m frames than with a single one.

TOMATO, equation 1: Acc(m frames) / (Acc(1 frame) + e) - 1, for one random or one handpicked frame.
Near 0, one frame would do: the questions do not ask for time.
"""

from core.statistics import gain
from core.statistics.metric import Floats

NAME = "Multi-frame gain"
RANGE = gain.RANGE
COLUMNS = gain.COLUMNS
HIGHER_IS_BETTER = True


def rows(many: Floats, single: Floats) -> Floats:
    """What each question adds, (questions, 4); see `core.statistics.gain.rows`.

    Args:
        many: (questions, 2), right answers and answers, from m frames.
        one: the same, from one frame, random or handpicked.

    Raises:
        ValueError: if the two are not about the same questions.
    """
    return gain.rows(many, single)


def value(totals: Floats) -> Floats:
    """The gain, 0.5 for half as many right again with m frames; NaN where undefined."""
    return gain.value(totals)


def undefined(totals: Floats) -> str:
    """Why there is none: no answers, or none of them right, with one frame."""
    return gain.undefined(totals, "m frames", "one frame")
