import itertools
import json

import numpy as np
import pytest

from core.metrics import accuracy, frequent_choice
from core.statistics import bootstrap

VIDEOS = {
    "v1": [1, 1, 1, 1],
    "v2": [1, 1, 1, 1],
    "v3": [0, 0, 0, 0],
    "v4": [1, 1, 1, 0],
    "v5": [0, 0, 0, 0],
}


def by_video():
    right = [bool(one) for answers in VIDEOS.values() for one in answers]
    clusters = [video for video, answers in VIDEOS.items() for _ in answers]
    return accuracy.rows(right), clusters


def test_questions_of_one_video_are_resampled_together():
    rows, clusters = by_video()
    found = bootstrap.estimate(accuracy, rows, clusters)
    # 11 of 20 are right. All 5**5 resamples of videos have their 2.5 % and 97.5 % points at 0.15
    # and 0.95; resampling questions one by one would give 0.35 and 0.75.
    assert (found.value, found.n, found.clusters, found.reason) == (0.55, 20, 5, "")
    assert found.low == pytest.approx(0.15, abs=0.05)
    assert found.high == pytest.approx(0.95, abs=0.05)
    alone = bootstrap.estimate(accuracy, rows)
    assert (alone.low, alone.high, alone.clusters) == (0.35, 0.75, 20)


def test_spread_equals_that_of_all_possible_resamples():
    rows, clusters = by_video()
    sums = bootstrap.cluster_sums(rows, clusters)
    drawn = accuracy.value(bootstrap.resample(sums, 20_000, seed=3))
    means = [sum(answers) / 4 for answers in VIDEOS.values()]
    every = [sum(chosen) / 5 for chosen in itertools.product(means, repeat=5)]
    assert drawn.std() == pytest.approx(0.204939, abs=0.01)
    assert drawn.std() == pytest.approx(np.std(every), abs=0.005)
    for level in (0.1, 0.25, 0.5, 0.75, 0.9):
        assert np.mean(drawn <= np.quantile(every, level)) == pytest.approx(
            np.mean(np.array(every) <= np.quantile(every, level)), abs=0.02
        )


def test_a_plain_loop_over_drawn_videos_gives_the_same_limits():
    random = np.random.default_rng(11)
    sizes = [1, 3, 2, 7, 1, 1, 4, 2, 5, 3, 2, 2]
    videos = [random.integers(0, 2, size).tolist() for size in sizes]
    right = [bool(one) for video in videos for one in video]
    clusters = [number for number, video in enumerate(videos) for _ in video]
    values = []
    for _ in range(20_000):
        drawn = [videos[place] for place in random.integers(0, len(videos), len(videos))]
        values.append(sum(map(sum, drawn)) / sum(map(len, drawn)))
    low, high = np.quantile(values, [0.025, 0.975])
    found = bootstrap.estimate(accuracy, accuracy.rows(right), clusters)
    assert found.low == pytest.approx(low, abs=0.02)
    assert found.high == pytest.approx(high, abs=0.02)


def test_scipy_gives_the_same_limits_by_question():
    stats = pytest.importorskip("scipy.stats")
    right = np.arange(70) % 10 < 7
    found = bootstrap.estimate(accuracy, accuracy.rows(right))
    other = stats.bootstrap(
        (right.astype(float),), np.mean, method="percentile", n_resamples=10_000, rng=1
    ).confidence_interval
    assert found.low == pytest.approx(other.low, abs=0.015)
    assert found.high == pytest.approx(other.high, abs=0.015)


def test_many_equal_clusters_take_the_short_way_to_the_same_distribution():
    random = np.random.default_rng(5)
    few_kinds = accuracy.rows(random.integers(0, 2, 400).astype(bool))  # two kinds among 400
    noise = np.arange(400)[:, None] * 1e-9  # the same numbers to nine places, but all distinct
    short = accuracy.value(bootstrap.resample(few_kinds, 20_000, seed=1))
    long = accuracy.value(bootstrap.resample(few_kinds + noise, 20_000, seed=1))
    assert short.std() == pytest.approx(long.std(), rel=0.03)
    assert np.quantile(short, [0.025, 0.5, 0.975]) == pytest.approx(
        np.quantile(long, [0.025, 0.5, 0.975]), abs=0.005
    )


def test_published_half_widths_are_met(shared):
    table = json.loads((shared / "reference" / "actionatlas_accuracy.json").read_text())
    for row in table["rows"]:
        right = np.arange(table["questions"]) < round(
            table["questions"] * row["accuracy_pct"] / 100
        )
        found = bootstrap.estimate(accuracy, accuracy.rows(right))
        assert found.low is not None
        assert found.high is not None
        half_width = 100 * (found.high - found.low) / 2
        assert half_width == pytest.approx(row["half_width_pct"], abs=0.35), row


def test_runs_over_the_same_questions_share_their_resamples():
    rows, clusters = by_video()
    empty = np.zeros_like(rows)
    twice = np.stack([rows, rows, empty], axis=1)
    first, second, third = bootstrap.estimate_many(accuracy, twice, clusters)
    assert first == second == bootstrap.estimate(accuracy, rows, clusters)
    assert (third.value, third.low, third.reason) == (None, None, "no answers yet")


def test_a_paired_difference_knows_that_both_saw_the_same_videos():
    # The second run is right where the first is, and at one more question of each of 8 videos.
    first = accuracy.rows([True, False, True, False, False, False] * 8)
    second = accuracy.rows([True, False, True, False, False, True] * 8)
    clusters = [video for video in range(8) for _ in range(6)]
    found = bootstrap.difference(accuracy, second, first, clusters)
    # 3/6 - 2/6 in each video: 1/6 whichever videos are drawn.
    assert found.value == pytest.approx(1 / 6)
    assert found.low == pytest.approx(1 / 6)
    assert found.high == pytest.approx(1 / 6)
    assert "every resample gives the same value" in found.reason


def test_a_paired_difference_is_narrower_than_two_intervals_apart():
    random = np.random.default_rng(2)
    hard = random.random(300)
    first = accuracy.rows(hard < 0.5)
    second = accuracy.rows(hard < 0.55)
    found = bootstrap.difference(accuracy, second, first)
    apart = bootstrap.estimate(accuracy, first)
    assert found.low is not None
    assert found.high is not None
    assert apart.low is not None
    assert apart.high is not None
    assert found.high - found.low < (apart.high - apart.low) / 1.5


def test_a_difference_of_unlike_tables_says_what_is_wrong():
    with pytest.raises(ValueError, match=r"got \(2, 2\) and \(3, 2\)"):
        bootstrap.difference(accuracy, accuracy.rows([True] * 2), accuracy.rows([True] * 3))


def test_without_resamples_there_is_a_value_alone():
    rows = accuracy.rows([True, False, True])
    found = bootstrap.estimate(accuracy, rows, ["a", "a", "b"], resamples=0)
    assert found.value == pytest.approx(2 / 3)
    assert (found.low, found.high, found.reason) == (None, None, "")


def test_one_video_has_a_value_and_no_interval():
    found = bootstrap.estimate(accuracy, accuracy.rows([True, False, True]), ["a", "a", "a"])
    assert found.value == pytest.approx(2 / 3)
    assert (found.low, found.high, found.clusters) == (None, None, 1)
    assert found.reason == "one video only: an interval needs at least two"


def test_nothing_has_neither_value_nor_interval_but_a_reason():
    found = bootstrap.estimate(accuracy, accuracy.rows([]), [])
    assert (found.value, found.low, found.n, found.reason) == (None, None, 0, "no answers yet")


def test_resamples_without_a_value_are_left_out_and_counted():
    # Two videos, one without an answer: both draws miss the other one time in four.
    rows = np.array([[1.0, 1.0], [0.0, 0.0]])
    found = bootstrap.estimate(accuracy, rows, ["answered", "not answered"])
    assert (found.value, found.low) == (1.0, 1.0)
    assert found.reason.startswith("undefined in 2,")
    assert found.reason.endswith("of 10,000 resamples, left out")


def test_the_seed_decides():
    rows, clusters = by_video()
    again = [
        bootstrap.resample(bootstrap.cluster_sums(rows, clusters), 50, seed=s) for s in (1, 1, 2)
    ]
    assert np.array_equal(again[0], again[1])
    assert not np.array_equal(again[0], again[2])


def test_the_order_of_rows_and_the_names_of_videos_change_nothing():
    rows, clusters = by_video()
    numbers = np.array([["v1", "v2", "v3", "v4", "v5"].index(one) for one in clusters])
    assert bootstrap.estimate(accuracy, rows, clusters) == bootstrap.estimate(
        accuracy, rows, numbers
    )


def test_clusters_must_fit_the_rows():
    with pytest.raises(ValueError, match="Got 3 rows and 2 clusters"):
        bootstrap.estimate(accuracy, accuracy.rows([True] * 3), ["a", "b"])


def test_the_most_frequent_option_is_looked_for_in_each_resample():
    # Keys A A B B: a resample rarely has two of each, so its best place holds more than half.
    drawn = frequent_choice.value(bootstrap.resample(frequent_choice.rows([0, 0, 1, 1]), 4000, 0))
    # Of the 16 ways to draw four of two, 6 give 1/2, 8 give 3/4, 2 give 1: mean 11/16.
    assert drawn.mean() == pytest.approx(11 / 16, abs=0.01)
