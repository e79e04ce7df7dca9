import json
from collections import Counter

import pytest

from annotations import format
from annotations.format import Choices
from annotations.reading.records import Problem, QuestionDraft


def opened(path):
    assert format.detect(path) == "tempcompass"
    reading = format.load("tempcompass").read(path, Choices())
    rows = list(reading.rows())
    assert rows == list(reading.rows())
    drafts = [row for row in rows if isinstance(row, QuestionDraft)]
    return reading, drafts, [row for row in rows if isinstance(row, Problem)]


def write(folder, task, aspects, video="12_reverse"):
    path = folder / f"{task}.json"
    path.write_text(json.dumps({video: aspects}), encoding="utf-8")
    return path


def test_all_real_questions_get_in_with_a_key_each(shared):
    reading, drafts, problems = opened(shared / "data/tempcompass")
    assert Counter(draft.tags["task"] for draft in drafts) == {
        "multi-choice": 1580, "yes_no": 2453, "caption_matching": 1503, "captioning": 2004,
    }  # fmt: skip
    assert len({draft.uid for draft in drafts}) == 7540
    assert len(reading.videos) == 410
    assert {draft.category for draft in drafts} == {
        "action", "direction", "speed", "order", "attribute_change",
    }  # fmt: skip
    assert all(draft.key is not None for draft in drafts)
    assert {problem.level for problem in problems} == {"warning"}  # blanks around a text


@pytest.mark.parametrize(
    ("question", "answer", "text", "options", "key"),
    [
        ("What?\nA. up\nB. down", "B. down", "What?", ("up", "down"), 1),
        ("Which?\nOption 1: a cat\nOption 2: a dog", "Option 2: a dog", "Which?",
         ("a cat", "a dog"), 1),
        ("Which?\nCaption A: a cat\nCaption B: a dog", "Caption A: a cat", "Which?",
         ("a cat", "a dog"), 0),
        # One option of the real file has no blank behind its letter.
        ("What?\nA. up\nB. down\nC.Both", "C.Both", "What?", ("up", "down", "Both"), 2),
    ],
)  # fmt: skip
def test_options_are_the_labelled_lines_and_the_answer_is_one_of_them(
    tmp_path, question, answer, text, options, key
):
    record = {"question": question, "answer": answer}
    path = write(tmp_path, "multi-choice", {"speed": [record]})
    _, [draft], problems = opened(path)
    assert (draft.text, draft.options, draft.key) == (text, options, key)
    assert (draft.uid, draft.video) == ("multi-choice/12_reverse/speed/1", "12_reverse")
    assert problems == []


def test_yes_and_no_are_options_where_there_are_no_others(tmp_path):
    record = {"question": "Is it fast?", "answer": "no"}
    _, [draft], _ = opened(write(tmp_path, "yes_no", {"speed": [record]}))
    assert (draft.options, draft.key) == (("yes", "no"), 1)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("B. dunking", 1),
        ("A. dunking", 1),  # words count before the letter
        ("B. dunking the", 1),  # cut off
        ("B. flying", None),
    ],
)
def test_a_caption_s_key_is_the_information_that_it_quotes(tmp_path, answer, key):
    question = (
        "Write a caption.\nInformation A: {'subject': 'man', 'action': 'dribbling a ball'}\n"
        "Information B: {'subject': 'man', 'action': 'dunking'}\nGenerated Caption:"
    )
    path = write(tmp_path, "captioning", {"action": [{"question": question, "answer": answer}]})
    _, [draft], problems = opened(path)
    assert draft.options == (
        "subject: man; action: dribbling a ball",
        "subject: man; action: dunking",
    )
    assert (draft.text, draft.key) == ("Write a caption.", key)
    assert bool(problems) == (key is None)


def test_a_bad_record_costs_itself_and_predictions_are_no_questions(tmp_path):
    good = {"question": "Is it fast?", "answer": "no"}
    path = write(
        tmp_path, "yes_no", {"speed": [good, {"question": "?"}, [], {**good, "answer": "x"}]}
    )
    _, drafts, problems = opened(path)
    assert [draft.uid for draft in drafts] == ["yes_no/12_reverse/speed/1"]
    assert [problem.row for problem in problems] == [
        f"12_reverse, speed, entry {number}" for number in (2, 3, 4)
    ]
    write(tmp_path, "yes_no", {"speed": [{**good, "prediction": "yes"}]})
    assert format.load("tempcompass").likeness(path) == 0
