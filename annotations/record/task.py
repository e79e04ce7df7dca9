"""Tasks as they are stored: jobs for annotators."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from sqlite_utils import Database

from core.refusal import Missing
from db.connection import first_row, rows


@dataclass(frozen=True, kw_only=True)
class Task:
    """A job for annotators.

    Attributes:
        kind: a plug-in of annotations/tasks.
        settings: the kind's own.
        overlap: how many people answer an item.
        instructions: Markdown; '' is the kind's own.
        status: 'open', 'paused' or 'closed'.
        adaptive: whether items end early, once no answer can change the decision.
        skip_limit: so many skips send an item to an author.
        rate: pay per hour; None is the workspace's.
        source: what items are made of; 'rows' of a file.
        signatures: authors who sign what settles a disagreement; None leaves it to them.
        order_seed: by which items are shuffled; None is the order of import.
    """

    id: int
    name: str
    kind: str
    settings: dict[str, Any]
    overlap: int
    instructions: str
    status: str
    created_at: str
    adaptive: bool
    skip_limit: int
    rate: float | None
    source: str
    signatures: int | None
    order_seed: str | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """The task of a row of the table; columns that it has no field for are left out."""
        values = {field.name: row[field.name] for field in fields(cls)}
        values["settings"] = json.loads(row["settings"])
        values["adaptive"] = bool(row["adaptive"])
        return cls(**values)


@dataclass(frozen=True, kw_only=True)
class TaskCounts(Task):
    """A task with the counts of its items that are open.

    Attributes:
        items: of work, `practice` and `attention` likewise.
        wanted: answers that the items of work ask for, `answers` how many there are.
        saved: answers that early ends made unnecessary.
        finished: items that need no more answers.
        waiting: items that wait for an author.
    """

    items: int
    practice: int
    attention: int
    wanted: int
    saved: int
    answers: int
    finished: int
    waiting: int


def unstored_task(kind: str, settings: dict[str, Any]) -> Task:
    """A task that is not stored yet, for those who look at its kind and settings only."""
    return Task(
        id=0, name="", kind=kind, settings=settings, overlap=1, instructions="", status="open",
        created_at="", adaptive=False, skip_limit=1, rate=None, source="", signatures=None,
        order_seed=None,
    )  # fmt: skip


def task_in(database: Database, task_id: int) -> Task:
    """One task.

    Raises:
        LookupError: if there is none of this id.
    """
    row = first_row(database, "SELECT * FROM task WHERE id = ?", [task_id])
    if row is None:
        raise Missing(f"There is no task {task_id}.")
    return Task.from_row(row)


def tasks_in(database: Database) -> list[Task]:
    """Every task, in the order in which they were made."""
    return [Task.from_row(row) for row in rows(database, "SELECT * FROM task ORDER BY id")]


# Skipped by so many that an author has to look at it.
WAITING = """
  i.status = 'open' AND i.role = 'work' AND i.settled = 0 AND i.skips >= t.skip_limit
  AND i.answers < coalesce(i.overlap, t.overlap)
"""
_ASKED = "coalesce(i.overlap, t.overlap)"
_COUNTS = f"""
  SELECT t.*,
    coalesce(sum(i.role = 'work' AND {_ASKED} > 0), 0) AS items,
    coalesce(sum(i.role = 'practice'), 0) AS practice,
    coalesce(sum(i.role = 'attention'), 0) AS attention,
    coalesce(sum((i.role = 'work') * iif(i.settled, i.answers, {_ASKED})), 0) AS wanted,
    coalesce(sum((i.role = 'work') * i.settled * max(0, {_ASKED} - i.answers)), 0) AS saved,
    coalesce(sum(i.answers), 0) AS answers,
    coalesce(sum(i.role = 'work' AND {_ASKED} > 0
      AND (i.settled OR i.answers >= {_ASKED})), 0) AS finished,
    coalesce(sum({WAITING}), 0) AS waiting
  FROM task t LEFT JOIN item i ON i.task_id = t.id AND i.status = 'open'
  GROUP BY t.id ORDER BY t.id
"""


def answered_tasks(database: Database) -> set[int]:
    """Ids of the tasks in which a person has answered."""
    task_rows = rows(
        database,
        "SELECT id FROM task t WHERE EXISTS"
        " (SELECT 1 FROM item i WHERE i.task_id = t.id AND i.answers > 0)",
    )
    return {row["id"] for row in task_rows}


def task_counts(database: Database) -> list[TaskCounts]:
    """Every task with the counts of its items, in the order in which they were made."""
    return [TaskCounts.from_row(row) for row in rows(database, _COUNTS)]
