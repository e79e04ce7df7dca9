"""Bounds for people like these: other persons and other videos."""

import numpy as np
import pytest
from bounds_held import in_95_of_100
from scipy.special import expit

from core.metrics import accuracy
from core.statistics import bootstrap, crossed
from core.statistics.bootstrap import LEVEL

REPETITIONS = 2_000


def study(rng, persons: int, videos: int, share: float, of_persons: float, of_videos: float):
    """Right or wrong answers of persons and videos that differ so much, in log odds."""
    able = rng.normal(0, of_persons, persons)
    easy = rng.normal(0, of_videos, videos)
    asked = rng.random((persons, videos)) < share
    right = rng.random((persons, videos)) < expit(1.0 + able[:, None] + easy)
    person, video = np.nonzero(asked)
    return right[asked].astype(float), person, video


def expected(of_persons: float, of_videos: float) -> float:
    draws = np.random.default_rng(0).normal(size=400_000)
    return float(expit(1.0 + draws * np.hypot(of_persons, of_videos)).mean())


@pytest.mark.parametrize(
    ("persons", "videos", "share"), [(9, 60, 0.35), (9, 60, 1.0), (6, 40, 0.5), (20, 60, 0.2)]
)
def test_the_bounds_hold_for_other_persons_and_videos(persons, videos, share):
    rng, held, truth = np.random.default_rng(1), 0, expected(0.6, 0.8)
    for _ in range(REPETITIONS):
        estimate = crossed.mean(*study(rng, persons, videos, share, 0.6, 0.8))
        held += estimate.low <= truth <= estimate.high
    assert in_95_of_100(held, REPETITIONS)


def test_bounds_of_these_people_do_not_hold_for_people_like_these():
    # What the page has to say: resampling videos alone keeps the nine people fixed.
    rng, held, truth = np.random.default_rng(2), 0, expected(0.6, 0.8)
    for _ in range(300):
        values, _, video = study(rng, 9, 60, 0.35, 0.6, 0.8)
        estimate = bootstrap.estimate(accuracy, accuracy.rows(values > 0), video, resamples=400)
        held += estimate.low <= truth <= estimate.high
    assert held / 300 < 0.85


def test_by_hand():
    # Two persons, two videos, all four answered: Ann 1 1, Ben 1 0; the mean is 3/4.
    estimate = crossed.mean(
        np.array([1.0, 1.0, 1.0, 0.0]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    )
    # Gaps / 4: 1/16 thrice, -3/16. Persons 2/16, -2/16: 8/256, times 2; videos the same; pairs
    # 12/256 times 4/3 = 16/256. Parts: 16/256 - 16/256 = 0 twice, so 16/256; freedom
    # (1/16)**2 / (2 * (1/16)**2) = 1/2, at least 1: t = 12.706.
    assert estimate.value == 0.75
    assert (estimate.low, estimate.high) == (0.0, 1.0)
    assert 0.75 - 12.706 * 0.25 < 0


def test_one_person_or_equal_answers_have_no_bounds_and_a_reason():
    one = crossed.mean(np.array([1.0, 0.0]), np.array([0, 0]), np.array([0, 1]))
    assert (one.value, one.low) == (0.5, None)
    assert "one person only" in one.reason
    equal = crossed.mean(np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    assert equal.low is None
    assert "all answers are the same" in equal.reason
    assert crossed.mean(np.empty(0), np.empty(0), np.empty(0)).reason == "no answers yet"
    assert LEVEL == 0.95
