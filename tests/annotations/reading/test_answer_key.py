from collections.abc import Sequence

import pytest

from annotations.reading.answer_key import NotANumber, matches, read_key, several_keys
from annotations.reading.key_survey import Survey
from annotations.reading.records import Fault

FOUR = ("a cat", "a dog", "a cow", "a hen")


def survey(answers: Sequence[object], options: Sequence[Sequence[str]] | None = None) -> Survey:
    found = Survey()
    for number, answer in enumerate(answers):
        found.add(answer, options[number] if options else FOUR, f"row {number + 2}")
    return found


def as_letters(answers: Sequence[object], style: str) -> list[str]:
    keys = [read_key(answer, FOUR, style) for answer in answers]
    return ["ABCD"[key] for key in keys if key is not None]


@pytest.mark.parametrize(
    ("answers", "style", "letters"),
    [
        ([0, 3, 1, 2], "0", ["A", "D", "B", "C"]),
        (["0", "3", "1", "2"], "0", ["A", "D", "B", "C"]),
        (["0.0", 3.0, " 1 ", "2"], "0", ["A", "D", "B", "C"]),
        ([1, 4, 2], "1", ["A", "D", "B"]),
        (["B", "b", "(C)", "D.", "[A]", "Option B", "Ｂ"], "letters", list("BBCDABB")),
        (["a dog", "A dog.", "B. a dog", " a  DOG "], "text", ["B", "B", "B", "B"]),
        (["B", "a cow"], "letters", ["B", "C"]),
    ],
)
def test_answers_of_a_file_are_read_in_the_style_they_show_together(
    answers: list[object], style: str, letters: list[str]
) -> None:
    assert survey(answers).style().style == style
    assert as_letters(answers, style) == letters


def test_base_is_asked_for_when_no_row_shows_it() -> None:
    style = survey([1, 2, 3]).style()  # 4 options: neither 0 nor 4 occurs
    assert style.style == "ask"
    assert "0" in style.why
    assert "1" in style.why


def test_positions_that_fit_neither_base_are_asked_about() -> None:
    assert survey([0, 3, 1, 4]).style().style == "ask"


def test_one_stray_position_among_many_costs_only_itself() -> None:
    answers = [0, 1, 2, 3] * 10 + [4]  # ten zeros say: from 0; the 4 is outside 0-3
    assert survey(answers).style().style == "0"
    with pytest.raises(Fault, match="key outside 0 to 3"):
        read_key(4, FOUR, "0")


def test_a_zero_for_no_answer_does_not_shift_positions_from_1() -> None:
    assert survey([1, 2, 3, 4] * 10 + [0]).style().style == "1"


def test_letters_and_numbers_in_one_column_are_refused_together() -> None:
    style = survey(["B", 2, "2"]).style()
    assert style.style == "mixed"
    assert "letters and numbers mixed in one column" in style.why


def test_numbers_that_are_option_texts_and_no_positions_are_texts() -> None:
    options = [("10", "12", "14"), ("3", "5", "7")]
    assert survey(["12", "7"], options).style().style == "text"
    assert read_key("12", options[0], "text") == 1


def test_numbers_that_may_be_positions_or_texts_are_asked_about() -> None:
    options = [("2", "1", "3"), ("0", "2", "1")]
    # as a position from 0, 0 is '2'; as a text, 0 is in the second row's options only
    assert survey(["2", "0"], options).style().style == "ask"


def test_numbers_are_positions_when_one_row_has_no_such_text() -> None:
    options = [("2", "1", "3"), ("red", "blue", "green")]
    assert survey([0, 2], options).style().style == "0"


def test_zero_is_an_answer_and_empty_is_none() -> None:
    assert read_key(0, FOUR, "0") == 0
    for empty in (None, "", "  ", NotANumber("NaN")):
        assert read_key(empty, FOUR, "0") is None


NINE = tuple(f"o{i}" for i in range(1, 10))


@pytest.mark.parametrize(
    ("answer", "options", "style", "words"),
    [
        ("J", NINE, "letters", "key outside A-I"),
        ("a horse", FOUR, "text", "answer text matches no option"),
        ("up", ("left", "up", "right", "up"), "text", "answer text matches options 2 and 4"),
        ("B", ("left", "up", "right", "up"), "letters", "options 2 and 4 are equal"),
        (-1, FOUR, "0", "key outside 0 to 3"),
        (0, FOUR, "1", "key outside 1 to 4"),
        ("1.5", FOUR, "0", "not a position"),
        ("A, C", FOUR, "letters", "several keys"),
        (["A", "C"], FOUR, "letters", "not one value"),
        ({"a": 1}, FOUR, "letters", "not one value"),
        ("B. a cow", FOUR, "text", "matches no option"),
        ("B", ("B", "A"), "letters", "also the text of option 1"),
        ("2", FOUR, "letters", "a number in a column of letters"),
        (True, FOUR, "text", "matches no option"),
    ],
)
def test_a_key_that_names_no_single_option_says_why(
    answer: object, options: Sequence[str], style: str, words: str
) -> None:
    with pytest.raises(Fault, match=words) as caught:
        read_key(answer, options, style)
    assert caught.value.todo


def test_an_equal_option_beats_one_equal_but_for_case() -> None:
    assert matches("Left", ["left", "Left", "LEFT."]) == [1]
    assert matches("left!", ["right", "Left."]) == [1]


def test_a_list_of_one_answer_is_that_answer() -> None:
    assert read_key(["C"], FOUR, "letters") == 2


def test_yes_written_as_true_finds_its_option() -> None:
    assert read_key(True, ("True", "False"), "text") == 0


def test_a_caption_named_by_label_and_text_is_found() -> None:
    options = ("The man runs.", "The man walks.")
    assert read_key("Option 2: The man walks.", options, "text") == 1
    assert read_key("Caption A: The man runs.", options, "text") == 0


@pytest.mark.parametrize(
    ("cell", "keys"),
    [("A and C", [0, 2]), ("A, B and C", [0, 1, 2]), ("a & b", [0, 1]), ("A and B", [])],
)
def test_letters_joined_in_words_are_several_keys_unless_an_option_says_so(
    cell: str, keys: list[int]
):
    options = ["left", "right", "up"] if keys else ["left", "right", "A and B"]
    assert several_keys(cell, options, "letters") == keys
