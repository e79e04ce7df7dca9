"""Codes of values are those that sorting gives, however far apart the values lie."""

import numpy as np
import pytest

from core.statistics.coding import coded

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    "values",
    [
        np.empty(0, np.int64),
        np.array([7]),
        np.array([-3, 5, -3, 0]),
        RANDOM.integers(0, 40, 1000),
        RANDOM.integers(-(2**62), 2**62, 50),
        np.array([0, 2**62, 0]),
        np.array(["b", "a", "b"]),
        np.array([0.5, -1.0, 0.5]),
    ],
)
def test_codes_are_those_of_sorting(values: np.ndarray):
    different, codes = np.unique(values, return_inverse=True)
    found, count = coded(values)
    assert found.tolist() == codes.tolist()
    assert count == len(different)
