"""The mean of a statistic over several runs, whose units are drawn again together."""

from dataclasses import dataclass

import numpy as np

from core.statistics import bootstrap
from core.statistics.bootstrap import Clusters
from core.statistics.metric import Estimate, Floats, Statistic


@dataclass(frozen=True)
class Averaged:
    """The mean of one statistic over runs; totals are those of the runs, one after the other.

    Attributes:
        statistic: of each run.
        columns: of its totals.
    """

    statistic: Statistic
    columns: int

    def value(self, totals: Floats) -> Floats:
        """The mean over runs, (..., runs * columns) to (...); NaN where one is undefined."""
        runs = totals.shape[-1] // self.columns
        values = self.statistic.value(totals.reshape(*totals.shape[:-1], runs, self.columns))
        return np.asarray(values.mean(axis=-1), dtype=np.float64)

    def undefined(self, totals: Floats) -> str:
        """Why the first of the runs that has no value has none; '' where all have one."""
        for part in totals.reshape(-1, self.columns):
            if reason := self.statistic.undefined(part):
                return reason
        return ""


def average(
    statistic: Statistic, rows: Floats, clusters: Clusters | None, *, cluster_word: str = "video"
) -> Estimate:
    """The mean of a statistic over runs with its interval; `n` is how many units there are.

    Every run counts the same. Units are drawn again for all runs together, so the interval is that
    of these runs on other units.

    Args:
        statistic: a module of ``core/metrics``.
        rows: (units, runs, columns); a unit that a run has no answer for adds zeros there.
        clusters: the cluster of each unit; None makes every unit its own.
        cluster_word: what a cluster is called when the reason speaks of it.
    """
    units, runs, columns = rows.shape
    if not runs:
        return Estimate(None, n=units, reason="no runs")
    return bootstrap.estimate(
        Averaged(statistic, columns), rows.reshape(units, runs * columns), clusters,
        cluster_word=cluster_word,
    )  # fmt: skip
