"""What becomes of a question that a file and people here may both have changed."""

from typing import Any

import pytest

from annotations.importing.three_way_merge import merge_question


def parts(**changed: Any) -> dict[str, Any]:
    return {
        "text": "Which way?", "options": ["left", "right"], "key": 0, "video": ("one", 1),
        "clip": (0.0, None), "category": "direction", "tags": {"zoom": "no"}, "note": "",
        "reference": {},
        **changed,
    }  # fmt: skip


BASE = parts()
KEY = {"key": 1}
CATEGORY = {"category": "turning"}
TEXT = {"text": "Which way does it turn?"}
SWAPPED = {"options": ["right", "left"]}


@pytest.mark.parametrize(
    ("file", "here", "verdict", "told", "result"),
    [
        # The file says what it said: whatever was done here stays.
        ({}, {}, "unchanged", (), {}),
        ({}, KEY, "unchanged", (), KEY),
        ({}, KEY | CATEGORY | TEXT, "unchanged", (), KEY | CATEGORY | TEXT),
        # It says something else, in other parts than were changed here: both changes.
        (CATEGORY, KEY, "merged", ("category",), CATEGORY | KEY),
        (KEY, CATEGORY, "merged", ("key",), CATEGORY | KEY),
        (TEXT | KEY, {"note": "seen"}, "merged", ("text", "key"), TEXT | KEY | {"note": "seen"}),
        ({"video": ("one", 2)}, KEY, "merged", ("video",), KEY | {"video": ("one", 2)}),
        # It says the same as was done here.
        (KEY, KEY, "unchanged", (), KEY),
        (KEY, KEY | TEXT, "unchanged", (), KEY | TEXT),
        (KEY | CATEGORY, KEY, "changed", ("key", "category"), KEY | CATEGORY),
        (KEY | CATEGORY, KEY | {"note": "x"}, "merged", ("key", "category"),
         KEY | CATEGORY | {"note": "x"}),
        # It says something else of the same part. The result is what taking the file's would give.
        (CATEGORY, {"category": "count"}, "kept", ("category",), CATEGORY),
        (CATEGORY | KEY, {"category": "count"}, "kept", ("category",), CATEGORY | KEY),
        (CATEGORY, {"category": "count"} | KEY, "kept", ("category",), CATEGORY | KEY),
        # Text, options, key and clip are one part.
        (TEXT, KEY, "kept", ("text", "key"), TEXT),
        ({"clip": (0.0, 2.0)}, KEY, "kept", ("key", "clip"), {"clip": (0.0, 2.0)}),
        ({"video": ("two", 2)}, KEY, "kept", ("key", "video"), {"video": ("two", 2)}),
        # Index 1 is 'left' in the file and 'right' here: the same number, another key.
        (SWAPPED | KEY, KEY, "kept", ("options", "key"), SWAPPED | KEY),
        (KEY, SWAPPED | KEY, "kept", ("options", "key"), KEY),
    ],
)  # fmt: skip
def test_what_becomes_of_it(file, here, verdict, told, result):
    met = merge_question(parts(**file), BASE, parts(**here), edited=bool(here))
    assert (met.verdict, met.parts) == (verdict, told)
    assert met.result == parts(**result)


@pytest.mark.parametrize(
    ("file", "here", "verdict", "told", "result"),
    [
        # Another tag each.
        ({"zoom": "yes"}, {"zoom": "no", "flags": ["unclear"]}, "merged", ("tags",),
         {"zoom": "yes", "flags": ["unclear"]}),
        # The file has a tag no more, people here added one.
        ({}, {"zoom": "no", "discarded": True}, "merged", ("tags",), {"discarded": True}),
        ({"zoom": "yes"}, {"zoom": "yes"}, "unchanged", (), {"zoom": "yes"}),
        ({"zoom": "yes"}, {"zoom": "maybe"}, "kept", ("tag zoom",), {"zoom": "yes"}),
        ({"zoom": "yes"}, {}, "kept", ("tag zoom",), {"zoom": "yes"}),
    ],
)  # fmt: skip
def test_tags_go_by_their_names(file, here, verdict, told, result):
    met = merge_question(parts(tags=file), BASE, parts(tags=here), edited=True)
    assert (met.verdict, met.parts, met.result["tags"]) == (verdict, told, result)


def test_nothing_done_here_means_that_the_file_is_taken():
    met = merge_question(parts(**KEY, **CATEGORY), BASE, BASE, edited=False)
    assert (met.verdict, met.parts) == ("changed", ("key", "category"))
    assert met.result == parts(**KEY, **CATEGORY)


def test_a_question_that_was_made_here_is_not_overwritten_by_a_file_of_the_same_name():
    made = parts(tags={"zoom": "no", "flags": ["unclear"]})
    assert (
        merge_question(BASE, None, made, edited=True).verdict == "unchanged"
    )  # flags are not its business
    met = merge_question(parts(**KEY), None, made, edited=True)
    assert (met.verdict, met.parts) == ("kept", ("key",))
    assert met.result == parts(**KEY, tags={"zoom": "no", "flags": ["unclear"]})
