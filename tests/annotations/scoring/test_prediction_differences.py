import json

import pytest

from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.prediction_format import PredictionChoices
from annotations.question.questions import revise
from annotations.scoring.prediction_differences import compare, differences
from annotations.scoring.snapshot import take

# Key B throughout: (reply, their score).
REPLIES = {
    "1": ("B", 1),  # both right
    "2": ("A", 0),  # both wrong
    "3": ("Answer: B", 0),  # they took the A of 'Answer'
    "4": ("no way to know", 1),  # they drew a letter and were lucky
    "5": ("B", None),  # they gave no score
    "6": ("B", 0.5),  # half a point is neither right nor wrong
}


@pytest.fixture
def run_id(workspace, add_question, tmp_path):
    for uid in REPLIES:
        add_question(uid, key=1)
    add_question("7", key=None)
    rows = [{"id": uid, "response": reply, "score": score} for uid, (reply, score) in
            (*REPLIES.items(), ("7", ("B", 1)))]  # fmt: skip
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    choices = PredictionChoices(model="m", condition="16 frames")
    [(number, _)] = write_predictions(workspace, plan_predictions(workspace, [path], choices))
    return number


def test_scores_are_compared_where_both_are_right_or_wrong(workspace, run_id):
    found = compare(take(workspace), run_id)
    assert found.counts == {
        "both right": 1, "both wrong": 1, "only ours right": 1, "only theirs right": 1,
        "not comparable": 3,
    }  # fmt: skip
    assert (found.n, found.ours, found.theirs, found.differ) == (4, 0.5, 0.5, 2)
    assert found.words == (
        "ours 50.0 %, theirs 50.0 % (score) over 4 replies; 1 right by ours only, 1 right by "
        "theirs only"
    )
    # Replies read by the rule, right by ours only, right by theirs only.
    assert found.by_rule == (("label alone", 3, 1, 0), ("no rule", 1, 0, 1))


def test_each_reply_that_is_scored_otherwise_says_why(workspace, run_id):
    ours, theirs = differences(take(workspace), run_id)
    assert (ours.uid, ours.verdict, ours.choice) == ("3", "only ours right", 1)
    row = theirs.as_dict()
    assert (row["question"], row["our reading"], row["their score"]) == ("4", "unread", 1.0)
    assert row["key"] == "B. right"
    assert len(differences(take(workspace), run_id, every=True)) == 7


def test_a_corrected_key_moves_the_comparison(workspace, run_id):
    [question] = workspace.store.rows("SELECT id FROM question WHERE uid = '1'")
    with workspace.store.write() as database:
        revise(database, question["id"], {"key": 0})
    assert compare(take(workspace), run_id).counts["only theirs right"] == 2


def test_a_run_that_is_not_there_is_refused(workspace, run_id):
    with pytest.raises(LookupError, match="no run 99"):
        compare(take(workspace), 99)
