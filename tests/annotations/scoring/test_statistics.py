"""Every statistic of core/metrics over stored answers."""

import pytest

from annotations.scoring.leaderboard import leaderboard
from annotations.scoring.snapshot import take
from annotations.scoring.statistics import figures


@pytest.fixture
def study(workspace, add_question, model_says):
    """Three questions of 3, 3 and 2 options, keys B, B and A; the model is right on two."""
    add_question("count/1")
    add_question("count/2")
    add_question("shape/1", ("round", "flat"), 0)
    for uid, reply in (("count/1", "B"), ("count/2", "A"), ("shape/1", "A")):
        model_says("reader", uid, reply)
    return workspace


def test_each_statistic_has_the_value_that_a_hand_count_gives(study):
    with take(study) as snapshot:
        shown = {figure.statistic: figure.estimate for figure in figures(snapshot)}
        [line] = leaderboard(snapshot)
    assert {"accuracy", "random_guess", "frequent_choice"} <= shown.keys()
    assert shown["accuracy"].value == pytest.approx(2 / 3)
    assert shown["accuracy"].value == line.accuracy.value
    assert (shown["accuracy"].low, shown["accuracy"].high) == (
        line.accuracy.low,
        line.accuracy.high,
    )
    # Blind guesses: 1/3, 1/3 and 1/2, so (1/3 + 1/3 + 1/2) / 3 = 7/18.
    assert shown["random_guess"].value == pytest.approx(7 / 18)
    # The key stands at B twice and at A once: always B is right on 2 of 3.
    assert shown["frequent_choice"].value == pytest.approx(2 / 3)
    assert {estimate.n for estimate in shown.values()} == {3}


def test_figures_of_people_alone_leave_models_out(study):
    with take(study) as snapshot:
        assert figures(snapshot, people_alone=True) == []
        assert {figure.entry.model for figure in figures(snapshot)} == {"reader"}


def test_statistics_that_compare_conditions_or_need_a_filter_are_not_among_them(study):
    with take(study) as snapshot:
        names = {figure.statistic for figure in figures(snapshot)}
    assert not names & {"multi_frame_gain", "recall", "precision", "judge_score"}
