"""Annotations as they are stored, and the one place that writes them."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from annotations.record.shown import Shown
from core.stored_json import stored_json
from db.connection import first_row


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """One answer (or skip) of one annotator to one item; a correction is the next revision.

    Attributes:
        uid: made where the answer was given, so that a resend is no double.
        revision: 1, 2, ...
        lease_id: with which the item was handed out; None for models and stored keys.
        response: in the task kind's schema; {} for a skip.
        skip_reason: None for an answer.
        counted: whether it counts for the decision; an extra does not.
        active_s: time spent on it, s.
        cut_s: time that was claimed beyond what the clock allows, s; it is not paid.
        answered_at: Unix time at the annotator's clock, s.
        stored_at: Unix time here, s; None until it is stored.
    """

    uid: str
    item_id: int
    annotator_id: int
    task_kind: str
    schema_version: int
    response: dict[str, Any]
    shown: Shown
    revision: int = 1
    lease_id: int | None = None
    skip_reason: str | None = None
    counted: bool = False
    active_s: float = 0.0
    cut_s: float = 0.0
    answered_at: float | None = None
    stored_at: float | None = None
    id: int | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Annotation":
        """The annotation of a row of the table."""
        return cls(
            **{name: row[name] for name in _PLAIN},
            response=stored_json(row["response"]),
            shown=Shown.from_row(row),
            counted=bool(row["counted"]),
        )


_PLAIN = (
    "id", "uid", "item_id", "annotator_id", "task_kind", "schema_version", "revision", "lease_id",
    "skip_reason", "active_s", "cut_s", "answered_at", "stored_at",
)  # fmt: skip
_COLUMNS = (
    "uid", "item_id", "annotator_id", "revision", "lease_id", "question_revision_id", "task_kind",
    "schema_version", "response", "shown", "skip_reason", "counted", "active_s",
    "cut_s", "answered_at", "stored_at",
)  # fmt: skip
_INSERT = (
    f"INSERT INTO annotation ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
)


def add_annotation(database: Database, annotation: Annotation) -> int:
    """Store an annotation and return its id.

    sqlite-utils' `insert` takes several times as long for a row, because it reads the table's
    columns first; this is what every answer waits for.
    """
    cursor = database.conn.execute(_INSERT, _row(annotation))
    return int(cursor.lastrowid or 0)


def add_annotations(database: Database, annotations: Sequence[Annotation]) -> range:
    """Store many annotations in the order of their ids, which come back.

    Nobody else may write meanwhile: to be called in a transaction that began as a write.
    """
    first_id = database.conn.execute("SELECT coalesce(max(id), 0) + 1 FROM annotation").fetchone()
    ids = range(first_id[0], first_id[0] + len(annotations))
    database.conn.executemany(
        f"INSERT INTO annotation (id, {', '.join(_COLUMNS)})"
        f" VALUES ({', '.join('?' * (len(_COLUMNS) + 1))})",
        ((number, *_row(annotation)) for number, annotation in zip(ids, annotations, strict=True)),
    )
    return ids


def _row(annotation: Annotation) -> tuple[object, ...]:
    """Values of `_COLUMNS`."""
    now_s = time.time() if annotation.stored_at is None else annotation.stored_at
    answered_at = now_s if annotation.answered_at is None else annotation.answered_at
    return (
        annotation.uid, annotation.item_id, annotation.annotator_id, annotation.revision,
        annotation.lease_id, annotation.shown.question_revision_id, annotation.task_kind,
        annotation.schema_version, json.dumps(annotation.response),
        json.dumps(annotation.shown.facts), annotation.skip_reason, int(annotation.counted),
        annotation.active_s, annotation.cut_s, answered_at, now_s,
    )  # fmt: skip


def set_counted(database: Database, annotation_ids: Iterable[int], *, counted: bool) -> None:
    """Let annotations count for decisions, or not."""
    database.conn.executemany(
        "UPDATE annotation SET counted = ? WHERE id = ?",
        [[int(counted), annotation_id] for annotation_id in annotation_ids],
    )


def count_answers(database: Database, changes: Iterable[tuple[int, int]]) -> None:
    """Add to the counted answers of items: pairs of item id and how many more."""
    database.conn.executemany(
        "UPDATE item SET answers = answers + ? WHERE id = ?",
        [[change, item_id] for item_id, change in changes if change],
    )


def current_annotation(database: Database, item_id: int, annotator_id: int) -> Annotation | None:
    """Somebody's newest answer or skip of an item; None if there is none."""
    row = first_row(
        database,
        "SELECT * FROM current_annotation WHERE item_id = ? AND annotator_id = ?",
        [item_id, annotator_id],
    )
    return None if row is None else Annotation.from_row(row)


def annotation_with_uid(database: Database, uid: str) -> Annotation | None:
    """The annotation that was stored under an id made where it was given; None if none was."""
    row = first_row(database, "SELECT * FROM annotation WHERE uid = ?", [uid])
    return None if row is None else Annotation.from_row(row)
