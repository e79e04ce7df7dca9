"""Replies of every kind that was read wrongly once, each with what a person reads, by hand.

A line of `relatives.jsonl` holds the options and replies with the letter that each one states, null
for none: articles and names, declarations, corrections, languages, wide letters, JSON, thoughts,
cut-off replies, refusals, lists, words, nested options, counts, yes and no, replies that run on.
"""

import json
from pathlib import Path

import pytest

from core.reply.reading import read

LINES = [
    json.loads(line)
    for line in Path(__file__).with_name("relatives.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_there_are_hundreds_of_them_and_many_state_nothing():
    letters = [letter for line in LINES for letter in line["replies"].values()]
    assert len(letters) > 900
    assert letters.count(None) > 350


@pytest.mark.parametrize("number", range(len(LINES)))
def test_each_gets_the_letter_that_it_states_and_no_other(number: int):
    line = LINES[number]
    for reply, letter in line["replies"].items():
        reading = read(reply, line["options"], finished=line.get("finished", True))
        choice = None if reading.choice is None else "ABCDEFGHIJ"[reading.choice]
        assert choice == letter, (reply, line["options"], reading)
