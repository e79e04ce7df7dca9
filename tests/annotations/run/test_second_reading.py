import json

import pytest

from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.prediction_format import PredictionChoices
from annotations.run.run_answers import Stored
from annotations.run.second_reading import read_again
from annotations.scoring.snapshot import take
from core.model import ItemError, Reply

CHOICES = PredictionChoices(model="m", condition="16 frames")
# The options are shown as: A. up, B. left, C. right; the key is 'right', option 1 of the question.
REPLIES = {
    "1": "C",
    "2": "It keeps turning towards the side where the clock stands.",
    "3": "Either A or B.",
    "4": "It spins about.",
    "5": "It stays where it was.",
    "6": "I cannot see the video.",
}
SAID = {"towards the side": "C", "Either A or B": "none", "spins about": "**B**"}


class Reader:
    """Answers by a word of the reply; keeps what it was asked."""

    name = "reader"
    device = "cpu"
    is_stand_in = False
    stand_in_words = ""
    sees = False
    scores = False

    def __init__(self):
        self.asked = []

    def generate(self, requests, max_tokens):
        self.asked += requests
        return [
            next(
                (Reply(said) for words, said in SAID.items() if words in one.text),
                ItemError("time-out"),
            )
            for one in requests
        ]


@pytest.fixture
def run_id(workspace, add_question, tmp_path):
    rows = []
    for uid, reply in REPLIES.items():
        add_question(uid, ("left", "right", "up"), key=1)
        rows.append({"id": uid, "options": ["A. up", "B. left", "C. right"], "response": reply})
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    [(number, _)] = write_predictions(workspace, plan_predictions(workspace, [path], CHOICES))
    return number


def test_a_second_reader_sees_only_what_no_rule_reads_and_never_the_key(workspace, run_id):
    reader = Reader()
    found = read_again(workspace, run_id, reader)
    assert (found.asked, found.read, found.failed) == (4, 2, 1)
    assert found.stored == Stored(changed=2)
    assert len(reader.asked) == 4
    assert "A. up\nB. left\nC. right" in reader.asked[0].text
    assert "A, B or C" in reader.asked[0].text
    table = take(workspace).predictions
    by_item = dict(zip(table.item_id.tolist(), table.choice.tolist(), strict=True))
    # In the question's own order: left, right, up.
    assert list(dict(sorted(by_item.items())).values()) == [1, 1, -1, 0, -1, -1]
    [row] = workspace.store.rows(
        "SELECT p.words FROM prediction p JOIN current_annotation a ON a.id = p.annotation_id"
        " WHERE p.rule = 'second reader' AND json_extract(a.response, '$.choice') = 0"
    )
    assert row["words"] == "B: reader reads it so; by rule it was unread (no rule)"


def test_the_same_import_again_leaves_what_the_second_reader_read(workspace, run_id, tmp_path):
    read_again(workspace, run_id, Reader())
    plan = plan_predictions(workspace, [tmp_path / "x.jsonl"], CHOICES)
    assert write_predictions(workspace, plan) == [(run_id, Stored(same=4))]
    assert (take(workspace).predictions.choice >= 0).sum() == 3


def test_reading_again_asks_only_about_what_is_still_unread(workspace, run_id):
    read_again(workspace, run_id, Reader())
    assert read_again(workspace, run_id, Reader()).asked == 2


def test_an_unknown_run_is_refused_before_anything_is_asked(workspace, run_id):
    reader = Reader()
    with pytest.raises(LookupError):
        read_again(workspace, 99, reader)
    assert reader.asked == []
