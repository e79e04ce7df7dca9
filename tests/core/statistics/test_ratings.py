import numpy as np
import pytest

from core.statistics.ratings import Ratings, distinct_rows


@pytest.mark.parametrize("high", [1, 5, 300, 2**40])
@pytest.mark.parametrize("shape", [(1, 1), (500, 3), (40, 60), (0, 4)])
def test_distinct_rows_are_those_of_numpy(shape, high):
    table = np.random.default_rng(2).integers(-1, high, shape)
    table[shape[0] // 2 :] = table[: shape[0] - shape[0] // 2]
    first, of, sizes = distinct_rows(table)
    assert (table[first][of] == table).all()
    assert len(sizes) == len(np.unique(table, axis=0))
    assert sizes.sum() == len(table)
    assert (sizes == np.bincount(of, minlength=len(sizes))).all()


def test_items_with_the_same_answers_are_one_pattern_whoever_gave_them():
    ratings = Ratings.from_table([["b", "a", "a", "a"], ["a", "b", None, "a"]])
    patterns = ratings.patterns
    assert patterns.items.tolist() == [0, 1, 3]
    assert sorted(patterns.sizes.tolist()) == [1, 2]
    assert patterns.of[0] == patterns.of[1] != patterns.of[2]


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"rows of \[2, 1\]"):
        Ratings.from_table([["a", "b"], ["a"]])


def test_codes_that_are_no_label_are_refused():
    with pytest.raises(ValueError, match="values end at 1; got 0 and 2"):
        Ratings.from_arrays(np.array([0]), np.array([0]), np.array([2]), ["a", "b"])
