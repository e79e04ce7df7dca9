import json

from core.stored_json import stored_json


def test_half_a_pair_is_replaced_wherever_it_stands():
    stored = json.dumps({"note \udfff": ["pre \ud800 post", {"deep": "\udc00"}], "n": 1})
    assert stored_json(stored) == {
        "note \N{REPLACEMENT CHARACTER}": [
            "pre \N{REPLACEMENT CHARACTER} post", {"deep": "\N{REPLACEMENT CHARACTER}"},
        ],
        "n": 1,
    }  # fmt: skip


def test_whole_pairs_and_texts_about_escapes_stay():
    for value in ("😀 \N{REPLACEMENT CHARACTER}", "C:\\ud800", ["é", None, 1.5, True], {}):
        assert stored_json(json.dumps(value)) == value
        assert stored_json(json.dumps(value, ensure_ascii=False)) == value
