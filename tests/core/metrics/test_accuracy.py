import pytest

from core.metrics import accuracy
from core.statistics import bootstrap


def test_accuracy_is_right_answers_per_answer():
    assert accuracy.value(accuracy.rows([True, False, True]).sum(axis=0)) == pytest.approx(2 / 3)


def test_unread_and_failed_answers_stay_in_the_denominator():
    # 22 right, 10 wrong, 5 unread, 3 whose video failed: 22/40, not 22/32.
    rows = accuracy.rows([True] * 22 + [False] * 10 + [None] * 8)
    found = bootstrap.estimate(accuracy, rows)
    assert (found.value, found.n) == (0.55, 40)
    # 108 right of 172.
    second = bootstrap.estimate(accuracy, accuracy.rows([True] * 108 + [False] * 40 + [None] * 24))
    assert second.value == pytest.approx(0.627907, abs=1e-6)
    assert second.n == 172


def test_all_right_says_that_resampling_shows_no_spread_and_gives_the_exact_bound():
    found = accuracy.with_bound(
        bootstrap.estimate(accuracy, accuracy.rows([True] * 10)), "question"
    )
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    # 0.025 ** (1/10) = 0.6915: ten of ten happens 2.5 % of the time at that accuracy.
    assert found.exact == pytest.approx((0.6915, 1.0), abs=1e-4)
    assert found.reason == (
        "all 10 answers are right: resampling cannot show how uncertain that is; "
        "the exact 95 % bounds, with each question counted once, are 69.2 % to 100.0 %"
    )


def test_all_wrong_is_the_mirror_image():
    found = accuracy.with_bound(bootstrap.estimate(accuracy, accuracy.rows([False] * 10)))
    assert found.exact == pytest.approx((0.0, 0.3085), abs=1e-4)
    assert "all 10 answers are wrong" in found.reason


def test_the_exact_bound_counts_videos_and_not_answers():
    rows = accuracy.rows([True] * 6)
    found = accuracy.with_bound(bootstrap.estimate(accuracy, rows, [1, 1, 1, 2, 2, 2]))
    # 0.025 ** (1/2) = 0.1581
    assert found.exact == pytest.approx((0.1581, 1.0), abs=1e-4)


def test_a_single_answer_keeps_both_reasons():
    found = accuracy.with_bound(bootstrap.estimate(accuracy, accuracy.rows([True])))
    assert found.low is None
    assert "one video only" in found.reason
    assert "the only answer is right" in found.reason


def test_a_mixed_result_is_left_as_it_is():
    found = bootstrap.estimate(accuracy, accuracy.rows([True, False]))
    assert accuracy.with_bound(found) is found


def test_scipy_knows_the_same_exact_bound():
    stats = pytest.importorskip("scipy.stats")
    found = accuracy.with_bound(bootstrap.estimate(accuracy, accuracy.rows([True] * 7)))
    exact = stats.binomtest(7, 7).proportion_ci(0.95, method="exact")
    assert found.exact == pytest.approx((exact.low, exact.high))
