"""Replies as a whole: cut off, running on, corrected, nested options, looping."""

import time

import pytest

from core.reply.reading import read

PETS = ("a dog", "a cat", "a horse", "a goat")
YES_NO = ("yes", "no")
TURNS = ("Rolls left.", "Rolls left, then right.", "Rolls right.", "Rests.")


def letter(reply, options=PETS, **more):
    choice = read(reply, options, **more).choice
    return None if choice is None else "ABCD"[choice]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        # 'length' stops a reply anywhere: only a declared answer counts.
        ("In frame 2 it barks once, which speaks for option A. In frame 9", None),
        ("Let me think about option A first", None),
        ("Okay, I will first look at option A and then", None),
        ("The answer is B. Let me also describe the rest of the clip, wh", "B"),
        ("A. a dog: it has", None),
        ("B", "B"),
        ("The answer is A", None),  # it may go on: 'a cat'
        ("The answer is C", "C"),
        ("a dog", None),  # an option may go on too
        ("<answer>D</answer> because", "D"),
        ('{"answer": "D", "why": "the ho', "D"),
    ],
)
def test_of_a_reply_that_was_cut_off_only_a_declared_answer_counts(reply, expected):
    assert letter(reply, finished=False) == expected


@pytest.mark.parametrize("reply", ["Let me think about option A first", "I will look at option A"])
def test_a_plan_to_look_at_an_option_is_no_answer(reply):
    assert letter(reply) is None


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("No. A man is standing there.", "B"),
        ("**No**. A person leaves.", "B"),
        ("No.\nA person leaves", "B"),
        ("Yes. A child, no dog.", "A"),
        ("No. It rests.\n\nIs it day?\nPlease answer yes or no: Yes", "B"),
        ("No. It rests.\nQuestion: Is it day?\nAnswer: Yes", "B"),
        ("No, it rests. Question: Is it day? Answer: Yes", "B"),
        ("No, wait, yes.", "A"),
        ("Yes and no", None),
        ("No, it rests. So the answer is yes.", None),
        ("There is no man.", None),
        ("A. No", None),  # A is 'yes' here
    ],
)
def test_the_first_word_answers_a_yes_or_no_question(reply, expected):
    assert letter(reply, YES_NO) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("C\n\nQuestion: And then?\nA. x\nB. y\nAnswer: B", "C"),
        ("C\nUSER: And then?\nASSISTANT: B", "C"),
        ("C<|im_end|>\n<|im_start|>user\nAnd then?<|im_end|>\n<|im_start|>assistant\nB", "C"),
        ("USER: A, B or C?\nASSISTANT: D", "D"),
        ("Question: which?\nAnswer: D\nQuestion: and then?\nAnswer: A", "D"),
    ],
)
def test_a_reply_ends_where_the_next_turn_begins(reply, expected):
    assert letter(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("B... no wait, C", "C"),
        ("B, no, sorry, C", "C"),
        ("B. Actually, C.", "C"),
        ("I would say B. Sorry, I meant C.", "C"),
        ("B or rather C", "C"),
        ("Not A but D", "D"),
        ("It is not A but D.", "D"),
        ("B. Nein, Moment, C.", "C"),
        ("B, non, pardon, C", "C"),
        ("B... no, espera, C", "C"),
        ("B. Нет, подождите, C", "C"),
        ("B。不对，应该是C", "C"),
        ("不是A，而是D", "D"),
        ("不是A，是D。", "D"),
        ("B、いや、Cです", "C"),
        ("Aではなく、Dです", "D"),
        ("AじゃなくてD", "D"),
        ("B. 아니, 잠깐만요, C", "C"),
        ("A가 아니라 D입니다", "D"),
        ("A和B都对", None),
        ("A和B都是正确的。", None),
        ("AとBの両方が正しいです。", None),
        ("AとBどちらも正解です", None),
        ("A不对，B对", "B"),
        ("Bが正しい", "B"),
        ("答えはBです", "B"),
        ("A: no, B: yes, C: no, D: no", None),
        ("B. Hmm, no wait", None),
    ],
)
def test_a_correction_replaces_what_it_takes_back(reply, expected):
    assert letter(reply) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Rolls left.", "A"),
        ("The answer is rolls left.", "A"),
        ("Rolls left, then right.", "B"),
        ("It rolls left and afterwards to the right.", None),
        ("The ball first rolls left. It comes back later.", None),
        ("It starts out and rolls left", None),
        ("Rolls left. Then it rolls back.", None),
        ("B\nRolls left.", None),
        ("B\n\nRolls left.", None),
        ("Rolls right.\nD", None),
        ("A\nRolls left.", "A"),
    ],
)
def test_words_that_begin_a_longer_option_count_only_as_a_whole_clause(reply, expected):
    assert letter(reply, TURNS) == expected


def test_a_label_above_another_option_s_words_is_no_article():
    animals = ("dog", "cat", "horse", "goat")
    assert letter("A\nhorse", animals) is None
    assert letter("A horse", animals) == "C"


LOOPS = (
    "not ", "the answer is not B but ", "B,\n", " \n", "{", "[", "<think>", "<answer>", "\\boxed{",
    "option B ", "a cat (", "no wait, B ", '{"a": "', "A or B, ", "*", '"', "(B", "1. ", "< ",
    "&lt;", "<details>", "```thinking\n", "<!--", "<|channel|>", "Thinking: ", "Answer:\n",
    "$\\text{", "_a", "so it is B because ", "B: ", "yes no ", "\ud83d", "\ufdfa", '[{"answer":',
    "/*", "\\", "frame 1, 2, 3, ", "不是A而是B，",
)  # fmt: skip


@pytest.mark.parametrize("part", LOOPS)
def test_a_reply_that_loops_is_read_in_a_moment(part):
    reply = part * (200_000 // len(part))
    begun = time.process_time()
    read(reply, PETS)
    # Some 0.1 s each; what grew with the square of the length took minutes.
    assert time.process_time() - begun < 5


def test_a_huge_reply_is_read_from_both_ends():
    filler = "The clip goes on. " * 20_000
    assert letter("The answer is B. " + filler) == "B"
    assert letter(filler + "So the answer is C.") == "C"
    assert letter(f"<think>{filler} A</think>{filler}So the answer is C.") == "C"
