import pytest

from annotations.form.declaration import FormField, read_fields
from core.refusal import Refusal


def test_a_field_is_completed_and_called_after_its_label():
    [field] = read_fields([{"label": "How good is it?", "type": "scale"}])
    assert field == FormField("how_good_is_it", "How good is it?", "scale", rule="median")
    assert list(field.steps) == [1, 2, 3, 4, 5]


def test_what_is_declared_comes_back_from_the_setting():
    fields = read_fields([
        {"label": "A", "type": "scale", "low": 0, "high": 10, "low_label": "never"},
        {"label": "B", "type": "choice", "options": ["yes", "no"], "required": False},
        {"label": "C", "type": "text", "rule": "majority", "required": True},
        {"label": "Что?", "type": "segments"},
    ])  # fmt: skip
    assert read_fields([field.as_setting() for field in fields]) == fields
    assert fields[3].name == "field_4"


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ([], "needs fields"),
        ("scale", "needs fields"),
        ([3], "Field 1 is 3"),
        ([{"type": "scale"}], "Field 1: a label is needed"),
        ([{"label": "A", "type": "stars"}], r"Field 1 \(A\): type is 'stars'; allowed: choice"),
        ([{"label": "A", "type": "scale", "steps": 3}], "there is no 'steps'"),
        ([{"label": "A", "type": "choice", "options": ["one"]}], "needs 2 to 26 options"),
        ([{"label": "A", "type": "choice", "options": ["Yes", "yes "]}], "two options are alike"),
        ([{"label": "A", "type": "text", "options": ["x"]}], "options are for a choice"),
        ([{"label": "A", "type": "scale", "low": 1, "high": 1}], "2 to 11 steps"),
        ([{"label": "A", "type": "scale", "low": 0, "high": 100}], "from 0 to 100 are 101"),
        ([{"label": "A", "type": "scale", "high": 4.5}], "whole numbers"),
        (
            [{"label": "A", "type": "choice", "options": ["a", "b"], "rule": "mean"}],
            "rule is 'mean'",
        ),
        ([{"label": "A", "type": "scale", "required": "no"}], "true or false"),
        ([{"label": "A", "type": "scale", "name": "A b"}], "'A b' is not allowed"),
        (
            [{"label": "A", "type": "scale"}, {"label": "a", "type": "text"}],
            "Two fields are called",
        ),
        ([{"label": str(n), "type": "text"} for n in range(21)], "at most 20 fields"),
    ],
)
def test_what_is_not_allowed_is_said(setting: object, words: str):
    with pytest.raises(Refusal, match=words):
        read_fields(setting)
