"""Matched temporal IoU: cards of two people paired so that their total IoU is greatest.

A person's answer to an item is a set of cards, each with a segment. For millions of pairs of such
answers everything is arrays: answers of up to `_SMALL` cards try every matching at once, larger
ones go through the Hungarian method one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import scipy.optimize  # pyright: ignore[reportMissingTypeStubs]

from core.refusal import Refusal
from core.statistics.bootstrap import RESAMPLES, estimate_many
from core.statistics.distance import Paired
from core.statistics.metric import Estimate, Floats
from core.statistics.ratings import Ints, Ratings
from core.statistics.segments import Window, fault

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
_SMALL = 4
_BLOCK = 50_000


@dataclass(frozen=True, eq=False)
class Cards:
    """Answers as sets of segments; answer i has `counts[i]` cards.

    Attributes:
        starts: (answers, most cards) s; places behind the last card hold nothing of meaning.
        ends: (answers, most cards) s.
        counts: (answers,) 0 for 'does not happen'.
    """

    starts: Floats
    ends: Floats
    counts: Ints

    @classmethod
    def of(cls, answers: Sequence[Sequence[Window]]) -> "Cards":
        """The arrays of answers, each a sequence of (start, end) in s.

        Raises:
            ValueError: for a segment that does not end after it starts.
        """
        counts = np.array([len(answer) for answer in answers], dtype=np.int64)
        table = np.zeros((2, len(answers), int(counts.max(initial=0))))
        for index, answer in enumerate(answers):
            for card, (start, end) in enumerate(answer):
                wrong = fault(start, end)
                if wrong:
                    raise Refusal(
                        f"A card's segment needs start < end; got {start:g} to {end:g} s ({wrong})."
                    )
                table[:, index, card] = start, end
        return cls(table[0], table[1], counts)


@dataclass(frozen=True, eq=False)
class Matches:
    """Cards of two answers paired, for each pair of answers.

    Attributes:
        ious: (pairs, most cards) IoU of each match, in no order of meaning; 0 behind the last.
        edges_s: (pairs, most cards) the larger of the differences at start and end, s; inf behind
            the last match and where the two do not overlap.
        cards: (pairs,) cards of both answers together.
        slots: (pairs,) cards of the answer that has more.
    """

    ious: Floats
    edges_s: Floats
    cards: Ints
    slots: Ints

    @property
    def mean_iou(self) -> Floats:
        """Mean IoU over the cards of the longer answer, (pairs,); a card without a match is 0.

        1 where both say that it does not happen.
        """
        total = self.ious.sum(axis=1)
        return np.divide(total, self.slots, out=np.ones_like(total), where=self.slots > 0)


def match(cards: Cards, answer_a: Ints, second: Ints) -> Matches:
    """The best matching of each two answers, which are indices into `cards`, (pairs,)."""
    width = max(1, cards.starts.shape[1])
    ious = np.zeros((len(answer_a), width))
    edges = np.full((len(answer_a), width), np.inf)
    slots = np.maximum(cards.counts[answer_a], cards.counts[second])
    for size in map(int, np.flatnonzero(np.bincount(slots))):
        chosen = np.flatnonzero(slots == size)
        for begin in range(0, len(chosen) if size else 0, _BLOCK):
            block = chosen[begin : begin + _BLOCK]
            table, apart = _tables(cards, answer_a[block], second[block], size)
            partner = _best(table)
            row, card = np.arange(len(block))[:, None], np.arange(size)
            overlap = table[row, card, partner]
            ious[block[:, None], card] = overlap
            edges[block[:, None], card] = np.where(overlap > 0, apart[row, card, partner], np.inf)
    return Matches(ious, edges, cards.counts[answer_a] + cards.counts[second], slots)


def distance(cards: Cards) -> Paired:
    """1 - mean matched IoU between answers: what agreement over localization is computed with."""
    return Paired(lambda a, second: 1 - match(cards, a, second).mean_iou)


def tolerance_curve(
    ratings: Ratings,
    cards: Cards,
    *,
    thresholds: Sequence[float] = THRESHOLDS,
    in_seconds: bool = False,
    clusters: Ints | None = None,
    cluster_word: str = "item",
    resamples: int = RESAMPLES,
) -> list[Estimate]:
    """For each threshold the share of cards that have a match that good, with its interval.

    Over all pairs of answers to the same item: twice the matches with IoU at or above the
    threshold per card of both (the F1 of one person's cards against the other's). A pair in which
    both say that it does not happen has no cards and is left out here.

    Args:
        ratings: a table whose values are indices into `cards`.
        cards: the answers.
        thresholds: of IoU; or, `in_seconds`, of how far start and end may each be off, s.
        in_seconds: as said.
        clusters: as in `core.statistics.agreement.estimate`.
        cluster_word: what a cluster is called when a reason speaks of it.
        resamples: how many times the clusters are drawn.
    """
    slots = ratings.answers
    items = np.flatnonzero(ratings.counts > 1)
    rows = np.zeros((len(items), len(thresholds), 2))
    for rater in range(slots.shape[1]):
        for partner in range(rater + 1, slots.shape[1]):
            both = np.flatnonzero((slots[:, rater] >= 0) & (slots[:, partner] >= 0))
            matches = match(cards, slots[both, rater], slots[both, partner])
            for index, threshold in enumerate(thresholds):
                good = matches.edges_s <= threshold if in_seconds else matches.ious >= threshold
                rows[both, index, 0] += 2 * good.sum(axis=1)
                rows[both, index, 1] += matches.cards
    groups = None if clusters is None else clusters[items]
    return estimate_many(_Share(), rows, groups, cluster_word=cluster_word, resamples=resamples)


@dataclass(frozen=True)
class _Share:
    """Matched cards per card; totals are the two."""

    def value(self, totals: Floats) -> Floats:
        matched, cards = totals[..., 0], totals[..., 1]
        return np.divide(matched, cards, out=np.full_like(matched, np.nan), where=cards > 0)

    def undefined(self, totals: Floats) -> str:
        return "no cards of two people on one item" if totals[1] <= 0 else ""


def _tables(cards: Cards, answer_a: Ints, second: Ints, size: int) -> tuple[Floats, Floats]:
    """IoU and largest edge difference of each two cards, (pairs, size, size); IoU 0 for no card."""
    start, end = cards.starts[answer_a, :size, None], cards.ends[answer_a, :size, None]
    others_start, others_end = cards.starts[second, None, :size], cards.ends[second, None, :size]
    common = np.clip(np.minimum(end, others_end) - np.maximum(start, others_start), 0, None)
    union = (end - start) + (others_end - others_start) - common
    card = np.arange(size)
    exists = (card < cards.counts[answer_a][:, None])[:, :, None] & (
        card < cards.counts[second][:, None]
    )[:, None, :]
    ious = np.divide(common, union, out=np.zeros_like(common), where=exists & (union > 0))
    apart = np.maximum(np.abs(start - others_start), np.abs(end - others_end))
    return ious, apart


def _best(table: Floats) -> npt.NDArray[np.intp]:
    """For each card of the first its partner in the matching of greatest total, (pairs, size)."""
    size = table.shape[1]
    if size > _SMALL:
        partner = np.empty(table.shape[:2], dtype=np.intp)
        for index, overlaps in enumerate(table):
            partner[index] = _hungarian(overlaps)
        return partner
    ways = np.array(list(permutations(range(size))), dtype=np.intp)
    if len(ways) == 1:
        return np.zeros(table.shape[:2], dtype=np.intp)
    totals = table[:, np.arange(size), ways].sum(axis=2)
    return ways[totals.argmax(axis=1)]


def _hungarian(table: Floats) -> npt.NDArray[np.intp]:
    solve = cast("Any", scipy.optimize).linear_sum_assignment  # its types are not published
    columns: npt.NDArray[np.intp] = solve(table, maximize=True)[1]
    return columns
