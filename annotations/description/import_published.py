"""Published descriptions brought into the workspace as runs, like those of models here."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotations.annotator import TextLine
from annotations.description import published
from annotations.description.concepts import BASE_KIND, TextKind
from annotations.description.named_videos import NamedVideos
from annotations.description.published import Record
from annotations.planning.task_store import create_task, set_status
from annotations.run.runs import ensure_run
from annotations.video.video_texts import NewText, store_texts
from annotations.workspace import Workspace
from core.batches import in_batches

TASK = "Described videos"
METHODS = {True: "frame_description", False: "concept_lists"}
AT_ONCE = 500
MOST_FAULTS = 50
Say = Callable[[int], None]


def quiet(count: int) -> None:
    """Say nothing."""


@dataclass
class ImportedDescriptions:
    """What an import of published descriptions did.

    Attributes:
        name: of the set.
        videos: records that were read, and `new` texts that were not stored before.
        incomplete: records with fewer than eight texts in a list, or with a text that was cut.
        faults: records that could not be used, (video, why), the first fifty.
        faulty: how many those were in all.
    """

    name: str
    videos: int = 0
    new: int = 0
    incomplete: int = 0
    faulty: int = 0
    faults: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def import_published(
    workspace: Workspace, path: Path, name: str = "", say: Say = quiet
) -> ImportedDescriptions:
    """Store the descriptions of a file; what is stored already stays as it is.

    Killed and started again it goes on: texts are stored by 500 videos, each once.

    Args:
        path: in UTD's layout.
        name: of the set; the file's name where it is ''.
        say: is told how many records were read.

    Raises:
        Refusal: if the file is none, or the name belongs to a person.
        OSError: if it cannot be read.
    """
    done = ImportedDescriptions(" ".join(name.split()) or path.stem)
    videos = NamedVideos(workspace)
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    runs: dict[TextKind, int] = {}
    task: int | None = None
    for part in in_batches(published.records(path), AT_ONCE):
        usable = list(_usable(part, done))
        if not usable:
            continue
        task = task or described_task(workspace)
        ids = videos.ensure(record.video for record in usable)
        items = ensure_items(workspace, task, sorted(set(ids.values())))
        for kind in dict.fromkeys(kind for record in usable for kind in record.texts):
            if kind not in runs:
                runs[kind] = _run(workspace, task, done.name, kind, path, content)
            done.new += store_texts(
                workspace,
                runs[kind],
                (_text(items[ids[one.video]], kind, one) for one in usable if kind in one.texts),
            )
        say(done.videos)
    return done


def described_task(workspace: Workspace) -> int:
    """The id of the closed task that holds videos with published descriptions."""
    task_id = create_task(workspace, TASK, "screening", {"duplicates": False}, 1, rows=[])
    set_status(workspace, TASK, "closed")
    return task_id


def ensure_items(workspace: Workspace, task_id: int, videos: Sequence[int]) -> dict[int, int]:
    """The item of each video in a task, by video id; made where there is none, for models alone."""
    with workspace.store.write() as database:
        position = database.conn.execute(
            "SELECT coalesce(max(position), -1) + 1 FROM item WHERE task_id = ?", [task_id]
        ).fetchone()[0]
        database.conn.executemany(
            "INSERT INTO item (task_id, uid, video_id, payload, position, overlap)"
            " SELECT ?, 'described:' || id, id, json_object('name', name, 'beside', json('[]'),"
            " 'clip', json_object('video', sha256, 'start', 0.0, 'end', NULL)), ?, 0"
            " FROM video WHERE id = ? ON CONFLICT (task_id, uid) DO NOTHING",
            [[task_id, position + number, video] for number, video in enumerate(videos)],
        )
        rows = database.conn.execute(
            "SELECT video_id, id FROM item WHERE task_id = ?"
            " AND video_id IN (SELECT value FROM json_each(?))",
            [task_id, json.dumps(list(videos))],
        )
        return {row[0]: row[1] for row in rows}


def _usable(part: Sequence[Record], done: ImportedDescriptions) -> Iterator[Record]:
    for record in part:
        if record.fault:
            done.faulty += 1
            if len(done.faults) < MOST_FAULTS:
                done.faults.append((record.video, record.fault))
            continue
        done.videos += 1
        done.incomplete += not record.complete
        yield record


def _run(
    workspace: Workspace, task: int, name: str, kind: TextKind, path: Path, content: str
) -> int:
    facts = {"set": name, "file": path.name, "sha256": content, "text": kind.kind}
    base = kind.kind == BASE_KIND
    return ensure_run(workspace, f"{name} · {kind.label}", task, METHODS[base], facts)


def _text(item_id: int, kind: TextKind, record: Record) -> NewText:
    texts = record.texts[kind]
    state = "found" if len(texts) == published.FRAMES else f"incomplete: {len(texts)} of 8 frames"
    # Which moment a published text is of is not known but for its order.
    lines = tuple(TextLine(0.0, 0.0, text) for text in texts)
    return NewText(item_id, "", kind.kind, state, lines)
