"""Videos of an import beside those that are stored: what is new, what changed."""

import sqlite3
from dataclasses import dataclass, field
from typing import Literal

from sqlite_utils import Database

from annotations.people import now_text
from annotations.reading.records import About
from annotations.record.video import ListedVideo, listed_videos
from annotations.video.video_about import kept, store_about

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
        self._by_name: dict[str, list[ListedVideo]] = {}
        self._by_content: dict[str, list[ListedVideo]] = {}
        for video in listed_videos(database):
            self._by_name.setdefault(video.name, []).append(video)
            if video.sha256:
                self._by_content.setdefault(video.sha256, []).append(video)

    def known(self, sha256: str) -> ListedVideo | None:
        """A usable video of this content, None if there is none."""
        same_content = self._by_content.get(sha256, [])
        return next((video for video in same_content if video.status == "usable"), None)

    def place(self, state: VideoState) -> None:
        """Fill in which row a video is, which are as good, and what storing it changes."""
        named = self._by_name.get(state.name, [])
        if not state.sha256:
            self._place_without_content(state, named)
            return
        same = [row for row in named if row.sha256 == state.sha256]
        waiting = [row for row in named if not row.sha256]
        alias = [
            row
            for row in self._by_content.get(state.sha256, [])
            if _same_but_suffix(row.name, state.name)
        ]
        chosen = next(iter([*same, *waiting, *alias]), None)
        if chosen is None:
            return
        state.row = chosen.id
        state.rows = {row.id for row in (*same, *waiting, *alias)}
        equal = (chosen.status, chosen.reason, chosen.sha256) == (
            state.status,
            state.reason,
            state.sha256,
        )
        state.change = "unchanged" if equal else "changed"

    def _place_without_content(self, state: VideoState, named: list[ListedVideo]) -> None:
        """A video that is not there now may have been before: then that one stays."""
        if not named:
            return
        newest = named[-1]
        state.row, state.rows = newest.id, {row.id for row in named}
        state.change = "unchanged"
        if newest.sha256:
            state.sha256, state.status = newest.sha256, newest.status
            state.reason = newest.reason
            state.duration_s = newest.duration_s
        elif (newest.status, newest.reason) != (state.status, state.reason):
            state.change = "changed"


def _same_but_suffix(name: str, other_name: str) -> bool:
    """Whether two names are the same path, one of them with a suffix."""
    longer, shorter = (name, other_name) if len(name) > len(other_name) else (other_name, name)
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
