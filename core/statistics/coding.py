"""Whole numbers as codes from 0: which of the different values each one is."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from core.statistics.ratings import Ints

_SPARSE = 8


def coded(values: npt.NDArray[Any]) -> tuple[Ints, int]:
    """What `np.unique` tells with `return_inverse`, without sorting where numbers lie close.

    Args:
        values: (n,) of any type that can be sorted.

    Returns:
        (n,) the place of each among the different values in ascending order, and how many there
        are.
    """
    if len(values) and np.issubdtype(values.dtype, np.integer):
        low = int(values.min())
        span = int(values.max()) - low + 1
        if span <= _SPARSE * len(values):
            from_zero = values - low
            present = np.bincount(from_zero, minlength=span) > 0
            places = np.cumsum(present, dtype=np.int64) - 1
            return places[from_zero], int(places[-1]) + 1
    different, codes = np.unique(values, return_inverse=True)
    return cast("Ints", codes), len(different)
