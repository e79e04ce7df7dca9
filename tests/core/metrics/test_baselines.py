import json

import numpy as np
import pytest

from core.metrics import frequent_choice, random_guess


def total(rows):
    return rows.sum(axis=0)


def test_a_random_guess_expects_one_over_the_number_of_options():
    # (1/3 + 1/4 + 1/7) / 3 = (28 + 21 + 12) / 252
    assert random_guess.value(total(random_guess.rows([3, 4, 7]))) == pytest.approx(61 / 252)


def test_a_drawn_guess_is_the_same_for_the_same_seed_and_scatters_around_the_expectation():
    options = np.array([3, 4, 5, 6, 7] * 800)
    keys = np.zeros(len(options), dtype=np.int64)
    shares = [float(np.mean(random_guess.draw(options, seed) == keys)) for seed in range(20)]
    assert np.array_equal(random_guess.draw(options, 42), random_guess.draw(options, 42))
    assert np.mean(shares) == pytest.approx(
        float(random_guess.value(total(random_guess.rows(options)))), abs=0.01
    )
    assert np.all((random_guess.draw(options, 1) >= 0) & (random_guess.draw(options, 1) < options))


def test_a_question_without_options_is_refused():
    with pytest.raises(ValueError, match="Row 1 has 0 options"):
        random_guess.rows([4, 0])


def test_the_most_frequent_option_is_the_best_single_place():
    # Keys B B A C B: place B holds 3 of 5.
    assert frequent_choice.value(total(frequent_choice.rows([1, 1, 0, 2, 1]))) == 0.6


def test_a_place_that_a_question_lacks_is_a_miss():
    # Seven options where the key is G, G; one question of three options with key A.
    assert frequent_choice.value(total(frequent_choice.rows([6, 6, 0], 7))) == pytest.approx(2 / 3)


def test_a_key_outside_the_options_is_refused():
    with pytest.raises(ValueError, match="Keys go from 0 to 4; allowed are 0 to 3"):
        frequent_choice.rows([0, 4], 4)


@pytest.mark.parametrize("statistic", [random_guess, frequent_choice])
def test_no_questions_give_a_reason_and_no_number(statistic):
    empty = total(statistic.rows([]))
    assert np.isnan(statistic.value(empty))
    assert statistic.undefined(empty) == "no questions"


def test_tomato_s_baselines_by_reasoning_type(shared):
    # Most frequent place by counting the released keys, in percent. The paper prints 20.2 and 18.8
    # for the two types whose best place is A; its values for the other types are lower than these.
    best = {
        "rotation": 25.5,
        "direction": 20.8,
        "velocity&frequency": 26.7,
        "shape&trend": 20.2,
        "visual_cues": 38.6,
        "count": 18.8,
    }
    for name, percent in best.items():
        questions = json.loads((shared / "data" / "tomato" / f"{name}.json").read_text()).values()
        rows = frequent_choice.rows([question["answer"] for question in questions])
        assert 100 * frequent_choice.value(total(rows)) == pytest.approx(percent, abs=0.05)
