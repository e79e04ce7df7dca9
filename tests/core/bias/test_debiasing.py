import numpy as np
import pytest

from core.bias import debiasing
from core.bias.classification import Predicted


def test_only_what_all_nine_have_right_goes():
    right = np.ones((9, 3), np.bool_)
    right[4, 1] = False
    assert debiasing.unanimous(right).tolist() == [True, False, True]


def test_a_video_and_its_edits_go_together():
    # Samples 0 and 3 are one family; only 0 is solved by all.
    right = np.array([[1, 0, 1, 1], [1, 1, 0, 0]], np.bool_)
    families = np.array([7, 5, 6, 7])
    assert debiasing.unanimous(right).tolist() == [True, False, False, False]
    assert debiasing.unanimous(right, families).tolist() == [True, False, False, True]
    # One of each class: the surest are 0 and 2, and 3 goes with 0.
    confidence = np.array([0.9, 0.1, 0.8, 0.2])
    gone = debiasing.balanced(2, np.array([0, 0, 1, 1]), confidence, 2, families)
    assert gone.tolist() == [True, False, True, True]


def test_a_balanced_split_removes_as_many_in_proportion_to_the_classes():
    # 6, 3 and 1 samples, 5 to go: 3, 1.5 and 0.5. The one that is left goes to the class with the
    # larger remainder; both have a half, so to the larger class.
    truth = np.array([0] * 6 + [1] * 3 + [2])
    confidence = np.array([0.1, 0.9, 0.8, 0.2, 0.7, 0.3, 0.4, 0.6, 0.5, 0.99])
    gone = debiasing.balanced(5, truth, confidence, 3)
    assert np.flatnonzero(gone).tolist() == [1, 2, 4, 7, 8]


def test_a_balanced_split_of_nothing_keeps_all():
    truth = np.array([0, 1, 1])
    assert not debiasing.balanced(0, truth, np.ones(3), 2).any()
    assert debiasing.balanced(3, truth, np.ones(3), 2).all()


def test_kappas_of_classes_and_of_right_and_wrong_differ():
    # Two models, three samples, all of class 0. They predict (0, 0), (1, 2), (0, 0).
    # Classes: pairs agree in 2/3; shares 4/6, 1/6, 1/6: chance 18/36; (2/3 - 1/2) / (1/2) = 1/3.
    # Right or wrong: they agree always: 1.
    predicted = np.array([[0, 1, 0], [0, 2, 0]])
    found = debiasing.kappas(predicted, predicted == 0)
    assert found.classes.value == pytest.approx(1 / 3)
    assert found.right.value == pytest.approx(1)


def test_no_prediction_is_an_answer_that_models_can_agree_on():
    # Both say nothing of sample 0 and class 0 of sample 1: always agreed.
    predicted = np.array([[-1, 0], [-1, 0]])
    found = debiasing.kappas(predicted, predicted == 0)
    assert found.classes.value == pytest.approx(1)
    assert Predicted(predicted[0], predicted[0] == 0).nothing == 1


def test_guesses_of_nine_models_hardly_remove_anything():
    # Two samples of two classes, one of four, three models: 2 / 8 + 1 / 64.
    assert debiasing.by_chance([2, 2, 4], 3) == pytest.approx(0.265625)
    assert debiasing.by_chance([101] * 3783) < 1e-14


def test_the_spread_of_kept_shares_is_zero_where_all_classes_keep_alike():
    truth = np.array([0, 0, 1, 1, 3, 3])
    alike = np.array([True, False] * 3)
    shares = debiasing.kept_by_class(alike, truth, 4)
    assert shares.tolist()[:2] == [0.5, 0.5]
    assert np.isnan(shares[2])
    assert debiasing.spread(shares) == 0
    # Kept 1, 0 and 1/2: mean 1/2, deviation sqrt(1/6).
    uneven = debiasing.kept_by_class(np.array([1, 1, 0, 0, 1, 0], np.bool_), truth, 4)
    assert debiasing.spread(uneven) == pytest.approx((1 / 6) ** 0.5 / 0.5)


def test_samples_of_one_family_are_drawn_together():
    # Each sample four times over: alone they look like four times the evidence.
    random = np.random.default_rng(2)
    once = random.integers(0, 3, (3, 20))
    predicted = np.repeat(np.where(random.random((3, 20)) < 0.6, once[0], once), 4, axis=1)
    families = np.repeat(np.arange(20), 4)
    alone = debiasing.kappas(predicted, predicted == 0).classes
    together = debiasing.kappas(predicted, predicted == 0, clusters=families).classes
    assert together.value == pytest.approx(alone.value)
    assert (alone.clusters, together.clusters) == (80, 20)
    assert together.high - together.low > 1.5 * (alone.high - alone.low)
