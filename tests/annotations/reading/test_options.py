import pytest

from annotations.reading.options import (
    check_options,
    options_of_columns,
    read_options,
    split_question,
    strip_labels,
)
from annotations.reading.records import Fault

THREE = ["two", "three", "four"]


@pytest.mark.parametrize(
    "value",
    [
        ["two", "three", "four"],
        '["two", "three", "four"]',
        "['two', 'three', 'four']",
        {"A": "two", "B": "three", "C": "four"},
        {"C": "four", "A": "two", "B": "three"},
        {"a": "two", "b": "three", "c": "four", "d": None},
        {"0": "two", "1": "three", "2": "four"},
        '{"1": "two", "2": "three", "3": "four"}',
        "A. two\nB. three\nC. four",
        "1. two\n2. three\n3. four",
        "A. two B. three C. four",
        "(A) two (B) three (C) four",
        "two|three|four",
        "two; three; four",
        ["A. two", "B. three", "C. four"],
        ["(A) two", "(B) three", "(C) four"],
        ["A: two", "B: three", "C: four"],
    ],
)
def test_options_are_the_same_however_they_are_written(value: object) -> None:
    assert read_options(value) == THREE


def test_numbers_among_options_stay_as_written() -> None:
    assert read_options("[1.10, 2, true]") == ["1.10", "2", "true"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (["A. two", "C. four"], "found A, C, expected A, B, C"),
        ("A. two\nB three\nC. four", "only|found"),
        ({"A": "two", "C": "four"}, "found A, C, expected A, B, C"),
        (["two", None, "four"], "option 2 is empty"),
        (["two", "", "four"], "option 2 is empty"),
        ('["two", NaN]', "option 2 is empty"),
        (["two", {"x": 1}], "option 2 is not a text"),
        (7, "multiple choice without options"),
    ],
)
def test_options_with_a_gap_are_refused(value: object, words: str) -> None:
    if words == "only|found":
        assert "only options A, C" in check_options(read_options(value))[0]
        return
    with pytest.raises(Fault, match=words):
        read_options(value)


def test_initials_and_floors_are_no_labels() -> None:
    assert strip_labels(["J. Smith", "K. Jones"]) == ["J. Smith", "K. Jones"]
    assert strip_labels(["A. Smith", "K. Jones"]) == ["A. Smith", "K. Jones"]


def test_option_cells_are_text_and_only_an_empty_one_is_none() -> None:
    cells = [("A", "NA"), ("B", "Namibia"), ("C", "null"), ("D", "nan")]
    assert options_of_columns(cells) == ["NA", "Namibia", "null", "nan"]
    assert options_of_columns([("A", "Two"), ("B", "None"), ("C", ""), ("D", " ")]) == [
        "Two",
        "None",
    ]


def test_an_empty_cell_between_options_is_a_gap() -> None:
    with pytest.raises(Fault, match="found options A, B, D, expected A, B, C"):
        options_of_columns([("A", "x"), ("B", "y"), ("C", ""), ("D", "z")])


def test_options_in_the_question_are_taken_out_of_it() -> None:
    text = "How many cars turn left? A. two B. three C. four"
    assert split_question(text) == ("How many cars turn left?", THREE)
    text = "What is the man doing?\nA. two\nB. three\nC. four"
    assert split_question(text) == ("What is the man doing?", THREE)
    text = "Which caption fits?\nCaption A: two\nCaption B: three\nCaption C: four"
    assert split_question(text) == ("Which caption fits?", THREE)
    text = "Which?\nOption 1: two\nOption 2: three\nOption 3: four"
    assert split_question(text) == ("Which?", THREE)


def test_a_label_without_its_separator_is_an_error_and_not_a_shift() -> None:
    for text in (
        "How many cars turn left? A. two B three C. four",
        "How many cars turn left?\nA. two\nB three\nC. four",
        "How many? (A) two B three (C) four",
    ):
        with pytest.raises(Fault, match="found A, C, expected A, B, C"):
            split_question(text)


def test_a_question_without_labels_has_no_options() -> None:
    assert split_question("What happens next?") == ("What happens next?", [])
    assert split_question("Is J. Smith or K. Jones first?")[1] == []
    with pytest.raises(Fault, match="multiple choice without options"):
        check_options([])


def test_equal_options_are_told_of() -> None:
    assert check_options(["left", "up", "right", "Up."]) == ["options 2 and 4 are the same: 'up'"]
    with pytest.raises(Fault, match="1 option"):
        check_options(["left"])
    with pytest.raises(Fault, match="27 options"):
        check_options([str(i) for i in range(27)])
