"""One video or one question: where it comes from, its clips and revisions, what was made of it."""

from dataclasses import dataclass
from typing import Any

from annotations.edit.edit_store import StoredEdit, edits_of, origin_of
from annotations.failure.failure_key import question_history
from annotations.material.answers import Asked, about_question, about_video
from annotations.reading.checks import read_link
from annotations.record.question import Question, current_question, revisions_of
from annotations.record.video import Clip, Video, clip_in, clips_of_video, video_in
from annotations.video.families import cluster_of
from annotations.workspace import Workspace
from core.refusal import Missing
from db.connection import rows


@dataclass(frozen=True)
class NamedVideo:
    """Another video, as a link names it."""

    id: int
    name: str


@dataclass(frozen=True)
class AskedOnVideo:
    """A question that is asked about a video, as a link names it."""

    id: int
    uid: str
    text: str


@dataclass(frozen=True)
class VideoStory:
    """All that is known of one video.

    Attributes:
        video: as it is stored; its `facts` are what probing found.
        created_at: when it came in, ISO 8601.
        source_url: '' where no http or https address is known.
        clips: with how many questions there are on each.
        questions: current ones on it.
        origin: the edit that made it; None for one that came in.
        copies: edits in which it is a parent.
        relatives: other videos of its family.
        same: videos with the same content.
        asked: items about the video itself.
    """

    video: Video
    created_at: str
    source_url: str
    clips: list[tuple[Clip, int]]
    questions: list[AskedOnVideo]
    origin: StoredEdit | None
    copies: list[StoredEdit]
    relatives: list[NamedVideo]
    same: list[NamedVideo]
    asked: list[Asked]


@dataclass(frozen=True)
class QuestionStory:
    """All that is known of one question.

    Attributes:
        question: its current revision.
        clip: what it is about.
        created_at: when it came in, ISO 8601; `retired_at` since when it is not asked any more.
        revisions: newest first.
        events: what happened to it, oldest first.
        splits: names, and whether it is kept there.
        asked: items about it.
    """

    question: Question
    clip: Clip
    created_at: str
    retired_at: str | None
    revisions: list[Question]
    events: list[dict[str, Any]]
    splits: list[tuple[str, bool]]
    asked: list[Asked]


def video_story(workspace: Workspace, video_id: int) -> VideoStory:
    """All that is known of one video.

    Raises:
        LookupError: if there is no such video.
    """
    with workspace.store.read() as database:
        video = video_in(database, video_id)
        if video is None:
            raise Missing(f"There is no video {video_id}.")
        sha256 = video.sha256
        [stored] = rows(database, "SELECT created_at FROM video WHERE id = ?", [video_id])
        clips = clips_of_video(database, video_id)
        asked_on: dict[int, int] = dict(
            database.conn.execute(
                "SELECT c.id, count(DISTINCT r.question_id) FROM clip c"
                " JOIN question_revision r ON r.clip_id = c.id WHERE c.video_id = ? GROUP BY c.id",
                [video_id],
            ).fetchall()
        )
        questions = rows(
            database,
            "SELECT q.question_id AS id, q.uid, q.text FROM clip c"
            " JOIN question_revision o ON o.clip_id = c.id JOIN current_question q ON q.id = o.id"
            " WHERE c.video_id = ? ORDER BY q.uid",
            [video_id],
        )
        same = rows(
            database,
            "SELECT id, name FROM video WHERE sha256 = ? AND sha256 <> '' AND id <> ? ORDER BY id",
            [sha256, video_id],
        )
    relatives = workspace.store.rows(
        "SELECT v.id, v.name FROM video_family f JOIN video v ON v.sha256 = f.sha256"
        " WHERE f.family = ? AND v.id <> ? ORDER BY v.id",
        [cluster_of(workspace, sha256) if sha256 else "", video_id],
    )
    return VideoStory(
        video=video,
        created_at=stored["created_at"],
        source_url=read_link(video.source_url) or "",
        clips=[(clip, asked_on.get(clip.id, 0)) for clip in clips],
        questions=[AskedOnVideo(**row) for row in questions],
        origin=origin_of(workspace, sha256) if sha256 else None,
        copies=edits_of(workspace, sha256) if sha256 else [],
        relatives=[NamedVideo(**row) for row in relatives],
        same=[NamedVideo(**row) for row in same],
        asked=about_video(workspace, video_id),
    )


def question_story(workspace: Workspace, question_id: int) -> QuestionStory:
    """All that is known of one question.

    Raises:
        LookupError: if there is no such question.
    """
    with workspace.store.read() as database:
        question = current_question(database, question_id)
        clip = None if question is None else clip_in(database, question.clip_id)
        if question is None or clip is None:
            raise Missing(f"There is no question {question_id}.")
        [stored] = rows(
            database, "SELECT created_at, retired_at FROM question WHERE id = ?", [question_id]
        )
        revisions = revisions_of(database, question_id)
        splits = database.conn.execute(
            "SELECT s.name, k.kept FROM split_question k JOIN split s ON s.id = k.split_id"
            " WHERE k.question_id = ? ORDER BY s.id",
            [question_id],
        ).fetchall()
    return QuestionStory(
        question=question,
        clip=clip,
        created_at=stored["created_at"],
        retired_at=stored["retired_at"],
        revisions=revisions,
        events=question_history(workspace, question_id)["events"],
        splits=[(row[0], bool(row[1])) for row in splits],
        asked=about_question(workspace, question_id),
    )
