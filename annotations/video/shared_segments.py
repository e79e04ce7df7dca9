"""Segments that several people marked alike: cards grouped by IoU, medians of their edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from annotations.decision import median_segment
from core.statistics.segments import Window, merged_iou


@dataclass(frozen=True)
class Shared:
    """A segment on which people agree.

    Attributes:
        start_s: median of the cards' starts, s.
        end_s: median of the cards' ends, s.
        people: how many marked it.
        mean_iou: mean temporal IoU of each two of their cards; None for a single card.
    """

    start_s: float
    end_s: float
    people: int
    mean_iou: float | None


Card = tuple[Window, int]


def shared_segments(people: Sequence[Sequence[Window]], same_from: float) -> list[Shared]:
    """Segments in order of time, each from at most one card of each person.

    The two groups with the greatest mean IoU are joined, again and again, until it is below
    `same_from`; cards of one person never meet. The order of the people changes nothing.

    Args:
        people: the cards of each person, (start, end) in s.
        same_from: mean temporal IoU from which two groups mean the same.
    """
    # Sorted, so that ties fall the same way however the answers came in.
    ordered = sorted(tuple(sorted(cards)) for cards in people)
    groups = [[(card, person)] for person, cards in enumerate(ordered) for card in cards]
    while True:
        best, pair = 0.0, None
        for left_group, right_group in combinations(range(len(groups)), 2):
            iou = _between(groups[left_group], groups[right_group])
            if iou > best and iou >= same_from:
                best, pair = iou, (left_group, right_group)
        if pair is None:
            break
        groups[pair[0]] += groups.pop(pair[1])
    return sorted(map(_shared, groups), key=lambda segment: (segment.start_s, segment.end_s))


def _between(group: Sequence[Card], other_group: Sequence[Card]) -> float:
    """Mean IoU of the cards of two groups; 0 if a person has cards in both."""
    if {person for _, person in group} & {person for _, person in other_group}:
        return 0.0
    ious = [_iou(card, other_card) for card, _ in group for other_card, _ in other_group]
    return sum(ious) / len(ious)


def _shared(group: Sequence[Card]) -> Shared:
    windows = [card for card, _ in group]
    median = median_segment(windows)
    assert median is not None
    ious = [_iou(window, other_window) for window, other_window in combinations(windows, 2)]
    return Shared(*median, len(group), sum(ious) / len(ious) if ious else None)


def _iou(window: Window, other_window: Window) -> float:
    return merged_iou([window], [other_window]) or 0.0
