"""What annotators of whole videos share: the clip of an item, its title, and the usual task."""

import json
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, cast

from annotations import task as tasks
from annotations.planning.task_store import create_task, grow, set_status
from annotations.record.item import Item
from annotations.record.stage import Player
from annotations.record.task import Task
from annotations.task import Shown
from annotations.workspace import Workspace
from core.refusal import Refusal

FOOTAGE = "Footage"
OF_PIPELINES = (": videos", ": clips")  # ends of the names of their tasks
LONGEST = 2000  # letters of a description
TOLD = ("title", "link")
REASON_OF_CHOICE = ("off_topic", "other_focus", "irrelevant", "no_dog")


def footage_task(workspace: Workspace) -> int | None:
    """The id of the only screening task, or of the task 'Footage' with every usable video.

    Where there is no screening task it is made, closed: people screen once it is opened. None if
    there are several, so that one has to be named.
    """
    # A pipeline's own tasks are parts of the footage, made for its steps.
    screening_tasks = [
        row
        for row in workspace.store.rows(
            "SELECT id, name FROM task WHERE kind = 'screening' ORDER BY id"
        )
        if not row["name"].endswith(OF_PIPELINES)
    ]
    named = [row["id"] for row in screening_tasks if row["name"] == FOOTAGE]
    if len(screening_tasks) == 1 or named:
        task_id = int(named[0] if named else screening_tasks[0]["id"])
        grow(workspace, task_id)
        return task_id
    if screening_tasks:
        return None
    task_id = create_task(workspace, FOOTAGE, "screening", {}, 1)
    set_status(workspace, FOOTAGE, "closed")
    grow(workspace, task_id)
    return task_id


def shown_clip(workspace: Workspace, task: Task, item: Item, seed: str) -> tuple[Shown, Player]:
    """What people are shown of an item without its title, and the clip that it is about.

    Raises:
        ValueError: if the item is not about one clip.
    """
    kind = tasks.kind(task.kind)
    shown = kind.show(workspace, item, task.settings, seed)
    stage = kind.content(workspace, item, shown).stage
    if not isinstance(stage, Player):
        raise Refusal("the item is not about one clip")
    # Whoever tells a model the title says so.
    facts = {name: value for name, value in shown.facts.items() if name not in TOLD}
    return Shown(facts, shown.question_revision_id), stage


def title_and_description(workspace: Workspace, item: Item) -> tuple[str, str]:
    """The title of an item's video and its description ('' for none), the first 2,000 letters.

    From the item itself, else from what is known of the video, else the title is the file's name
    in words.
    """
    payload = item.payload
    rows = workspace.store.rows("SELECT name, facts FROM video WHERE id = ?", [item.video_id])
    facts = cast("dict[str, Any]", json.loads(rows[0]["facts"])) if rows else {}
    name = str(rows[0]["name"] if rows else payload.get("name", ""))
    file_words = PurePosixPath(name).stem.replace("_", " ").replace("-", " ")
    title = payload.get("title") or facts.get("title") or " ".join(file_words.split())
    description = str(payload.get("description") or facts.get("description") or "")
    return str(title), description[:LONGEST]


def reasons_of(task: Task) -> list[dict[str, str]]:
    """The reasons of a screening task; none in its exploratory pass."""
    settings = task.settings
    return [] if settings.get("pass") == "exploratory" else settings.get("reasons", [])


def reason_for(task: Task, wanted: str) -> str:
    """The id of the reason that a filter gives for a rejection; '' in the exploratory pass.

    Args:
        wanted: a reason's id; '' takes the one that means 'off topic', else the first.

    Raises:
        ValueError: if the task does not offer it.
    """
    offered = [reason["id"] for reason in reasons_of(task)]
    if not offered:
        return ""
    if wanted:
        if wanted not in offered:
            raise Refusal(f"Setting reason is {wanted!r}; this task offers: {', '.join(offered)}.")
        return wanted
    return next((reason for reason in REASON_OF_CHOICE if reason in offered), offered[0])


def verdict(accepted: bool, reasons: Sequence[str], note: str) -> dict[str, Any]:
    """A response of the kind screening."""
    reasons = [reason for reason in reasons if reason]
    return {
        "verdict": "accept" if accepted else "reject",
        "reasons": [] if accepted else reasons,
        "note": note,
    }
