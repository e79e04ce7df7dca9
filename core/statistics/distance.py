"""How far apart two answers are: by name, by a matrix of the user's own, or by a function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from core.refusal import Refusal
from core.statistics.metric import Floats
from core.statistics.ratings import Ints, Ratings

_SEED = 0
_CALLS = 100_000


class Distance(Protocol):
    """What agreement asks of a distance between value codes; 0 for equal ones, never negative."""

    def between(self, first: Ints, second: Ints) -> Floats:
        """The distance of each two codes, (pairs,)."""
        ...

    def mean_from(self, shares: Floats) -> Floats:
        """The mean distance of each code from answers with these shares, (codes,)."""
        ...


@dataclass(frozen=True)
class Nominal:
    """0 for equal answers, 1 for different ones."""

    def between(self, first: Ints, second: Ints) -> Floats:
        """1 where the codes differ, (pairs,)."""
        return (first != second).astype(np.float64)

    def mean_from(self, shares: Floats) -> Floats:
        """The share of answers that are another code, (codes,)."""
        return shares.sum() - shares


@dataclass(frozen=True, eq=False)
class Squared:
    """The squared difference of numbers: interval scales, quadratic weights, ranks."""

    numbers: Floats

    def between(self, first: Ints, second: Ints) -> Floats:
        """Squared differences, (pairs,)."""
        return (self.numbers[first] - self.numbers[second]) ** 2

    def mean_from(self, shares: Floats) -> Floats:
        """Mean squared difference of each code from all, by the moments of the numbers."""
        centred = self.numbers - (shares @ self.numbers) / max(shares.sum(), 1e-300)
        return shares.sum() * centred**2 + shares @ centred**2


@dataclass(frozen=True, eq=False)
class Paired:
    """Any vectorised distance of two arrays of codes.

    Attributes:
        function: the distance of each two codes, (pairs,) and (pairs,) to (pairs,).
        budget: how many distances a mean over all answers may cost; where all pairs of labels are
            more, it rests on so many drawn with a fixed seed, and `sampled` is true.
    """

    function: Callable[[Ints, Ints], Floats]
    budget: int = 4_000_000

    def between(self, first: Ints, second: Ints) -> Floats:
        """The distance of each two codes, (pairs,)."""
        return self.function(first, second)

    def sampled(self, labels: int) -> bool:
        """Whether means over all answers with so many labels rest on a sample of pairs."""
        return labels * labels > self.budget

    def mean_from(self, shares: Floats) -> Floats:
        """Mean distance of each code from answers with these shares, (codes,)."""
        codes = np.arange(len(shares))
        used = np.flatnonzero(shares)
        if not self.sampled(len(shares)):
            table = self.function(np.repeat(codes, len(used)), np.tile(used, len(codes)))
            return table.reshape(len(codes), len(used)) @ shares[used]
        each = max(1, self.budget // len(codes))
        edges = np.cumsum(shares[used])
        random: Floats = np.random.default_rng(_SEED).random(len(codes) * each) * edges[-1]
        interval = np.searchsorted(edges, random, side="right").clip(max=len(used) - 1)
        drawn = used[interval]
        table = self.function(np.repeat(codes, each), drawn)
        return table.reshape(len(codes), each).mean(axis=1) * edges[-1]


def called(function: Callable[[Any, Any], float], labels: Sequence[Any]) -> Paired:
    """The distance that a function of two labels states; each pair of labels is asked for once.

    For millions of answers with a label of their own each, write a `Paired` instead.
    """
    asked: dict[int, float] = {}
    count = len(labels)

    def between(first: Ints, second: Ints) -> Floats:
        key = np.minimum(first, second) * count + np.maximum(first, second)
        distinct, pair_of = np.unique(key, return_inverse=True)
        distances = np.empty(len(distinct))
        keys: list[int] = distinct.tolist()
        for at, pair in enumerate(keys):
            if pair not in asked:
                asked[pair] = function(labels[pair // count], labels[pair % count])
            distances[at] = asked[pair]
        return distances[pair_of]

    return Paired(between, budget=_CALLS)


NAMES = {
    "nominal": "equal or not",
    "linear": "difference of numbers",
    "interval": "squared difference of numbers (quadratic weights)",
    "ordinal": "squared difference of ranks in the pooled answers",
    "ratio": "squared difference relative to the sum",
}


def by_name(name: str, ratings: Ratings) -> Distance:
    """The distance of this name between the labels of a table.

    Nominal takes any labels, the others numbers. Ordinal ranks come from the answers on shared
    items: the distance of two values is the squared number of answers from the middle of one to
    the middle of the other (Krippendorff 2011, section 4), so that a value that nobody used
    changes nothing.

    Raises:
        ValueError: for an unknown name, or a numeric one on labels that are no finite numbers.
    """
    if name not in NAMES:
        raise Refusal(f"No distance {name!r}. Allowed: {', '.join(NAMES)}.")
    if name == "nominal":
        return Nominal()
    numbers = ratings.numbers
    if numbers is None:
        raise Refusal(
            f"The distance {name!r} needs answers on a numeric scale; got labels such as "
            f"{ratings.labels[0] if ratings.labels else 'none'!r}. Use 'nominal', or give numbers."
        )
    endless = ~np.isfinite(numbers)
    if endless.any():
        raise Refusal(
            f"The distance {name!r} needs finite numbers; got {numbers[endless][0]}. Use 'nominal'."
        )
    if name == "ordinal":
        return Squared(_middle_ranks(numbers, ratings.shared_values))
    if name == "interval":
        return Squared(numbers)
    if name == "linear":
        return Paired(lambda a, second: np.abs(numbers[a] - numbers[second]))
    if len(numbers) and numbers.min() < 0:
        raise Refusal(
            f"A ratio scale has no negative numbers; got {numbers.min():g}. Use 'interval'."
        )
    return Paired(lambda a, second: _ratio(numbers[a], numbers[second]))


def of_matrix(matrix: Floats) -> Distance:
    """The distance that a symmetric matrix (labels, labels) with a zero diagonal states.

    Raises:
        ValueError: if it is no such matrix.
    """
    if (
        matrix.ndim != 2
        or matrix.shape[0] != matrix.shape[1]
        or not np.isfinite(matrix).all()
        or matrix.min(initial=0.0) < 0
        or np.diag(matrix).any()
        or not np.allclose(matrix, matrix.T)
    ):
        raise Refusal(
            f"A matrix of distances is square and symmetric, has zeros on its diagonal and no "
            f"negative or missing number; got one of shape {matrix.shape} that is not."
        )
    return Paired(lambda a, second: matrix[a, second])


def matrix_of(distance: Distance, labels: int) -> Floats:
    """All distances between the codes of so many labels, (labels, labels)."""
    codes = np.arange(labels)
    return distance.between(np.repeat(codes, labels), np.tile(codes, labels)).reshape(
        labels, labels
    )


def _middle_ranks(numbers: Floats, counts: Ints) -> Floats:
    order = np.argsort(numbers, kind="stable")
    ranks = np.empty(len(numbers))
    ranks[order] = np.cumsum(counts[order]) - counts[order] / 2
    return ranks


def _ratio(a: Floats, second: Floats) -> Floats:
    total = a + second
    share = np.divide(a - second, total, out=np.zeros_like(total), where=total > 0)
    return share**2
