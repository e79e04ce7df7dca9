"""Reason match: where both reject, the share in which they say the same reason (K9-Bench B.3)."""

import numpy as np

from core.statistics import share
from core.statistics.metric import Floats
from core.statistics.ratings import Bools

NAME = "Reason match"
RANGE = (0.0, 1.0)
HIGHER_IS_BETTER = True

value = share.value


def rows(same: Bools, both: Bools) -> Floats:
    """What each item adds, (..., 2): both reject it for the same reason, and both reject it.

    Args:
        same: (...,) whether a reason is shared.
        both: the same shape, whether both reject and both say why.
    """
    return np.stack([same & both, both], axis=-1).astype(np.float64)


def undefined(totals: Floats) -> str:
    """Why there is no match: nothing was rejected by both."""
    return "nothing that both reject, with reasons from both" if totals[1] <= 0 else ""
