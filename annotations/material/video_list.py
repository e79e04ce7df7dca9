"""Videos under a filter, a page at a time: only those that are shown are read."""

import json
from dataclasses import dataclass

from sqlite_utils import Database

from annotations.material.question_list import NEWEST
from annotations.material.search import Conditions, add_words, check_choice
from db.connection import rows

STATES = {"": "all", "usable": "usable", "missing": "missing", "broken": "broken"}
DAMAGE = {"": "damaged or not", "part": "damaged in part", "note": "with something unusual"}
DUPLICATES = {
    "": "whatever else there is",
    "same": "the same file under several names",
    "near": "almost the same pictures as another",
}
LINEAGE = {
    "": "originals and copies",
    "original": "originals alone",
    "edited": "edited copies",
    "parent": "with edited copies",
}
SOURCES = {
    "": "wherever from",
    "link": "with a link to where it comes from",
    "none": "without a link",
    "here": "made here",
}
QUESTIONS = {"": "with or without questions", "yes": "with questions", "no": "without questions"}

_ASKED = """v.id {which} (SELECT c.video_id FROM clip c
  JOIN question_revision r ON r.clip_id = c.id)"""
_OF_CATEGORY = f"""v.id IN (SELECT c.video_id FROM question_revision r
  JOIN clip c ON c.id = r.clip_id WHERE r.category = ? AND {NEWEST})"""
_PARTS = {
    "damage": {
        "part": "json_extract(facts, '$.decodable') = 'part'",
        "note": "json_array_length(facts, '$.notes') > 0",
    },
    "duplicates": {
        "same": "v.sha256 <> '' AND EXISTS (SELECT 1 FROM video w WHERE w.sha256 = v.sha256"
        " AND w.id <> v.id)",
    },
    "lineage": {
        "original": "NOT EXISTS (SELECT 1 FROM video_edit e WHERE e.video_id = v.id)",
        "edited": "EXISTS (SELECT 1 FROM video_edit e WHERE e.video_id = v.id)",
        "parent": "v.sha256 <> '' AND EXISTS (SELECT 1 FROM video_edit_parent p"
        " WHERE p.sha256 = v.sha256)",
    },
    "source": {
        "link": "source_url <> ''",
        "none": "source_url = ''",
        "here": "EXISTS (SELECT 1 FROM video_edit e WHERE e.video_id = v.id)",
    },
    "questions": {"yes": _ASKED.format(which="IN"), "no": _ASKED.format(which="NOT IN")},
}  # fmt: skip
_CHOICES = {
    "state": STATES, "damage": DAMAGE, "duplicates": DUPLICATES, "lineage": LINEAGE,
    "source": SOURCES, "questions": QUESTIONS,
}  # fmt: skip


@dataclass(frozen=True)
class VideoFilter:
    """Which videos are looked at; what is empty leaves all in.

    Attributes:
        text: words of name and title, all of which are there.
        category: of a question that is asked about it.
        near: ids of videos that are near another one, for `duplicates` 'near'.
    """

    text: str = ""
    state: str = ""
    category: str = ""
    source: str = ""
    damage: str = ""
    duplicates: str = ""
    lineage: str = ""
    questions: str = ""
    near: tuple[int, ...] = ()

    def conditions(self) -> Conditions:
        """The filter as a clause on `video v`.

        Raises:
            ValueError: for a choice that is not there.
        """
        wanted = Conditions()
        for name, allowed in _CHOICES.items():
            value = str(getattr(self, name))
            check_choice(name, value, allowed)
            if name == "state" and value:
                wanted.add("v.status = ?", value)
            elif value == "near":
                wanted.add("v.id IN (SELECT value FROM json_each(?))", json.dumps(self.near))
            elif value:
                wanted.add(_PARTS[name][value])
        if self.category:
            wanted.add(_OF_CATEGORY, self.category)
        add_words(wanted, "video_words", ("name", "title"), self.text, "v.id")
        return wanted


@dataclass(frozen=True, kw_only=True)
class ListedVideo:
    """A video, with what its card tells.

    Attributes:
        reason: why it is not usable.
        facts: all that probing found, JSON; of these also title, duration, frames and size.
        duration_s: s.
        width: px, as `height`.
        questions: how many are asked about it.
        edited: 1 for an edit of another video.
    """

    id: int
    name: str
    sha256: str
    status: str
    reason: str
    source_url: str
    facts: str
    title: str | None
    duration_s: float | None
    n_frames: int | None
    width: int | None
    height: int | None
    questions: int
    edited: int


def count_videos(database: Database, wanted: VideoFilter) -> int:
    """How many videos there are under a filter."""
    return wanted.conditions().count(database, "video v")


def list_videos(
    database: Database, wanted: VideoFilter, offset: int, limit: int
) -> list[ListedVideo]:
    """Some videos under a filter, by name."""
    page = wanted.conditions().page(database, "video v", "v.name, v.id", offset, limit)
    facts = ", ".join(
        f"json_extract(v.facts, '$.{name}') AS {name}"
        for name in ("title", "duration_s", "n_frames", "width", "height")
    )
    listed = rows(
        database,
        "SELECT v.id, v.name, v.sha256, v.status, v.reason, v.source_url, v.facts,"
        f" {facts},"
        " (SELECT count(DISTINCT r.question_id) FROM clip c JOIN question_revision r"
        "  ON r.clip_id = c.id WHERE c.video_id = v.id) AS questions,"
        " EXISTS (SELECT 1 FROM video_edit e WHERE e.video_id = v.id) AS edited"
        f" FROM video v WHERE v.id IN (SELECT value FROM json_each(?)) ORDER BY v.name, v.id",
        [json.dumps(page)],
    )
    return [ListedVideo(**row) for row in listed]


def count_states(database: Database) -> dict[str, int]:
    """How many videos are in each state, by the index alone."""
    state_rows = database.conn.execute(
        "SELECT status, count(*) FROM video GROUP BY status"
    ).fetchall()
    return {row[0]: int(row[1]) for row in state_rows}


def videos_version(database: Database) -> tuple[int, int, int]:
    """What changes when a video is added, goes, or becomes usable or not."""
    row = database.conn.execute(
        "SELECT count(*), coalesce(max(id), 0), coalesce(sum(status = 'usable'), 0) FROM video"
    ).fetchone()
    return int(row[0]), int(row[1]), int(row[2])
