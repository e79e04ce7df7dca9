"""What an import tells of videos beside what is stored: new, changed, unchanged."""

import json
from collections.abc import Sequence
from typing import Any, cast

from sqlite_utils import Database

from annotations.reading.records import About, Problem, shown
from annotations.video.stored_videos import VideoState
from annotations.video.video_about import NAMES, URL
from db.connection import rows

AT_ONCE = 500


def note_changes(database: Database, states: Sequence[VideoState]) -> dict[str, Problem]:
    """Fill in what storing each video's `about` would do; changed titles as notes, by video."""
    notes: dict[str, Problem] = {}
    described = [state for state in states if state.about is not None]
    for begin in range(0, len(described), AT_ONCE):
        part = described[begin : begin + AT_ONCE]
        ids = [state.row for state in part if state.row is not None]
        marks = ", ".join("?" * len(ids))
        stored = rows(database, f"SELECT id, facts, {URL} FROM video WHERE id IN ({marks})", ids)
        by_id = {row["id"]: row for row in stored}
        for state in part:
            if state.row is not None and state.about is not None:
                note = _compare(state, state.about, by_id[state.row])
                if note is not None:
                    notes[state.name] = note
    return notes


def _compare(state: VideoState, about: About, row: dict[str, Any]) -> Problem | None:
    facts, new = cast("dict[str, Any]", json.loads(row["facts"])), about.known()
    old_about = {name: facts[name] for name in NAMES if name in facts}
    same = all(old_about.get(name) == value for name, value in new.items())
    if same and about.source_url in ("", row[URL]):
        state.told = "unchanged"
        return None
    state.told = "changed" if old_about else "new"
    old, title = old_about.get("title", ""), new.get("title", "")
    if not old or not title or old == title:
        return None
    return Problem("warning", f"the title was {shown(old)} and is now {shown(title)}", state.name)
