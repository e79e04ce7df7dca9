"""What early ends save: items answered one after the other, ended where nothing can change."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from annotations.decision import Decision, majority, majority_settled


@dataclass(frozen=True)
class Saving:
    """How asking only while the decision is open compares with asking everybody.

    Attributes:
        items: how many were decided.
        asked: answers that were asked for.
        wanted: answers of the full overlap.
        different: items whose decision differs from that of the full overlap.
    """

    items: int
    asked: int
    wanted: int
    different: int

    @property
    def share(self) -> float:
        """Answers saved, as a share of the full overlap."""
        return 1 - self.asked / self.wanted


def simulated_votes(
    items: int, overlap: int, options: int, accuracy: float, seed: int
) -> list[tuple[int, ...]]:
    """Votes of `overlap` people on each item; option 0 is right, errors are even over the others.

    Args:
        accuracy: probability of the right option, 0 to 1, the same for everybody.
    """
    rng = np.random.default_rng(seed)
    right = rng.random((items, overlap)) < accuracy
    wrong = rng.integers(1, options, (items, overlap))
    return [tuple(row) for row in np.where(right, 0, wrong).tolist()]


def saving(
    votes: Sequence[tuple[int, ...]],
    decide: Callable[[Sequence[Hashable]], Decision],
    settled: Callable[[Sequence[Hashable], int], bool],
) -> Saving:
    """What is saved on these items, each answered in the order of its votes.

    Args:
        votes: by item, all that the full overlap would give.
        decide: the rule.
        settled: whether so many further votes leave the rule's decision as it is.
    """
    known: dict[tuple[int, ...], tuple[int, bool]] = {}
    asked = different = 0
    for item in votes:
        if item not in known:
            until = next(n for n in range(1, len(item) + 1) if settled(item[:n], len(item) - n))
            known[item] = until, decide(item[:until]).value != decide(item).value
        until, differs = known[item]
        asked += until
        different += differs
    return Saving(len(votes), asked, sum(map(len, votes)), different)


@cache
def expected_share(overlap: int, options: int = 4, accuracy: float = 0.8) -> float:
    """Share of answers that a majority saves on simulated items, 0..1, whoever answers.

    Args:
        overlap: people per item.
        options: of a question.
        accuracy: probability of the right option, the same for everybody.
    """
    votes = simulated_votes(2_000, overlap, options, accuracy, seed=1)
    return saving(votes, majority, majority_settled).share
