"""The videos that objects alone solve, with their texts: what the page shows beside the share."""

from dataclasses import dataclass

import numpy as np

from annotations.bias.instructions import Job
from annotations.bias.result import Result
from annotations.bias.splits import removed
from annotations.description.concepts import OBJECTS
from annotations.description.stored import read_texts, the_set
from annotations.workspace import Workspace
from core.bias.debiasing import MODELS


@dataclass(frozen=True)
class SolvedVideo:
    """A video that all nine models solve from objects alone.

    Attributes:
        label: its class, or its first caption.
        objects: what the lists of its frames name, each once.
        sha256: of its content; '' where its file is not here.
    """

    video_id: int
    name: str
    label: str
    objects: tuple[str, ...]
    sha256: str


def solved_videos(
    workspace: Workspace, result: Result, job: Job, label: str = "", most: int = 48
) -> tuple[list[SolvedVideo], int]:
    """The videos that all nine solve, the first of them, and how many there are.

    Args:
        label: only of this class; '' for every class.
    """
    position, _, solved = removed(result, job, "debiased")
    # Edits of such videos, which go with them, need not be solved themselves.
    ids = np.asarray(result.arrays["video_id"], np.int64)[position[solved == MODELS]]
    marks: list[int] = ids.tolist()
    rows = workspace.store.rows(
        "SELECT v.id, v.name, v.sha256, v.status, coalesce(l.label, '') AS label,"
        " coalesce((SELECT text FROM video_caption c WHERE c.video_id = v.id"
        "  ORDER BY position LIMIT 1), '') AS caption"
        " FROM video v LEFT JOIN video_label l ON l.video_id = v.id ORDER BY v.id"
    )
    wanted = set(marks)
    chosen = [row for row in rows if row["id"] in wanted and (not label or row["label"] == label)]
    shown = [row["id"] for row in chosen[:most]]
    objects = objects_of(workspace, result.figures["descriptions"], shown)
    return [
        SolvedVideo(
            row["id"], row["name"], row["label"] if job == "classification" else row["caption"],
            objects.get(row["id"], ()), row["sha256"] if row["status"] == "usable" else "",
        )
        for row in chosen[:most]
    ], len(chosen)  # fmt: skip


def objects_of(
    workspace: Workspace, set_name: str, videos: list[int]
) -> dict[int, tuple[str, ...]]:
    """The objects that a set names in some videos, each once, by video id."""
    run = the_set(workspace, set_name).runs.get(OBJECTS.kind)
    objects: dict[int, tuple[str, ...]] = {}
    for video in videos if run is not None else ():
        rows = workspace.store.rows(
            "SELECT t.lines FROM video_text t JOIN item i ON i.id = t.item_id"
            " WHERE t.run_id = ? AND i.video_id = ? LIMIT 1",
            [run, video],
        )
        texts = read_texts(rows[0]["lines"], OBJECTS).texts if rows else ()
        names = (name for text in texts for name in text.split(", ") if name)
        once: dict[str, str] = {}
        for name in names:
            once.setdefault(name.casefold(), name)
        objects[video] = tuple(once.values())
    return objects
