"""A letter that the reply itself does not stand by is not given."""

import pytest

from core.reply.reading import read

BALL = ("sits down", "throws the ball", "leaves the pitch", "shakes hands")


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: A. On reflection, I'm no longer sure.",
        "Answer: A, but it could also be C.",
        "(A) fits. C is equally plausible.",
        "答案是A，也可能是B。",
        "Die Antwort ist A, es könnte auch D sein.",
        "The answer is A. The answer is B. The answer is D.",
        "The order is A → B → D.",
        'B is described as "throws the ball".',
        "To find the answer, let's look at each option: A. sits down: at 0:03 the man",
        '{"answer": "B',
        "def answer():\n    return 'throws the ball'",
        "If you ask of the start, the answer is A; if you ask of the end, it's D.",
    ],
)
def test_what_is_doubted_is_no_answer(reply):
    assert read(reply, BALL).choice is None


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("C could also be argued, but the answer is A.", "A"),
        ("Answer: A. I'm not completely sure, though.", "A"),
        ("Answer → B", "B"),
        ("The answer is A. No, wait: the answer is B. So the final answer is D.", "D"),
        ("C is also incorrect. The answer is A.", "A"),
        ("The answer is A; C is also incorrect.", "A"),
        ('{"answer": "B", "reason": "the ball fl', "B"),
        ("A fits; so option C. leaves the pitch and D. shakes hands can be excluded.", "A"),
    ],
)  # fmt: skip
def test_what_a_reply_stands_by_is_read(reply, letter):
    assert read(reply, BALL).choice == "ABCD".index(letter)


def test_another_question_behind_a_full_answer_does_not_make_it_doubtful():
    reply = (
        "B. throws the ball\n\nWhere does this happen?\nA. in a hall\nB. on a pitch\n"
        "C. in a garden\nPlease directly give the best option:"
    )
    assert read(reply, BALL).choice == 1
    assert read("A. sits down\nB. throws the ball\nC. leaves the pitch", BALL).choice is None
