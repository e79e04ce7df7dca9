"""Few labels of people and a model's labels of everything: the truth within, and fewer needed."""

import numpy as np
import pytest
from bounds_held import in_95_of_100

from core.statistics import prediction_powered as powered

REPETITIONS = 2_000


def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def labelled_with_noise(rng, count: int, share: float, right: float):
    """What people would say about everything, and a model that is right so often."""
    truth = (rng.random(count) < share).astype(float)
    predicted = np.where(rng.random(count) < right, truth, 1 - truth)
    return truth, predicted


def test_by_hand():
    # 12 labels, 9 good; the model says good of 8 of them and of 60 of 100. Trusted fully it would
    # be 0.60 + (9 - 8) / 12; it is trusted by `power`: 0.75 + power * (0.60 - 8 / 12).
    labels = np.array([1.0] * 9 + [0.0] * 3)
    predicted = np.array([1.0] * 8 + [0.0] * 4)
    everything = np.array([1.0] * 60 + [0.0] * 40)
    result = powered.mean(labels, predicted, everything)
    # Covariance: (8 - 12 * 9/12 * 8/12) / 11 = 2/11; variances 8/33 and 24/99; n / N = 0.12.
    power = (2 / 11) / (8 / 33 + 0.12 * 24 / 99)
    assert result.power == pytest.approx(power)
    assert result.estimate.value == pytest.approx(0.75 + power * (0.60 - 8 / 12))
    assert result.alone.value == 0.75


def test_it_is_the_estimate_of_ppi_python():
    rng = random(1)
    labels, predicted = labelled_with_noise(rng, 150, 0.6, 0.9)
    _, others = labelled_with_noise(rng, 3_000, 0.6, 0.9)
    result = powered.mean(labels, predicted, others)
    # What ppi-python 0.2.3 printed for this data: ppi_mean_pointestimate(..., lam=result.power) and
    # ppi_mean_ci(..., alpha=0.05). It is no dependency, since it installs a package named tests.
    assert [labels.sum(), predicted.sum(), (labels * predicted).sum(), others.sum()] == [
        89, 80, 76, 1_776,
    ]  # fmt: skip
    assert result.power == pytest.approx(0.7291303702997868, abs=1e-12)
    assert result.estimate.value == pytest.approx(0.63610898, abs=1e-8)
    # Their power pools the variance of both samples, their bounds are the normal's.
    assert result.estimate.low == pytest.approx(0.58593805, abs=0.01)
    assert result.estimate.high == pytest.approx(0.68852251, abs=0.01)


def test_a_useless_model_is_not_trusted_and_costs_nothing():
    rng = random(2)
    labels = (rng.random(200) < 0.7).astype(float)
    noise, everything = rng.random(200), rng.random(5_000)
    result = powered.mean(labels, noise, everything)
    assert result.power < 0.15
    assert result.estimate.value == pytest.approx(result.alone.value, abs=0.01)
    few = powered.mean(labels[:5], noise[:5], everything)
    assert few.power == 0.0
    assert few.estimate.low == pytest.approx(few.alone.low)


@pytest.mark.slow
@pytest.mark.parametrize("right", [0.5, 0.9])
def test_the_bounds_of_a_share_hold_however_good_the_model_is(right):
    rng, held = random(3), 0
    for _ in range(REPETITIONS):
        truth, predicted = labelled_with_noise(rng, 2_000, 0.7, right)
        chosen = rng.choice(2_000, 120, replace=False)
        estimate = powered.mean(truth[chosen], predicted[chosen], predicted).estimate
        held += estimate.low <= 0.7 <= estimate.high
    assert in_95_of_100(held, REPETITIONS)


@pytest.mark.slow
@pytest.mark.parametrize("right", [0.5, 0.9])
def test_the_bounds_of_recall_hold_however_good_the_filter_is(right):
    rng, held = random(4), 0
    for _ in range(REPETITIONS):
        good, kept = labelled_with_noise(rng, 2_000, 0.7, right)
        chosen = rng.choice(2_000, 300, replace=False)
        estimate = powered.ratio(
            np.stack([kept * good, good], axis=1)[chosen],
            np.stack([kept, kept], axis=1)[chosen],
            np.stack([kept, kept], axis=1),
        ).estimate
        held += estimate.low <= right <= estimate.high
    assert in_95_of_100(held, REPETITIONS)


@pytest.mark.slow
def test_a_model_right_nine_times_in_ten_saves_two_thirds_of_the_answers():
    # 70 % of the items are clear to it (98 % right), 30 % are not (71 %): 89.9 % right together.
    # It says how sure it is, and people label more where it is not.
    rng, held, widths = random(5), 0, []
    right = 0.7 * 0.98 + 0.3 * 0.71
    share = 0.6 * right + 0.4 * (1 - right)
    count, labels = 3_000, 150
    for seed in range(REPETITIONS):
        sure = np.where(rng.random(count) < 0.7, 0.98, 0.71)
        score = np.where(rng.random(count) < 0.6, sure, 1 - sure)
        truth = (rng.random(count) < score).astype(float)
        probability = powered.chances(np.sqrt(score * (1 - score)), labels, even=0.2)
        chosen = powered.drawn(probability, seed)
        result = powered.mean(truth[chosen], score[chosen], score, probability[chosen])
        held += result.estimate.low <= share <= result.estimate.high
        widths.append(result.estimate.high - result.estimate.low)
    assert in_95_of_100(held, REPETITIONS)
    plain = 2 * 1.96 * np.sqrt(share * (1 - share) / labels)
    # Widths go with the root of the number of answers.
    found = float((np.mean(widths) / plain) ** 2)
    print(f"scores need {found:.1%} of the answers of people alone")
    assert found <= 1 / 3


@pytest.mark.slow
@pytest.mark.parametrize(("share", "needed"), [(0.5, 0.36), (0.7, 0.401)])
def test_bare_verdicts_right_nine_times_in_ten_save_less(share, needed):
    # A yes or no explains r² of what people say, and 1 - r² of their answers is still needed. With
    # as many good as bad r is 0.9 - 0.1, so that 36 % is the least that any estimate needs; at 70 %
    # good it is 1 - 0.168² / (0.7 * 0.3 * 0.66 * 0.34). Scores tell which verdicts to doubt.
    rng, widths = random(7), []
    labels, count = 150, 30_000
    for _ in range(400):
        truth, predicted = labelled_with_noise(rng, count, share, 0.9)
        chosen = rng.choice(count, labels, replace=False)
        result = powered.mean(truth[chosen], predicted[chosen], predicted)
        widths.append(result.estimate.high - result.estimate.low)
    plain = 2 * 1.96 * np.sqrt(share * (1 - share) / labels)
    found = float((np.mean(widths) / plain) ** 2)
    print(f"bare verdicts need {found:.1%} of the answers of people alone")
    assert needed - 0.01 < found < needed + 0.05


def test_chances_add_up_to_the_budget_and_nothing_has_none():
    doubt = np.array([0.0, 0.0, 1.0, 1.0, 50.0])
    probability = powered.chances(doubt, 2)
    assert probability.sum() == pytest.approx(2)
    # Half of 2 is even, 0.2 each; the rest would give the last one more than 1, which it has then.
    assert probability.min() > 0
    assert probability.max() == 1.0
    assert powered.chances(doubt, 9).tolist() == [1.0] * 5
    assert powered.chances(np.zeros(4), 2).tolist() == [0.5] * 4


def test_as_many_are_drawn_as_the_chances_add_up_to_and_each_by_its_chance():
    probability = powered.chances(np.linspace(0, 1, 40), 12)
    draws = np.array([powered.drawn(probability, seed) for seed in range(4_000)])
    assert set(draws.sum(axis=1)) <= {11, 12, 13}
    # Each frequency has a standard error of at most 0.5 / sqrt(4000) = 0.008.
    assert np.abs(draws.mean(axis=0) - probability).max() < 0.035
    assert (powered.drawn(probability, 7) == powered.drawn(probability, 7)).all()


def test_how_many_more_answers_a_wanted_width_costs():
    rng = random(6)
    truth, predicted = labelled_with_noise(rng, 4_000, 0.5, 0.9)
    first = powered.mean(truth[:100], predicted[:100], predicted)
    more = first.more_until(0.03)
    assert more
    later = powered.mean(truth[: 100 + more], predicted[: 100 + more], predicted)
    half = (later.estimate.high - later.estimate.low) / 2
    assert half == pytest.approx(0.03, abs=0.008)
    assert first.more_until(0.5) == 0


def test_what_cannot_be_said_has_a_reason():
    labels = np.array([1.0, 1.0])
    assert "fewer than three" in powered.mean(labels, labels, labels).estimate.reason
    none = np.zeros((5, 2))
    assert "denominator" in powered.ratio(none, none, none).estimate.reason
    same = powered.mean(np.ones(20), np.ones(20), np.ones(100)).estimate
    assert (same.value, same.low) == (1.0, None)
    # 20 of 20: at least 0.025 ** (1/20)
    assert same.exact == pytest.approx((0.025 ** (1 / 20), 1.0))
