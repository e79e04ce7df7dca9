"""Replies that other tools are known to have read wrongly; each case with its id."""

import pytest

from core.reply import llm_json
from core.reply.reading import read, read_several

BALL = ("sits down", "throws the ball", "leaves the pitch", "shakes hands")
PLAIN = ("", "", "", "")

CASES = {
    "EX-03": (
        BALL,
        {
            "Based on the clip, the correct answer is (D).": "D",
            "The correct answer is (B).": "B",
            "Clearly he walks off: (C)": "C",
        },
    ),
    "EX-05": (
        BALL,
        {
            "I first considered (A), but the door never opens. Final answer: D.": "D",
            "ANSWER: A\nWait, on a second look the cup is empty.\nANSWER: B": "B",
            "ANSWER: AB": None,
            "ANSWER: A1": None,
        },
    ),
    "EX-06": (
        BALL,
        {
            "d": "D",
            "b. throws the ball": "B",
            "the correct answer is c.": "C",
            "I would pick B, a safe choice.": "B",
            "a man opens a door": None,
        },
    ),
    "EX-07": (
        BALL,
        {
            "Antwort:\n\nAntwort: C": "C",
            "Antwort: B": "B",
            "Jawaban: D": "D",
            "Réponse : (A)": "A",
        },
    ),
    "EX-10": (
        BALL,
        {
            "ANSWER: (B)\nLet me know if you want more detail.": "B",
            "ANSWER: [C]\nHappy to help!": "C",
            "**Answer: (A) She declines politely.**": "A",
            "Answer: A and C": None,
        },
    ),
    "EX-11": (
        PLAIN,
        {
            "A不对，C也不对，只有选项B是对的。": "B",
            "答案是（B）。": "B",
            "答案：Ｄ": "D",
            "正确选项为【C】": "C",
            "Answer: Let's think step by step. 视频里先倒水，所以答案是D": "D",
            "以上都不对": None,
        },
    ),
    "EX-13": (
        PLAIN,
        {
            "Sorry, I can't view the video.": None,
            "!!!!!!!!!!!!!!!!": None,
            "As an AI model I am unable to identify people.": None,
            "None of these can be decided from the frames.": None,
            "N/A": None,
            "I don't know": None,
            "...": None,
            "The question is unclear.": None,
        },
    ),
    "EX-02": (
        ("",) * 10,
        {
            "The answer is C because I timed the swing.": "C",
            "I think it is (F).": "F",
            "I cannot tell whether it is a dog or a cat.": None,
            "I": "I",
        },
    ),
    "EX-02 with four options": (PLAIN, {"I": None}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_reply_gets_the_letter_that_it_states_and_no_other(case):
    options, replies = CASES[case]
    for reply, letter in replies.items():
        choice = read(reply, options).choice
        assert (None if choice is None else "ABCDEFGHIJ"[choice]) == letter, reply
        assert read(reply, options) == read(reply, options)


@pytest.mark.parametrize(
    ("reply", "letters"),
    [("ANSWER: (A, C)", "AC"), ("Answer: A and C", "AC"), ("Answer: AC", "AC"), ("no idea", "")],
)
def test_ex_10_a_question_with_several_keys_gets_a_set_of_letters(reply, letters):
    assert "".join("ABCD"[i] for i in read_several(reply, BALL)) == letters


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        (
            '```json\n{"verdict": "B", "reason": "frames [1,2,] look blurred", '
            '"flags": [""],}\n```',
            {"verdict": "B", "reason": "frames [1,2,] look blurred", "flags": [""]},
        ),
        ('```json\n{"verdict": "A"}\n}\n```', {"verdict": "A"}),
        (
            "{'verdict': 'D', 'clear': True, 'note': None}",
            {"verdict": "D", "clear": True, "note": None},
        ),
    ],
)
def test_js_01_json_is_mended_without_touching_text_and_says_that_it_was(reply, value):
    found = llm_json.read(reply)
    assert found.value == value
    assert found.repaired
