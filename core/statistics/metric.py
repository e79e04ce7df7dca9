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

The names of the arguments of ``rows`` say what it is computed from (`INPUTS`), and so where it
appears by being there: on the pages *Metrics* and *Runs* or *Filters*, in `rushes metrics`, and
in exports.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from core import plugins

Floats = npt.NDArray[np.float64]

PACKAGE = "core.metrics"
# One value for each scored answer to a question with options.
OF_ANSWERS = {
    "right": "whether the answer is the key",
    "options": "how many options the question has",
    "keys": "index of the right option",
    "choices": "index of the chosen option, -1 where none could be read",
}
# Totals of one condition for each question, (questions, 2): right answers, and answers. A statistic
# of two conditions reads them side by side, (..., 4), as `core.statistics.gain.rows` puts them.
OF_CONDITIONS = {
    "many": "several frames in order",
    "ordered": "several frames in order",
    "shuffled": "the same frames, shuffled",
    "single": "one random frame",
    "random": "one random frame",
    "handpicked": "one frame that people picked",
}
# One truth value for each item that both a filter and people judged.
OF_FILTERS = {
    "rejected": "whether the filter rejects the item",
    "wanted": "whether people reject the item",
    "same": "whether both name the same reason",
    "both": "whether both reject it and say why",
}
OF_JUDGES = {"scores": "what a judge model gave to an answer, from 0 to 10"}
INPUTS = OF_ANSWERS | OF_CONDITIONS | OF_FILTERS | OF_JUDGES


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

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The ends of the interval, exact ones where there are such; None where there is none."""
        return self.exact or (self.low, self.high)

    @property
    def has_width(self) -> bool:
        """Whether there is an interval, and it is more than one point.

        Where every resample gives the same value, the bootstrap says nothing of how sure that is.
        """
        low, high = self.bounds
        return low is not None and high is not None and high - low > 1e-12


class Statistic(Protocol):
    """What resampling needs of a statistic; a module of ``core/metrics`` is one."""

    def value(self, totals: Floats) -> Floats:
        """The statistic of each set of totals, (..., columns) to (...); NaN where undefined."""
        ...

    def undefined(self, totals: Floats) -> str:
        """Why the statistic of one set of totals, (columns,), is undefined; '' where it is not."""
        ...


def needs(statistic: ModuleType) -> tuple[str, ...]:
    """Names of what a statistic's rows are computed from, keys of `INPUTS`, in order."""
    parameters = inspect.signature(cast("Callable[..., Floats]", statistic.rows)).parameters
    return tuple(
        name
        for name, parameter in parameters.items()
        if parameter.default is inspect.Parameter.empty
    )


def statistics_of(inputs: dict[str, str]) -> dict[str, ModuleType]:
    """Every statistic that needs nothing but these inputs, by the name of its file."""
    modules = {name: plugins.load(PACKAGE, name) for name in plugins.names(PACKAGE)}
    return {name: module for name, module in modules.items() if set(needs(module)) <= set(inputs)}
