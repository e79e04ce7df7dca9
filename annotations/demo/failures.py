"""A task of the demo in which people say what went wrong in the replies of simulated models."""

import json

from annotations import task as kinds
from annotations.failure.failure_items import wrong
from annotations.planning.task_store import create_task
from annotations.workspace import Workspace

NAME = "Failure tagging: what went wrong?"
KIND = "failure_tagging"
RUNS = (
    "simulated model B (made up for the demo) · 16 frames",
    "simulated model B (made up for the demo) · text only",
    "simulated model A (made up for the demo) · 1 random frame",
)
EACH = 4


def add_failure_task(workspace: Workspace) -> int:
    """The id of the task, made of wrong predictions of some runs.

    It shows keys, so annotators get only questions that nobody is asked any more: those that the
    earlier annotators have answered in every open task are taken, and have enough answers then.
    """
    answered = _answered_everywhere(workspace)
    asked_of = _questions(workspace, wrong(workspace, runs=RUNS, states=["read"]))
    chosen: list[int] = []
    for run in RUNS:
        fitting = [
            prediction
            for prediction in wrong(workspace, runs=[run], states=["read"])
            if asked_of[prediction] in answered
        ]
        chosen += fitting[:EACH]
    with workspace.store.write() as database:
        database.conn.executemany(
            "UPDATE item SET overlap = answers WHERE question_id = ? AND task_id IN"
            " (SELECT id FROM task WHERE kind = 'human_evaluation' AND status = 'open')",
            [[asked_of[prediction]] for prediction in chosen],
        )
    rows = [{"prediction": prediction} for prediction in chosen]
    return create_task(workspace, NAME, KIND, {}, kinds.kind(KIND).OVERLAP, rows=rows)


def _answered_everywhere(workspace: Workspace) -> set[int]:
    """Questions with an answer in every open task of human evaluation."""
    rows = workspace.store.rows(
        "SELECT i.question_id FROM item i JOIN task t ON t.id = i.task_id"
        " WHERE t.kind = 'human_evaluation' AND t.status = 'open'"
        " GROUP BY i.question_id HAVING min(i.answers) > 0"
    )
    return {row["question_id"] for row in rows}


def _questions(workspace: Workspace, predictions: list[int]) -> dict[int, int]:
    """The question of each prediction."""
    rows = workspace.store.rows(
        "SELECT p.id, i.question_id FROM annotation p JOIN item i ON i.id = p.item_id"
        " WHERE p.id IN (SELECT value FROM json_each(?))",
        [json.dumps(predictions)],
    )
    return {row["id"]: row["question_id"] for row in rows}
