import pytest

from core.statistics.segments import (
    beyond,
    fault,
    fitting_units,
    merge,
    merged_iou,
    overlap,
    parse_time,
    parse_window,
    summary,
)


@pytest.mark.parametrize(
    ("predicted", "truth", "iou", "status"),
    [
        ((35.28, 33.95), (34.77, 34.77), None, "start after end"),
        ((33.95, 35.28), (34.77, 34.77), 0.0, "zero-length truth"),
        ((34.77, 34.77), (34.77, 34.77), None, "both zero length"),
        ((8.0, 4.0), (4.0, 8.0), None, "start after end"),
        ((5.0, 5.0), (4.0, 8.0), 0.0, "zero-length prediction"),
        ((3.0, None), (0.0, 10.0), None, "missing time"),
        ((float("nan"), 4.0), (0.0, 10.0), None, "missing time"),
        ((0.0, float("inf")), (0.0, float("inf")), None, "missing time"),
        ((5.0, 15.0), (0.0, 10.0), 1 / 3, ""),  # 5 of 15
    ],
)
def test_what_is_no_segment_has_no_iou_and_says_why(predicted, truth, iou, status):
    found = overlap(predicted, truth)
    assert found.iou == (pytest.approx(iou) if iou is not None else None)
    assert found.status == status


def test_the_mean_names_what_it_does_with_invalid_ones():
    found = summary(
        overlap(predicted, (0, 10)) for predicted in [(0, 10), (5, 15), (20, 30), (3, None)]
    )
    # 1, 1/3 and 0 are valid: 4/9; over all four 1/3.
    assert (found.valid, found.invalid) == (3, 1)
    assert found.mean_valid == pytest.approx(4 / 9)
    assert found.mean_invalid_as_0 == pytest.approx(1 / 3)
    assert summary([]).mean_valid is None
    assert summary([]).mean_invalid_as_0 is None


def test_several_windows_count_time_that_is_in_both_sets_once():
    truth = [(10, 20), (40, 50)]
    one = [parse_window("00:12.00-00:22.00")]
    three = [*one, parse_window("00:15.00-00:25.00"), parse_window("00:41.00 to 00:49.00")]
    assert merged_iou(one, truth) == pytest.approx(8 / 22)
    # 12 to 25 and 41 to 49 against 10 to 20 and 40 to 50: 8 + 8 common, 15 + 10 in either.
    assert merged_iou(three, truth) == pytest.approx(16 / 25)
    assert merged_iou(truth, three) == pytest.approx(16 / 25)
    assert merged_iou([], truth) == 0.0
    assert merged_iou([], []) is None


def test_windows_that_touch_become_one_and_those_that_are_none_are_refused():
    assert merge([(4, 5), (1, 2), (2, 3), (1.5, 1.75)]) == [(1, 3), (4, 5)]
    with pytest.raises(ValueError, match=r"start < end; got 5 to 4 s \(start after end\)"):
        merge([(5, 4)])
    assert fault(1.0, 2.0) == ""
    assert fault(1.0, 1.0) == "zero length"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:06:22", 382), ("00:04:22", 262), ("4:22", 262), ("262", 262), ("04:22.0", 262),
        ("1:02:03.5", 3723.5), ("01:23.45", 83.45), ("12:34.56", 754.56), (" 0:00 ", 0),
    ],
)  # fmt: skip
def test_times_are_read_as_people_write_them(text, seconds):
    assert parse_time(text) == seconds


@pytest.mark.parametrize("text", ["4:75", "1:60:00", "", "-3", "nan", "4h", "1e9", "1:2:3:4"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValueError, match=r"is no time\. Allowed: seconds such as 262\.5"):
        parse_time(text)


def test_a_window_needs_two_times_and_keeps_their_order():
    assert parse_window("22-12") == (22, 12)
    with pytest.raises(ValueError, match="is no segment"):
        parse_window("12")


def test_a_time_beyond_the_video_says_by_how_much():
    duration = parse_time("5:17")
    assert beyond(parse_time("00:06:22"), duration) == 65
    assert beyond(parse_time("1:02:03.5"), duration) == 3406.5
    assert beyond(262.0, duration) is None


def test_times_in_other_units_do_not_fit_as_seconds():
    duration = 1051 / 30
    assert fitting_units(2866667, duration) == ("us",)
    assert fitting_units(2867, duration)[0] == "ms"
    assert fitting_units(20.0, duration)[0] == "s"
    # 86 / 30 s in the two units: 2.866667 of 2.867 s.
    assert merged_iou([(0, 2.866667)], [(0, 2.867)]) == pytest.approx(0.99988, abs=1e-5)
