import pytest

from core.reply.reading import read, read_several

THROW = ("sits down", "throws the ball", "leaves the pitch", "shakes hands")
WAYS = ("Left.", "Right.", "First to the left then to the right.", "Not moving at all")
COUNTS = ("2", "3", "4", "10")
YES_NO = ("yes", "no")


def letter(reply, options=THROW, labels=None):
    found = read(reply, options, labels)
    assert (found.choice is None) == (found.state != "read")
    assert found.rule
    assert found.reason
    return None if found.choice is None else "ABCDEFGHIJ"[found.choice]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Based on the clip, the correct answer is (D).", "D"),
        ("The correct answer is (B).", "B"),
        ("Clearly he walks off: (C)", "C"),
        ("I first considered (A), but the door never opens. Final answer: D.", "D"),
        ("ANSWER: A\nWait, on a second look the cup is empty.\nANSWER: B", "B"),
        ("The answer is B\nQuestion: what happens next?\nAnswer: C", "B"),
        ("The answer is not B but C.", "C"),
        ("C, not D", "C"),
        ("I'd go with C", "C"),
        ("B is not correct, D is correct.", "D"),
        ("The answer isn't A; it's D.", "D"),
        ("Out of the options, the one which matches is option (B).", "B"),
        ("The correct answer could be A or B, but the best answer is B.", "B"),
        ("Answer: B. If he had left, it would be C.", "B"),
        ("Human: ok\nAssistant: B", "B"),
    ],
)
def test_the_last_declaration_that_is_not_denied_is_the_answer(reply, expected):
    assert letter(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("d", "D"),
        ("b. throws the ball", "B"),
        ("the correct answer is c.", "C"),
        ("I would pick B, a safe choice.", "B"),
        ("a", "A"),
        ("(a)", "A"),
        ("a man opens a door", None),
        ("A man opens a door", None),
        ("The answer is a ball", None),
        ("The answer is A ball", None),
        ("As the video shows, A person walks.", None),
    ],
)
def test_a_small_letter_counts_where_it_can_be_no_word(reply, expected):
    assert letter(reply) == expected


@pytest.mark.parametrize(
    "reply",
    ["ANSWER: AB", "ANSWER: A1", "B2", "C-shaped", "A-frame", "D'Artagnan", "vitamin C", "Plan B"],
)
def test_a_letter_glued_to_another_or_part_of_a_name_is_no_label(reply):
    assert letter(reply) is None


def test_the_pronoun_i_is_an_option_only_where_the_reply_is_nothing_else():
    ten = [""] * 10
    assert letter("The answer is C because I timed the swing.", ten) == "C"
    assert letter("I think it is (F).", ten) == "F"
    assert letter("I cannot tell whether it is a dog or a cat.", ten) is None
    assert letter("I", ten) == "I"
    assert read("I", THROW).reason == "no option is labelled I"


SEVERAL = [
    "Answer: A and C",
    "A or B",
    "A/B",
    "A, B, C",
    "Both A and C",
    "Either B or C.",
    "B. throws the ball & C. leaves the pitch",
    "The answer is A, or maybe B.",
    "(A) or (D)",
    '{"answer": ["A", "B"]}',
    "She sits down and throws the ball",
]


@pytest.mark.parametrize("reply", [*SEVERAL, "B\nC", "A. sits down\nB. throws the ball\nC. leaves"])
def test_several_options_are_several_and_none_of_them(reply):
    assert read(reply, THROW).state == "several"


@pytest.mark.parametrize(
    "reply", ["A. throws the ball", "Answer: A. throws the ball", "throws the ball (A)"]
)
def test_a_label_with_the_words_of_another_option_is_read_as_neither(reply):
    assert read(reply, THROW).rule == "label and words differ"


@pytest.mark.parametrize("reply", ["not B", "It is not B.", "B is wrong.", "She does not sit down"])
def test_a_denied_option_is_no_answer(reply):
    assert letter(reply) is None


@pytest.mark.parametrize("reply", ["E", "Answer: E", "The answer is E. throws the ball"])
def test_a_letter_that_no_option_has_is_unread(reply):
    assert read(reply, THROW).rule == "label without option"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("Sorry, I can't view the video.", "cannot see the video"),
        ("No video was provided.", "cannot see the video"),
        ("As an AI model I am unable to identify people.", "will not identify people"),
        ("I'm sorry, but I can't assist with that.", "blocked for safety"),
        ("None of these can be decided from the frames.", "none of the options"),
        ("以上都不对", "none of the options"),
        ("It is impossible to tell from the given images.", "cannot tell"),
        ("The question is unclear.", "cannot tell"),
        ("I don't know", "does not know"),
        ("N/A", "gives no answer"),
    ],
)
def test_refusals_are_told_apart_by_kind(reply, kind):
    found = read(reply, THROW)
    assert (found.state, found.choice, found.rule) == ("refused", None, kind)


def test_a_model_that_doubts_and_then_answers_has_answered():
    assert letter("I can't see the video, but my best guess is B.") == "B"


@pytest.mark.parametrize("reply", ["!!!!!!!!!!!!!!!!", "...", "It could be D.", "Section B"])
def test_what_no_rule_reads_is_unread_and_gets_no_letter(reply):
    assert read(reply, THROW).state == "unread"


@pytest.mark.parametrize(
    "reply", [None, "", " \n", "<think>Answer: A</think>", "-1", "Failed to obtain answer via API."]
)
def test_no_reply_is_empty_and_never_the_first_option(reply):
    assert read(reply, THROW).state == "empty"


def test_two_readings_of_the_same_reply_are_equal():
    reply = "None of these can be decided from the frames."
    assert read(reply, THROW) == read(reply, THROW)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("ANSWER: (B)\nLet me know if you want more detail.", "B"),
        ("ANSWER: [C]\nHappy to help!", "C"),
        ("**Answer: (A) She declines politely.**", "A"),
        ("<think>A? The answer is A</think>B", "B"),
        ("<think>The answer is A", None),
        ("<answer>C</answer> and then A", "C"),
        ("So $\\boxed{\\text{B}}$", "B"),
        ('{"reasoning": "Answer: A", "answer": "(C) leaves the pitch"', "C"),
        ("{'answer': 'B', 'reason': 'it\\'s clear'}", "B"),
        ('{"A": 0.1, "B": 0.9}', None),
        ("~~A~~ B", "B"),
        ("<|begin_of_box|>D<|end_of_box|>", "D"),
    ],
)
def test_marks_tags_boxes_and_json_are_seen_through(reply, expected):
    assert letter(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Antwort:\n\nAntwort: C", "C"),
        ("Antwort: B", "B"),
        ("Jawaban: D", "D"),
        ("Réponse : (A)", "A"),
        ("Ответ: B", "B"),
        ("A不对，C也不对，只有选项B是对的。", "B"),
        ("答案是（B）。", "B"),
        ("答案：Ｄ", "D"),
        ("正确选项为【C】", "C"),
        ("Answer: Let's think step by step. 视频里先倒水，所以答案是D", "D"),
        ("Ｂ", "B"),
        ("Ⓑ", "B"),
        ("𝐁", "B"),
        ("🅱", "B"),
    ],
)
def test_other_languages_and_wide_letters_are_read(reply, expected):
    assert letter(reply) == expected
    assert letter(reply, ["", "", "", ""]) == expected


@pytest.mark.parametrize(
    ("reply", "options", "expected"),
    [
        ("He never throws the ball; he shakes hands.", THROW, "D"),
        ("left.", WAYS, "A"),
        ("It moves first to the left then to the right.", WAYS, "C"),
        ("It moves left, then right.", WAYS, None),
        ("Left then up", WAYS, None),
        ("It is not moving at all.", WAYS, "D"),
        ("The object isn't moving left.", WAYS, None),
        ("In 16 frames the ball bounces 3 times.", COUNTS, "B"),
        ("It bounces in frames 2, 4 and 10.", COUNTS, None),
        ("four", COUNTS, "C"),
        ("14", COUNTS, None),
        ("D: 4", COUNTS, None),
        ("Yes, the man walks.", YES_NO, "A"),
        ("There is no man.", YES_NO, None),
        ("It is impossible to tell if there are no men.", YES_NO, None),
        ("Yes. Actually, no.", YES_NO, "B"),
        ("A woman", ("man", "woman"), "B"),
        ("A man", ("woman", "man"), "B"),
        ("None", ("man", "none"), "B"),
        ("counter clockwise", ("Clockwise.", "Counter-clockwise."), "B"),
    ],
)
def test_the_words_of_an_option_are_read_where_they_stand_for_it_alone(reply, options, expected):
    assert letter(reply, options) == expected


def test_a_first_sentence_that_is_then_justified_is_the_answer():
    speeds = ("slow motion", "time-lapse", "normal speed")
    reply = (
        "The video is a time-lapse. This can be inferred from the way people move. At normal speed "
        "they would walk calmly. There is no clear indication that it is slow motion."
    )
    assert letter(reply, speeds) == "B"
    # A description that comes first without being justified is no conclusion.
    assert letter("It begins as a time-lapse. Then slow motion follows.", speeds) is None


def test_numbered_options_are_read_by_their_numbers():
    captions = ("The man sits.", "The man stands.")
    assert letter("Option 2: The man stands.", captions, "12") == "B"
    assert letter("2", captions, "12") == "B"
    assert letter("Look at 16 frames. The answer is 1.", captions, "12") == "A"
    assert letter("The first 2 frames differ.", captions, "12") is None


def test_equal_options_are_not_told_apart_by_their_words():
    assert read("left", ("left", "right", "Left")).state == "several"
    assert letter("C", ("left", "right", "Left")) == "C"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("ANSWER: (A, C)", (0, 2)),
        ("Answer: A and C", (0, 2)),
        ("Answer: AC", (0, 2)),
        ("D", (3,)),
        ("no idea", ()),
    ],
)
def test_a_question_with_several_right_answers_gets_all_that_are_stated(reply, expected):
    assert read_several(reply, THROW) == expected


def test_options_and_labels_have_to_match():
    with pytest.raises(ValueError, match="Got 2 options and 3 labels"):
        read("A", ("left", "right"), "ABC")


@pytest.mark.parametrize("reply", ["#NAME?", "#REF!", " #N/A "])
def test_what_a_spreadsheet_left_in_place_of_a_reply_is_no_reply(reply: str):
    reading = read(reply, ["left", "right"])
    assert (reading.choice, reading.state, reading.rule) == (None, "empty", "failed call")
    assert read("#N/A", ["#N/A", "7"]).choice == 0
