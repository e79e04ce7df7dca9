import pytest

from annotations.review.question_changes import Reviewed, reviewed


def test_keys_of_generated_questions_are_spread_over_all_places():
    value = {
        "verdict": "keep",
        "question": "?",
        "key": "0",
        "kept": ["1", "2", "3"],
        "texts": dict(zip("0123", "abcd", strict=True)),
        "flags": ["answer_on_screen"],
    }
    before = [Reviewed(f"g{i}", "?", tuple("abcde"), 0, "", {}) for i in range(60)]
    made = [reviewed(one, value, seed=one.uid) for one in before]
    assert {one.key for one in made} == {0, 1, 2, 3}
    assert all(one.key is not None and one.options[one.key] == "a" for one in made)
    assert made[0].tags == {"flags": ["answer_on_screen"]}
    with pytest.raises(ValueError, match="no wrong option"):
        reviewed(before[0], {**value, "kept": []})


def test_a_kept_question_loses_the_tags_of_an_earlier_review_and_no_others():
    before = Reviewed("g", "?", ("a", "b"), 0, "", {"discarded": True, "flags": ["x"], "zoom": 1})
    value = {
        "verdict": "keep", "question": "?", "key": "0", "kept": ["1"],
        "texts": {"0": "a", "1": "b"}, "flags": [],
    }  # fmt: skip
    assert reviewed(before, value).tags == {"zoom": 1}
    assert reviewed(before, {"verdict": "discard"}).tags == {"discarded": True, "zoom": 1}
