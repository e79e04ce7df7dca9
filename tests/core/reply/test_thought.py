"""Thoughts are split from answers, however a model marks them, also where they never end."""

import pytest

from core.reply import llm_json
from core.reply.reading import read
from core.reply.thought import CUT_OFF, split_thought

PETS = ("a dog", "a cat", "a horse", "a goat")
THOUGHT = "It could be a dog. The answer is A."
MARKS = {
    "channels": (
        "<|channel|>analysis<|message|>{t}<|end|><|start|>assistant<|channel|>final<|message|>",
        "{a}<|return|>",
    ),
    "channels with their tokens stripped": ("analysisWe look. {t}assistantfinal", "{a}"),
    "one-sided channels": ("<|channel>thought\n{t}<channel|>", "{a}"),
    "brackets": ("[THINK]{t}[/THINK]", "{a}"),
    "a prefix": ("<seed:think>{t}</seed:think>\n", "{a}"),
    "blanks in the tag": ("< think >{t}</ think >", "{a}"),
    "an attribute": ('<thinking effort="high" lang=en>{t}</thinking>', "{a}"),
    "escaped": ("&lt;think&gt;{t}&lt;/think&gt;", "{a}"),
    "escaped as JSON": ("\\u003cthink\\u003e{t}\\u003c/think\\u003e", "{a}"),
    "a name not listed": ("<my_inner_thoughts>{t}</my_inner_thoughts>", "{a}"),
    "start and end tokens": ("<|START_THINKING|>{t}<|END_THINKING|><|START_RESPONSE|>", "{a}"),
    "begin and end of": ("<|begin_of_thought|>{t}<|end_of_thought|>", "{a}"),
    "triangles": ("\u25c1think\u25b7{t}\u25c1/think\u25b7", "{a}"),
    "full width": ("\uff1cthink\uff1e{t}\uff1c/think\uff1e", "{a}"),
    "nested": ("<reasoning><think>{t}</think> or A</reasoning>", "{a}"),
    "begun in the prompt": ("{t}</think>", "{a}"),
    "a fence": ("```thinking\n{t}\n```\n", "{a}"),
    "folded": ("<details><summary>Thought</summary>{t}</details>\n", "{a}"),
    "a heading": ("## Thinking\n{t}\n\n## Answer\n", "{a}"),
    "a heading in bold": ("**Thought process:** {t}\n\n**Final answer:** ", "{a}"),
    "done thinking": ("Thinking...\n{t}\n...done thinking.\n\n", "{a}"),
    "two thoughts": ("<think>{t}</think><reflection>A again</reflection>", "{a}"),
}


@pytest.mark.parametrize("name", MARKS)
@pytest.mark.parametrize("answer", ["C", "C.", "**C**", "The answer is C.", "a horse"])
def test_what_follows_a_thought_is_the_answer_and_nothing_in_it(name, answer):
    thought, rest = MARKS[name]
    reply = thought.format(t=THOUGHT) + rest.format(a=answer)
    assert read(reply, PETS).choice == 2, reply


@pytest.mark.parametrize("name", [name for name in MARKS if name != "begun in the prompt"])
def test_a_thought_that_is_cut_off_is_no_answer(name):
    thought = MARKS[name][0]
    reply = thought[: thought.index("{t}")] + "It could be a dog, option A, so the answer is A and"
    reading = read(reply, PETS)
    assert (reading.choice, reading.state) == (None, "unread"), reading


def test_a_finished_answer_in_a_tag_ends_a_thought_that_has_no_end_mark():
    assert read("<think>A? No. <answer>B</answer>", PETS).choice == 1
    assert read("<think>A? <answer>B</answer> or rather", PETS).choice is None


def test_a_chain_of_thought_under_a_heading_may_end_in_its_answer():
    assert read("Thought: it has hooves, so no dog.\nThe answer is (C).", PETS).choice == 2
    # Here the declaration stands in the middle, and what follows may take it back.
    assert read("Thought: The answer is (C). But the tail", PETS).choice is None


def test_words_that_are_no_marks_stay():
    for reply in ("I think it is a cat. The answer is B", "[Note] The reason is the tail: B"):
        assert split_thought(reply).answer == reply


VERDICT = '{"verdict": "accept"}'


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        (f"<think>Perhaps {VERDICT}", None),
        (f"<think>Perhaps {VERDICT}</think>", None),
        (f'<think>Perhaps {VERDICT}</think>{{"verdict": "reject"}}', {"verdict": "reject"}),
        (f"analysisThe user wants JSON, so {VERDICT} but", None),
        (f"Thinking: first {VERDICT} and then", None),
        (f"Thinking: the dog runs.\n{VERDICT}", {"verdict": "accept"}),
        (VERDICT, {"verdict": "accept"}),
    ],
)
def test_json_inside_a_thought_is_no_verdict(reply, value):
    assert llm_json.read_answer(reply).value == value


def test_the_reason_says_that_the_thought_was_cut_off():
    assert llm_json.read_answer("<think>hm").reason == CUT_OFF
    assert read("<think>A", PETS).rule == CUT_OFF
