"""Decisions about the parts of an answer: a part stands where more than half of those asked say so.

Each rule comes with the exact test of whether further answers can change it.
"""

from collections import Counter
from collections.abc import Hashable, Sequence


def over_half(votes: Sequence[Hashable]) -> Hashable | None:
    """The value that more than half of the votes are for; None if there is none."""
    if not votes:
        return None
    value, most = Counter(votes).most_common(1)[0]
    return value if 2 * most > len(votes) else None


def over_half_settled(votes: Sequence[Hashable], left: int) -> bool:
    """Whether up to `left` more votes, whatever they are, leave `over_half` as it is."""
    most = max(Counter(votes).values(), default=0)
    if 2 * most > len(votes):
        return 2 * most > len(votes) + left
    return left == 0 or 2 * most + left <= len(votes)


def named_by_most(found: int, total: int) -> bool:
    """Whether more than half name a part."""
    return 2 * found > total


def named_by_most_settled(found: int, total: int, left: int) -> bool:
    """Whether up to `left` more people, whatever they name, leave `named_by_most` as it is."""
    if named_by_most(found, total):
        return 2 * found > total + left
    return 2 * found + left <= total


def jaccard_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Share of the named parts that only one of two people named; 0 if neither named any."""
    both, either = set(first) & set(second), set(first) | set(second)
    return 1 - len(both) / len(either) if either else 0.0
