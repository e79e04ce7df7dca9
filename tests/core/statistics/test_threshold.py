import numpy as np
import pytest

from core.statistics import threshold
from core.statistics.threshold import UNJUDGED, band, steps, sweep
from core.statistics.threshold_choice import cases_needed, choose

SCORES = np.array([0.1, 0.2, 0.2, 0.5, 0.7, 0.9])
#                  rej  acc  rej  acc   ?   acc
VERDICTS = np.array([0, 1, 0, 1, UNJUDGED, 1])


def test_a_sweep_by_hand():
    found = sweep(SCORES, VERDICTS, np.array([0.0, 0.2, 0.21, 0.9, 0.91]))
    assert found.kept.tolist() == [6, 5, 3, 1, 0]
    assert found.accepted_kept.tolist() == [3, 3, 2, 1, 0]
    assert found.rejected_kept.tolist() == [2, 1, 0, 0, 0]
    assert found.recall.tolist() == pytest.approx([1, 1, 2 / 3, 1 / 3, 0])
    # Of what is kept and judged: 3 of 5, 3 of 4, 2 of 2, 1 of 1, then nothing is kept.
    assert found.precision[:4].tolist() == pytest.approx([3 / 5, 3 / 4, 1, 1])
    assert np.isnan(found.precision[4])


def test_where_people_accept_nothing_recall_is_undefined_everywhere():
    found = sweep(SCORES, np.zeros(6, dtype=np.int64))
    assert np.isnan(found.recall).all()


def test_every_threshold_counts_as_going_through_the_items_one_by_one_does():
    random = np.random.default_rng(0)
    scores, verdicts = random.normal(size=500).round(2), random.integers(-1, 2, 500)
    found = sweep(scores, verdicts)
    for place in range(0, len(found.thresholds), 37):
        kept = [s >= found.thresholds[place] for s in scores]
        assert found.kept[place] == sum(kept)
        assert found.accepted_kept[place] == sum(
            k and v == 1 for k, v in zip(kept, verdicts, strict=True)
        )


@pytest.mark.parametrize(
    "scores", [[0.1], [0.3, 0.3], [-0.02, 0.31], [1e-7, 3e-7], [12.0, 4000.0], [0.0, 1.0]]
)
def test_steps_are_round_and_go_from_everything_to_nothing(scores: list[float]):
    found = steps(np.array(scores), 100)
    assert (np.diff(found) > 0).all()
    assert len(found) <= 102
    assert found[0] <= min(scores)
    assert found[-1] > max(scores)


def test_without_scores_there_are_no_steps():
    assert len(steps(np.empty(0))) == 0


def test_the_band_is_that_of_drawing_items_again_one_by_one():
    random = np.random.default_rng(1)
    verdicts = random.integers(0, 2, 120)
    scores = random.normal(verdicts * 1.0, 1.0)
    at = np.array([-1.0, 0.0, 1.0])
    found = band(scores, verdicts, at, resamples=4000)
    drawn = []
    for _ in range(4000):
        chosen = random.integers(0, 120, 120)
        one = sweep(scores[chosen], verdicts[chosen], at)
        drawn.append((one.recall, one.precision))
    recalls, precisions = (np.array(part) for part in zip(*drawn, strict=True))
    assert found.recall_low == pytest.approx(np.quantile(recalls, 0.025, axis=0), abs=0.02)
    assert found.recall_high == pytest.approx(np.quantile(recalls, 0.975, axis=0), abs=0.02)
    assert found.precision_low == pytest.approx(np.quantile(precisions, 0.025, axis=0), abs=0.02)


def test_clips_of_one_video_make_the_band_wider():
    random = np.random.default_rng(2)
    videos = np.repeat(np.arange(30), 6)
    verdicts = np.repeat(random.integers(0, 2, 30), 6)
    scores = np.repeat(random.normal(size=30), 6)
    alone = band(scores, verdicts, np.array([0.0]))
    together = band(scores, verdicts, np.array([0.0]), videos)
    width = alone.recall_high - alone.recall_low
    assert (together.recall_high - together.recall_low)[0] > 1.8 * width[0]


def test_one_video_has_no_band():
    found = band(SCORES, VERDICTS, np.array([0.2]), np.zeros(6, dtype=np.int64))
    assert np.isnan(found.recall_low).all()


def test_a_threshold_that_the_sample_reaches():
    scores = np.arange(20) / 20  # accepted: all
    found = choose(scores, np.ones(20, dtype=np.int64), 0.9, certain=False)
    # 18 of 20 have to stay, so the two lowest, 0.0 and 0.05, go.
    assert found.threshold == pytest.approx(0.10)
    assert found.reached == 0.9
    assert (found.low or 0) <= 0.10 <= (found.high or 1)


def test_a_certain_threshold_keeps_more_than_the_sample_asks_for():
    scores = np.arange(100) / 100
    found = choose(scores, np.ones(100, dtype=np.int64), 0.9)
    # The lower bound of 95 of 100 is 0.8977, that of 96 of 100 is 0.9108: 96 have to stay.
    assert found.threshold == pytest.approx(0.04)
    assert found.reached == 0.96
    assert found.at_least == pytest.approx(0.9108, abs=1e-4)


def test_what_is_certain_holds_in_so_many_samples():
    random = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        scores = random.normal(size=200)
        found = choose(scores, np.ones(200, dtype=np.int64), 0.9, resamples=10)
        # The share of all that is kept, of a normal distribution.
        beyond = random.normal(size=20_000) >= (found.threshold or 0)
        held += beyond.mean() >= 0.9
    assert held / 400 > 0.93


def test_a_sample_too_small_to_be_certain_says_how_many_it_needs():
    found = choose(np.arange(20.0), np.ones(20, dtype=np.int64), 0.95)
    assert found.threshold is None
    # 0.05 ** (1 / 20) = 0.861; ln 0.05 / ln 0.95 = 58.4.
    assert found.at_least == pytest.approx(0.861, abs=1e-3)
    assert found.needed == cases_needed(0.95) == 59
    assert "59" in found.reason


def test_without_anything_accepted_there_is_no_threshold_but_a_reason():
    found = choose(SCORES, np.zeros(6, dtype=np.int64), 0.9)
    assert found.threshold is None
    assert "accept none of the 6 items" in found.reason
    assert "none of these" in choose(SCORES, np.full(6, UNJUDGED), 0.9).reason


def test_nobody_can_be_certain_to_lose_nothing():
    found = choose(np.arange(500.0), np.ones(500, dtype=np.int64), 1.0)
    assert found.threshold is None
    assert "less than 100 %" in found.reason
    assert choose(np.arange(5.0), np.ones(5, dtype=np.int64), 1.0, certain=False).threshold == 0.0


def test_equal_scores_stay_or_go_together():
    scores = np.array([0.2, 0.2, 0.2, 0.8])
    found = choose(scores, np.ones(4, dtype=np.int64), 0.5, certain=False)
    assert found.threshold == 0.2
    assert found.reached == 1.0


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="no number"):
        threshold.check(np.array([0.1, np.nan]), np.array([1, 0]))
    with pytest.raises(ValueError, match="same items"):
        threshold.check(np.array([0.1]), np.array([1, 0]))
    with pytest.raises(ValueError, match="wanted share is 0"):
        choose(SCORES, VERDICTS, 0)
