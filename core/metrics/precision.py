"""Precision: of what a filter points at, the share that people point at too (K9-Bench B.3)."""

import numpy as np

from core.statistics import share
from core.statistics.metric import Floats
from core.statistics.ratings import Bools

NAME = "Precision"
RANGE = (0.0, 1.0)
HIGHER_IS_BETTER = True

value = share.value


def rows(rejected: Bools, wanted: Bools) -> Floats:
    """What each item adds, (..., 2): whether it is found and wanted, and whether it is found.

    Args:
        found: (...,) what the filter points at.
        wanted: the same shape, what people point at.
    """
    return np.stack([rejected & wanted, rejected], axis=-1).astype(np.float64)


def undefined(totals: Floats) -> str:
    """Why there is no precision: the filter found nothing."""
    return "nothing found: the filter points at none of these items" if totals[1] <= 0 else ""
