import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from core.metrics import precision, reason_match, recall
from core.statistics import share


def test_recall_and_precision_by_hand():
    found = np.array([True, True, True, False, False, False, False])
    wanted = np.array([True, True, False, True, True, True, False])
    # Found and wanted: 2. Wanted: 5. Found: 3.
    [of_wanted] = share.estimates(recall, recall.rows(found, wanted)[:, None])
    [of_found] = share.estimates(precision, precision.rows(found, wanted)[:, None])
    assert (of_wanted.value, of_wanted.n) == (2 / 5, 5)
    assert (of_found.value, of_found.n) == (2 / 3, 3)
    assert of_wanted.low is not None
    assert of_wanted.low < 2 / 5 < (of_wanted.high or 0)


def test_where_nothing_can_be_found_there_is_a_reason_and_no_number():
    none = np.zeros(4, dtype=bool)
    [found] = share.estimates(recall, recall.rows(none, none)[:, None])
    assert found.value is None
    assert "nothing to find" in found.reason
    [found] = share.estimates(precision, precision.rows(none, none)[:, None])
    assert "nothing found" in found.reason
    [found] = share.estimates(reason_match, reason_match.rows(none, none)[:, None])
    assert "both reject" in found.reason


def test_many_shares_at_once_are_those_of_each_alone():
    random = np.random.default_rng(3)
    found, wanted = random.random((2, 90, 4)) < 0.4
    together = share.estimates(recall, recall.rows(found, wanted), np.arange(90) // 3)
    for place in range(4):
        rows = recall.rows(found[:, place], wanted[:, place])[:, None]
        [alone] = share.estimates(recall, rows, np.arange(90) // 3)
        assert alone.value == together[place].value
        assert alone.low == pytest.approx(together[place].low, abs=0.03)


def test_all_of_a_few_found_has_exact_bounds_instead_of_an_interval_without_width():
    every = np.ones(5, dtype=bool)
    [found] = share.estimates(recall, recall.rows(every, every)[:, None])
    # 5 of 5: the lower bound is 0.025 ** (1/5) = 0.478.
    assert found.exact == pytest.approx((0.025 ** (1 / 5), 1.0))
    assert "all of 5" in found.reason


@pytest.mark.parametrize(("hits", "cases"), [(0, 7), (3, 7), (7, 7), (172, 267)])
def test_exact_bounds_are_those_of_an_independent_implementation(hits: int, cases: int):
    low, high = proportion_confint(hits, cases, 0.05, method="beta")
    assert share.bounds(hits, cases) == pytest.approx((low, high))
    # One-sided at 95 % is the lower end of a two-sided interval at 90 %.
    low, _ = proportion_confint(hits, cases, 0.10, method="beta")
    assert share.at_least(hits, cases) == pytest.approx(low)


def test_a_share_of_nothing_is_refused():
    with pytest.raises(ValueError, match="0 hits of 0 cases"):
        share.at_least(0, 0)


def test_a_share_is_said_with_its_score_interval():
    # Wilson for 9 of 10 at 95 %: (0.9 + 0.192) / 1.384 -+ 0.193.
    assert share.words_of(9, 10) == "9 of 10 (90.0 %, 59.6 to 98.2)"
    assert share.words_of(0, 0) == "0 of 0"
