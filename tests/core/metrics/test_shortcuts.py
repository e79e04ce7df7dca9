import json

import numpy as np
import pytest

from core.metrics import (
    accuracy,
    frame_information_disparity,
    frame_order_sensitivity,
    multi_frame_gain,
)
from core.statistics import bootstrap, gain

ALL = (multi_frame_gain, frame_order_sensitivity, frame_information_disparity)
TABLES = {
    "multi_frame_gain_random": multi_frame_gain,
    "multi_frame_gain_handpicked": multi_frame_gain,
    "frame_order_sensitivity": frame_order_sensitivity,
    "frame_information_disparity": frame_information_disparity,
}


def rows(module, above, below):
    return module.rows(accuracy.rows(above), accuracy.rows(below))


@pytest.mark.parametrize("module", ALL)
def test_a_gain_is_the_ratio_of_two_accuracies_less_one(module):
    # 3 of 4 right against 2 of 4: (3/4) / (2/4) - 1 = 0.5
    found = rows(module, [True, True, True, False], [True, False, True, False])
    assert module.value(found.sum(axis=0)) == pytest.approx(0.5)


def test_unread_answers_stay_in_both_denominators():
    # 2 of 3 against 1 of 3, the unread ones being wrong: 1.0
    found = rows(multi_frame_gain, [True, True, None], [True, None, None])
    assert multi_frame_gain.value(found.sum(axis=0)) == pytest.approx(1.0)


def test_conditions_need_not_have_as_many_answers():
    # 3 of 4 with frames in order; shuffled frames were shown for two questions only, 1 of 2 right.
    above = accuracy.rows([True, True, False, True])
    below = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    totals = frame_order_sensitivity.rows(above, below).sum(axis=0)
    assert frame_order_sensitivity.value(totals) == pytest.approx(0.5)


@pytest.mark.parametrize("name", TABLES)
def test_tomato_s_tables_follow_from_their_accuracies(name, shared):
    table = json.loads((shared / "reference" / "tomato_shortcuts.json").read_text())[name]
    module = TABLES[name]
    above, below = (1, 0)  # columns: the denominator's accuracy, the numerator's, the gain
    for benchmark, models in table.items():
        gains = []
        for model in ("GPT-4o", "Qwen2-VL-72B"):
            printed = models[model]
            totals = np.array([printed[above], 100.0, printed[below], 100.0])
            gains.append(100 * float(module.value(totals)))
            # Accuracies are rounded to 0.1, so gains agree to about 0.4 points.
            assert gains[-1] == pytest.approx(printed[2], abs=0.4), (benchmark, model)
        # The average row is the mean of the gains, not the gain of the mean accuracies.
        assert np.mean(gains) == pytest.approx(models["average"][2], abs=0.4), benchmark


def test_a_gain_has_an_interval_that_resamples_videos():
    above = [True, True, True, False, True, False] * 20
    below = [True, False, False, False, True, False] * 20
    found = rows(multi_frame_gain, above, below)
    videos = [i // 3 for i in range(len(above))]
    estimate = bootstrap.estimate(multi_frame_gain, found, videos, resamples=2000)
    assert estimate.value == pytest.approx(1.0)  # (4/6) / (2/6) - 1
    assert (estimate.n, estimate.clusters) == (120, 40)
    # By hand as a loop: draw 40 videos, sum, divide.
    random = np.random.default_rng(1)
    sums = found.reshape(40, 3, 4).sum(axis=1)
    drawn = [sums[random.integers(0, 40, 40)].sum(axis=0) for _ in range(2000)]
    ends = np.quantile([s[0] / s[2] - 1 for s in drawn], [0.025, 0.975])
    assert (estimate.low, estimate.high) == pytest.approx(tuple(ends), abs=0.06)


@pytest.mark.parametrize("module", ALL)
def test_a_gain_without_scale_says_why_and_is_no_number(module):
    nothing_right = rows(module, [True, True], [False, False])
    found = bootstrap.estimate(module, nothing_right)
    assert found.value is None
    assert "no right answer" in found.reason
    assert "no answers" in bootstrap.estimate(module, np.zeros((3, 4))).reason


def test_nothing_right_with_more_frames_is_the_least_gain():
    assert multi_frame_gain.value(np.array([0.0, 5.0, 2.0, 5.0])) == -1.0


def test_the_constant_in_the_denominator_changes_no_printed_digit():
    exact = gain.value(np.array([377.0, 1000.0, 1.0, 1000.0]))
    assert exact == pytest.approx(376.0, abs=1e-3)


def test_conditions_about_other_questions_are_refused():
    with pytest.raises(ValueError, match="same questions under both conditions"):
        multi_frame_gain.rows(np.zeros((3, 2)), np.zeros((2, 2)))
