import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from core.statistics import agreement, distance
from core.statistics.agreement import estimate
from core.statistics.ratings import Ratings

ALL = agreement.coefficients()


def value(name, table, scale: Any = "nominal") -> Any:
    ratings = table if isinstance(table, Ratings) else Ratings.from_table(table)
    return estimate(name, ratings, scale, resamples=0).value


def items_of(*counts, labels="xy"):
    """Raters by items, from how often each label was given to each item."""
    most = max(map(sum, counts))
    rows = [
        [label for label, times in zip(labels, one, strict=True) for _ in range(times)]
        + [None] * (most - sum(one))
        for one in counts
    ]
    return list(zip(*rows, strict=True))


def some_answers(seed, *, items=60, raters=5, labels=4, gaps=0.3):
    """Raters by items of numbers 1 to labels that lean towards a common truth."""
    random = np.random.default_rng(seed)
    truth = random.integers(1, labels + 1, items)
    guesses = random.integers(1, labels + 1, (raters, items))
    given = np.where(random.random((raters, items)) < 0.6, truth, guesses)
    return np.where(random.random((raters, items)) < gaps, 0, given)


def table_of(given):
    return [[int(one) or None for one in row] for row in given]


@pytest.mark.parametrize("name", ALL)
def test_a_coefficient_has_all_that_the_contract_asks(name):
    module = agreement.coefficient(name)
    assert module.NAME
    assert module.RANGE[0] < module.RANGE[1]
    assert module.HIGHER_IS_BETTER is True
    assert set(module.DISTANCES) <= set(distance.NAMES)
    assert module.RATERS in (None, 2)
    assert module.LEAST_ITEMS >= 1
    assert value(name, [["a", "b", "a"], ["a", "b", "b"]]) <= module.RANGE[1]


def test_alpha_of_four_raters_with_gaps_on_four_scales():
    # From the pairwise definition in exact fractions.
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    assert value("krippendorff", table) == pytest.approx(113 / 152)
    assert value("krippendorff", table, "ordinal") == pytest.approx(108577 / 133160)
    assert value("krippendorff", table, "interval") == pytest.approx(951 / 1120)
    assert value("krippendorff", table, "ratio") == pytest.approx(18222619 / 22852465)


def test_a_value_that_nobody_used_changes_nothing():
    table = [
        [1, 2, 2, 4, 1, 4, 2, None],
        [1, 2, 4, 4, 1, 4, 2, 2],
        [2, 2, 2, 4, 1, None, 1, None],
    ]
    plain = Ratings.from_table(table)
    full = Ratings.from_arrays(
        plain.item, plain.rater, np.array([0, 1, 3])[plain.value], [1, 2, 3, 4], np.arange(1.0, 5)
    )
    for ratings in (plain, full):
        assert value("krippendorff", ratings) == pytest.approx(25 / 44)
        assert value("krippendorff", ratings, "ordinal") == pytest.approx(61 / 80)
        assert value("krippendorff", ratings, "interval") == pytest.approx(75 / 94)


@pytest.mark.parametrize("gap", [None, "", "  ", float("nan"), "NA"])
def test_whatever_a_form_leaves_for_missing_is_no_label(gap):
    table = [
        ["A", "B", "B", gap, "C"],
        ["A", "B", gap, "C", "C"],
        ["A", "C", "B", "C", gap],
        [gap, "B", "B", gap, "C"],
    ]
    ratings = Ratings.from_table(table)
    # Do = 2/15, De = 24/35 over 15 pairable values.
    assert ratings.shared_values.sum() == 15
    assert value("krippendorff", ratings) == pytest.approx(29 / 36)


def test_fleiss_of_items_with_two_and_three_raters_uses_all_six():
    table = items_of((3, 0), (0, 3), (2, 1), (2, 0), (0, 2), (1, 1))
    found = estimate("fleiss", Ratings.from_table(table), resamples=0)
    # Shares that differ: 0 0 2/3 0 0 1, mean 5/18; pooled margins x 8/15, y 7/15: 112/225.
    # 1 - (5/18) / (112/225) = 1 - 125/224.
    assert found.value == pytest.approx(99 / 224)
    assert found.n == 6
    assert value("krippendorff", table) == pytest.approx(1 / 2)
    assert value("fleiss", items_of((3, 0), (0, 3), (2, 1))) == pytest.approx(11 / 20)


def test_cohen_is_over_shared_items_only():
    first = ["A", "A", "A", "B", "A", "B"] + [None] * 6
    second = ["A", "A", "B", "B", "A", "A"] + ["B"] * 6
    found = estimate("cohen", Ratings.from_table([first, second]), resamples=0)
    # Agreed 4/6; expected (4/6)(4/6) + (2/6)(2/6) = 5/9; (2/3 - 5/9) / (4/9).
    assert found.value == pytest.approx(1 / 4)
    assert found.n == 6
    assert found.excluded == (("items with one answer", 6),)
    assert value("percent", [first, second]) == pytest.approx(4 / 6)


def test_one_sided_labels_come_with_percent_agreement_and_counts():
    ratings = Ratings.from_table([["A"] * 20, ["A"] * 19 + ["B"]])
    assert value("percent", ratings) == pytest.approx(0.95)
    for name in ("krippendorff", "cohen"):
        found = estimate(name, ratings)
        assert found.value == pytest.approx(0.0)
        assert "too one-sided" in found.reason
        assert "(39 A, 1 B); percent agreement is 95.0 %" in found.reason
    # Do = 1/20; pooled 39/40 and 1/40: De = 2 * 39/1600; 1 - 80/78.
    assert value("fleiss", ratings) == pytest.approx(-1 / 39)


@pytest.mark.parametrize("name", ["cohen", "fleiss", "krippendorff"])
@pytest.mark.parametrize(
    ("table", "shared", "reason"),
    [
        ([["A", "B", "A"]], 0, "needs two raters"),
        ([[*"ABACBA"], [None, None, None, "C", None, None]], 1, "only 1 shared item"),
        ([["A", "B", None, None], [None, None, "A", "B"]], 0, "no shared items"),
        ([[None, ""], ["NA", None]], 0, "no answers yet"),
    ],
)
def test_what_is_undefined_says_why_and_warns_of_nothing(name, table, shared, reason):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = estimate(name, Ratings.from_table(table))
    assert (found.value, found.low, found.n, found.reason) == (None, None, shared, reason)


@pytest.mark.parametrize("name", ["cohen", "fleiss", "krippendorff"])
def test_where_everybody_always_answers_the_same_there_is_no_coefficient(name):
    found = estimate(name, Ratings.from_table([["A"] * 4, ["A"] * 4]))
    assert found.value is None
    assert found.reason.startswith("every answer is the same")
    assert "percent agreement is 100.0 %" in found.reason
    assert value("percent", [["A"] * 4, ["A"] * 4]) == 1.0


def test_cohen_of_more_than_two_asks_for_a_pair():
    found = estimate("cohen", Ratings.from_table([["A", "B"]] * 3))
    assert found.value is None
    assert found.reason == "is of 2 raters; these answers are of 3: choose a pair"


def test_a_distance_that_does_not_fit_is_refused_with_those_that_do():
    words, numbers = Ratings.from_table([["a", "b"]] * 2), Ratings.from_table([[-1, 2]] * 2)
    with pytest.raises(ValueError, match=r"Fleiss' kappa is not defined.*'ordinal'.*nominal"):
        estimate("fleiss", words, "ordinal")
    with pytest.raises(ValueError, match="needs answers on a numeric scale; got labels such as 'a"):
        estimate("krippendorff", words, "interval")
    with pytest.raises(ValueError, match=r"no negative numbers; got -1\. Use 'interval'"):
        estimate("krippendorff", numbers, "ratio")
    with pytest.raises(ValueError, match="symmetric"):
        distance.of_matrix(np.array([[0.0, 1.0], [2.0, 0.0]]))
    with pytest.raises(LookupError, match="krippendorff"):
        estimate("scott", words)


def test_somebody_who_answers_an_item_twice_is_refused():
    with pytest.raises(ValueError, match="rater 3 twice on item 7"):
        Ratings.from_arrays(np.array([7, 7]), np.array([3, 3]), np.array([0, 1]), ["a", "b"])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("raters", [2, 7])
@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_equals_the_library_krippendorff(scale, raters, seed):
    library = pytest.importorskip("krippendorff")
    given = some_answers(seed, raters=raters)
    theirs = library.alpha(
        reliability_data=np.where(given == 0, np.nan, given), level_of_measurement=scale
    )
    assert value("krippendorff", table_of(given), scale) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("scale", "weights"), [("nominal", None), ("linear", "linear"), ("interval", "quadratic")]
)
def test_cohen_equals_scikit_learn(scale, weights, seed):
    metrics = pytest.importorskip("sklearn.metrics")
    given = some_answers(seed, raters=2)
    both = (given > 0).all(axis=0)
    theirs = metrics.cohen_kappa_score(*given[:, both], labels=[1, 2, 3, 4], weights=weights)
    assert value("cohen", table_of(given), scale) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("raters", "labels"), [(2, 5), (9, 3)])
def test_fleiss_equals_statsmodels_where_all_items_have_the_same_raters(raters, labels, seed):
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    given = some_answers(seed, raters=raters, labels=labels, gaps=0)
    theirs = rater.fleiss_kappa(rater.aggregate_raters(given.T)[0])
    assert value("fleiss", table_of(given)) == pytest.approx(theirs, abs=1e-12)


def test_alpha_by_any_matrix_is_the_pairwise_definition():
    table = [[0, 1, 2, 2], [0, 2, 2, None], [1, 1, 0, 2]]
    matrix = np.array([[0, 1, 3], [1, 0, 1.5], [3, 1.5, 0]])
    columns = [[one for one in column if one is not None] for column in zip(*table, strict=True)]
    within = sum(
        2 * sum(float(matrix[a, b]) for a, b in combinations(column, 2)) / (len(column) - 1)
        for column in columns
    )
    pooled = [one for column in columns for one in column]
    among = 2 * sum(float(matrix[a, b]) for a, b in combinations(pooled, 2))
    expected = 1 - (within / len(pooled)) / (among / (len(pooled) * (len(pooled) - 1)))
    ratings = Ratings.from_table(table)
    assert value("krippendorff", ratings, distance.of_matrix(matrix)) == pytest.approx(expected)
    by_call = distance.called(lambda a, b: float(matrix[a, b]), ratings.labels)
    assert value("krippendorff", ratings, by_call) == pytest.approx(expected)


def test_the_order_of_people_items_and_answers_does_not_matter():
    random = np.random.default_rng(3)
    given = some_answers(3)
    plain = Ratings.from_table(table_of(given))
    turned = Ratings.from_table(table_of(given[::-1, ::-1]))
    order = random.permutation(len(plain.item))
    mixed = Ratings.from_arrays(
        plain.item[order], plain.rater[order], plain.value[order], plain.labels, plain.numbers
    )
    for name in ("percent", "fleiss", "krippendorff"):
        assert value(name, plain) == pytest.approx(value(name, turned), abs=1e-12)
        assert value(name, plain) == pytest.approx(value(name, mixed), abs=1e-12)
    pair, back = plain.of_pair(1, 4), turned.of_pair(0, 3)
    assert value("cohen", pair) == pytest.approx(value("cohen", back), abs=1e-12)


def test_an_interval_covers_the_value_it_was_simulated_with():
    # Each knows with probability 0.8 and guesses otherwise: alpha is 0.8 * 0.8.
    covered = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        truth = random.integers(0, 2, 80)
        knows = random.random((2, 80)) < 0.8
        given = np.where(knows, truth, random.integers(0, 2, (2, 80)))
        found: Any = estimate("krippendorff", Ratings.from_table(given.tolist()), resamples=1_000)
        covered += found.low <= 0.64 <= found.high
    assert covered >= 51  # 95 % of 60 is 57


def test_intervals_by_video_are_wider_where_a_video_decides():
    random = np.random.default_rng(0)
    good = np.repeat(random.random(20) < 0.5, 10)
    first = random.integers(0, 4, 200)
    second = np.where(good, first, (first + 1) % 4)
    ratings = Ratings.from_table([first.tolist(), second.tolist()])
    by_item: Any = estimate("cohen", ratings)
    by_video: Any = estimate(
        "cohen", ratings, clusters=np.repeat(np.arange(20), 10), cluster_word="video"
    )
    assert by_item.value == by_video.value
    assert (by_item.clusters, by_video.clusters) == (200, 20)
    assert by_video.high - by_video.low > 2 * (by_item.high - by_item.low)
    one = estimate("cohen", ratings, clusters=np.zeros(200, dtype=np.int64), cluster_word="video")
    assert one.reason == "one video only: an interval needs at least two"


def test_with_many_labels_value_is_exact_and_interval_close():
    # With three answers to every item, alpha on an interval scale is 1 - variance within items /
    # variance of all; resampling items outright is the reference for the interval.
    random = np.random.default_rng(5)
    truth = random.integers(0, 1_000, 400)
    given = np.where(random.random((3, 400)) < 0.7, truth, random.integers(0, 1_000, (3, 400)))
    ratings = Ratings.from_table(given.tolist())
    found = estimate("krippendorff", ratings, "interval", resamples=1_000)

    def alpha(columns):
        values = columns.astype(float)
        means = values.mean(axis=0)
        within = ((values - means) ** 2).sum() / (2 * values.shape[1])
        return 1 - within / values.ravel().var(ddof=1)

    assert found.value == pytest.approx(alpha(given), abs=1e-12)
    again = [alpha(given[:, random.integers(0, 400, 400)]) for _ in range(1_000)]
    low, high = np.quantile(again, [0.025, 0.975])
    assert found.low == pytest.approx(low, abs=0.02)
    assert found.high == pytest.approx(high, abs=0.02)


def test_label_shares_come_from_the_items_that_both_answered():
    # Shared items: 6, agreed 4: po = 2/3. A: 4 and 4 of 6, B: 2 and 2: pe = 16/36 + 4/36 = 5/9.
    # kappa = (2/3 - 5/9) / (4/9) = 1/4; over all answers of the second it would be 2/5.
    table = [[*"AAABAB"] + [None] * 6, [*"AABBAA", *"BBBBBB"]]
    assert value("cohen", table) == pytest.approx(0.25)
    assert value("percent", table) == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", ["cohen", "fleiss", "krippendorff"])
def test_where_all_agree_a_coefficient_has_the_bound_that_so_few_items_allow(name):
    agreeing = [["a", "b"] * 5, ["a", "b"] * 5]
    found = estimate(name, Ratings.from_table(agreeing), resamples=200)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    # 0.025 ** (1/10) = 0.6915: up to 30.85 % of items may hold disagreement; 1/2 is expected of two
    # labels that come equally often, 10/19 without pairing an answer with itself as in alpha.
    expected = 10 / 19 if name == "krippendorff" else 1 / 2
    assert found.exact == pytest.approx((1 - 0.3085 / expected, 1.0), abs=1e-3)
    assert "all answers agree" in found.reason
    # One that differs shows spread, and the interval stands.
    other = estimate(name, Ratings.from_table([["a", "b"] * 5, ["a", "b"] * 4 + ["b", "b"]]))
    assert other.exact is None
    assert other.low < other.high


@pytest.mark.parametrize("items", [8, 20])
def test_the_bound_of_a_coefficient_holds_the_truth_where_all_agree(items):
    # Two people differ on 4 % of items; with three labels, evenly, 2/3 would differ by chance.
    truth, rng, seen = 1 - 0.04 / (2 / 3), np.random.default_rng(items), 0
    for _ in range(200):
        first = rng.integers(0, 3, items)
        second = np.where(rng.random(items) < 0.04, (first + 1) % 3, first)
        found = estimate(
            "fleiss", Ratings.from_table([first.tolist(), second.tolist()]), resamples=0
        )
        if found.value == 1.0:
            seen += 1
            assert found.exact[0] <= truth <= found.exact[1]
    assert seen > 50


@pytest.mark.parametrize("unit", [1.0, 1e-7, 1e7])
def test_the_unit_of_numbers_changes_no_coefficient(unit: float):
    # Do = 1 * 2/8; De = 2 (8 * 53 - 19 * 19) / (8 * 7) = 2.25; alpha = 1 - 0.25 / 2.25 = 8/9.
    table = Ratings.from_table([[x * unit for x in row] for row in ([1, 2, 3, 3], [1, 2, 3, 4])])
    estimate = agreement.estimate("krippendorff", table, "interval", resamples=0)
    assert estimate.value == pytest.approx(8 / 9)


def test_a_far_label_that_a_pair_does_not_use_leaves_its_coefficient_defined():
    table = Ratings.from_table([[1, 2, 3, 3], [1, 2, 3, 4], [None, None, None, 1e9]])
    pair = table.of_pair(0, 1)
    assert agreement.estimate("krippendorff", pair, "interval", resamples=0).value == (
        pytest.approx(8 / 9)
    )


def test_endless_numbers_are_refused_where_their_distance_counts():
    table = Ratings.from_table([[1.0, float("inf")], [1.0, 2.0]])
    with pytest.raises(ValueError, match="finite numbers; got inf"):
        agreement.estimate("krippendorff", table, "interval")
    assert agreement.estimate("percent", table, resamples=0).value == 0.5
