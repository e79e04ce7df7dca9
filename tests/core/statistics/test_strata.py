"""Stratified samples and means weighted to the whole."""

import numpy as np
import pytest

from core.statistics.strata import sample, shares_of, weighted_mean


def test_each_stratum_gets_its_share_and_the_largest_remainders_the_rest():
    # 10 of 60, 30, 10: 6, 3, 1. 10 of 55, 35, 10: 5.5, 3.5, 1.0; one is left, for the first.
    assert shares_of(10, [60, 30, 10]) == [6, 3, 1]
    assert shares_of(10, [55, 35, 10]) == [6, 3, 1]
    assert shares_of(500, [60, 30]) == [60, 30]


def test_a_sample_is_the_same_for_a_seed_whatever_the_order():
    names = [f"q{number}" for number in range(300)]
    strata = ["a" if number % 3 else "b" for number in range(300)]
    chosen = {names[i] for i in sample(strata, names, 60, 42)}
    turned = {names[::-1][i] for i in sample(strata[::-1], names[::-1], 60, 42)}
    assert chosen == turned
    assert len(chosen) == 60
    assert sum(strata[names.index(name)] == "b" for name in chosen) == 20
    assert chosen != {names[i] for i in sample(strata, names, 60, 43)}


def test_a_weighted_mean_is_that_of_the_whole():
    # In the sample half of each; in the whole "a" is 80 %. a: 3 of 4 right, b: 1 of 4.
    right = np.array([1, 1, 1, 0, 1, 0, 0, 0], dtype=np.bool_)
    stratum = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    estimate = weighted_mean(right, stratum, np.array([80.0, 20.0]), np.arange(8))
    assert estimate.value == pytest.approx(0.8 * 0.75 + 0.2 * 0.25)
    assert estimate.low < estimate.value < estimate.high


def test_a_stratum_without_answers_is_said():
    estimate = weighted_mean(np.array([True]), np.array([0]), np.array([1.0, 1.0]), np.array([0]))
    assert estimate.value is None
    assert estimate.reason == "1 of 2 categories have no answer"
