"""A task for people of a model's lists of objects: which of them can be seen (UTD 4.2, C.3)."""

import json
from typing import Any

from annotations.description.cleaning import entries
from annotations.description.concepts import OBJECTS
from annotations.description.stored import the_set
from annotations.planning.task_store import create_task
from annotations.workspace import Workspace
from core.lot import lot
from core.refusal import Refusal

_LISTS = """
  SELECT v.name, v.id, t.lines FROM video_text t JOIN item i ON i.id = t.item_id
  JOIN video v ON v.id = i.video_id WHERE t.run_id = ? AND v.status = 'usable' ORDER BY v.id
"""
MOST_OBJECTS = 30


def object_rows(
    workspace: Workspace, set_name: str = "", frames: int = 100, seed: int = 1
) -> list[dict[str, Any]]:
    """Rows of an object check: a frame of each of some videos, drawn by lot, with its objects.

    Videos are drawn by their names, so a larger number holds the smaller one. Only frames whose
    time is known count, since people have to see the very frame.

    Raises:
        Refusal: if there are no such lists.
    """
    described = the_set(workspace, set_name)
    run = described.runs.get(OBJECTS.kind)
    if run is None:
        raise Refusal(f"{described.name!r} has no lists of objects yet.")
    drawn: list[tuple[bytes, dict[str, Any]]] = []
    for row in workspace.store.rows(_LISTS, [run]):
        lines = [line for line in json.loads(row["lines"]) if entries(line["text"])]
        if len({line["start_s"] for line in lines}) < min(2, len(lines)) or not lines:
            continue
        digest = lot(f"{seed} ", row["name"])
        line = lines[int.from_bytes(digest[:4]) % len(lines)]
        names = entries(line["text"])[:MOST_OBJECTS]
        drawn.append((digest, {"video": row["name"], "time": line["start_s"], "objects": names,
                               "source": described.name}))  # fmt: skip
    if not drawn:
        raise Refusal(
            f"No list of objects of {described.name!r} is of a video that is here and of a frame "
            "whose time is known. Published lists do not say their times: let models describe."
        )
    return [row for _, row in sorted(drawn, key=lambda pair: pair[0])[:frames]]


def make_object_check(
    workspace: Workspace, set_name: str = "", frames: int = 100, overlap: int = 1
) -> tuple[int, int]:
    """The id of the task that checks a set's lists of objects, and how many frames it holds.

    Raises:
        Refusal: if there are no such lists.
    """
    rows = object_rows(workspace, set_name, frames)
    name = f"Object check: {rows[0]['source']}"
    settings = {"most_objects": MOST_OBJECTS}
    return create_task(workspace, name, "object_check", settings, overlap, rows=rows), len(rows)
