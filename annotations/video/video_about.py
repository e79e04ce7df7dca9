"""Read and store a video's metadata: title, description, who published it, and where.

It stands among the video's facts and is words of strangers: shown as text, and told to people and
models only where a task says so.
"""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, cast

from annotations.reading.checks import read_link
from annotations.reading.records import About
from annotations.workspace import Workspace

URL = "source_url"
NAMES = tuple(name for name in About.__dataclass_fields__ if name != URL)


def kept(connection: sqlite3.Connection, row: int, facts: str) -> str:
    """New facts of a video with what its row tells about it."""
    [old_facts] = connection.execute("SELECT facts FROM video WHERE id = ?", [row]).fetchone()
    old = cast("dict[str, Any]", json.loads(old_facts))
    new = cast("dict[str, Any]", json.loads(facts))
    stays = {name: value for name, value in new.items() if name not in NAMES}
    return json.dumps({**stays, **{name: old[name] for name in NAMES if name in old}})


def store_about(connection: sqlite3.Connection, row: int, about: About) -> None:
    """Put what is told of a video among its facts; what is not known now stays as it was."""
    connection.execute(
        "UPDATE video SET facts = json_patch(facts, ?),"
        f" {URL} = coalesce(nullif(?, ''), {URL}) WHERE id = ?",
        [json.dumps(about.known(), ensure_ascii=False), about.source_url, row],
    )


def about_video(workspace: Workspace, video_id: int | None) -> About:
    """What is told of a video; empty where nothing is."""
    fields = ", ".join(f"json_extract(facts, '$.{name}') AS {name}" for name in NAMES)
    rows = workspace.store.rows(f"SELECT {fields}, {URL} FROM video WHERE id = ?", [video_id])
    if not rows:
        return About()
    [row] = rows
    texts = {name: row[name] or "" for name in NAMES if name not in ("view_count", "keywords")}
    return About(
        **texts, view_count=row["view_count"],
        keywords=tuple(json.loads(row["keywords"] or "[]")), source_url=read_link(row[URL]),
    )  # fmt: skip


def titles_of(workspace: Workspace, item_ids: Sequence[int]) -> dict[int, str]:
    """Titles of the videos of some items, by item; those that have none are left out."""
    marks = ", ".join("?" * len(item_ids))
    rows = workspace.store.rows(
        "SELECT i.id, json_extract(v.facts, '$.title') AS title FROM item i"
        f" JOIN video v ON v.id = i.video_id WHERE i.id IN ({marks})",
        list(item_ids),
    )
    return {row["id"]: row["title"] for row in rows if row["title"]}
