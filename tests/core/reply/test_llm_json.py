import json

import pytest

from core.reply import llm_json


def test_json_as_it_stands_is_read_and_called_whole():
    found = llm_json.read('{"verdict": "B", "n": 1.5, "ok": true}')
    assert found.value == {"verdict": "B", "n": 1.5, "ok": True}
    assert found.repaired == ()


def test_commas_are_taken_out_between_values_and_never_inside_text():
    text = '```json\n{"verdict": "B", "reason": "frames [1,2,] look blurred", "flags": [""],}\n```'
    found = llm_json.read(text)
    assert found.value == {"verdict": "B", "reason": "frames [1,2,] look blurred", "flags": [""]}
    assert found.repaired == ("a comma too many",)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('```json\n{"verdict": "A"}\n}\n```', {"verdict": "A"}),
        ("{'verdict': 'D', 'clear': True, 'note': None}",
         {"verdict": "D", "clear": True, "note": None}),
        ('Sure! Here it is:\n{"a": 1}\nHope that helps {really}.', {"a": 1}),
        ('{"a": 1, // the first\n "b": "http://x//y" /* two */}', {"a": 1, "b": "http://x//y"}),
        ("{a: 1, b_c: 'x'}", {"a": 1, "b_c": "x"}),
        ('{"a": "it\'s \\"so\\"", \'b\': \'don\\\'t\'}', {"a": 'it\'s "so"', "b": "don't"}),
        ('{"a": "he says "hi" to her", "b": 2}', {"a": 'he says "hi" to her', "b": 2}),
        ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
        ('{"a": 1\n "b": 2}', {"a": 1, "b": 2}),
        ("{\u201ca\u201d: \u201cb\u201d}", {"a": "b"}),
        ('{"a": NaN, "b": -Infinity}', {"a": None, "b": None}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('{"path": "C:\\dir"}', {"path": "C:\\dir"}),
        ('{"a": "\\ud83d\\ude00",}', {"a": "\U0001f600"}),
        ("[{'a': 1}, {'a': 2}]", [{"a": 1}, {"a": 2}]),
        ("\ufeff{\"a\": [1, 2,, 3]}", {"a": [1, 2, 3]}),
    ],
)  # fmt: skip
def test_what_models_do_to_json_is_understood(text, value):
    found = llm_json.read(text)
    assert found.value == value or list(found.values) == [value]
    assert found.reason == ""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"answer": "B", "reason": "the ball go', {"answer": "B", "reason": "the ball go"}),
        ('{"answer": "B", "reason":', {"answer": "B"}),
        ('{"answer": "B", "list": [1, 2', {"answer": "B", "list": [1, 2]}),
        ('```json\n{"answer": "B"', {"answer": "B"}),
    ],
)
def test_a_reply_that_was_cut_off_gives_what_is_there_and_says_so(text, value):
    found = llm_json.read(text)
    assert found.value == value
    assert "cut off at the end" in found.repaired


def test_of_several_objects_the_last_counts_and_all_are_kept():
    found = llm_json.read('First {"answer": "A"}, no: {"answer": "B"}')
    assert found.value == {"answer": "B"}
    assert len(found.values) == 2
    assert found.repaired == ("2 values stand in the text",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no text"),
        ("no data here", "there is no { or [ in the text"),
        ("a footnote [1] only", "there is no { or [ in the text"),
        ("{broken", "cut off before anything was said"),
        ("{broken}", "no colon after 'broken'"),
        ("{" * 200, "cut off before anything was said"),
        ("[[" * 5000, "nested deeper than 60 levels"),
    ],
)
def test_what_cannot_be_read_says_why(text, reason):
    found = llm_json.read(text)
    assert found.value is None
    assert found.values == ()
    assert reason in found.reason


def test_nothing_is_executed(tmp_path):
    target = tmp_path / "made"
    llm_json.read(f"{{'a': open('{target}', 'w')}}")
    llm_json.read(f"__import__('os').mkdir('{target}')")
    assert not target.exists()


@pytest.mark.parametrize("end", range(1, 80))
def test_a_text_cut_anywhere_never_raises(end):
    text = '{"reasoning": "he said \\"no\\", twice", "answer": {"letter": "B", "p": [0.1, 0.9]}}'
    found = llm_json.read(text[:end])
    assert found.values or found.reason
    json.dumps(found.value, allow_nan=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"verdict": "A",, "x": 1}', {"verdict": "A", "x": 1}),
        ('{"verdict": "A" "x": 1}', {"verdict": "A", "x": 1}),
        ('{"verdict": "A"; "x": 2}', {"verdict": "A", "x": 2}),
        ('{"verdict": "A", "why": "blurred", ...}', {"verdict": "A", "why": "blurred"}),
        ('{"verdict" = "A"}', {"verdict": "A"}),
        ('{"verdict": "A", "confidence": 95%}', {"verdict": "A", "confidence": "95%"}),
        ('{"start": 00:12, "end": 12.5s}', {"start": "00:12", "end": "12.5s"}),
        ('{"n": 5., "m": [1 2], "k": 7// seven\n}', {"n": 5.0, "m": [1, 2], "k": 7}),
        # What looks like a separator inside a text stays there.
        ('{"why": "he said "hi"; "bye" too", "x": 1}', {"why": 'he said "hi"; "bye" too', "x": 1}),
    ],
)
def test_a_separator_that_is_lacking_doubled_or_another_swallows_no_field(text, value):
    reading = llm_json.read(text)
    assert reading.value == value
    assert reading.repaired != ()
