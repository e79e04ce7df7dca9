from itertools import permutations

import numpy as np
import pytest

from core.statistics.agreement import estimate
from core.statistics.matching import Cards, distance, match, tolerance_curve
from core.statistics.ratings import Ratings
from core.statistics.segments import merged_iou


def matched(first, second):
    return match(Cards.of([first, second]), np.array([0]), np.array([1]))


def best_mean(first, second):
    """By trying every way to pair the cards."""
    if not first and not second:
        return 1.0
    few, many = sorted([first, second], key=len)
    ways = (
        sum(merged_iou([a], [b]) or 0.0 for a, b in zip(few, way, strict=True))
        for way in permutations(many, len(few))
    )
    return max(ways) / len(many)


def test_cards_are_paired_by_overlap_not_by_order():
    found = matched([(0, 10), (20, 30)], [(21, 31), (0, 5), (50, 60)])
    # 0-10 with 0-5: 5/10; 20-30 with 21-31: 9/11; the third has no partner: mean over three.
    assert found.mean_iou[0] == pytest.approx((1 / 2 + 9 / 11) / 3)
    assert sorted(found.edges_s[0, :2]) == [1, 5]
    assert np.isinf(found.edges_s[0, 2])
    assert (found.cards[0], found.slots[0]) == (5, 3)


def test_the_pairing_is_the_best_in_total_even_where_greed_is_not():
    # Greedy takes 0-10 with 0-9, 9/10, and leaves 0-2 with 2-10, nothing.
    # Crosswise: 0-10 with 2-10 is 8/10, 0-2 with 0-9 is 2/9.
    first, second = [(0, 10), (0, 2)], [(0, 9), (2, 10)]
    assert matched(first, second).mean_iou[0] == pytest.approx((8 / 10 + 2 / 9) / 2)


def test_both_saying_that_it_does_not_happen_is_agreement():
    assert matched([], []).mean_iou[0] == 1.0
    assert matched([], [(1, 2)]).mean_iou[0] == 0.0


@pytest.mark.parametrize("seed", range(4))
def test_every_number_of_cards_gives_the_best_matching(seed):
    random = np.random.default_rng(seed)
    answers = []
    for _ in range(12):
        start = random.uniform(0, 20, random.integers(0, 7))
        length = random.uniform(1, 8, len(start))
        answers.append([(float(s), float(s + n)) for s, n in zip(start, length, strict=True)])
    first, second = np.divmod(np.arange(144), 12)
    found = match(Cards.of(answers), first, second).mean_iou
    for one, other, iou in zip(first, second, found, strict=True):
        assert iou == pytest.approx(best_mean(answers[one], answers[other]), abs=1e-12)


def test_a_card_that_is_no_segment_is_refused():
    with pytest.raises(ValueError, match="start < end; got 3 to 3 s"):
        Cards.of([[(3, 3)]])


def test_agreement_and_curve_over_two_items_by_hand():
    answers = [[(0, 10)], [(5, 15)], [(0, 4), (6, 8)], [(0, 4)]]
    cards = Cards.of(answers)
    ratings = Ratings.from_arrays(
        np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.arange(4), answers
    )
    # Item 1: 5/15. Item 2: one of two cards matched fully, 1/2. Mean 5/12.
    assert estimate("percent", ratings, distance(cards)).value == pytest.approx(5 / 12)
    # Cards in all: 2 + 3. At 0.3 both matches hold: 4/5; at 0.5 one: 2/5.
    curve = tolerance_curve(ratings, cards, thresholds=(0.3, 0.5, 1.0))
    assert [one.value for one in curve] == pytest.approx([4 / 5, 2 / 5, 2 / 5])
    # Edges are off by 5 s and by 0 s.
    in_s = tolerance_curve(ratings, cards, thresholds=(0.0, 4.9, 5.0), in_seconds=True)
    assert [one.value for one in in_s] == pytest.approx([2 / 5, 2 / 5, 4 / 5])
    assert curve[0].low is not None


def test_alpha_of_segments_is_the_pairwise_definition():
    answers = [[(0, 10)], [(5, 15)], [(0, 4), (6, 8)], [(0, 4)], [(0, 9)], []]
    cards = Cards.of(answers)
    ratings = Ratings.from_arrays(
        np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1]), np.arange(6), answers
    )
    apart = [[1 - best_mean(a, b) for b in answers] for a in answers]
    within = (apart[0][1] + apart[2][3] + apart[4][5]) / 3
    among = sum(map(sum, apart)) / 30
    found = estimate("krippendorff", ratings, distance(cards))
    assert found.value == pytest.approx(1 - within / among)


def test_a_curve_without_cards_says_so():
    ratings = Ratings.from_arrays(np.zeros(2, int), np.arange(2), np.zeros(2, int), ["none"])
    [found] = tolerance_curve(ratings, Cards.of([[]]), thresholds=(0.5,))
    assert (found.value, found.reason) == (None, "no cards of two people on one item")


def test_expected_disagreement_from_a_sample_of_pairs_is_close_and_said():
    random = np.random.default_rng(0)
    start = random.uniform(0, 50, (1_500, 1))
    given = start + random.normal(0, 0.5, (1_500, 2))
    cards = Cards(given.reshape(-1, 1), given.reshape(-1, 1) + 6, np.ones(3_000, dtype=np.int64))
    ratings = Ratings.from_arrays(
        np.repeat(np.arange(1_500), 2), np.tile([0, 1], 1_500), np.arange(3_000), range(3_000)
    )
    found = estimate("krippendorff", ratings, distance(cards), resamples=0)
    assert found.reason == "expected disagreement is that of a sample of pairs"
    codes = np.arange(3_000)
    within = 1 - match(cards, codes[::2], codes[1::2]).mean_iou.mean()
    some = [match(cards, np.full(3_000, code), codes).mean_iou.mean() for code in codes[:300]]
    among = 1 - np.mean(some)
    assert found.value == pytest.approx(1 - within / among, abs=0.01)
