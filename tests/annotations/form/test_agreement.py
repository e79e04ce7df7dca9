import pytest

from annotations.form.agreement import decide, settled, value_distance
from annotations.form.declaration import read_fields

QUALITY = {"label": "quality", "type": "scale", "low": 1, "high": 5}
YES_NO = {"label": "misleading", "type": "choice", "options": ["yes", "no"]}


def test_distances_by_hand():
    assert value_distance(2, 5, (1, 5)) == 0.75  # three of four steps
    assert value_distance("yes", "yes") == 0.0
    assert value_distance("yes", "no") == 1.0
    # a, b against b, c: one of three named by both.
    assert value_distance(["a", "b"], ["b", "c"]) == pytest.approx(2 / 3)
    # 0 to 2 s and 1 to 3 s: 1 s of 3 s.
    assert value_distance([[0.0, 2.0]], [[1.0, 3.0]]) == pytest.approx(2 / 3)
    assert value_distance(None, None) is None
    assert value_distance(3, None, (1, 5)) == 1.0


@pytest.mark.parametrize(
    ("rule", "values", "concluded"),
    [
        ("median", [1, 4, 5], 4),
        ("median", [2, 3], 2.5),
        ("mean", [1, 4, 5], 3.333333),
        ("majority", [4, 4, 1], 4),
        ("majority", [4, 1], None),
    ],
)
def test_a_scale_is_concluded_by_its_rule(rule: str, values: list[int], concluded: float | None):
    fields = read_fields([{**QUALITY, "rule": rule}])
    decision = decide(fields, [{"quality": value} for value in values])
    assert decision.value == {"quality": concluded}
    assert decision.status == ("tie" if concluded is None else "decided")


def test_each_field_is_concluded_by_itself():
    fields = read_fields([
        QUALITY, YES_NO,
        {"label": "tags", "type": "choices", "options": ["a", "b", "c"], "required": False},
        {"label": "when", "type": "segments"},
        {"label": "note", "type": "text"},
    ])  # fmt: skip
    decision = decide(fields, [
        {"quality": 2, "misleading": "yes", "tags": ["a", "b"], "when": [[0.0, 2.0]], "note": "x"},
        {"quality": 3, "misleading": "no", "tags": ["b"], "when": [[0.2, 2.2]]},
        {"quality": 5, "misleading": "yes", "when": [[8.0, 9.0]], "note": "y"},
    ])  # fmt: skip
    assert decision.value == {
        "quality": 3, "misleading": "yes", "tags": ["b"], "when": [[0.1, 2.1]],
    }  # fmt: skip
    assert decision.words == (
        "quality: median of 2, 3, 5; misleading: 2 of 3; tags: 1 of 3 a, 2 of 3 b; "
        "when: 0.100 to 2.100 s: 2 of 3"
    )


def test_options_that_half_of_the_people_name_are_a_tie_and_no_empty_set():
    fields = read_fields([{"label": "tags", "type": "choices", "options": ["a", "b"]}])
    decision = decide(fields, [{"tags": ["a"]}, {"tags": ["b"]}])
    assert (decision.status, decision.value) == ("tie", {"tags": None})
    decision = decide(fields, [{"tags": ["a"]}, {"tags": ["a"]}, {"tags": ["b"]}])
    assert (decision.status, decision.value) == ("decided", {"tags": ["a"]})


def test_a_form_is_settled_when_no_field_can_change():
    votes = [{"misleading": "yes"}, {"misleading": "yes"}]
    assert settled(read_fields([YES_NO]), votes, 1)
    assert not settled(read_fields([YES_NO]), votes[:1], 2)
    # A median moves with every answer.
    assert not settled(read_fields([QUALITY]), [{"quality": 3}] * 2, 1)
    assert settled(read_fields([QUALITY]), [{"quality": 3}] * 2, 0)
