"""Answers in words, scored by an embedding model and by a judge that the user names."""

import json
from dataclasses import dataclass, field

import pytest

from annotations.free_answers.answers_in_words import free_answers
from annotations.free_answers.score_words import (
    Scored,
    runs_in_words,
    score_by_judge,
    score_by_similarity,
    scores_in,
)
from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.prediction_format import PredictionChoices
from annotations.scoring.snapshot import take
from core.model import ItemError, Reply
from core.model_loading import load_model
from core.refusal import Refusal
from ui.cli import main

QUESTIONS = """id,video,question,answer,scoring_points
q1,v1,What does he hold?,rope,
q2,v2,What colour is the car?,dark red,
q3,v3,What happens?,,"['two people cook', 'they wash up']"
"""
REPLIES = "id,model,response\nq1,m,brown rope\nq2,m,blue\nq3,m,Two people cook\n"
FIVE = {"logic": 8, "factuality": 7, "accuracy": 6, "conciseness": 5, "overall": 4}


@dataclass
class Judge:
    """A chat model that gives everything the same scores, or what it is told to say."""

    name: str = "judge-x"
    says: str = json.dumps(FIVE)
    asked: list[str] = field(default_factory=list)

    def generate(self, requests, max_tokens):
        self.asked += [request.text for request in requests]
        return [Reply(self.says) if self.says else ItemError("no answer") for _ in requests]


@pytest.fixture
def run_id(workspace, tmp_path):
    (tmp_path / "q.csv").write_text(QUESTIONS)
    carry_out(workspace, plan_import(workspace, tmp_path / "q.csv"))
    (tmp_path / "r.csv").write_text(REPLIES)
    plan = plan_predictions(
        workspace, [tmp_path / "r.csv"], PredictionChoices(condition="text only")
    )
    [(number, _)] = write_predictions(workspace, plan)
    assert runs_in_words(workspace) == {number}
    return number


def line_of(workspace):
    with take(workspace) as snapshot:
        [line] = free_answers(snapshot)
    return line


def test_similarity_with_accepted_answers_is_stored_and_not_computed_again(workspace, run_id):
    encoder = load_model("embedding", "words:counted")
    # 'brown rope' and 'rope' share one word: (1, 1) / sqrt 2 and (1, 0), so 0.707, above 0.5.
    # 'blue' and 'dark red' share none: 0. Nothing is accepted for the third.
    assert score_by_similarity(workspace, run_id, encoder) == Scored(3, 2, 0, 1)
    line = line_of(workspace)
    assert (line.answers, line.similar.value, line.similar.n, line.unscored) == (3, 0.5, 2, 1)
    stored = workspace.store.rows(
        "SELECT p.confidence, p.words, p.reply FROM prediction p JOIN current_annotation a"
        " ON a.id = p.annotation_id WHERE p.confidence IS NOT NULL ORDER BY a.item_id"
    )
    cosines = [json.loads(row["confidence"])["0"] for row in stored]
    assert cosines == pytest.approx([0.7071, 0], abs=1e-4)
    assert "words:counted" in stored[0]["words"]
    assert stored[0]["reply"] == "brown rope"
    assert score_by_similarity(workspace, run_id, encoder) == Scored(3, 0, 2, 1)


def test_the_same_file_again_leaves_what_a_model_scored(workspace, run_id, tmp_path):
    score_by_similarity(workspace, run_id, load_model("embedding", "words:counted"))
    choices = PredictionChoices(condition="text only")
    plan = plan_predictions(workspace, [tmp_path / "r.csv"], choices)
    [(again, stored)] = write_predictions(workspace, plan)
    assert (again, stored.new, stored.changed) == (run_id, 0, 0)
    assert line_of(workspace).similar.n == 2


def test_a_judge_sees_what_is_right_and_its_scores_outlive_similarities(workspace, run_id):
    judge = Judge()
    assert score_by_judge(workspace, run_id, judge) == Scored(3, 3, 0, 0)
    rope, _, points = judge.asked
    assert "What does he hold?" in rope
    assert "The right answer: rope" in rope
    assert "brown rope" in rope
    assert "- two people cook\n- they wash up" in points
    assert line_of(workspace).judged["factuality"].value == 7
    score_by_similarity(workspace, run_id, load_model("embedding", "words:counted"))
    assert line_of(workspace).judged["overall"].n == 3
    # The same judge is not asked again, another one is.
    assert score_by_judge(workspace, run_id, judge) == Scored(3, 0, 3, 0)
    assert score_by_judge(workspace, run_id, Judge("judge-y")) == Scored(3, 3, 0, 0)


def test_a_judge_that_gives_no_scores_leaves_answers_without_them(workspace, run_id):
    assert score_by_judge(workspace, run_id, Judge(says="It is good.")).failed == 3
    assert score_by_judge(workspace, run_id, Judge(says="")).failed == 3
    assert line_of(workspace).judged == {}
    assert score_by_judge(workspace, run_id, Judge()).scored == 3


@pytest.mark.parametrize(
    ("reply", "scores"),
    [
        (f"Here: ```json\n{json.dumps(FIVE)}\n```", FIVE),
        (json.dumps({**FIVE, "overall": 11}), {}),
        (json.dumps({**FIVE, "logic": 0}), {}),
        (json.dumps({**FIVE, "logic": True}), {}),
        (json.dumps(dict.fromkeys(list(FIVE)[:4], 5)), {}),
        ("<think>" + json.dumps(FIVE), {}),
        ("8 of 10", {}),
    ],
)
def test_only_five_numbers_from_1_to_10_are_scores(reply, scores):
    assert scores_in(reply) == scores


def test_a_free_answer_to_a_question_with_options_is_right_by_the_key_alone(
    workspace, add_question, items_of
):
    from annotations.planning.task_store import create_task, grow
    from annotations.run.run_answers import ModelAnswer, store_answers
    from annotations.run.runs import ensure_run
    from core.reply.result import Reading

    for number in (1, 2):
        add_question(f"o/{number}", options=["red kite", "blue kite", "boat"], key=0)
    task = create_task(
        workspace, "write", "human_evaluation", {"condition": "text only", "free_text": True}, 1
    )
    grow(workspace, task)
    run = ensure_run(workspace, "m", task)
    revision = {
        row["question_id"]: row["id"]
        for row in workspace.store.rows("SELECT question_id, id FROM current_question")
    }
    answers = [
        ModelAnswer(
            item.id, revision[item.question_id], {"text": text},
            {"condition": "text only", "free_text": True}, Reading(None, "read", "free text", ""),
            reply=text,
        )
        for item, text in zip(items_of(task), ("a red kite", "kite"), strict=True)
    ]  # fmt: skip
    store_answers(workspace, run, answers)
    # 'kite' is 0.707 like both kites: above 0.5, and no strict maximum, so it is not right.
    encoder = load_model("embedding", "words:counted")
    assert score_by_similarity(workspace, run, encoder).scored == 2
    assert line_of(workspace).similar.value == 0.5


def test_a_run_that_chose_among_options_is_refused_with_what_to_do(workspace, add_question):
    from annotations.run.runs import condition_task, ensure_run

    add_question("o1")
    run = ensure_run(workspace, "m", condition_task(workspace, "text only"))
    with pytest.raises(Refusal, match="no answers in words"):
        score_by_judge(workspace, run, Judge())


def test_the_command_scores_a_run_by_its_name(workspace, run_id, capsys):
    command = ["score", "m", "--workspace", str(workspace.root)]
    assert main([*command, "--embeddings", "words:counted", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["scored"], said["unscored"], said["answers"]) == (2, 1, 3)
    assert main([*command, "--embeddings", "words:counted"]) == 0
    out = capsys.readouterr().out
    assert "3 answers in words; 0 scored by words:counted, 2 scored before, 1 not" in out
    assert "nothing is understood" in out
    assert main([*command[:1], "gpt", *command[2:], "--judge", "stub:fair"]) == 1
    assert "There are: m · text only." in capsys.readouterr().err
