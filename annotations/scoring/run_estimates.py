"""One estimate for each of many runs, each over the units that it has."""

import numpy as np

from annotations.scoring.people_columns import Bools, Ints
from core.statistics import bootstrap
from core.statistics.metric import Estimate, Floats, Statistic

_ALONE = 60  # clusters up to which resampling costs next to nothing


def estimate_each(
    statistic: Statistic, table: Floats, answered: Bools, clusters: Ints, word: str
) -> list[Estimate]:
    """One estimate a run, each over the units that it has.

    Runs that have the same units are resampled together where that is quicker.

    Args:
        statistic: a module of ``core/metrics``.
        table: (units, runs, columns).
        answered: (units, runs), which units a run has.
        clusters: (units,), what is drawn again.
        word: what a cluster is called.
    """
    estimate_of: dict[int, Estimate] = {}
    batches: dict[bytes, list[int]] = {}
    for run in range(table.shape[1]):
        units = answered[:, run]
        own_rows, drawn = table[units, run], clusters[units]
        if _few_kinds(own_rows, drawn):
            estimate_of[run] = bootstrap.estimate(statistic, own_rows, drawn, cluster_word=word)
        else:
            batches.setdefault(np.packbits(units).tobytes(), []).append(run)
    for runs in batches.values():
        units = answered[:, runs[0]]
        estimates = bootstrap.estimate_many(
            statistic, table[units][:, runs], clusters[units], cluster_word=word
        )
        estimate_of.update(zip(runs, estimates, strict=True))
    return [estimate_of[run] for run in range(table.shape[1])]


def _few_kinds(rows: Floats, clusters: Ints) -> bool:
    """Whether so many clusters are equal that a run resampled alone costs less than in a batch."""
    sums = bootstrap.cluster_sums(rows, clusters)
    return len(sums) <= _ALONE or 10 * len(np.unique(sums, axis=0)) < len(sums)
