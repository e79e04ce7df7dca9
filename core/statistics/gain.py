"""Relative gain of accuracy between two conditions, the arithmetic of the three shortcut metrics.

TOMATO (Shangguan et al. 2024, section 3) defines all three as Acc(a) / (Acc(b) + e) - 1 with a
small positive constant e.
"""

import numpy as np

from core.refusal import Refusal
from core.statistics.metric import Floats

COLUMNS = 4
EPSILON = 1e-9  # keeps the division defined; too small to be seen in any printed digit
RANGE = (-1.0, float("inf"))


def rows(above: Floats, below: Floats) -> Floats:
    """What each question adds, (questions, 4): right and answers above, right and answers below.

    Args:
        above: (questions, 2), right answers and answers under the condition in the numerator, as
            ``core.metrics.accuracy.rows`` gives them; zeros for a question not asked under it.
        below: the same questions under the condition in the denominator.

    Raises:
        ValueError: if the two are not about the same questions.
    """
    if above.shape != below.shape or above.ndim != 2 or above.shape[1] != 2:
        raise Refusal(
            "A gain needs right answers and answers of the same questions under both conditions, "
            f"(questions, 2) twice; got {above.shape} and {below.shape}."
        )
    return np.concatenate([above, below], axis=1)


def value(totals: Floats) -> Floats:
    """The gain, 0.5 for half as many right again; NaN where `undefined` gives a reason."""
    right_above, above, right_below, below = np.moveaxis(totals, -1, 0)
    defined = (above > 0) & (below > 0) & (right_below > 0)
    shape = np.full_like(right_above, np.nan)
    high = np.divide(right_above, above, out=shape.copy(), where=defined)
    low = np.divide(right_below, below, out=shape.copy(), where=defined)
    return high / (low + EPSILON) - 1


def undefined(totals: Floats, above: str, below: str) -> str:
    """Why there is no gain, naming the two conditions; '' where there is one."""
    if totals[1] <= 0:
        return f"no answers from {above}"
    if totals[3] <= 0:
        return f"no answers from {below}"
    if totals[2] <= 0:
        return f"no right answer from {below}: there is nothing to be a multiple of"
    return ""
