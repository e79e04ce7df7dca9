import numpy as np
import pytest

from core.statistics.dawid_skene import SMOOTHING, dawid_skene
from core.statistics.ratings import Ratings


def plain(table, labels, rounds):
    """The same EM, loop by loop."""
    items = list(zip(*table, strict=True))
    shares = np.array([[item.count(k) for k in range(labels)] for item in items], dtype=float)
    shares /= shares.sum(axis=1, keepdims=True)
    confusion = np.empty(0)
    for left in range(rounds, -1, -1):
        prior = shares.mean(axis=0)
        confusion = np.full((len(table), labels, labels), SMOOTHING)
        for item, answers in enumerate(items):
            for rater, answer in enumerate(answers):
                if answer is not None:
                    confusion[rater, :, answer] += shares[item]
        confusion /= confusion.sum(axis=2, keepdims=True)
        if not left:
            break
        for item, answers in enumerate(items):
            likely = prior.copy()
            for rater, answer in enumerate(answers):
                if answer is not None:
                    likely *= confusion[rater, :, answer]
            shares[item] = likely / likely.sum()
    return shares, confusion


def simulated(seed, items, accuracy, labels, gaps=0.0):
    random = np.random.default_rng(seed)
    truth = random.integers(0, labels, items)
    shape = (len(accuracy), items)
    right = random.random(shape) < np.array(accuracy)[:, None]
    given = np.where(right, truth, (truth + random.integers(1, labels, shape)) % labels)
    gone = random.random(shape) < gaps
    gone[0] = False
    return truth, [
        [None if hole else int(one) for one, hole in zip(*row, strict=True)]
        for row in zip(given, gone, strict=True)
    ]


@pytest.mark.parametrize(("raters", "labels", "gaps"), [(3, 2, 0.0), (7, 3, 0.4), (2, 5, 0.2)])
def test_it_is_the_same_em_as_loop_by_loop(raters, labels, gaps):
    _, table = simulated(raters, 80, [0.7] * raters, labels, gaps)
    shares, confusion = plain(table, labels, 6)
    found = dawid_skene(Ratings.from_table(table), rounds=6, tolerance=0.0)
    assert found.rounds == 6
    assert found.shares == pytest.approx(shares, abs=1e-9)
    assert found.confusion == pytest.approx(confusion, abs=1e-9)


def test_two_good_raters_outweigh_three_who_guess():
    truth, table = simulated(1, 2_000, [0.95, 0.95, 0.4, 0.4, 0.4], 4)
    found = dawid_skene(Ratings.from_table(table))
    assert found.converged
    votes = zip(*table, strict=True)
    majority = np.array([np.bincount(item, minlength=4).argmax() for item in votes])
    assert (found.label == truth).mean() > (majority == truth).mean() + 0.03
    accuracy = found.confusion[:, range(4), range(4)].mean(axis=1)
    assert accuracy == pytest.approx([0.95, 0.95, 0.4, 0.4, 0.4], abs=0.05)


def test_a_tie_is_no_label_and_an_item_without_answers_has_none():
    ratings = Ratings.from_arrays(
        np.array([0, 0, 2, 2]), np.array([0, 1, 0, 1]), np.array([0, 1, 1, 0]), ["a", "b"]
    )
    found = dawid_skene(ratings)
    assert found.label.tolist() == [-1, -1, -1]
    assert found.shares[1].tolist() == [0, 0]


def test_the_order_of_answers_changes_nothing():
    _, table = simulated(4, 50, [0.8, 0.7, 0.6], 3)
    ratings = Ratings.from_table(table)
    order = np.random.default_rng(0).permutation(len(ratings.item))
    mixed = Ratings.from_arrays(
        ratings.item[order], ratings.rater[order], ratings.value[order], ratings.labels
    )
    assert (dawid_skene(ratings).shares == dawid_skene(mixed).shares).all()


def test_without_answers_it_refuses():
    with pytest.raises(ValueError, match="needs answers"):
        dawid_skene(Ratings.from_table([[None]]))
