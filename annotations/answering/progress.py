"""A task as it stands for one person: the task, how far they are, what they earned."""

from typing import Any, cast

from sqlite_utils import Database

from annotations.answering import availability
from annotations.answering.admission import Admission
from annotations.answering.attention import reached
from annotations.answering.availability import TO_THIS_VERSION
from annotations.answering.open_counts import OPEN_COUNTS, open_counts
from annotations.people import Person
from annotations.record.task import Task, task_in
from annotations.workspace import Workspace
from db.connection import first_row


def open_task(workspace: Workspace, task_id: int) -> Task:
    """One task.

    Raises:
        LookupError: if there is none.
    """
    with workspace.store.single() as database:
        return task_in(database, task_id)


def progress(
    workspace: Workspace, task_id: int, person: Person, task: Task | None = None
) -> dict[str, Any]:
    """How far a person is: done, skipped, open for them, total, active s and pay.

    `cut_s` are seconds that were claimed beyond the clock and are not paid. `hidden` counts work
    that shows keys of questions which the person may still be asked; `seen` counts questions that
    they are not asked because they have seen the key. `recruited`: they came by a survey link.
    """
    task = task or open_task(workspace, task_id)
    with workspace.store.read() as database:
        names = availability.names(database, task, person)
        return progress_in(database, names, hourly_rate(workspace, task))


def progress_in(database: Database, names: dict[str, object], rate: float) -> dict[str, Any]:
    """`progress` of whom the names are about (`availability.names`), at a pay per hour."""
    counts = counts_of(database, names)
    ahead = reached(counts["work_done"] + counts["work_open"], counts["attention"])
    to_come = max(0, ahead - counts["attention_done"])
    open_for_me = counts["work_open"] + counts["practice_open"] + counts["returned"] + to_come
    return {
        "done": counts["done"],
        "skipped": counts["skipped"],
        "active_s": counts["active_s"],
        "cut_s": counts["cut_s"],
        "hidden": counts["hidden"],
        "seen": counts["seen"],
        "recruited": names["recruited"],
        "open_for_me": open_for_me,
        "total": counts["done"] + counts["skipped"] + open_for_me - counts["returned"],
        "pay": round(counts["active_s"] / 3600 * rate, 2),
    }


def hourly_rate(workspace: Workspace, task: Task) -> float:
    """What an hour of active time pays: the task's own rate, else the workspace's."""
    return workspace.settings.rate if task.rate is None else task.rate


def counts_of(database: Database, names: dict[str, object]) -> dict[str, Any]:
    """A person's counts in a task: done, skipped and open, work, practice and attention apart."""
    counts = first_row(database, f"SELECT * FROM ({_MINE}) CROSS JOIN ({OPEN_COUNTS})", names) or {}
    counts |= open_counts(database, names, counts, counts["done"] + counts["skipped"])
    admitted = cast("Admission", names["admission"])
    if admitted.ahead is not None:
        counts["work_open"] = min(counts["work_open"], admitted.ahead)
    if not admitted.practice:
        counts["practice_open"] = 0
    return counts


_MINE = f"""
  SELECT coalesce(sum(a.skip_reason IS NULL AND a.newest), 0) AS done,
    coalesce(sum(a.skip_reason IS NOT NULL AND a.newest), 0) AS skipped,
    coalesce(sum(a.role = 'work' AND a.newest), 0) AS work_done,
    coalesce(sum(a.role = 'attention' AND a.newest), 0) AS attention_done,
    coalesce(sum(a.active_s), 0.0) AS active_s,
    coalesce(sum(a.cut_s), 0.0) AS cut_s,
    (SELECT count(*) FROM item i INDEXED BY item_known WHERE i.task_id = :task
      AND i.status = 'open' AND i.role = 'attention' AND i.role <> 'work') AS attention
  FROM (
    SELECT a.skip_reason, a.active_s, a.cut_s, i.role, a.revision = (SELECT max(x.revision)
      FROM annotation x WHERE x.item_id = a.item_id AND x.annotator_id = a.annotator_id)
      AND {TO_THIS_VERSION} AS newest
    FROM annotation a CROSS JOIN item i ON i.id = a.item_id
    WHERE a.annotator_id = :person AND i.task_id = :task) a
"""
