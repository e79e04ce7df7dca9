"""What a group concluded from its answers, by rule; a tie is a result, never broken by chance."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from core.refusal import Refusal

MOST_SIGNATURES = 9


@dataclass(frozen=True)
class Decision:
    """A conclusion with its arithmetic.

    Attributes:
        value: what was concluded. Where an item has parts, a tie in one of them leaves the parts
            that are decided in it, with None for the open ones; else None unless 'decided'.
        status: 'decided', 'tie' (goes to an author), 'open' (too few agree) or 'none' (no votes).
        words: the arithmetic in words for a person, such as '2 of 3 answered definitely'.
    """

    value: Any
    status: str
    words: str


def majority(votes: Sequence[Hashable | None]) -> Decision:
    """The value with more votes than any other; votes that are None are missing, not votes."""
    counts = Counter(vote for vote in votes if vote is not None)
    total = counts.total()
    if not total:
        return Decision(None, "none", "no votes")
    ranked = counts.most_common()
    best, votes_for_best = ranked[0]
    if len(ranked) > 1 and ranked[1][1] == votes_for_best:
        return Decision(None, "tie", "tie")
    return Decision(
        best, "decided", "single vote" if total == 1 else f"{votes_for_best} of {total}"
    )


def at_least(votes: Sequence[Hashable | None], value: Hashable, k: int) -> Decision:
    """Whether at least k votes are for a value; open while there are no votes at all."""
    cast_votes = [vote for vote in votes if vote is not None]
    agreeing = sum(vote == value for vote in cast_votes)
    if not cast_votes:
        return Decision(None, "none", "no votes")
    return Decision(
        agreeing >= k, "decided", f"{agreeing} of {len(cast_votes)} {value}, {k} needed"
    )


def median_segment(segments: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """The segment between the median start and the median end, s; None without segments."""
    if not segments:
        return None
    return median(start for start, _ in segments), median(end for _, end in segments)


def majority_settled(votes: Sequence[Hashable | None], missing: int) -> bool:
    """Whether `missing` more votes, whatever they are, leave the majority's value as it is."""
    counts = Counter(vote for vote in votes if vote is not None).most_common(2)
    if not counts:
        return missing == 0
    second = counts[1][1] if len(counts) > 1 else 0
    return counts[0][1] - second > missing or missing == 0


def at_least_settled(
    votes: Sequence[Hashable | None], value: Hashable, k: int, missing: int
) -> bool:
    """Whether `missing` more votes cannot change if at least k are for a value."""
    agreeing = sum(vote == value for vote in votes)
    return agreeing >= k or agreeing + missing < k


def nominal(a: Hashable | None, b: Hashable | None) -> float | None:
    """0 for equal answers, 1 for different ones; None if one is missing."""
    return None if a is None or b is None else float(a != b)


def check_signatures(signatures: int | None) -> None:
    """Refuse a number of signatures that cannot be asked for.

    Raises:
        Refusal: with the numbers that are allowed.
    """
    if signatures is not None and not 1 <= signatures <= MOST_SIGNATURES:
        raise Refusal(f"signatures: got {signatures}. Allowed: 1 to {MOST_SIGNATURES}.")
