"""A task of the demo in which people say what went wrong in the replies of simulated models."""

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
    """The id of the task, made of wrong predictions of some runs."""
    chosen = wrong(workspace, runs=RUNS, states=["read"], most_per_run=EACH)
    rows = [{"prediction": prediction} for prediction in chosen]
    return create_task(workspace, NAME, KIND, {}, kinds.kind(KIND).OVERLAP, rows=rows)
