"""Questions of which several options are right: scored by the whole set, and never as wrong."""

import json

import pytest

from annotations.free_answers.several_right import names_exactly, several_right
from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.prediction_format import PredictionChoices
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace

ROWS = [
    {"id": "s1", "video": "a.mp4", "question": "Which two move?", "answer": ["A", "C"],
     "options": ["the red ball", "the box", "the blue ball"]},
    {"id": "s2", "video": "b.mp4", "question": "Which two stay?", "answer": ["B", "C"],
     "options": ["the red ball", "the box", "the blue ball"]},
    {"id": "k1", "video": "c.mp4", "question": "Which one falls?", "answer": ["B"],
     "options": ["the red ball", "the box", "the blue ball"]},
]  # fmt: skip


@pytest.fixture
def asked(workspace: Workspace, tmp_path):
    """Two questions with two right options each, one with a key, and a model's replies to them."""
    (tmp_path / "q.json").write_text(json.dumps(ROWS))
    carry_out(workspace, plan_import(workspace, tmp_path / "q.json"))
    replies = [("s1", "A, C"), ("s2", "The answer is B."), ("k1", "B")]
    (tmp_path / "r.jsonl").write_text(
        "\n".join(json.dumps({"id": uid, "model": "m", "response": said}) for uid, said in replies)
    )
    plan = plan_predictions(
        workspace, [tmp_path / "r.jsonl"], PredictionChoices(condition="text only")
    )
    write_predictions(workspace, plan)
    return workspace


def test_a_reply_is_right_by_the_whole_set_and_in_no_accuracy(asked):
    with take(asked) as snapshot:
        [line] = several_right(snapshot)
        # s1 names both, s2 one of two: 1 of 2. The question with a key is not among them.
        assert (line.who, line.condition, line.replies) == ("m", "text only", 2)
        assert (line.exact.value, line.exact.n) == (0.5, 2)
        table = snapshot.predictions
        assert table.scored.sum() == 1  # accuracy knows the question with a key alone
        assert table.right[table.scored].tolist() == [True]


@pytest.mark.parametrize(
    ("reply", "exact"),
    [
        ("A and C", True), ("C, A", True), ("(A), (C)", True), ("Answer: AC", True),
        ("the red ball and the blue ball", True), ("A", False), ("A, B and C", False),
        ("", False), ("I cannot tell.", False), ("<think>A, C</think> B", False),
    ],
)  # fmt: skip
def test_all_right_options_and_no_other_have_to_be_named(reply, exact):
    options = ["the red ball", "the box", "the blue ball"]
    assert names_exactly(reply, options, ["the red ball", "the blue ball"]) == exact


def test_without_such_questions_there_is_no_line(workspace, add_question):
    add_question("o1")
    with take(workspace) as snapshot:
        assert several_right(snapshot) == []
