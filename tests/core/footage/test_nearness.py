import numpy as np
import pytest

from core.footage.nearness import for_length, nearness


def test_titles_of_more_and_rarer_words_come_first():
    rare, common = np.array([3, 7]), np.array([1, 3, 9])
    found = nearness([rare, common], [5.0, 1.0], [1, 1], 6.0)
    # 3 holds both and has two tokens at least; 7 the rare one; 1 and 9 the common one, in order.
    assert found.ids.tolist() == [3, 7, 1, 9]
    assert found.weights.tolist() == [6.0, 5.0, 1.0, 1.0]
    # By hand: 6 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 6)) = 8.25 for two tokens.
    assert found.ceilings[0] == pytest.approx(8.25)
    assert (np.diff(found.ceilings) <= 0).all()


def test_a_title_of_usual_length_keeps_the_weights():
    assert for_length(np.array([6.0]), 6.0) == pytest.approx([1.0])


def test_no_lists_name_no_titles():
    assert nearness([], [], [], 6.0).ids.tolist() == []
    assert nearness([np.empty(0, np.int64)], [1.0], [1], 6.0).ids.tolist() == []
