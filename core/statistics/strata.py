"""Samples that hold each category in its share, and means weighted to the shares of the whole."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from core.statistics import bootstrap
from core.statistics.bootstrap import Clusters
from core.statistics.metric import Estimate, Floats
from core.statistics.ratings import Bools, Ints


def shares_of(size: int, counts: Sequence[int]) -> list[int]:
    """How many of a sample each stratum gets: in proportion, the largest remainders first.

    Args:
        size: of the sample.
        counts: of the strata; none gets more than it has.
    """
    total = sum(counts)
    if size >= total:
        return list(counts)
    exact = [size * count / total for count in counts]
    got = [int(share) for share in exact]
    order = sorted(range(len(counts)), key=lambda i: (got[i] - exact[i], i))
    for i in order[: size - sum(got)]:
        got[i] += 1
    return got


def sample(strata: Sequence[str], names: Sequence[str], size: int, seed: int) -> list[int]:
    """Indices of a stratified sample, ascending: the same for the same names and seed.

    Which of a stratum are drawn depends on their names and the seed alone, not on their order.

    Args:
        strata: the category of each.
        names: unique names.
        size: how many; all where there are no more.
        seed: another seed draws another sample.
    """
    counts = Counter(strata)
    wanted = dict(zip(counts, shares_of(size, list(counts.values())), strict=True))
    by_chance = sorted(
        range(len(names)), key=lambda i: sha256(f"{seed}/{names[i]}".encode()).digest()
    )
    chosen: list[int] = []
    for i in by_chance:
        if wanted[strata[i]]:
            wanted[strata[i]] -= 1
            chosen.append(i)
    return sorted(chosen)


@dataclass(frozen=True, eq=False)
class Weighted:
    """The mean of strata, each by its share of the whole; totals are hits and cases of each.

    Attributes:
        shares: (strata,) of the whole, which sum to 1.
    """

    shares: Floats

    def value(self, totals: Floats) -> Floats:
        """The weighted mean, (..., 2 * strata) to (...); NaN where a stratum has no case."""
        pairs = totals.reshape(*totals.shape[:-1], len(self.shares), 2)
        hits, cases = pairs[..., 0], pairs[..., 1]
        means = np.divide(hits, cases, out=np.full_like(hits, np.nan), where=cases > 0)
        return np.asarray(means @ self.shares, dtype=np.float64)

    def undefined(self, totals: Floats) -> str:
        """That a stratum has no answer; '' where each has one."""
        empty = int((totals.reshape(-1, 2)[:, 1] <= 0).sum())
        return f"{empty} of {len(self.shares)} categories have no answer" if empty else ""


def weighted_mean(
    right: Bools, stratum: Ints, shares: Floats, clusters: Clusters, *, cluster_word: str = "video"
) -> Estimate:
    """A share of right answers, weighted to the whole's shares of the strata, with its interval.

    Args:
        right: (answers,).
        stratum: (answers,) index into `shares`.
        shares: (strata,) of the whole.
        clusters: (answers,) what is drawn again.
        cluster_word: what a cluster is called when the reason speaks of it.
    """
    rows = np.zeros((len(right), 2 * len(shares)))
    places = np.arange(len(right))
    rows[places, 2 * stratum] = right
    rows[places, 2 * stratum + 1] = 1.0
    return bootstrap.estimate(
        Weighted(shares / shares.sum()), rows, clusters, cluster_word=cluster_word
    )
