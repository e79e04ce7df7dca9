"""Clips that passed in one task and are work for the next."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from annotations import task as tasks
from annotations.record.task import tasks_in
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.stored_json import stored_json


@dataclass(frozen=True)
class ActionClip:
    """A clip in which an action is looked for.

    Attributes:
        video: content hash of its video; `video_id` is its row, `name` its name.
        start: s from the video's first frame.
        end: s; None for the video's end.
        title: of the video where it comes from, and `link` to it; '' where unknown.
    """

    video: str
    start: float
    end: float | None
    action: str
    domain: str
    description: str
    title: str
    link: str
    video_id: int
    name: str

    @property
    def payload(self) -> dict[str, Any]:
        """What the item of a clip keeps of it."""
        return {
            name: value for name, value in asdict(self).items() if name not in ("video_id", "name")
        }


def passed_clips(workspace: Workspace, source: int | str) -> list[ActionClip]:
    """The clips of a task's finished items that its decisions let pass, in the order of work.

    For any kind whose items have `clips` and whose decision says of each clip whether it passes.
    An item is finished when its overlap is full or no further answer can change what it decides.

    Args:
        workspace: where the tasks are.
        source: id or name of the task.

    Raises:
        ValueError: if there is no such task, or its items have no clips.
    """
    with workspace.store.read() as database:
        tasks_known = tasks_in(database)
    task = next((task for task in tasks_known if source in (task.id, task.name)), None)
    if task is None:
        raise Refusal(f"Setting from_task is {source!r}: there is no such task.")
    kind, settings = tasks.kind(task.kind), task.settings
    videos = {
        row["sha256"]: row
        for row in workspace.store.rows(
            "SELECT id, name, sha256 FROM video WHERE status = 'usable' ORDER BY id DESC"
        )
    }
    clips: list[ActionClip] = []
    for item in workspace.store.rows(
        "SELECT i.id, i.payload, coalesce(i.overlap, t.overlap) AS overlap FROM item i"
        " JOIN task t ON t.id = i.task_id WHERE i.task_id = ? AND i.status = 'open'"
        " AND i.role = 'work' ORDER BY i.position",
        [task.id],
    ):
        payload = json.loads(item["payload"])
        if "clips" not in payload:
            raise Refusal(f"Task {task.name} has no clips that could pass. Choose another.")
        responses = counted_responses(workspace, item["id"])
        if not kind.settled(responses, max(0, item["overlap"] - len(responses)), settings):
            continue
        passes: dict[str, bool] = kind.decide(responses, settings).value or {}
        about = (payload["action"], payload["domain"], payload["description"])
        clips += [
            ActionClip(
                clip["video"], clip["start"], clip["end"], *about, clip.get("title", ""),
                clip.get("link", ""), video["id"], video["name"],
            )
            for clip in payload["clips"]
            if passes.get(clip["id"]) and (video := videos.get(clip["video"]))
        ]  # fmt: skip
    return clips


def counted_responses(
    workspace: Workspace, item_id: int, sha256: str | None = None
) -> list[dict[str, Any]]:
    """The current counted responses to an item, oldest first, skips left out.

    Args:
        workspace: where they are stored.
        item_id: of the item.
        sha256: only those given on this video.
    """
    rows = workspace.store.rows(
        "SELECT response FROM current_annotation WHERE item_id = :item AND counted = 1"
        " AND skip_reason IS NULL"
        " AND (:video IS NULL OR json_extract(shown, '$.video') = :video) ORDER BY id",
        {"item": item_id, "video": sha256},
    )
    return [stored_json(row["response"]) for row in rows]
