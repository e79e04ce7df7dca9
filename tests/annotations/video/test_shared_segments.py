from itertools import permutations

import pytest

from annotations.video.shared_segments import shared_segments


def test_cards_that_overlap_are_one_segment_with_median_edges():
    # starts 1, 1.5, 2: median 1.5; ends 5, 5.5, 4: median 5
    [found] = shared_segments([[(1, 5)], [(2, 5.5)], [(1.5, 4)]], 0.3)
    assert (found.start_s, found.end_s, found.people) == (1.5, 5, 3)
    # IoU: (1,5)/(2,5.5) = 3/4.5; (1,5)/(1.5,4) = 2.5/4; (2,5.5)/(1.5,4) = 2/4
    assert found.mean_iou == pytest.approx((3 / 4.5 + 2.5 / 4 + 2 / 4) / 3)


def test_two_cards_of_one_person_are_never_one_segment():
    found = shared_segments([[(0, 2), (1, 3)], [(0.5, 2.5)]], 0.1)
    assert sorted(one.people for one in found) == [1, 2]


def test_several_segments_are_matched_whatever_the_order_of_cards_and_people():
    people = [[(0, 2), (10, 12)], [(10.5, 12.5), (0.2, 2)], [(30, 31), (0, 2.2)]]
    expected = shared_segments(people, 0.3)
    assert [(one.start_s, one.end_s, one.people) for one in expected] == [
        (0, 2, 3),
        (10.25, 12.25, 2),
        (30, 31, 1),
    ]
    for order in permutations(people):
        assert shared_segments([cards[::-1] for cards in order], 0.3) == expected


def test_a_card_joins_the_group_it_overlaps_most():
    # The middle card has IoU 1/3 with the first and 3/5 with the second.
    found = shared_segments([[(0, 4)], [(2, 6)], [(3, 7)]], 0.5)
    assert [(one.start_s, one.end_s, one.people) for one in found] == [(0, 4, 1), (2.5, 6.5, 2)]


def test_below_the_threshold_nothing_is_joined():
    assert len(shared_segments([[(0, 4)], [(2, 6)]], 0.34)) == 2
    assert len(shared_segments([[(0, 4)], [(2, 6)]], 0.33)) == 1
    assert shared_segments([], 0.5) == []
    assert shared_segments([[], []], 0.5) == []
