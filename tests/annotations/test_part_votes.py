from itertools import product

import pytest

from annotations.part_votes import (
    jaccard_distance,
    named_by_most,
    named_by_most_settled,
    over_half,
    over_half_settled,
)


def test_more_than_half_is_needed_and_half_is_not_enough():
    assert over_half(["a", "a", "b"]) == "a"
    assert over_half(["a", "b"]) is None
    assert over_half([]) is None
    assert named_by_most(2, 3)
    assert not named_by_most(1, 2)


def test_a_half_is_settled_exactly_when_no_further_votes_could_change_it():
    for size, left in product(range(5), range(4)):
        for votes in product("ab", repeat=size):
            later = {
                over_half((*votes, *more))
                for count in range(left + 1)
                for more in product("abcd", repeat=count)
            }
            assert over_half_settled(votes, left) == (len(later) == 1), (votes, left)


def test_a_named_part_is_settled_exactly_when_no_further_people_could_change_it():
    for total, left in product(range(6), range(4)):
        for found in range(total + 1):
            later = {
                named_by_most(found + named, total + more)
                for more in range(left + 1)
                for named in range(more + 1)
            }
            assert named_by_most_settled(found, total, left) == (len(later) == 1)


def test_the_jaccard_distance_is_the_share_that_only_one_named():
    # {a, b} and {b, c}: of a, b, c two were named by one only.
    assert jaccard_distance(["a", "b"], ["b", "c"]) == pytest.approx(2 / 3)
    assert jaccard_distance([], []) == 0
