import numpy as np
import pytest

from core.reply.similarity import by_similarity, right_at


def test_the_most_similar_option_is_chosen_if_it_is_above_one_half():
    found = by_similarity([0.31, 0.72, 0.70])
    assert (found.choice, found.state) == (1, "read")
    assert "B: similarity 0.720" in found.reason


@pytest.mark.parametrize(
    ("similarities", "state"),
    [
        ([0.31, 0.50, 0.20], "unread"),  # exactly one half is not above it
        ([0.1, 0.2], "unread"),
        ([0.7, 0.7, 0.1], "several"),  # the maximum has to be strict
        ([-0.2], "unread"),
    ],
)
def test_an_answer_that_is_like_no_option_or_like_two_chooses_none(similarities, state):
    found = by_similarity(similarities)
    assert (found.choice, found.state) == (None, state)


def test_right_is_the_key_above_the_threshold_and_the_highest():
    # The key is the first option: it is; a distractor is higher; the highest, but not above 0.5.
    rows = np.array([[0.6, 0.55], [0.6, 0.65], [0.45, 0.30]])
    assert right_at(rows, np.zeros(3, dtype=np.int64)).tolist() == [True, False, False]
    assert right_at(rows[2:], np.zeros(1, dtype=np.int64), threshold=0.4).tolist() == [True]


@pytest.mark.parametrize("similarities", [[], [1.5, 0.2], [float("nan")]])
def test_what_is_no_cosine_is_refused(similarities):
    with pytest.raises(ValueError, match="Allowed"):
        by_similarity(similarities)


def test_many_answers_at_once_are_judged_as_one_by_one():
    generator = np.random.default_rng(5)
    values = np.round(generator.uniform(0.2, 0.9, (400, 4)), 1)  # many ties
    values[::3, 3] = np.nan  # every third question has three options
    keys = generator.integers(0, 3, 400)
    found = right_at(values, keys)
    for row, key, right in zip(values, keys, found, strict=True):
        choice = by_similarity([one for one in row if not np.isnan(one)]).choice
        assert (choice == key) == right
    assert right_at(np.zeros((0, 4)), np.zeros(0, dtype=np.int64)).shape == (0,)
