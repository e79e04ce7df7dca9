import io
import json
from pathlib import Path

import pytest

from annotations.description import published
from annotations.description.concepts import ACTIVITIES, DESCRIPTION, OBJECTS, TEXT_KINDS


def test_the_published_example_is_read_as_it_is(shared: Path):
    [record] = published.records(shared / "data" / "utd" / "descriptions_example.json")
    assert record.video == "v_ApplyEyeMakeup_g01_c02"
    assert set(record.texts) == set(TEXT_KINDS)
    assert [len(record.texts[kind]) for kind in TEXT_KINDS] == [2, 1, 1, 1, 1]
    assert not record.complete
    assert record.texts[OBJECTS][0].startswith("person, makeup brush")


def test_a_record_with_eight_whole_texts_is_complete(tmp_path: Path):
    path = tmp_path / "texts.json"
    path.write_text(json.dumps({"a": {"objects": ["dog"] * 8}, "b": {"objects": ["dog..."] * 8}}))
    whole, cut = published.records(path)
    assert whole.complete
    assert not cut.complete


def test_a_bad_record_costs_itself(tmp_path: Path):
    path = tmp_path / "texts.json"
    bad = {
        "one": {"objects": "dog"},
        "two": ["dog"],
        "three": {"objects": ["dog"] * 9},
        "four": {"things": ["dog"]},
        "five": {"objects": [1]},
        "six": {"objects": ["dog"]},
    }
    path.write_text(json.dumps(bad))
    found = {one.video: one.fault for one in published.records(path)}
    assert found["one"] == "'objects' is no list of texts"
    assert found["two"].startswith('is ["dog"], no object')
    assert found["three"] == "'objects' has 9 texts; allowed: 8"
    assert found["four"].startswith("has none of the lists objects+composition+activities")
    assert found["five"] == "'objects' is no list of texts"
    assert found["six"] == ""


@pytest.mark.parametrize("text", ["", "[1]", '{"a": ', '{"a" 1}', '{"a": {} "b": {}}', "{1: {}}"])
def test_a_file_that_is_no_object_says_where(text: str, tmp_path: Path):
    path = tmp_path / "texts.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"texts\.json, letter \d+: .* was expected"):
        list(published.records(path))


def test_a_large_file_is_read_in_pieces(monkeypatch):
    # Pieces of seven letters cut through names, escapes and numbers.
    monkeypatch.setattr(published, "_CHUNK", 7)
    value = {'a"b': {"objects": ["é\\n", "x" * 50]}, "c": {}, "d": [12345678901, True]}
    text = json.dumps(value, indent=1)
    assert dict(published.members(io.StringIO(text), "file")) == value
    assert dict(published.members(io.StringIO("{}"), "file")) == {}


def test_lists_keep_the_order_of_frames(tmp_path: Path):
    path = tmp_path / "texts.json"
    texts = [f"frame {number}" for number in range(8)]
    lists = {"objects+composition+activities": texts, "activities": []}
    path.write_text(json.dumps({"v": lists}))
    [record] = published.records(path)
    assert record.texts[DESCRIPTION] == tuple(texts)
    assert record.texts[ACTIVITIES] == ()
