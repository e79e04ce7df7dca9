"""A task as it stands for one person: the task, how far they are, what they earned."""

from typing import Any

from sqlite_utils import Database

from annotations.answering import availability
from annotations.answering.attention import reached
from annotations.answering.availability import ANSWERED, OPEN
from annotations.people import Person
from annotations.record.task import Task, task_in
from annotations.workspace import Workspace
from db.connection import first_row


def open_task(workspace: Workspace, task_id: int) -> Task:
    """One task.

    Raises:
        LookupError: if there is none.
    """
    with workspace.store.read() as database:
        return task_in(database, task_id)


def progress(workspace: Workspace, task_id: int, person: Person) -> dict[str, Any]:
    """How far a person is: done, skipped, open for them, total, active s and pay."""
    task = open_task(workspace, task_id)
    with workspace.store.read() as database:
        counts = counts_of(database, availability.names(database, task, person))
    ahead = reached(counts["work_done"] + counts["work_open"], counts["attention"])
    to_come = max(0, ahead - counts["attention_done"])
    open_for_me = counts["work_open"] + counts["practice_open"] + counts["returned"] + to_come
    rate = hourly_rate(workspace, task)
    return {
        "done": counts["done"],
        "skipped": counts["skipped"],
        "active_s": counts["active_s"],
        "open_for_me": open_for_me,
        "total": counts["done"] + counts["skipped"] + open_for_me - counts["returned"],
        "pay": round(counts["active_s"] / 3600 * rate, 2),
    }


def hourly_rate(workspace: Workspace, task: Task) -> float:
    """What an hour of active time pays: the task's own rate, else the workspace's."""
    return workspace.settings.rate if task.rate is None else task.rate


def has_attention(database: Database, names: dict[str, Any]) -> bool:
    """Whether attention items are mixed into a task."""
    return bool(
        database.conn.execute(
            "SELECT EXISTS (SELECT 1 FROM item i WHERE i.task_id = :task AND i.status = 'open'"
            " AND i.role = 'attention')",
            names,
        ).fetchone()[0]
    )


def counts_of(database: Database, names: dict[str, object]) -> dict[str, Any]:
    """A person's counts in a task: done, skipped and open, work, practice and attention apart."""
    mine = first_row(
        database,
        "SELECT coalesce(sum(a.skip_reason IS NULL), 0) AS done,"
        " coalesce(sum(a.skip_reason IS NOT NULL), 0) AS skipped,"
        " coalesce(sum(i.role = 'work'), 0) AS work_done,"
        " coalesce(sum(i.role = 'attention'), 0) AS attention_done FROM current_annotation a"
        " JOIN item i ON i.id = a.item_id WHERE i.task_id = :task AND a.annotator_id = :person",
        names,
    )
    spent = first_row(
        database,
        "SELECT coalesce(sum(a.active_s), 0.0) AS active_s FROM annotation a"
        " JOIN item i ON i.id = a.item_id WHERE i.task_id = :task AND a.annotator_id = :person",
        names,
    )
    free = {"work_open": 0, "practice_open": 0, "returned": 0}
    for row in database.conn.execute(
        f"SELECT i.role, {ANSWERED} AS answered, count(*) AS n FROM item i WHERE {OPEN}"
        " GROUP BY 1, 2",
        names,
    ):
        part = "returned" if row["answered"] else f"{row['role']}_open"
        free[part] = free.get(part, 0) + row["n"]
    known = first_row(
        database,
        "SELECT count(*) AS attention FROM item i WHERE i.task_id = :task AND i.status = 'open'"
        " AND i.role = 'attention'",
        names,
    )
    return {**(mine or {}), **(spent or {}), **free, **(known or {})}
