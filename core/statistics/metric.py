"""What a statistic is, and what an estimate of one holds.

A statistic is a function of totals. Every unit (an answer, a question, an item) adds one row of
numbers, the rows are summed, and the statistic reads its value from the sums: accuracy from (right
answers, answers), a gain from the sums of two conditions, a kappa from a contingency table. That is
why one resampling (`core/statistics/bootstrap.py`) serves them all.

To add one, write ``core/metrics/NAME.py`` with:

- ``NAME``: in words, as a heading shows it;
- ``RANGE``: least and greatest possible value, with ``inf`` where there is none;
- ``HIGHER_IS_BETTER``: True or False;
- ``rows(...)``: from whatever the statistic is about to what each unit adds, (units, columns);
- ``value(totals)`` and ``undefined(totals)``: the two functions of `Statistic`.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A statistic's value with its interval, or the reason why there is none.

    Attributes:
        value: None when undefined; `reason` says why.
        low: lower end of the interval; None when there is no interval.
        high: upper end of the interval; None when there is no interval.
        n: units that the value rests on.
        clusters: groups of units that were resampled together, such as videos.
        reason: why value or interval is missing, or what its reader must know; else ''.
        excluded: what was left out before, as (why, how many).
        exact: bounds that hold where resampling shows no spread at all; else None.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    clusters: int = 0
    reason: str = ""
    excluded: tuple[tuple[str, int], ...] = ()
    exact: tuple[float, float] | None = None


class Statistic(Protocol):
    """What resampling needs of a statistic; a module of ``core/metrics`` is one."""

    def value(self, totals: Floats) -> Floats:
        """The statistic of each set of totals, (..., columns) to (...); NaN where undefined."""
        ...

    def undefined(self, totals: Floats) -> str:
        """Why the statistic of one set of totals, (columns,), is undefined; '' where it is not."""
        ...
