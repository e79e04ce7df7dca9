"""Decisions about the parts of an answer: a part stands where more than half of those asked say so.

Each rule comes with the exact test of whether further answers can change it.
"""

from collections import Counter
from collections.abc import Hashable, Sequence


def over_half(votes: Sequence[Hashable]) -> Hashable | None:
    """The value that more than half of the votes are for; None if there is none."""
    if not votes:
        return None
    value, votes_for_best = Counter(votes).most_common(1)[0]
    return value if 2 * votes_for_best > len(votes) else None


def over_half_settled(votes: Sequence[Hashable], missing: int) -> bool:
    """Whether up to `missing` more votes, whatever they are, leave `over_half` as it is."""
    votes_for_best = max(Counter(votes).values(), default=0)
    if 2 * votes_for_best > len(votes):
        return 2 * votes_for_best > len(votes) + missing
    return missing == 0 or 2 * votes_for_best + missing <= len(votes)


def named_by_most(naming: int, total: int) -> bool:
    """Whether more than half name a part."""
    return 2 * naming > total


def named_by_most_settled(naming: int, total: int, missing: int) -> bool:
    """Whether up to `missing` more people, whatever they name, leave `named_by_most` as it is."""
    if named_by_most(naming, total):
        return 2 * naming > total + missing
    return 2 * naming + missing <= total


def jaccard_distance(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Share of the named parts that only one of two people named; 0 if neither named any."""
    both, either = set(a) & set(b), set(a) | set(b)
    return 1 - len(both) / len(either) if either else 0.0
