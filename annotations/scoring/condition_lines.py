"""The lines on which people's answers are counted: conditions, and tasks where two share one."""

from dataclasses import dataclass

import numpy as np
from sqlite_utils import Database

from annotations.scoring.population import SCORED
from core.statistics.coding import coded
from core.statistics.ratings import Ints


@dataclass(frozen=True)
class ConditionLines:
    """Lines, and on which each answer stands.

    Attributes:
        names: of the lines.
        shown: the condition of each.
        line: (answers,) index into them.
        of_task: the line of each task that has scored answers, by its id.
    """

    names: tuple[str, ...]
    shown: tuple[str, ...]
    line: Ints
    of_task: dict[int, int]


def condition_lines(
    database: Database, texts: list[str], condition: Ints, task: Ints, state: Ints
) -> ConditionLines:
    """Two tasks with scored answers under one condition are two lines, not pooled silently.

    The first of them is named after the condition, each other one after its task too. Tasks that
    are open stand first in their order, with answers or without.

    Args:
        database: in a read transaction.
        texts: distinct conditions, into which `condition` is an index, (answers,).
        condition: of each answer.
        task: (answers,) ids.
        state: (answers,) as in `annotations.scoring.population`.
    """
    task_names = {
        row[0]: row[1] for row in database.conn.execute("SELECT id, name FROM task ORDER BY id")
    }
    lines: dict[tuple[str, int], int] = {}
    names: list[str] = []
    shown: list[str] = []

    def line(text: str, own_task: int = 0) -> int:
        if (text, own_task) not in lines:
            lines[text, own_task] = len(names)
            names.append(f"{text} · {task_names[own_task]}" if own_task else text)
            shown.append(text)
        return lines[text, own_task]

    for text in _task_conditions(database):
        line(text)
    # A pair is a task and a condition: in the order of tasks, then of conditions.
    pair, pairs = coded(task * max(len(texts), 1) + condition)
    of = np.zeros((pairs, 2), dtype=np.int64)
    of[pair] = np.stack([task, condition], axis=1)
    scored = np.bincount(pair, weights=state == SCORED, minlength=pairs) > 0
    of_pair = np.zeros(pairs, dtype=np.int64)
    of_task: dict[int, int] = {}
    first: set[int] = set()
    for row, (task_id, code) in enumerate(of.tolist()):
        repeated = bool(scored[row]) and code in first
        of_pair[row] = line(texts[code], task_id if repeated else 0)
        if scored[row]:
            first.add(code)
            of_task[task_id] = int(of_pair[row])
    return ConditionLines(tuple(names), tuple(shown), of_pair[pair], of_task)


def _task_conditions(database: Database) -> list[str]:
    """Conditions under which people answer or have answered, in the order of the tasks."""
    rows = database.conn.execute(
        "SELECT json_extract(t.settings, '$.condition') FROM task t"
        " JOIN item i ON i.task_id = t.id GROUP BY t.id"
        " HAVING t.status <> 'closed' OR sum(i.answers) > 0 ORDER BY t.id"
    )
    return [row[0] for row in rows if row[0]]
