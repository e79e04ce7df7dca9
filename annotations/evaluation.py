"""Tasks and their items: making them, and letting them grow when more is imported."""

import json
from typing import Any

from annotations import task as tasks
from annotations.people import now_text
from annotations.workspace import Workspace


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
        }
        create_task(
            workspace,
            f"Human evaluation: {condition}",
            "human_evaluation",
            settings,
            workspace.settings.overlap,
        )
    return {row["name"]: grow(workspace, row["id"]) for row in all_tasks(workspace)}


def create_task(
    workspace: Workspace, name: str, kind: str, settings: dict[str, Any], overlap: int
) -> int:
    """The id of the task of this name, made if there is none.

    Raises:
        LookupError: if there is no such kind.
        ValueError: if the kind does not allow the settings.
    """
    checked = tasks.kind(kind).check_settings(settings)
    with workspace.store.write() as database:
        database.conn.execute(
            "INSERT INTO task (name, kind, settings, overlap, created_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (name) DO NOTHING",
            [name, kind, json.dumps(checked), overlap, now_text()],
        )
        return int(
            database.conn.execute("SELECT id FROM task WHERE name = ?", [name]).fetchone()[0]
        )


def grow(workspace: Workspace, task_id: int) -> int:
    """How many items were added to a task: those that the workspace offers and it lacks."""
    with workspace.store.read() as database:
        row = database.conn.execute("SELECT * FROM task WHERE id = ?", [task_id]).fetchone()
    drafts = tasks.kind(row["kind"]).build_items(workspace, json.loads(row["settings"]), None)
    with workspace.store.write() as database:
        before = database.conn.total_changes
        position = database.conn.execute(
            "SELECT coalesce(max(position), -1) + 1 FROM item WHERE task_id = ?", [task_id]
        ).fetchone()[0]
        database.conn.executemany(
            "INSERT INTO item (task_id, uid, question_id, video_id, payload, position)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (task_id, uid) DO NOTHING",
            [
                [task_id, d.uid, d.question_id, d.video_id, json.dumps(d.payload), position + i]
                for i, d in enumerate(drafts)
            ],
        )
        return database.conn.total_changes - before


def all_tasks(workspace: Workspace) -> list[dict[str, Any]]:
    """Every task with its counts: items, answers wanted, counted answers, finished items."""
    return workspace.store.rows(
        "SELECT t.id, t.name, t.kind, t.settings, t.overlap, t.status, t.instructions,"
        " count(i.id) AS items, coalesce(sum(coalesce(i.overlap, t.overlap)), 0) AS wanted,"
        " coalesce(sum(i.answers), 0) AS answers,"
        " coalesce(sum(i.answers >= coalesce(i.overlap, t.overlap)), 0) AS finished"
        " FROM task t LEFT JOIN item i ON i.task_id = t.id AND i.status = 'open'"
        " GROUP BY t.id ORDER BY t.id"
    )


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
        "items": "item",
        "annotations": "current_annotation WHERE skip_reason IS NULL",
        "skips": "current_annotation WHERE skip_reason IS NOT NULL",
        "extras": "current_annotation WHERE skip_reason IS NULL AND counted = 0",
        "corrections": "annotation WHERE revision > 1",
        "annotators": "annotator",
    }
    with workspace.store.read() as database:
        return {
            name: database.conn.execute(f"SELECT count(*) FROM {source}").fetchone()[0]
            for name, source in counts.items()
        }
