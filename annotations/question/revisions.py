"""Writing a question's next revision and its clip: the one place that does, whoever changes it."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from sqlite_utils import Database

from annotations.people import now_text

Origin = Literal["import", "here"]


def add_revision(
    database: Database, question_id: int, values: Mapping[str, Any], origin: Origin
) -> tuple[int, int]:
    """Id and number of a question's new revision, which is current from now on.

    Args:
        values: 'clip_id', 'text', 'options' (texts), 'key' (index or None), 'category', 'tags' (by
            name) and 'note'.
        origin: 'import' if this is what a file says; 'here' for all that people do in Rushes.
    """
    row = database.conn.execute(
        "INSERT INTO question_revision (question_id, revision, clip_id, text, options, key,"
        " category, tags, note, origin, created_at)"
        " SELECT ?, coalesce(max(revision), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?"
        " FROM question_revision WHERE question_id = ? RETURNING id, revision",
        [
            question_id,
            values["clip_id"],
            values["text"],
            json.dumps(list(values["options"]), ensure_ascii=False),
            values["key"],
            values["category"],
            json.dumps(values["tags"], ensure_ascii=False, sort_keys=True),
            values["note"],
            origin,
            now_text(),
            question_id,
        ],
    ).fetchone()
    return int(row[0]), int(row[1])


def clip_id(database: Database, video_id: int, start_s: float, end_s: float | None) -> int:
    """The id of a stretch of a video, made if it is not there; to the end where it is None."""
    span = [video_id, start_s, end_s]
    database.conn.execute(
        "INSERT INTO clip (video_id, start_s, end_s) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", span
    )
    clip = database.conn.execute(
        "SELECT id FROM clip WHERE video_id = ? AND start_s = ?"
        " AND coalesce(end_s, -1) = coalesce(?, -1)",
        span,
    )
    return int(clip.fetchone()[0])
