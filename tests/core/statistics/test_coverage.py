"""Intervals hold the truth in 95 of 100 small studies, whatever statistic they are of."""

import numpy as np
import pytest
from bounds_held import in_95_of_100
from scipy.special import expit

from core.metrics import accuracy, multi_frame_gain
from core.statistics import agreement, bootstrap
from core.statistics.gain import rows as gain_rows
from core.statistics.ratings import Ratings
from core.statistics.share import wilson

pytestmark = pytest.mark.slow
REPETITIONS = 2_000
RESAMPLES = 400  # the ends of an interval move by a twentieth of its width, both ways
VIDEOS, QUESTIONS = 70, 3
CLUSTERS = np.repeat(np.arange(VIDEOS), QUESTIONS)


def easy(rng: np.random.Generator) -> np.ndarray:
    """How easy each question is, in log odds; those of one video are alike."""
    return np.repeat(rng.normal(0, 0.8, VIDEOS), QUESTIONS)


def expected(log_odds: float) -> float:
    draws = np.random.default_rng(0).normal(0, 0.8, 400_000)
    return float(expit(log_odds + draws).mean())


def test_accuracy_resampled_by_video():
    rng, held, truth = np.random.default_rng(1), 0, expected(0.8)
    for seed in range(REPETITIONS):
        right = rng.random(len(CLUSTERS)) < expit(0.8 + easy(rng))
        estimate = bootstrap.estimate(
            accuracy, accuracy.rows(right), CLUSTERS, resamples=RESAMPLES, seed=seed
        )
        held += estimate.low <= truth <= estimate.high
    assert in_95_of_100(held, REPETITIONS)


@pytest.mark.parametrize("statistic", ["difference", "gain"])
def test_two_conditions_resampled_by_video(statistic):
    above, below = expected(0.8), expected(0.2)
    truth = above - below if statistic == "difference" else above / below - 1
    rng, held = np.random.default_rng(2), 0
    for seed in range(REPETITIONS):
        level = easy(rng)
        first, second = (
            accuracy.rows(rng.random(len(level)) < expit(odds + level)) for odds in (0.8, 0.2)
        )
        if statistic == "difference":
            estimate = bootstrap.difference(
                accuracy, first, second, CLUSTERS, resamples=RESAMPLES, seed=seed
            )
        else:
            estimate = bootstrap.estimate(
                multi_frame_gain, gain_rows(first, second), CLUSTERS, resamples=RESAMPLES,
                seed=seed,
            )  # fmt: skip
        held += estimate.low <= truth <= estimate.high
    assert in_95_of_100(held, REPETITIONS)


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        # Three people each give the item's label with probability 0.8, else one of the two others.
        # Two agree with 0.64 + 2 * 0.01 = 0.66; with three labels, evenly, chance is 1/3.
        ("percent", 0.66),
        ("fleiss", (0.66 - 1 / 3) / (2 / 3)),
        ("krippendorff", (0.66 - 1 / 3) / (2 / 3)),
    ],
)
def test_agreement_resampled_by_item(name, truth):
    rng, held, items = np.random.default_rng(3), 0, 120
    item, rater = np.repeat(np.arange(items), 3), np.tile(np.arange(3), items)
    for seed in range(REPETITIONS):
        label = np.repeat(rng.integers(0, 3, items), 3)
        other = (label + rng.integers(1, 3, len(label))) % 3
        value = np.where(rng.random(len(label)) < 0.8, label, other)
        ratings = Ratings.from_arrays(item, rater, value, ["a", "b", "c"], None)
        estimate = agreement.estimate(name, ratings, resamples=RESAMPLES, seed=seed)
        held += estimate.low <= truth <= estimate.high
    assert in_95_of_100(held, REPETITIONS)


@pytest.mark.parametrize(("cases", "share"), [(100, 0.5), (100, 0.9), (250, 0.95)])
def test_wilson_of_a_share(cases, share):
    rng = np.random.default_rng(4)
    hits = rng.binomial(cases, share, 20_000)
    bounds = {int(count): wilson(int(count), cases) for count in np.unique(hits)}
    held = sum(bounds[int(count)][0] <= share <= bounds[int(count)][1] for count in hits)
    assert in_95_of_100(held, len(hits))
