"""One video or one question: where it comes from, its clips and revisions, what was made of it."""

import json
from dataclasses import dataclass
from typing import Any

from annotations.edit.edit_store import StoredEdit, edits_of, origin_of
from annotations.failure.failure_key import question_history
from annotations.material.answers import Asked, about_question, about_video
from annotations.reading.checks import read_link
from annotations.video.families import cluster_of
from annotations.workspace import Workspace
from core.refusal import Missing


@dataclass(frozen=True)
class VideoStory:
    """All that is known of one video.

    Attributes:
        row: of the table; `facts` what probing found.
        source_url: '' where no http or https address is known.
        clips: id, start_s, end_s, and questions on it.
        questions: id, uid, text, category of current questions on it.
        origin: the edit that made it; None for one that came in.
        copies: edits in which it is a parent.
        relatives: id and name of other videos of its family.
        same: id and name of videos with the same content.
        asked: items about the video itself.
    """

    row: dict[str, Any]
    facts: dict[str, Any]
    source_url: str
    clips: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    origin: StoredEdit | None
    copies: list[StoredEdit]
    relatives: list[dict[str, Any]]
    same: list[dict[str, Any]]
    asked: list[Asked]


@dataclass(frozen=True)
class QuestionStory:
    """All that is known of one question.

    Attributes:
        row: the current revision with its video, clip and source.
        options: texts.
        revisions: newest first: revision, text, options, key, origin, created_at.
        events: what happened to it, oldest first.
        splits: name, and whether it is kept there.
        asked: items about it.
    """

    row: dict[str, Any]
    options: list[str]
    tags: dict[str, Any]
    revisions: list[dict[str, Any]]
    events: list[dict[str, Any]]
    splits: list[dict[str, Any]]
    asked: list[Asked]


def video_story(workspace: Workspace, video_id: int) -> VideoStory:
    """All that is known of one video.

    Raises:
        LookupError: if there is no such video.
    """
    read = workspace.store.rows
    video_rows = read("SELECT * FROM video WHERE id = ?", [video_id])
    if not video_rows:
        raise Missing(f"There is no video {video_id}.")
    [row] = video_rows
    sha256 = row["sha256"]
    family = cluster_of(workspace, sha256) if sha256 else ""
    return VideoStory(
        row=row,
        facts=json.loads(row["facts"]),
        source_url=read_link(row["source_url"]) or "",
        clips=read(
            "SELECT c.id, c.start_s, c.end_s, (SELECT count(DISTINCT r.question_id)"
            " FROM question_revision r WHERE r.clip_id = c.id) AS questions"
            " FROM clip c WHERE c.video_id = ? ORDER BY c.start_s, c.end_s",
            [video_id],
        ),
        questions=read(
            "SELECT q.question_id AS id, q.uid, q.text, q.category FROM clip c"
            " JOIN question_revision o ON o.clip_id = c.id JOIN current_question q ON q.id = o.id"
            " WHERE c.video_id = ? ORDER BY q.uid",
            [video_id],
        ),
        origin=origin_of(workspace, sha256) if sha256 else None,
        copies=edits_of(workspace, sha256) if sha256 else [],
        relatives=read(
            "SELECT v.id, v.name FROM video_family f JOIN video v ON v.sha256 = f.sha256"
            " WHERE f.family = ? AND v.id <> ? ORDER BY v.id",
            [family, video_id],
        ),
        same=read(
            "SELECT id, name FROM video WHERE sha256 = ? AND sha256 <> '' AND id <> ? ORDER BY id",
            [sha256, video_id],
        ),
        asked=about_video(workspace, video_id),
    )


def question_story(workspace: Workspace, question_id: int) -> QuestionStory:
    """All that is known of one question.

    Raises:
        LookupError: if there is no such question.
    """
    read = workspace.store.rows
    question_rows = read(
        "SELECT q.*, x.retired_at, x.created_at AS came_at, c.start_s, c.end_s, v.id AS video_id,"
        " v.name AS video, v.sha256, v.status FROM current_question q"
        " JOIN question x ON x.id = q.question_id JOIN clip c ON c.id = q.clip_id"
        " JOIN video v ON v.id = c.video_id WHERE q.question_id = ?",
        [question_id],
    )
    if not question_rows:
        raise Missing(f"There is no question {question_id}.")
    [row] = question_rows
    return QuestionStory(
        row=row,
        options=json.loads(row["options"]),
        tags=json.loads(row["tags"]),
        revisions=read(
            "SELECT revision, text, options, key, origin, created_at FROM question_revision"
            " WHERE question_id = ? ORDER BY revision DESC",
            [question_id],
        ),
        events=question_history(workspace, question_id)["events"],
        splits=read(
            "SELECT s.name, k.kept FROM split_question k JOIN split s ON s.id = k.split_id"
            " WHERE k.question_id = ? ORDER BY s.id",
            [question_id],
        ),
        asked=about_question(workspace, question_id),
    )
