import pytest

from annotations.reading.answer_key import NotANumber
from annotations.reading.checks import (
    check_span,
    fit_span,
    looks_like_date,
    read_id,
    read_seconds,
    read_text,
    read_video_name,
    unit_of,
)
from annotations.reading.records import Fault


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:06:22", 382.0),
        ("00:04:22", 262.0),
        ("4:22", 262.0),
        ("262", 262.0),
        ("04:22.0", 262.0),
        ("1:02:03.5", 3723.5),
        ("01:23.45", 83.45),
        ("12:34.56", 754.56),
        (12, 12.0),
        ("0", 0.0),
        ("", None),
        (None, None),
    ],
)
def test_times_are_read_in_seconds_and_in_minutes(text: object, seconds: float | None) -> None:
    assert read_seconds(text, "start") == seconds


@pytest.mark.parametrize(
    "text", ["4:75", "1:60:00", "-3", "12,5", "soon", "1e400", "inf", "nan", "4:22:1:3"]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(Fault, match="not a time"):
        read_seconds(text, "start")


def test_the_unit_of_a_column_is_in_its_name() -> None:
    assert (unit_of("end_ms"), unit_of("end_us"), unit_of("end"), unit_of("frames")) == (
        "ms",
        "us",
        "s",
        "s",
    )
    assert read_seconds(2866667, "end_us", "us") == 2.866667
    assert read_seconds("2867", "end_ms", "ms") == 2.867


def test_a_clip_has_to_start_before_it_ends() -> None:
    check_span(4.0, None, "start, end")
    for end in (4.0, 3.0):
        with pytest.raises(Fault, match="does not start before it ends"):
            check_span(4.0, end, "start, end")


def test_a_time_beyond_the_video_is_refused_with_how_far() -> None:
    # 5:17 is 317 s, 00:06:22 is 382 s: 65 s beyond
    with pytest.raises(Fault, match=r"ends 65\.0 s beyond"):
        fit_span(262.0, 382.0, 317.0, "start, end")
    with pytest.raises(Fault, match=r"starts 3406\.5 s beyond"):
        fit_span(3723.5, None, 317.0, "start, end")
    assert fit_span(0.0, 317.0, 317.0, "") == (317.0, False)


def test_microseconds_taken_for_seconds_are_told_of() -> None:
    with pytest.raises(Fault) as caught:
        fit_span(0.0, 2866667.0, 35.033333, "start, end")
    assert "_us" in caught.value.todo
    with pytest.raises(Fault) as caught:
        fit_span(0.0, 2867.0, 35.033333, "start, end")
    assert "_ms" in caught.value.todo


def test_an_end_rounded_up_is_the_end_of_the_video() -> None:
    assert fit_span(30.0, 35.1, 35.033, "") == (None, True)


def test_identities_that_a_spreadsheet_shortened_are_refused() -> None:
    for text in ("2.01E+05", "1E+11", "4,01E+09"):
        with pytest.raises(Fault, match="spreadsheet shortened"):
            read_id(text, "id")
    assert read_id("2e5x", "id") == "2e5x"
    assert read_id(" 17 ", "id") == "17"
    assert read_id("17.0", "id", whole=True) == "17"
    assert read_id("17.0", "id") == "17.0"
    assert read_id(17, "id") == "17"
    with pytest.raises(Fault, match="no identity"):
        read_id("  ", "id")
    assert looks_like_date("9-Feb")
    assert looks_like_date("Mar-03")
    assert not looks_like_date("0209-03")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("human/0209-03.mp4", "human/0209-03.mp4"),
        ("human\\0209-03.mp4", "human/0209-03.mp4"),
        ("C:\\data\\videos\\a b.mp4", "data/videos/a b.mp4"),
        ("./a/./b.mp4", "a/b.mp4"),
        ("/data/videos/b.mp4", "data/videos/b.mp4"),
        ("https://example.org/v/b.mp4", "v/b.mp4"),
        ("shape&trend/1.mp4", "shape&trend/1.mp4"),
        ("cafe\u0301.mp4", "caf\u00e9.mp4"),
    ],
)
def test_video_names_are_kept_as_paths_below_a_folder(given: str, name: str) -> None:
    assert read_video_name(given, "video") == name


def test_a_video_name_cannot_lead_out_of_its_folder() -> None:
    for given in ("../secret.mp4", "a/../../b.mp4", "C:\\..\\x.mp4", "/"):
        with pytest.raises(Fault, match="below the video folder"):
            read_video_name(given, "video")


def test_texts_are_composed_and_have_no_blanks_around() -> None:
    assert read_text(" cafe\u0301 ", "question") == "caf\u00e9"
    assert read_text(None, "question") == ""
    assert read_text(7, "question") == "7"
    for value in (NotANumber("NaN"), ["a"], "a\udce9b", "a\x00b"):
        with pytest.raises(Fault):
            read_text(value, "question")
