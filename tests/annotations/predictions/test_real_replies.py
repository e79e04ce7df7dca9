"""Real replies of TempCompass, each with the letter that a person reads in it, null for none.

They were drawn by a seed from all files of predictions, by model, task and shape, the unusual ones
more often, and labelled from question, options and reply before the rules were tried on them. At
first 226 of the 227 letters read were those of the person: one reply excluded two options together.
Of 69 drawn later, after rules had been mended, 67 letters were read at first and all were right.
A line of `real_replies.jsonl` names file, video, aspect and place; its letter stands for the
options in their order in the file, or is yes or no.
"""

import json
from pathlib import Path

import pytest

from annotations.reading.displayed_options import YES_NO, split_prompt
from core.reply.reading import read

LINES = [
    json.loads(line)
    for line in Path(__file__).with_name("real_replies.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def readings(shared) -> list[tuple[str, str | None, str | None]]:
    """Each reply with the letter of a person and the letter of the rules."""
    root = shared / "data/tempcompass/predictions"
    trees = {
        name: json.loads((root / name).read_text("utf-8"))
        for name in sorted({line["row"][0] for line in LINES})
    }
    pairs: list[tuple[str, str | None, str | None]] = []
    for line in LINES:
        name, video, aspect, place = line["row"]
        record = trees[name][video][aspect][place]
        _, options, labels = split_prompt(record["question"])
        letters = "ABCDEFGHIJ"
        if not options:
            (options, labels), letters = YES_NO, ("yes", "no")
        choice = read(record["prediction"], options, labels).choice
        pairs.append(
            (record["prediction"], line["letter"], None if choice is None else letters[choice])
        )
    return pairs


def test_no_letter_is_invented_and_none_is_another_than_a_person_reads(readings):
    assert len(readings) > 300
    assert [pair for pair in readings if pair[2] is not None and pair[1] != pair[2]] == []


def test_ninety_eight_of_a_hundred_letters_that_a_person_reads_are_read(readings):
    stated = [(person, rules) for _, person, rules in readings if person is not None]
    assert sum(person == rules for person, rules in stated) / len(stated) >= 0.98
