"""Top-1 accuracy: the share of answers that are right."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.number_text import percent_text, points_text
from core.statistics.bootstrap import LEVEL
from core.statistics.metric import Estimate, Floats

NAME = "Accuracy"
RANGE = (0.0, 1.0)
HIGHER_IS_BETTER = True


def rows(right: Sequence[bool | None] | npt.NDArray[np.bool_]) -> Floats:
    """What each answer adds, (answers, 2): whether it is right, and 1.

    Args:
        right: True, False, or None for an answer that could not be read or was never made. Those
            stay in the denominator: leaving them out would reward a model for failing.
    """
    if isinstance(right, np.ndarray):
        correct = right.astype(np.float64)
    else:
        correct = np.array([bool(flag) for flag in right], dtype=np.float64)
    return np.stack([correct, np.ones_like(correct)], axis=1)


def value(totals: Floats) -> Floats:
    """Right answers per answer, in [0, 1]; undefined without answers."""
    right, answers = totals[..., 0], totals[..., 1]
    return np.divide(right, answers, out=np.full_like(right, np.nan), where=answers > 0)


def undefined(totals: Floats) -> str:
    """Why there is no accuracy: only ever for want of answers."""
    return "no answers yet" if totals[1] <= 0 else ""


def with_bound(estimate: Estimate, cluster_word: str = "video") -> Estimate:
    """The same estimate; where all answers are right, or all wrong, with the exact binomial bound.

    Resampling such answers gives the same value each time, so the bootstrap interval has no width
    however few there are. The exact bound has one (Clopper and Pearson 1934): where n of n are
    right it begins at a**(1/n), a = (1 - LEVEL) / 2. The number of clusters stands for n, since
    answers about one video are not independent.
    """
    if estimate.value not in (0.0, 1.0) or estimate.clusters < 1:
        return estimate
    far = float(((1 - LEVEL) / 2) ** (1 / estimate.clusters))
    exact = (far, 1.0) if estimate.value == 1.0 else (0.0, 1 - far)
    word = "right" if estimate.value == 1.0 else "wrong"
    answers = "the only answer is" if estimate.n == 1 else f"all {estimate.n:,} answers are"
    reason = (
        f"{answers} {word}: resampling cannot show how uncertain that is; "
        f"the exact {percent_text(LEVEL, 0)} bounds, with each {cluster_word} counted once, are "
        f"{percent_text(exact[0])} to {percent_text(exact[1])}"
    )
    if estimate.low is None and estimate.reason:
        reason = f"{estimate.reason}; {reason}"
    return replace(estimate, exact=exact, reason=reason)


def difference_with_bound(estimate: Estimate, cluster_word: str = "video") -> Estimate:
    """The same paired difference; with an exact bound where resampling shows no spread.

    Where no cluster shows a difference, resampling gives 0 each time, however few clusters there
    are. At most a share p of all clusters can then differ, p = 1 - a**(1/n) with
    a = (1 - LEVEL) / 2, so the difference lies between -p and p. Where every cluster differs fully
    and one way, it lies within 2 p of that end.
    """
    if estimate.low != estimate.high or estimate.value not in (-1.0, 0.0, 1.0):
        return estimate
    if estimate.clusters < 1:
        return estimate
    far = 1 - float(((1 - LEVEL) / 2) ** (1 / estimate.clusters))
    value = estimate.value
    exact = (-far, far) if value == 0 else (max(-1.0, value - 2 * far), min(1.0, value + 2 * far))
    words = "no difference" if value == 0 else "the greatest difference"
    reason = (
        f"every {cluster_word} shows {words}: resampling cannot show how uncertain that is; the"
        f" exact {percent_text(LEVEL, 0)} bounds are {points_text(exact[0])} to "
        f"{points_text(exact[1])} points"
    )
    return replace(estimate, exact=exact, reason=reason)
