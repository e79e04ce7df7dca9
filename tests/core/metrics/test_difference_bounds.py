"""Where resampling shows no spread, a paired difference has an exact bound."""

import numpy as np
import pytest

from core.metrics import accuracy
from core.statistics import bootstrap
from core.statistics.metric import Estimate


def paired(first: list[bool], second: list[bool], videos: list[int]) -> Estimate:
    estimate = bootstrap.difference(
        accuracy, accuracy.rows(first), accuracy.rows(second), videos, resamples=500
    )
    return accuracy.difference_with_bound(estimate)


def test_six_equal_answers_do_not_prove_that_two_runs_are_equal():
    right = [True, False, True, True, False, True]
    estimate = paired(right, right, list(range(6)))
    assert (estimate.value, estimate.low, estimate.high) == (0, 0, 0)
    # With six videos up to 1 - 0.025 ** (1 / 6) = 45.9 % of all may differ.
    assert estimate.exact == pytest.approx((-0.4593, 0.4593), abs=1e-4)
    assert "every video shows no difference" in estimate.reason


def test_a_difference_of_everything_is_bounded_from_its_end():
    estimate = paired([True] * 40, [False] * 40, list(range(40)))
    # 1 - 0.025 ** (1 / 40) = 8.81 %; such a video may turn +1 into -1.
    assert estimate.exact == pytest.approx((1 - 2 * 0.0881, 1.0), abs=1e-4)


def test_a_difference_with_spread_keeps_its_interval():
    estimate = paired([True, True, False, True], [True, False, False, True], [0, 1, 2, 3])
    assert estimate.exact is None
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low < estimate.high


@pytest.mark.parametrize("n", [8, 20, 60])
def test_the_bound_holds_the_truth_in_95_of_100_small_studies(n: int):
    # Videos differ with probability 3 %, one in five upwards: the truth is 0.6 - 2.4 = -1.8 points.
    random = np.random.default_rng(5)
    far = 1 - 0.025 ** (1 / n)
    held = 0
    for _ in range(2000):
        signs = np.where(random.random(n) < 0.03, np.where(random.random(n) < 0.2, 1, -1), 0)
        held += bool(signs.any()) or -far <= -0.018 <= far
    assert held / 2000 >= 0.95
