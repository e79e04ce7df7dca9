"""A known answer that nobody could give is refused before a task is made of it."""

import json

import pytest

from annotations import task as tasks
from annotations.answering.attention import judged
from annotations.planning.known_answers import check_known_answers
from annotations.planning.task_files import read_task
from annotations.planning.task_plan import plan_task
from annotations.task import ItemDraft
from annotations.task_parts import DeclaresKnown
from core.refusal import Refusal

FIELDS = [
    {"label": "Fits?", "name": "fits", "type": "scale", "low": 1, "high": 3},
    {"label": "Wrong?", "name": "wrong", "type": "choices", "options": ["colour", "count"]},
]
FORM = {"stage": "text", "text": "{caption}", "fields": FIELDS}
CLIPS = {"clips": [{"id": "1"}, {"id": "2"}]}
OBJECTS = {"objects": ["dog", "cat"]}
WHOLE = {"options": ["one", "two"]}

# kind, settings, payload, a known answer as it may be, one with a fault, and what is said of it.
ANSWERS = [
    ("own_form", FORM, {"clips": []}, {"values": {"fits": 2, "wrong": ["count", "colour"]}},
     {"values": {"fit": 2}}, "values: got a field 'fit'. Allowed: fits, wrong."),
    ("own_form", FORM, {"clips": []}, {"values": {"fits": 1}, "why": "so"},
     {"values": {"fits": 9}}, "values: fits: got 9. Allowed: 1, 2, 3."),
    ("own_form", FORM, {"clips": []}, {"values": {"wrong": []}},
     {"values": {"wrong": ["Count"]}}, "values: wrong: got 'Count'. Allowed: colour, count."),
    ("own_form", FORM, {"clips": []}, {"values": {"fits": 1}},
     {"value": {"fits": 1}}, "got a field 'value'. Allowed: values, texts"),
    ("screening", {}, {}, {"verdict": "reject", "reasons": ["off_topic"]},
     {"verdict": "reject", "reasons": ["of_topic"]}, "reasons: got 'of_topic'. Allowed: "),
    ("screening", {}, {}, {"verdict": "accept", "note": "", "reasons": []},
     {"verdict": "accept", "reason": []}, "got a field 'reason'. Allowed: verdict, reasons"),
    ("localization", {}, {}, {"happens": "happens", "cards": [{"start": 1, "end": 2}]},
     {"happens": "happens", "crads": []}, "got a field 'crads'. Allowed: happens, cards"),
    ("verification", {}, CLIPS, {"clips": {"1": {"verdict": ["definitely", "maybe"]}}},
     {"clips": {"3": {"verdict": "maybe"}}}, "clips: got a field '3'. Allowed: 1, 2."),
    ("frame_picking", {}, {}, {"time": 1.0, "near_s": 0.2},
     {"time": 1.0, "nears": 0.2}, "got a field 'nears'. Allowed: time, near_s"),
    ("failure_tagging", {}, {}, {"classes": ["none"]},
     {"classes": ["nine"]}, "classes: got 'nine'. Allowed: "),
    ("object_check", {}, OBJECTS, {"objects": {"ticked": ["dog"], "classes": {"cat": "other"}}},
     {"objects": {"ticked": ["dgo"]}}, "objects: ticked: got 'dgo'. Allowed: dog, cat."),
    ("question_review", {}, WHOLE, {"verdict": "keep", "options": {"key": 1, "kept": ["0"]}},
     {"verdict": "keep", "options": {"keys": 1}}, "got a field 'keys'. Allowed: key, kept"),
    ("question_review", {"mode": "write"}, {}, {"question": "How?", "answer": "So"},
     {"question": "How?", "anwser": "So"}, "got a field 'anwser'. Allowed: question, answer"),
    ("human_evaluation", {}, WHOLE, {"choice": 1, "why": "seen"},
     {"chioce": 1}, "got a field 'chioce'. Allowed: choice, why."),
    ("human_evaluation", {}, {**WHOLE, "several": True}, {"choice": [0, 1]},
     {"choice": [2]}, "choice: got 2. Allowed: 0, 1."),
    ("human_evaluation", {"none_right": True}, WHOLE, {"choice": "none_right"},
     {"choice": [0, 1]}, "choice: got [0, 1]. Allowed: 0, 1, none_right."),
    ("human_evaluation", {"free_text": True}, WHOLE, {"text": "two"},
     {"why": "seen"}, "which holds no answer"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings", "payload", "good", "bad", "words"), ANSWERS)
def test_a_field_or_value_that_no_response_can_have_is_refused(
    workspace, kind, settings, payload, good, bad, words
):
    checked = tasks.kind(kind).check_settings(settings)
    draft = ItemDraft("row:1", payload=payload)
    check_known_answers(workspace, kind, checked, [(3, draft, good)])
    with pytest.raises(Refusal) as refusal:
        check_known_answers(workspace, kind, checked, [(3, draft, bad)])
    assert str(refusal.value).startswith("row 3: expected: ")
    assert words in str(refusal.value)


def test_every_kind_says_what_a_known_answer_may_hold():
    assert [name for name in tasks.kinds() if not isinstance(tasks.kind(name), DeclaresKnown)] == []


def test_the_file_the_row_and_the_field_are_named(workspace, tmp_path):
    rows = [
        {"caption": "a dog"},
        {"caption": "a cat", "role": "attention", "expected": {"values": {"fist": 1}}},
    ]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "task.toml").write_text(
        'name = "Captions"\nkind = "own_form"\nitems = "items.jsonl"\n'
        '[settings]\nstage = "text"\ntext = "{caption}"\n'
        '[[settings.fields]]\nlabel = "Fits?"\nname = "fits"\ntype = "scale"\n'
    )
    with pytest.raises(Refusal) as refusal:
        read_task(workspace, tmp_path / "task.toml")
    assert str(refusal.value) == (
        "items.jsonl: row 2: expected: values: got a field 'fist'. Allowed: fits."
    )


def test_an_option_outside_the_questions_own_is_refused(workspace, add_question):
    for number in (1, 2):
        add_question(f"count/{number}")
    row = {"question": "count/1", "role": "practice", "expected": {"choice": 3}}
    with pytest.raises(Refusal, match=r"row 1: expected: choice: got 3\. Allowed: 0, 1, 2"):
        plan_task(workspace, name="t", kind="human_evaluation", rows=[row])


def test_a_task_that_was_stored_with_such_an_answer_still_judges():
    settings = tasks.kind("own_form").check_settings(FORM)
    response = {"values": {"fits": 2, "wrong": ["colour"]}, "texts": {}, "scales": {}}
    right, words = judged("own_form", response, {"values": {"fit": 2}}, settings)
    assert not right
    assert "fit" in words


def test_options_of_a_known_answer_may_stand_in_any_order():
    settings = tasks.kind("own_form").check_settings(FORM)
    response = {"values": {"wrong": ["colour", "count"]}, "texts": {}, "scales": {}}
    assert judged("own_form", response, {"values": {"wrong": ["count", "colour"]}}, settings)[0]
