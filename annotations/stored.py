"""Questions and videos of an import beside those that are stored: what is new, what changed."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlite_utils import Database

from annotations.people import now_text
from annotations.records import About, QuestionDraft
from annotations.video_about import kept, store_about
from db.connection import rows

Kind = Literal["new", "changed", "unchanged"]


@dataclass
class VideoState:
    """A video that an import names, as it will be stored.

    Attributes:
        name: identity.
        status: 'usable', 'broken' or 'missing'.
        sha256: of its content; '' if there is none or it could not be read.
        reason: why it cannot be used, '' if it can.
        facts: JSON.
        duration_s: s; None if unknown.
        source_url: where it once came from.
        path: of the original, relative to the workspace; '' if it is not kept.
        row: id of the row that is it, None if one has to be made.
        rows: ids of all rows that are as good, so that a question on one of them is unchanged.
        change: what storing it does: 'new', 'changed' or 'unchanged'.
        about: what is told of it; None for nothing.
        told: what storing that does.
    """

    name: str
    status: Literal["usable", "broken", "missing"]
    sha256: str = ""
    reason: str = ""
    facts: str = "{}"
    duration_s: float | None = None
    source_url: str = ""
    path: str = ""
    row: int | None = None
    rows: set[int] = field(default_factory=set[int])
    change: Kind = "new"
    about: About | None = None
    told: Kind = "new"


class StoredVideos:
    """The rows of the table video, by name and by content."""

    def __init__(self, database: Database):
        """Read them once, without their facts."""
        self._by_name: dict[str, list[dict[str, Any]]] = {}
        self._by_content: dict[str, list[dict[str, Any]]] = {}
        for row in rows(
            database,
            "SELECT id, name, sha256, status, reason, source_url,"
            " json_extract(facts, '$.duration_s') AS duration_s,"
            " json_extract(facts, '$.browser_playable') AS browser_playable"
            " FROM video ORDER BY id",
        ):
            self._by_name.setdefault(row["name"], []).append(row)
            if row["sha256"]:
                self._by_content.setdefault(row["sha256"], []).append(row)

    def known(self, sha256: str) -> dict[str, Any] | None:
        """A usable row of this content, None if there is none."""
        found = self._by_content.get(sha256, [])
        return next((row for row in found if row["status"] == "usable"), None)

    def place(self, state: VideoState) -> None:
        """Fill in which row a video is, which are as good, and what storing it changes."""
        named = self._by_name.get(state.name, [])
        if not state.sha256:
            self._place_without_content(state, named)
            return
        same = [row for row in named if row["sha256"] == state.sha256]
        waiting = [row for row in named if not row["sha256"]]
        alias = [
            row
            for row in self._by_content.get(state.sha256, [])
            if _same_but_suffix(row["name"], state.name)
        ]
        chosen = next(iter([*same, *waiting, *alias]), None)
        if chosen is None:
            return
        state.row = chosen["id"]
        state.rows = {row["id"] for row in (*same, *waiting, *alias)}
        equal = (chosen["status"], chosen["reason"], chosen["sha256"]) == (
            state.status,
            state.reason,
            state.sha256,
        )
        state.change = "unchanged" if equal else "changed"

    def _place_without_content(self, state: VideoState, named: list[dict[str, Any]]) -> None:
        """A video that is not there now may have been before: then that one stays."""
        if not named:
            return
        last = named[-1]
        state.row, state.rows = last["id"], {row["id"] for row in named}
        state.change = "unchanged"
        if last["sha256"]:
            state.sha256, state.status = last["sha256"], last["status"]
            state.reason = last["reason"]
            state.duration_s = last["duration_s"]
        elif (last["status"], last["reason"]) != (state.status, state.reason):
            state.change = "changed"


def _same_but_suffix(one: str, other: str) -> bool:
    """Whether two names are the same path, one of them with a suffix."""
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return longer == shorter or (
        longer.startswith(f"{shorter}.") and "/" not in longer[len(shorter) :]
    )


def store_video(connection: sqlite3.Connection, state: VideoState) -> int:
    """The id of a video's row, made or brought up to date, with what is told of it."""
    row = _store_content(connection, state)
    if state.about is not None and state.told != "unchanged":
        store_about(connection, row, state.about)
    return row


def _store_content(connection: sqlite3.Connection, state: VideoState) -> int:
    if state.change == "unchanged" and state.row is not None:
        return state.row
    facts = state.facts if state.row is None else kept(connection, state.row, state.facts)
    values = [state.sha256, state.path, state.status, state.reason, facts, state.source_url]
    if state.row is not None:
        connection.execute(
            "UPDATE video SET sha256 = ?, path = ?, status = ?, reason = ?, facts = ?,"
            " source_url = coalesce(nullif(?, ''), source_url) WHERE id = ?",
            [*values, state.row],
        )
        return state.row
    inserted = connection.execute(
        "INSERT INTO video (sha256, path, status, reason, facts, source_url, name, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name, sha256) DO UPDATE SET"
        " status = excluded.status RETURNING id",
        [*values, state.name, now_text()],
    ).fetchone()
    return int(inserted[0])


def current_questions(database: Database, uids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Current revisions, with their clips, by uid; those that are stored."""
    marks = ", ".join("?" * len(uids))
    found = rows(
        database,
        "SELECT q.id AS question_id, q.uid, r.revision, r.text, r.options, r.key, r.category,"
        " r.tags, r.note, c.video_id, c.start_s, c.end_s"
        " FROM question q JOIN question_revision r ON r.question_id = q.id"
        " JOIN clip c ON c.id = r.clip_id"
        " WHERE r.revision = (SELECT max(revision) FROM question_revision x"
        f"  WHERE x.question_id = q.id) AND q.uid IN ({marks})",
        list(uids),
    )
    return {row["uid"]: row for row in found}


def differences(draft: QuestionDraft, stored: dict[str, Any], videos: set[int]) -> list[str]:
    """Names of the parts in which a question differs from what is stored; empty: unchanged.

    Args:
        draft: as read.
        stored: a row of `current_questions`.
        videos: ids of the rows that its video may be.
    """
    pairs = {
        "text": draft.text == stored["text"],
        "options": list(draft.options) == json.loads(stored["options"]),
        "key": draft.key == stored["key"],
        "video": stored["video_id"] in videos,
        "clip": (draft.start_s, draft.end_s) == (stored["start_s"], stored["end_s"]),
        "category": draft.category == stored["category"],
        "tags": draft.tags == json.loads(stored["tags"]),
        "note": draft.note == stored["note"],
    }
    return [name for name, same in pairs.items() if not same]


def store_questions(
    database: Database,
    drafts: Sequence[QuestionDraft],
    states: dict[str, VideoState],
    source: str,
) -> dict[Kind, int]:
    """How many of some questions were new, changed (a new revision each) and unchanged."""
    counts: dict[Kind, int] = {"new": 0, "changed": 0, "unchanged": 0}
    stored = current_questions(database, [draft.uid for draft in drafts])
    connection = database.conn
    for draft in drafts:
        state, before = states[draft.video], stored.get(draft.uid)
        assert state.row is not None, "videos are stored before their questions"
        if before is not None and not differences(draft, before, state.rows | {state.row}):
            counts["unchanged"] += 1
            continue
        clip = _clip(connection, _video_row(state, before), draft)
        if before is None:
            question = connection.execute(
                "INSERT INTO question (uid, source, created_at) VALUES (?, ?, ?) RETURNING id",
                [draft.uid, source, now_text()],
            ).fetchone()[0]
        else:
            question = before["question_id"]
        _insert_revision(connection, question, (before or {"revision": 0})["revision"], clip, draft)
        counts["changed" if before else "new"] += 1
    return counts


def _video_row(state: VideoState, before: dict[str, Any] | None) -> int:
    """The video of a new revision: the one it has, if that is as good."""
    if before is not None and before["video_id"] in state.rows:
        return int(before["video_id"])
    assert state.row is not None
    return state.row


def _clip(connection: sqlite3.Connection, video: int, draft: QuestionDraft) -> int:
    span = [video, draft.start_s, draft.end_s]
    connection.execute(
        "INSERT INTO clip (video_id, start_s, end_s) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", span
    )
    found = connection.execute(
        "SELECT id FROM clip WHERE video_id = ? AND start_s = ?"
        " AND coalesce(end_s, -1) = coalesce(?, -1)",
        span,
    ).fetchone()
    return int(found[0])


def _insert_revision(
    connection: sqlite3.Connection, question: int, revision: int, clip: int, draft: QuestionDraft
) -> None:
    connection.execute(
        "INSERT INTO question_revision (question_id, revision, clip_id, text, options, key,"
        " category, tags, note, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            question,
            revision + 1,
            clip,
            draft.text,
            json.dumps(list(draft.options), ensure_ascii=False),
            draft.key,
            draft.category,
            json.dumps(draft.tags, ensure_ascii=False, sort_keys=True),
            draft.note,
            now_text(),
        ],
    )
