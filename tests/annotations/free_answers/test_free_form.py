import json

import pytest

from annotations.free_answers.free_form import judge_scores, similarity_scores
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.prediction_format import PredictionChoices
from annotations.run.judge_scores import judgements
from annotations.run.run_answers import Stored
from annotations.scoring.snapshot import take

QUESTION = "Which way?"
OPTIONS = ["A. left", "B. right", "C. up"]


@pytest.fixture
def asked(workspace, add_question):
    """Three questions about two videos; the key of each is B."""
    for uid, video in (("1", "dog"), ("2", "dog"), ("3", "cat")):
        add_question(uid, video=video)
    return workspace


def sim(idx, answer, similarities, **more):
    return {
        "idx": idx,
        "question": QUESTION,
        "options": OPTIONS,
        "ground_truth": "B. right",
        "response": json.dumps({"reasoning": "it turns", "answer": answer}),
        "answer": answer,
        "cosine_similarities": similarities,
        **more,
    }


SIMILAR = {
    "individual_results": [
        sim("1", "to the right", {"A": 0.41, "B": 0.83, "C": 0.2}, is_correct=True),
        sim("2", "it goes left", {"A": 0.7, "B": 0.6, "C": 0.1}, is_correct=False),
        sim("3", "no idea", {"A": 0.2, "B": 0.45, "C": 0.3}, is_correct=False),
    ],
    "total_count": 3,
    "similarity_model": "embedder",
}
CHOICES = PredictionChoices(model="talker", condition="full video")


def bring_in(workspace, path, content):
    path.write_text(json.dumps(content), encoding="utf-8")
    plan = plan_predictions(workspace, [path], CHOICES)
    assert plan.problems.errors == 0, plan.problems.worst_first
    [(run_id, stored)] = write_predictions(workspace, plan)
    return run_id, stored, plan


def test_similarities_are_stored_by_option_and_scored_as_the_paper_says(asked, tmp_path):
    run_id, stored, plan = bring_in(asked, tmp_path / "sim_talker.json", SIMILAR)
    assert (stored, plan.other_keys) == (Stored(new=3), 0)
    assert plan.runs[0].verdicts == {"both right": 1, "both wrong": 2}
    table = take(asked).predictions
    assert table.choice.tolist() == [1, 0, -1]
    confidence = asked.store.rows("SELECT confidence FROM prediction ORDER BY annotation_id")
    assert json.loads(confidence[0]["confidence"]) == {"0": 0.41, "1": 0.83, "2": 0.2}
    found = similarity_scores(take(asked), run_id, resamples=200)
    assert found.accuracy.value == pytest.approx(1 / 3)
    assert (found.n, found.below, found.accuracy.clusters) == (3, 1, 2)
    # With a threshold of 0.4 the third answer is right too: 0.45 is above it and the highest.
    lower = similarity_scores(take(asked), run_id, 0.4, resamples=200)
    assert lower.accuracy.value == pytest.approx(2 / 3)
    assert dict(found.curve)[0.4] == pytest.approx(2 / 3)
    assert dict(found.curve)[0.9] == 0


def test_a_judge_s_file_adds_scores_to_the_answers_that_are_there(asked, tmp_path):
    run_id, _, _ = bring_in(asked, tmp_path / "sim_talker.json", SIMILAR)
    five = {"Logic": 7, "Factuality": 5, "Accuracy": 6, "Conciseness": 9, "Overall": 6}
    judged = [
        {
            "idx": str(number), "question": QUESTION, "correct_answer": "B. right",
            "options": OPTIONS, "model_output": "anything", "judge_model": "strict-1",
            "scores": {name: score - number + 1 for name, score in five.items()},
        }
        for number in (1, 2)
    ]  # fmt: skip
    again, stored, plan = bring_in(asked, tmp_path / "judge.json", judged)
    assert again == run_id
    assert stored == Stored()
    assert plan.runs[0].writes == {"judge's scores only": 2}
    assert take(asked).predictions.choice.tolist() == [1, 0, -1]
    lines = {line.score: line for line in judge_scores(take(asked), run_id, resamples=200)}
    assert set(lines) == {"logic", "factuality", "accuracy", "conciseness", "overall"}
    assert lines["logic"].judge == "strict-1"
    assert lines["logic"].mean.value == pytest.approx(6.5)  # (7 + 6) / 2
    assert (lines["logic"].mean.n, lines["logic"].missing) == (2, 1)
    bring_in(asked, tmp_path / "judge.json", judged)
    assert sum(len(found) for found in judgements(take(asked).database, run_id).values()) == 2


def test_judge_scores_in_columns_are_read_and_accuracy_alone_is_none(asked, tmp_path):
    path = tmp_path / "judged.csv"
    path.write_text(
        "id,response,Logic,Factuality,Accuracy,Conciseness,Overall\n1,B,8,7,6,5,11\n",
        encoding="utf-8",
    )
    plan = plan_predictions(asked, [path], CHOICES)
    write_predictions(asked, plan)
    [[found]] = judgements(take(asked).database, 1).values()
    assert found.scores == {"logic": 8, "factuality": 7, "accuracy": 6, "conciseness": 5}
    path.write_text("id,response,accuracy\n2,B,1\n", encoding="utf-8")
    [answer] = plan_predictions(asked, [path], CHOICES).runs[0].answers.values()
    assert answer.draft.judged == ()


def test_similarities_that_are_not_one_for_each_option_are_left_out_and_said(asked, tmp_path):
    path = tmp_path / "sim.json"
    path.write_text(json.dumps([sim("1", "right", {"A": 0.4, "B": 0.8})]), encoding="utf-8")
    plan = plan_predictions(asked, [path], CHOICES)
    assert "not one similarity for each option" in plan.problems.worst_first[0].text
    [answer] = plan.runs[0].answers.values()
    assert answer.draft.similarities == ()
    assert similarity_scores_of(asked, plan) is None


def similarity_scores_of(workspace, plan):
    [(run_id, _)] = write_predictions(workspace, plan)
    return similarity_scores(take(workspace), run_id)


def test_a_judge_s_nought_is_a_score_and_lowers_the_mean(asked, tmp_path):
    path = tmp_path / "judged.csv"
    path.write_text(
        "id,response,Logic,Factuality,Accuracy,Conciseness,Overall\n1,B,8,7,8,5,6\n2,B,8,7,0,5,6\n",
        encoding="utf-8",
    )
    write_predictions(asked, plan_predictions(asked, [path], CHOICES))
    lines = {line.score: line.mean for line in judge_scores(take(asked), 1, resamples=200)}
    # (8 + 0) / 2; left out, the mean would be 8.
    assert (lines["accuracy"].value, lines["accuracy"].n) == (4.0, 2)
