"""The questions of a workspace, each revision with what files may say of it."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from annotations.reading.answer_key import plain
from annotations.record.question import accepted_options
from annotations.workspace import Workspace

_REVISIONS = """
  SELECT r.id, r.question_id, q.uid, r.text, r.options, r.key, r.reference, r.category, q.source,
         v.name, v.id AS video_id, v.status = 'usable' AS usable,
         q.retired_at IS NOT NULL AS retired,
         r.revision = (SELECT max(revision) FROM question_revision x
                       WHERE x.question_id = r.question_id) AS newest
  FROM question_revision r JOIN question q ON q.id = r.question_id
  JOIN clip c ON c.id = r.clip_id JOIN video v ON v.id = c.video_id
  WHERE json_array_length(r.options) <> 1 ORDER BY r.question_id, r.revision DESC
"""


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """One revision of a question of the workspace.

    Attributes:
        revision_id: row of the revision.
        newest: whether it is the question's current one.
        text: what is asked.
        options: none where the answer is free.
        key: index of the right option; None if unlabelled.
        video: name, with `video_id` its row.
        usable: whether that video is here.
        source: format it was imported from.
        position: from 0 among the questions of its source and category, in the order of import.
        retired: whether it is asked no more.
        right: places of the right options where any number may be chosen; () where one may.
    """

    revision_id: int
    question_id: int
    newest: bool
    uid: str
    text: str
    options: tuple[str, ...]
    key: int | None
    category: str
    video: str
    video_id: int
    usable: bool
    source: str
    position: int
    retired: bool
    right: tuple[int, ...] = ()


def stored_questions(workspace: Workspace) -> list[StoredQuestion]:
    """Every revision of the questions that the workspace holds, newest first."""
    questions: list[StoredQuestion] = []
    positions: Counter[tuple[str, str]] = Counter()
    for row in workspace.store.rows(_REVISIONS):
        part = (row["source"], plain(row["category"]))
        questions.append(_question(row, positions[part]))
        positions[part] += bool(row["newest"])
    return questions


def _question(row: dict[str, Any], position: int) -> StoredQuestion:
    options, reference = tuple(json.loads(row["options"])), json.loads(row["reference"])
    return StoredQuestion(
        revision_id=row["id"],
        question_id=row["question_id"],
        newest=bool(row["newest"]),
        uid=row["uid"],
        text=row["text"],
        options=options,
        key=row["key"],
        category=row["category"],
        video=row["name"],
        video_id=row["video_id"],
        usable=bool(row["usable"]),
        source=row["source"],
        position=position,
        retired=bool(row["retired"]),
        right=accepted_options(options, reference) if row["key"] is None else (),
    )
