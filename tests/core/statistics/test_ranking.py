import numpy as np
import pytest

from core.metrics import accuracy
from core.statistics.ranking import ranks
from core.statistics.share import share_of, wilson


def rows(right: list[list[int]]) -> np.ndarray:
    """(units, runs, 2) from right answers of each run."""
    columns = np.array(right, dtype=np.float64).T
    return np.stack([columns, np.ones_like(columns)], axis=2)


def test_ties_share_the_better_place():
    placed = ranks(accuracy, rows([[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]]), resamples=200)
    assert [rank.rank for rank in placed] == [1, 1, 3]


def test_a_clear_lead_is_sure_and_a_narrow_one_is_not():
    rng = np.random.default_rng(0)
    good, fair, poor = (rng.random(300) < share for share in (0.9, 0.62, 0.6))
    placed = ranks(accuracy, rows([good, fair, poor]), resamples=2_000)
    assert (placed[0].low, placed[0].high, placed[0].first) == (1, 1, 1.0)
    assert (placed[1].low, placed[1].high) == (2, 3)
    assert placed[1].first == 0.0


def test_wilson_is_the_published_interval():
    # Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert share_of(0, 0, "tick").reason == "no ticks yet"
    with pytest.raises(ValueError, match="3 hits of 2 cases"):
        wilson(3, 2)
