"""Tasks and their items: making them, and letting them grow when more is imported."""

import json
from collections.abc import Iterable
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering.assignments import person_ids
from annotations.people import now_text
from annotations.planning.task_plan import (
    ROWS,
    SHUFFLED,
    PlannedItem,
    TaskPlan,
    planned_items,
    seed_of,
    usual_source,
)
from annotations.planning.work_order import work_order
from annotations.record.item import open_items
from annotations.record.task import TaskCounts, task_counts, task_in
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal

STATES = ("open", "paused", "closed")


def ensure_tasks(workspace: Workspace) -> dict[str, int]:
    """Items added by task name: one human-evaluation task for each condition of the settings.

    Without questions there is nothing to evaluate, and no task is made.
    A task that exists keeps its settings; items are only added, for what became usable since.
    """
    asked = status(workspace)["questions"] > 0
    for condition in workspace.settings.conditions if asked else ():
        settings = {
            "condition": condition,
            "shuffle_options": workspace.settings.shuffle_options,
            "meet_once": workspace.settings.meet_once,
        }
        create_task(
            workspace,
            f"Human evaluation: {condition}",
            "human_evaluation",
            settings,
            workspace.settings.overlap,
        )
    return {task.name: grow(workspace, task.id) for task in all_tasks(workspace)}


def create_task(
    workspace: Workspace,
    name: str,
    kind: str,
    settings: dict[str, Any],
    overlap: int,
    *,
    rows: list[dict[str, Any]] | None = None,
    order: str = SHUFFLED,
) -> int:
    """The id of the task of this name, made if there is none; with rows, with their items.

    Args:
        order: 'shuffled', by the name, or 'as imported'.
        rows: parsed lines of an items file, which may have "role" and "expected".

    Raises:
        LookupError: if there is no such kind.
        ValueError: if the kind does not allow the settings or a row.
    """
    module = tasks.kind(kind)
    checked = module.check_settings(settings)
    source = usual_source(module.SOURCES) if rows is None else ROWS
    items = () if rows is None else planned_items(workspace, kind, checked, source, rows)
    plan = TaskPlan(
        name, kind, checked, overlap, source, items, order_seed=seed_of(order, name)
    )  # fmt: skip
    with workspace.store.write() as database:
        task_id = _insert_task(database, plan)
        _insert_items(database, task_id, plan.items)
    return task_id


def make_task(workspace: Workspace, plan: TaskPlan) -> int:
    """The id of a new task with its items, as planned.

    Raises:
        ValueError: if a person is not known, or a task of this name was made meanwhile.
    """
    with workspace.store.write() as database:
        numbers = person_ids(database, plan.people)
        if database.conn.execute("SELECT 1 FROM task WHERE name = ?", [plan.name]).fetchone():
            raise Refusal(f"name: a task {plan.name!r} exists already. Choose another name.")
        task_id = _insert_task(database, plan)
        _insert_items(database, task_id, plan.items)
        database.conn.executemany(
            "INSERT INTO assignment (task_id, annotator_id, created_at) VALUES (?, ?, ?)",
            [[task_id, number, now_text()] for number in numbers],
        )
    return task_id


def _insert_task(database: Database, plan: TaskPlan) -> int:
    database.conn.execute(
        "INSERT INTO task (name, kind, settings, overlap, source, adaptive, skip_limit, rate,"
        " instructions, signatures, order_seed, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (name) DO NOTHING",
        [
            plan.name, plan.kind, json.dumps(plan.settings), plan.overlap, plan.source,
            int(plan.adaptive), plan.skip_limit, plan.rate, plan.instructions, plan.signatures,
            plan.order_seed, now_text(),
        ],
    )  # fmt: skip
    cursor = database.conn.execute("SELECT id FROM task WHERE name = ?", [plan.name])
    return int(cursor.fetchone()[0])


def _insert_items(database: Database, task_id: int, items: Iterable[PlannedItem]) -> int:
    """How many were new; those that the task has are left as they are.

    One that was there for models alone is asked of people from now on. Rows go in by the order of
    import, which their ids keep; their positions are the order of work.
    """
    new = _new_places(database, task_id, list(items))
    added = database.conn.executemany(
        "INSERT INTO item (task_id, uid, question_id, video_id, payload, position, role, expected)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (task_id, uid) DO UPDATE"
        " SET overlap = NULL, position = excluded.position WHERE overlap = 0",
        [
            [
                task_id, item.draft.uid, item.draft.question_id, item.draft.video_id,
                json.dumps(item.draft.payload), position, item.role,
                None if item.expected is None else json.dumps(item.expected),
            ]
            for item, position in new
        ],
    )  # fmt: skip
    return max(0, added.rowcount)


def _new_places(
    database: Database, task_id: int, items: list[PlannedItem]
) -> list[tuple[PlannedItem, int]]:
    """The items that people are not asked yet, in the order given, each with its position."""
    execute = database.conn.execute
    seed = execute("SELECT order_seed FROM task WHERE id = ?", [task_id]).fetchone()[0]
    begins = execute(
        "SELECT coalesce(max(position), -1) + 1 FROM item WHERE task_id = ?", [task_id]
    ).fetchone()[0]
    asked_before = execute(
        "SELECT uid FROM item WHERE task_id = ? AND coalesce(overlap, 1) > 0"
        " AND uid IN (SELECT value FROM json_each(?))",
        [task_id, json.dumps([item.draft.uid for item in items])],
    )
    asked = {row["uid"] for row in asked_before}
    new = [item for item in items if item.draft.uid not in asked]
    ordered = work_order(new, seed, begins)
    positions = {item.draft.uid: position for position, item in enumerate(ordered, begins)}
    return [(item, positions[item.draft.uid]) for item in new]


def add_items(workspace: Workspace, task_id: int, items: Iterable[PlannedItem]) -> int:
    """How many items were new to a task; those that it has are left as they are."""
    with workspace.store.write() as database:
        return _insert_items(database, task_id, items)


def grow(workspace: Workspace, task_id: int) -> int:
    """How many items were added to a task: those that the workspace offers and it lacks.

    A task made of the rows of a file does not grow, nor does a sample once it is drawn.
    """
    with workspace.store.read() as database:
        task = task_in(database, task_id)
        drawn = bool(task.settings.get("sample")) and bool(open_items(database, task_id, "work", 1))
    if task.source == ROWS or drawn:
        return 0
    items = planned_items(workspace, task.kind, task.settings, task.source, None)
    with workspace.store.write() as database:
        return _insert_items(database, task_id, items)


def task_named(workspace: Workspace, name: str) -> int:
    """The id of the task of this name.

    Raises:
        LookupError: if there is none.
    """
    have = workspace.store.rows("SELECT id, name FROM task ORDER BY id")
    for row in have:
        if row["name"] == name:
            return int(row["id"])
    listed = ", ".join(repr(row["name"]) for row in have) or "none"
    raise Missing(f"There is no task {name!r}. There are: {listed}.")


def set_status(workspace: Workspace, name: str, status: str) -> None:
    """Open, pause or close a task; only an open one hands out items, all keep what they have.

    Raises:
        LookupError: if there is no task of this name.
        ValueError: if there is no such status.
    """
    if status not in STATES:
        raise Refusal(f"{status!r} is no state of a task. Allowed: {', '.join(STATES)}.")
    task_id = task_named(workspace, name)
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET status = ? WHERE id = ?", [status, task_id])


def set_rate(workspace: Workspace, task_id: int, rate: float | None) -> None:
    """Pay for a task by its own hourly rate, or by the workspace's if None.

    Raises:
        ValueError: for less than nothing.
    """
    if rate is not None and not 0 <= rate < 100_000:
        raise Refusal(f"The rate is {rate}. Allowed: pay per hour, 0 or more.")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE task SET rate = ? WHERE id = ?", [rate, task_id])


def all_tasks(workspace: Workspace) -> list[TaskCounts]:
    """Every task with the counts of its items."""
    with workspace.store.read() as database:
        return task_counts(database)


def status(workspace: Workspace) -> dict[str, int]:
    """What the workspace holds: counts of videos, questions, tasks, items, annotations, people."""
    counts = {
        "videos": "video",
        "videos_usable": "video WHERE status = 'usable'",
        "videos_missing": "video WHERE status = 'missing'",
        "videos_broken": "video WHERE status = 'broken'",
        "questions": "question",
        "question_revisions": "question_revision",
        "tasks": "task",
        "items": "item WHERE role = 'work'",
        "annotations": "current_annotation a WHERE skip_reason IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM prediction p WHERE p.annotation_id = a.id)",
        "skips": "current_annotation WHERE skip_reason IS NOT NULL",
        "extras": "current_annotation a JOIN item i ON i.id = a.item_id"
        " JOIN annotator p ON p.id = a.annotator_id AND p.kind = 'person'"
        " WHERE a.skip_reason IS NULL AND a.counted = 0 AND i.role = 'work'",
        "corrections": "annotation WHERE revision > 1",
        "annotators": "annotator",
        "runs": "run",
        "predictions": "prediction p JOIN current_annotation a ON a.id = p.annotation_id",
    }
    with workspace.store.read() as database:
        return {
            name: database.conn.execute(f"SELECT count(*) FROM {source}").fetchone()[0]
            for name, source in counts.items()
        }
