"""Videos and clips as they are stored: media files by content, and time spans of them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlite_utils import Database

from db.connection import first_row, rows


@dataclass(frozen=True, kw_only=True)
class Video:
    """A media file.

    Attributes:
        name: its identity in the data set.
        sha256: of its content; '' until the file is found.
        status: 'usable', 'missing' or 'broken'; `reason` says why it cannot be used.
        facts: what probing found.
        source_url: where it comes from; '' if not known.
    """

    id: int
    name: str
    sha256: str
    status: str
    reason: str
    facts: dict[str, Any]
    source_url: str

    @property
    def duration_s(self) -> float:
        """Seconds; 0 where probing did not tell."""
        return float(self.facts.get("duration_s") or 0.0)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Video":
        """The video of a row of the table."""
        return cls(**{name: row[name] for name in _PLAIN}, facts=json.loads(row["facts"]))


_PLAIN = ("id", "name", "sha256", "status", "reason", "source_url")


@dataclass(frozen=True, slots=True)
class ListedVideo:
    """A video as a list of all holds it: of what probing found, two facts.

    Attributes:
        duration_s: s; None where probing did not tell.
        browser_playable: whether browsers play the original.
    """

    id: int
    name: str
    sha256: str
    status: Literal["usable", "missing", "broken"]
    reason: str
    source_url: str
    duration_s: float | None
    browser_playable: bool


@dataclass(frozen=True)
class Clip:
    """A time span of a video.

    Attributes:
        start_s: s from the first frame.
        end_s: s; None is the end of the video.
    """

    id: int
    video: Video
    start_s: float
    end_s: float | None

    @property
    def span(self) -> tuple[str, float, float | None]:
        """Content hash, start and end, as functions of media take them."""
        return self.video.sha256, self.start_s, self.end_s


_CLIPS = """
  SELECT c.id AS clip, c.start_s, c.end_s, v.* FROM clip c JOIN video v ON v.id = c.video_id
"""


def _clip(row: Mapping[str, Any]) -> Clip:
    return Clip(row["clip"], Video.from_row(row), row["start_s"], row["end_s"])


def clip_in(database: Database, clip_id: int) -> Clip | None:
    """The clip of this id; None if there is none."""
    row = first_row(database, f"{_CLIPS} WHERE c.id = ?", [clip_id])
    return None if row is None else _clip(row)


def clips_of_video(database: Database, video_id: int) -> list[Clip]:
    """The clips of a video, by their start."""
    stored = rows(database, f"{_CLIPS} WHERE v.id = ? ORDER BY c.start_s, c.end_s", [video_id])
    return [_clip(row) for row in stored]


def video_in(database: Database, video_id: int) -> Video | None:
    """The video of this id; None if there is none."""
    row = first_row(database, "SELECT * FROM video WHERE id = ?", [video_id])
    return None if row is None else Video.from_row(row)


def usable_video(database: Database, sha256: str) -> Video | None:
    """The oldest usable video of this content; None if there is none."""
    row = first_row(
        database,
        "SELECT * FROM video WHERE sha256 = ? AND status = 'usable' ORDER BY id LIMIT 1",
        [sha256],
    )
    return None if row is None else Video.from_row(row)


def sound_by_content(database: Database, contents: Iterable[str]) -> dict[str, bool]:
    """Whether videos have sound, by content hash."""
    stored = rows(
        database,
        "SELECT sha256, max(coalesce(json_extract(facts, '$.has_audio'), 0)) AS sound FROM video"
        " WHERE sha256 IN (SELECT value FROM json_each(?)) GROUP BY sha256",
        [json.dumps(sorted(contents))],
    )
    return {row["sha256"]: bool(row["sound"]) for row in stored}


def has_usable_video(database: Database) -> bool:
    """Whether any video can be used."""
    row = database.conn.execute("SELECT 1 FROM video WHERE status = 'usable' LIMIT 1").fetchone()
    return row is not None


def usable_videos(database: Database) -> list[Video]:
    """The usable videos by name, the oldest of each content."""
    stored = rows(
        database,
        "SELECT * FROM video WHERE id IN"
        " (SELECT min(id) FROM video WHERE status = 'usable' GROUP BY sha256) ORDER BY name",
    )
    return [Video.from_row(row) for row in stored]


def video_names(database: Database) -> dict[int, str]:
    """The name of every video by its id."""
    return dict(database.conn.execute("SELECT id, name FROM video").fetchall())


def listed_videos(database: Database) -> list[ListedVideo]:
    """Every video, in the order in which they were stored."""
    stored = database.conn.execute(
        "SELECT id, name, sha256, status, reason, source_url, json_extract(facts, '$.duration_s'),"
        " coalesce(json_extract(facts, '$.browser_playable'), 0) FROM video ORDER BY id"
    )
    return [
        ListedVideo(video_id, name, sha256, status, reason, url, duration_s, bool(playable))
        for video_id, name, sha256, status, reason, url, duration_s, playable in stored
    ]
