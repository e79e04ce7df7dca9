"""Builders: rows put straight into a workspace's database, by keyword and with good defaults.

    with workspace.store.write() as database:
        video = make_video(database, "v.mp4", status="broken", reason="empty file")
        question = make_question(database, "count/1", make_clip(database, video), key=0)
        item = make_item(database, make_task(database, "t"), question=question)
        make_answer(database, item, ada, {"choice": 0}, active_s=12)

A test names what matters to it and nothing else; only this module knows the columns. What has to
go through queue and answer store is done by those, not here.
"""

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from typing import Any

from sqlite_utils import Database

from annotations.people import add_annotator, now_text
from annotations.record.annotation import Annotation, add_annotation, count_answers
from annotations.record.shown import Shown
from annotations.workspace import Workspace
from core.video.table import FrameTable

_numbers = count(1)


def content_hash(name: str) -> str:
    """The SHA-256 that stands for the content of a video of this name."""
    return hashlib.sha256(name.encode()).hexdigest()


def keep_frame_table(
    workspace: Workspace, sha256: str, frames: int = 60, rate: Fraction = Fraction(30)
) -> None:
    """A frame table of so many frames, all keyframes, at so many frames a second."""
    path = workspace.media.table(sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    stamps = tuple(range(frames))
    table = FrameTable(stamps, 1 / rate, stamps, ((0, 0),), frames)
    path.write_text(table.to_json(), encoding="utf-8")


def insert(database: Database, table: str, **values: Any) -> int:
    """The id of a new row; for tables that have no builder of their own."""
    columns, marks = ", ".join(values), ", ".join("?" * len(values))
    cursor = database.conn.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(values.values())
    )
    return int(cursor.lastrowid or 0)


def known(database: Database, table: str, **values: Any) -> int | None:
    """The id of the first row with these values; None if there is none."""
    where = " AND ".join(f"{column} = ?" for column in values)
    row = database.conn.execute(
        f"SELECT id FROM {table} WHERE {where} ORDER BY id", list(values.values())
    ).fetchone()
    return None if row is None else int(row[0])


def make_video(
    database: Database, name: str, *, status: str = "usable", sha256: str | None = None,
    reason: str = "", facts: dict[str, Any] | None = None, **columns: Any,
) -> int:  # fmt: skip
    """A video; its content is made of its name unless it is missing."""
    content = content_hash(name) if sha256 is None and status != "missing" else sha256 or ""
    return insert(
        database, "video", name=name, sha256=content, status=status, reason=reason,
        facts=json.dumps(facts or {}), created_at=now_text(), **columns,
    )  # fmt: skip


def make_clip(
    database: Database, video: int, *, start_s: float = 0.0, end_s: float | None = None
) -> int:
    """A clip of a video: all of it unless a span is named."""
    return insert(database, "clip", video_id=video, start_s=start_s, end_s=end_s)


def make_question(
    database: Database, uid: str, clip: int, *, source: str = "test", **revision: Any
) -> int:
    """A question in its first revision (see `make_revision`); its category begins the uid."""
    question = insert(database, "question", uid=uid, source=source, created_at=now_text())
    revision.setdefault("category", uid.partition("/")[0] if "/" in uid else "")
    make_revision(database, question, clip, revision=1, **revision)
    return question


def make_revision(
    database: Database, question: int, clip: int, *, revision: int = 2, text: str = "Which way?",
    options: Sequence[str] = ("left", "right", "up"), key: int | None = 1, category: str = "",
    tags: dict[str, Any] | None = None, **columns: Any,
) -> int:  # fmt: skip
    """A revision of a question; its own id comes back."""
    return insert(
        database, "question_revision", question_id=question, revision=revision, clip_id=clip,
        text=text, options=json.dumps(list(options)), key=key, category=category,
        tags=json.dumps(tags or {}), created_at=now_text(), **columns,
    )  # fmt: skip


def make_task(
    database: Database, name: str, *, kind: str = "human_evaluation", overlap: int = 2,
    settings: dict[str, Any] | None = None, **columns: Any,
) -> int:  # fmt: skip
    """An open task without items."""
    return insert(
        database, "task", name=name, kind=kind, overlap=overlap,
        settings=json.dumps(settings or {}), created_at=now_text(), **columns,
    )  # fmt: skip


def make_item(
    database: Database, task: int, uid: str = "", *, question: int | None = None,
    video: int | None = None, payload: dict[str, Any] | None = None, position: int | None = None,
    **columns: Any,
) -> int:  # fmt: skip
    """An item of a task, after those that it has."""
    if position is None:
        position = database.conn.execute(
            "SELECT count(*) FROM item WHERE task_id = ?", [task]
        ).fetchone()[0]
    about = f"question:{question}" if question else f"item:{position}"
    return insert(
        database, "item", task_id=task, uid=uid or about, question_id=question, video_id=video,
        payload=json.dumps(payload or {}), position=position, **columns,
    )  # fmt: skip


def make_annotator(
    database: Database, name: str, kind: str = "person", role: str = "annotator"
) -> int:
    """A person, or a model."""
    return add_annotator(database.conn, name, kind, role)


def make_answer(
    database: Database, item: int, annotator: int, response: dict[str, Any] | None = None, *,
    skip: str | None = None, shown: dict[str, Any] | None = None, counted: bool = True,
    revision: int = 1, question_revision: int | None = None, active_s: float = 1.0,
) -> int:  # fmt: skip
    """An answer, or a skip with its reason, to the item's question as it stands.

    The item's counted answers grow with the first revision of an answer that counts.
    """
    kind, newest = database.conn.execute(
        "SELECT t.kind, (SELECT max(r.id) FROM question_revision r"
        " WHERE r.question_id = i.question_id) FROM item i JOIN task t ON t.id = i.task_id"
        " WHERE i.id = ?",
        [item],
    ).fetchone()
    counts = counted and skip is None
    if counts and revision == 1:
        count_answers(database, [(item, 1)])
    return add_annotation(
        database,
        Annotation(
            uid=f"answer {next(_numbers)}", item_id=item, annotator_id=annotator, task_kind=kind,
            schema_version=1, response=response or {}, skip_reason=skip, counted=counts,
            shown=Shown(shown or {}, question_revision or newest), revision=revision,
            active_s=active_s, answered_at=0.0, stored_at=0.0,
        ),
    )  # fmt: skip
