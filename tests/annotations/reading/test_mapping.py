import pytest

from annotations.reading.mapping import guess


def test_columns_are_found_by_the_names_that_data_sets_use() -> None:
    mapping = guess(["Video ID", "Question ", "optionA", "optionB", "Correct Answer", "split"])
    assert mapping.columns == {
        "video": ("Video ID",),
        "question": ("Question ",),
        "answer": ("Correct Answer",),
    }
    assert mapping.options == ("optionA", "optionB")
    assert mapping.tags == ("split",)


@pytest.mark.parametrize(
    "columns",
    [
        ("A", "B", "C"),
        ("a0", "a1", "a2"),
        ("option_1", "option_2", "option_3"),
        ("Option A", "Option B", "Option C"),
        ("choice1", "choice2", "choice3"),
    ],
)
def test_option_columns_are_a_family(columns: tuple[str, ...]) -> None:
    assert guess(["id", "video", "question", *reversed(columns), "answer"]).options == columns


def test_a_gap_among_option_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="gap: A, B, D"):
        guess(["question", "A", "B", "D"])


def test_what_is_given_wins_over_names() -> None:
    columns = ["id", "qid", "video", "text", "question", "x", "y", "answer", "topic"]
    given = [("id", "video+qid"), ("question", "Text"), ("options", "x,y"), ("tag", "topic")]
    mapping = guess(columns, given)
    assert mapping.columns["id"] == ("video", "qid")
    assert mapping.columns["question"] == ("text",)
    assert mapping.options == ("x", "y")
    assert mapping.tags == ("topic",)
    assert mapping.unused == ("id", "question")


def test_a_field_can_be_left_out() -> None:
    assert "answer" not in guess(["question", "answer"], [("answer", "")]).columns


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    with pytest.raises(ValueError, match="Did you mean 'question'"):
        guess(["question", "video"], [("question", "qestion")])
    with pytest.raises(ValueError, match="no field 'frage'"):
        guess(["question"], [("frage", "question")])


def test_the_mapping_is_shown_in_one_order() -> None:
    described = guess(["answer", "video", "question", "A", "B", "w"]).described()
    assert described == (
        ("question", "question"),
        ("options", "A, B"),
        ("answer", "answer"),
        ("video", "video"),
        ("not used", "w"),
    )
