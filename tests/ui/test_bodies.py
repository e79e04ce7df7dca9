"""What a request may carry: checked once, for every route that takes a body."""

import json

import pytest

from core.refusal import Refusal
from ui.routes import body
from ui.routes.body import parsed


def test_an_object_of_plain_json_comes_through_unchanged():
    sent = {"a": [1, -2.5, None, True, "Zoë\n\tfünf 🎬"], "b": {"c": ""}}
    assert parsed(json.dumps(sent).encode()) == sent


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b"", "no valid JSON"),
        (b"\xff\xfe", "no valid JSON"),
        (b"[]", "no JSON object"),
        (b'"x"', "no JSON object"),
        (b"[" * 100_000, "no valid JSON"),
        (b'{"a":' * 40 + b"1" + b"}" * 40, "nested deeper"),
        (b'{"a": NaN}', "not finite"),
        (b'{"a": -Infinity}', "not finite"),
        (b'{"a": 1e999}', "not finite"),
        (b'{"a": 9223372036854775808}', "beyond 64 bits"),
        (b'{"a": "\\u0000"}', "U+0000"),
        (b'{"a": ["x", {"b": "pre \\ud800 post"}]}', "U+D800"),
        (b'{"a\\u0007": 1}', "U+0007"),
    ],
)
def test_what_cannot_be_stored_is_refused_in_words(sent: bytes, says: str):
    with pytest.raises(Refusal, match=says.replace("+", r"\+")):
        parsed(sent)


def test_each_reader_says_which_value_is_of_the_wrong_kind():
    wrong = {"n": "3", "t": 3, "o": [], "l": {}, "i": [1, True], "s": ["a", 1], "r": [{}, 1]}
    for read, name in (
        (body.integer, "n"), (body.number, "n"), (body.text, "t"), (body.record, "o"),
    ):  # fmt: skip
        with pytest.raises(Refusal, match=f"^{name} is "):
            read(wrong, name)
        with pytest.raises(Refusal, match=r"^gone is missing"):
            read(wrong, "gone")
    for read, name in (
        (body.integers, "l"), (body.integers, "i"), (body.texts, "s"), (body.records, "r"),
    ):  # fmt: skip
        with pytest.raises(Refusal, match=f"^{name} "):
            read(wrong, name, 9)
    with pytest.raises(Refusal, match=r"3 entries; at most 2"):
        body.integers({"x": [1, 2, 3]}, "x", 2)
    assert body.integers({}, "x", 2, optional=True) == []
    with pytest.raises(Refusal, match="x is missing"):
        body.integers({}, "x", 2)
    assert body.number({"x": 2}, "x") == 2.0
