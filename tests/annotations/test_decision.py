from itertools import permutations, product

import pytest

from annotations.decision import (
    at_least,
    at_least_settled,
    majority,
    majority_settled,
    median_segment,
)


@pytest.mark.parametrize(
    ("votes", "value", "words"),
    [
        (["A", "A", "B", "B"], None, "tie"),
        (["A", "B", "C"], None, "tie"),
        (["A", "A", None, None, "B"], "A", "2 of 3"),
        (["A"], "A", "single vote"),
        ([], None, "no votes"),
        ([None, None], None, "no votes"),
    ],
)
def test_a_majority_is_never_made_by_the_order_of_votes(votes, value, words):
    for order in permutations(votes):
        decision = majority(order)
        assert (decision.value, decision.words) == (value, words)


def test_a_majority_is_settled_exactly_when_no_further_votes_could_change_it():
    for size, left in product(range(4), range(4)):
        for votes in product("ABC", repeat=size):
            now = majority(votes).value
            # 'D' stands for an answer that nobody has given yet.
            later = {majority((*votes, *more)).value for more in product("ABCD", repeat=left)}
            assert majority_settled(votes, left) == (later == {now}), (votes, left)


def test_two_of_three_definitely_is_settled_exactly_when_nothing_can_change_it():
    for size, left in product(range(4), range(4)):
        for votes in product(("definitely", "maybe"), repeat=size):
            later = {
                (*votes, *more).count("definitely") >= 2
                for more in product(("definitely", "maybe"), repeat=left)
            }
            assert at_least_settled(votes, "definitely", 2, left) == (len(later) == 1)


def test_the_rule_shows_its_arithmetic():
    decision = at_least(["definitely", "maybe", "definitely", None], "definitely", 2)
    assert (decision.value, decision.words) == (True, "2 of 3 definitely, 2 needed")
    assert at_least([None], "definitely", 2).status == "none"


def test_a_consensus_segment_has_the_median_edges():
    # starts 1, 2, 4: median 2; ends 5, 9, 6: median 6
    assert median_segment([(1.0, 5.0), (4.0, 9.0), (2.0, 6.0)]) == (2.0, 6.0)
    assert median_segment([]) is None
