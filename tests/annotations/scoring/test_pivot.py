"""Models by categories with an average row, ranks and baselines, by hand."""

import numpy as np
import pytest
from building import make_task

from annotations.run.runs import ensure_run
from annotations.scoring.leaderboard import leaderboard
from annotations.scoring.pivot import AVERAGE, OVERALL, pivot, plus_minus, rank_words
from annotations.scoring.snapshot import take
from annotations.scoring.solved_table import Which
from annotations.scoring.tag_change import changes, in_order, signed
from annotations.shortcut.shortcut_metrics import average_gain, gains
from core.refusal import Refusal
from core.statistics.metric import Estimate
from core.statistics.ranking import Rank


@pytest.fixture
def study(workspace, add_question, add_run):
    """Six questions of two categories; two models under two conditions, one answered a part."""
    for number in range(3):
        add_question(f"count/{number}")
    for number in range(3):
        add_question(f"direction/{number}")
    add_run("good", "16 frames", "rrrrrw")
    add_run("fair", "16 frames", "rwrw--")
    add_run("good", "1 random frame", "rwrwrw")
    add_run("fair", "1 random frame", "rwww--")
    return workspace


def test_cells_average_and_baselines_are_a_hand_count(study):
    with take(study) as snapshot:
        table = pivot(snapshot, "category", "16 frames")
    assert table.groups == ("count", "direction", OVERALL)
    assert table.questions == (3, 3, 6)
    rows = {row.name: [cell.value for cell in row.cells] for row in table.rows}
    assert rows["good"] == [1.0, pytest.approx(2 / 3), pytest.approx(5 / 6)]
    # "fair" answered count 2 of 3, of direction one question, wrong; 2 of 4 in all.
    assert rows["fair"] == [pytest.approx(2 / 3), 0.0, 0.5]
    assert rows[AVERAGE] == [pytest.approx(5 / 6), pytest.approx(1 / 3), pytest.approx(2 / 3)]
    assert rows["Random guess"] == [pytest.approx(1 / 3)] * 3
    assert [row.name for row in table.rows][:3] == ["good", "fair", AVERAGE]


def test_ranks_are_on_the_questions_that_all_models_answered(study):
    with take(study) as snapshot:
        table = pivot(snapshot, "category", "16 frames")
    assert table.common == 4
    ranked = {row.name: row.rank for row in table.rows if row.rank}
    assert (ranked["good"].rank, ranked["fair"].rank) == (1, 2)
    assert ranked["good"].low == 1


def test_questions_that_every_model_answered_are_one_choice(study):
    with take(study) as snapshot:
        lines = leaderboard(snapshot, Which(common=True))
    assert {line.questions for line in lines} == {4}
    assert [line.accuracy.value for line in lines if line.entry.condition == "16 frames"] == [
        1.0, 0.5,
    ]  # fmt: skip


def test_the_average_gain_is_the_mean_over_models(study):
    with take(study) as snapshot:
        mean = average_gain(snapshot, "multi-frame gain", "16 frames")
        each = gains(snapshot, "multi-frame gain", "16 frames")
    # good: 5/6 over 3/6 is +2/3; fair: 2/4 over 1/4 is +1.
    assert [gain.estimate.value for gain in each] == [pytest.approx(2 / 3), pytest.approx(1.0)]
    assert mean.estimate.value == pytest.approx((2 / 3 + 1) / 2)
    assert mean.model == "Average of 2 models"


def test_a_condition_that_nobody_has_is_refused_with_those_there_are(study):
    with take(study) as snapshot, pytest.raises(Refusal, match="1 random frame"):
        pivot(snapshot, "category", "full video")


def test_words_of_cells_and_ranks():
    assert plus_minus(Estimate(0.797, 0.777, 0.817)) == "79.7 ± 2.0"
    assert plus_minus(Estimate(1.0, 1.0, 1.0, exact=(0.9, 1.0))) == "100.0 ± 5.0"
    assert plus_minus(Estimate(None, reason="no answers")) == "–"
    assert rank_words(Rank(2, 1, 3, 0.1)) == "2 (1 to 3)"
    assert rank_words(Rank(1, 1, 1, 1.0)) == "1"
    assert rank_words(None) == ""


def test_an_average_that_resampling_cannot_vary_has_no_interval_and_says_why(
    workspace, add_question, add_run
):
    """Two questions about one video, and two about two: 'good' is right on all, 'bad' on none."""
    for number in range(2):
        add_question(f"alone/{number}", video="the only one")
    for number in range(2):
        add_question(f"pair/{number}")
    add_run("good", "16 frames", "rrrr")
    add_run("bad", "16 frames", "wwww")
    with take(workspace) as snapshot:
        table = pivot(snapshot, "category", "16 frames")
    rows = {row.name: [plus_minus(cell) for cell in row.cells] for row in table.rows}
    # (1 + 0) / 2 in every resample of the two videos, and with one video there is no resample.
    assert rows[AVERAGE] == ["50.0", "50.0", "50.0"]
    # Models have the exact bound: with 1 video 1 - 0.025, with 2 videos 1 - sqrt(0.025).
    assert rows["good"][:2] == ["100.0 ± 48.8", "100.0 ± 42.1"]
    one_video, no_spread = table.without_interval()
    assert one_video == (
        "Without ± (one video only: an interval needs at least two): Average of models on alone"
    )
    assert no_spread.endswith("Average of models on pair, Average of models on All")
    assert "every resample gives the same value" in no_spread


def test_two_runs_of_one_model_under_one_condition_are_told_apart(study, add_run):
    with study.store.write() as database:
        task = make_task(database, "none is right", settings={"condition": "16 frames"})
    ensure_run(study, "good", task)
    with take(study) as snapshot:
        names = [line.entry.name for line in leaderboard(snapshot)]
    assert len(names) == len(set(names))
    assert "good · none is right · 16 frames" in names


def test_a_flag_has_the_change_that_tomato_prints():
    # Table 7, GPT-4o: 77 of 200 right (38.5 %) where the tag says no, 48 of 200 (24.0 %) with yes.
    yes = np.arange(400) >= 200
    right = np.concatenate([np.arange(200) < 77, np.arange(200) < 48])
    table = np.stack([right, np.ones(400)], axis=1)[:, None, :].astype(float)
    [each], mean = changes(table, yes, ~yes, np.arange(400), "question")
    assert signed(each).split(" ")[0] == "-37.7"
    assert each.low < each.value < each.high < 0
    assert mean.value == pytest.approx(each.value)
    # Where every resample gives the same change, it cannot say how sure that is.
    assert signed(Estimate(-0.5, -0.5, -0.5)) == "-50.0"
    # Where none is right with no, there is nothing to be a multiple of.
    [none], _ = changes(table * yes[:, None, None], yes, ~yes, np.arange(400), "question")
    assert (none.value, signed(none), signed(None)) == (None, "–", "")
    assert in_order(["yes", "not stated", "no"]) == ["no", "not stated", "yes"]
