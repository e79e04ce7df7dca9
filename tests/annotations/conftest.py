from collections.abc import Callable

import pytest

from annotations.condition import Condition
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import condition_task, ensure_run
from annotations.workspace import Workspace
from core.reply.reading import read

LETTERS = {"r": "B", "w": "A", "u": "a fine clip", "x": "I cannot view the video.", "s": "A or B"}
AddRun = Callable[..., int]


@pytest.fixture
def add_run(workspace: Workspace) -> AddRun:
    """Stores a run: one letter a question in order: right, wrong, unread, x refused, - no answer.

    The key of every question is B, its second option.
    """

    def add(model: str, condition: str, marks: str) -> int:
        task_id = condition_task(workspace, condition)
        run_id = ensure_run(workspace, model, task_id)
        items = workspace.store.rows(
            "SELECT i.id, q.id AS revision FROM item i JOIN current_question q"
            " ON q.question_id = i.question_id WHERE i.task_id = ? ORDER BY q.question_id",
            [task_id],
        )
        shown = {"condition": Condition.parse(condition).name, "option_order": [0, 1, 2]}
        answers = []
        for item, mark in zip(items, marks, strict=False):
            if mark == "-":
                continue
            reading = read(LETTERS[mark], ["left", "right", "up"])
            answers.append(
                ModelAnswer(item["id"], item["revision"], {"choice": reading.choice}, shown,
                            reading, LETTERS[mark])
            )  # fmt: skip
        store_answers(workspace, run_id, answers)
        return run_id

    return add
