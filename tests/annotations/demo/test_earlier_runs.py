from collections.abc import Callable

import numpy as np

from annotations.demo.clips import questions
from annotations.demo.earlier_runs import CONDITIONS, GUESSABLE, MODELS, add_earlier_runs
from annotations.planning.task_store import ensure_tasks
from annotations.run.runs import all_runs
from annotations.scoring import human_accuracy, score_coverage
from annotations.scoring.prediction_columns import READ, STATES
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace


def filled(workspace: Workspace, add_question: Callable[..., int]) -> Workspace:
    for question in questions():
        add_question(question.uid, question.options, question.key)
    ensure_tasks(workspace)
    add_earlier_runs(workspace)
    return workspace


def test_every_simulated_run_says_so_in_its_name_and_its_facts(
    workspace: Workspace, add_question: Callable[..., int]
):
    runs = all_runs(filled(workspace, add_question))
    assert len(runs) == len(MODELS) * len(CONDITIONS)
    assert all("simulated" in run.model and "made up" in run.model for run in runs)
    assert all(run.facts["simulated"] and run.method == "simulated" for run in runs)


def test_replies_pass_through_the_ordinary_reading_and_every_way_of_choosing_nothing_comes_up(
    workspace: Workspace, add_question: Callable[..., int]
):
    table = take(filled(workspace, add_question)).predictions
    assert set(table.state.tolist()) == set(range(len(STATES)))
    assert 0.8 < (table.state == READ).mean() < 1
    assert (table.choice[table.state == READ] >= 0).all()
    assert (table.choice[table.state != READ] < 0).all()


def test_more_is_right_with_more_frames_and_one_run_is_not_whole(
    workspace: Workspace, add_question: Callable[..., int]
):
    table = take(filled(workspace, add_question)).predictions
    of = np.array([run.condition for run in table.runs])[table.run]
    share = {condition: table.right[of == condition].mean() for condition in CONDITIONS}
    assert share["text only"] < share["1 random frame"] < share["16 frames"]
    assert {run.predictions for run in table.runs} == {30, len(questions()) - 1, len(questions())}
    assert sum(run.errors for run in table.runs) == 1
    assert {question.uid for question in questions()} >= GUESSABLE


def test_adding_them_again_changes_nothing(workspace: Workspace, add_question: Callable[..., int]):
    before = take(filled(workspace, add_question)).predictions.annotation_id.tolist()
    add_earlier_runs(workspace)
    assert take(workspace).predictions.annotation_id.tolist() == before


def test_conditions_that_only_models_answered_are_none_of_people_s_metrics(
    workspace: Workspace, add_question: Callable[..., int]
):
    filled(workspace, add_question)
    assert [row.condition for row in human_accuracy.accuracy_table(take(workspace))] == [
        "full video",
        "16 frames",
    ]
    assert [one.condition for one in score_coverage.progress(take(workspace))] == [
        "full video",
        "16 frames",
    ]
