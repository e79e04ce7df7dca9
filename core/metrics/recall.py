"""Recall: of what is to be found, the share that a filter finds (K9-Bench B.3)."""

import numpy as np

from core.statistics import share
from core.statistics.metric import Floats
from core.statistics.ratings import Bools

NAME = "Recall"
RANGE = (0.0, 1.0)
HIGHER_IS_BETTER = True

value = share.value


def rows(rejected: Bools, wanted: Bools) -> Floats:
    """What each item adds, (..., 2): whether it is wanted and found, and whether it is wanted.

    Args:
        found: (...,) what the filter points at.
        wanted: the same shape, what people point at.
    """
    return np.stack([rejected & wanted, wanted], axis=-1).astype(np.float64)


def undefined(totals: Floats) -> str:
    """Why there is no recall: there was nothing to find."""
    return "nothing to find: people point at none of these items" if totals[1] <= 0 else ""
