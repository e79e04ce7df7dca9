"""Edits as they are stored: asked for, under way, made or failed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from sqlite_utils import Database

from annotations.edit.work_rows import status_of
from annotations.people import Person, now_text
from annotations.reading.records import Fault
from annotations.record.video import ListedVideo
from annotations.video.clips_in_rows import Videos, fault_text
from annotations.workspace import Workspace
from core.edit import Timeline
from core.editing.recipe import Recipe, source_timeline, timeline_of
from core.refusal import Missing, Refusal
from core.video.probe import Facts
from db.connection import first_row

TABLE = "video_edit"

_EDITS = """
  SELECT e.*, coalesce(v.sha256, '') AS sha256, coalesce(v.name, e.name) AS video,
    (SELECT json_group_array(p.sha256) FROM (SELECT sha256 FROM video_edit_parent
      WHERE edit_id = e.id ORDER BY position) p) AS parents,
    (SELECT json_group_array(p.name) FROM (SELECT coalesce((SELECT min(w.name) FROM video w
      WHERE w.sha256 = x.sha256), x.sha256) AS name FROM video_edit_parent x
      WHERE x.edit_id = e.id ORDER BY x.position) p) AS parent_names
  FROM video_edit e LEFT JOIN video v ON v.id = e.video_id
"""


@dataclass(frozen=True)
class StoredEdit:
    """One edit.

    Attributes:
        name: of the new video.
        sha256: of the new video; '' until it is made.
        parents: content hashes of what it is made of, the edited video first.
        parent_names: their names.
        status: 'waiting', 'running', 'made' or 'failed'; an edit whose process died is waiting.
        stopped: somebody stopped it; it is not made before somebody says so.
        reason: why it failed.
        done: frames written, of `wanted`.
    """

    id: int
    name: str
    recipe: Recipe
    status: str
    reason: str
    video_id: int | None
    sha256: str
    parents: tuple[str, ...]
    parent_names: tuple[str, ...]
    done: int
    wanted: int
    stopped: bool = False

    @property
    def words(self) -> str:
        """What was done to what, for a person."""
        others = ", ".join(self.parent_names[1:])
        joined = f" with {others}" if others else ""
        return f"{self.recipe.label} of {self.parent_names[0]}{joined}"


def plan_edit(
    workspace: Workspace,
    videos: Sequence[str],
    recipe: Recipe,
    author: Person | None = None,
    known: Videos | None = None,
) -> int:
    """The id of an edit, stored if there is none such; nothing is made yet.

    Args:
        workspace: where the videos are.
        videos: names or content hashes, the edited one first, then one for each join.
        recipe: what is done.
        author: who asks; None on the command line.
        known: the workspace's videos, where they were read for many edits.

    Raises:
        ValueError: for a video that is not here, or edits that do not fit the videos.
    """
    edited = _found(known or Videos(workspace), videos)
    parents = [video.sha256 for video in edited]
    timeline_of(recipe, timelines(workspace, parents))
    identity = recipe.identity(parents)
    with workspace.store.write() as database:
        stored = first_row(database, "SELECT id FROM video_edit WHERE identity = ?", [identity])
        if stored is not None:
            return int(stored["id"])
        name = _free_name(database, edited[0].name, recipe, identity)
        number = database.conn.execute(
            "INSERT INTO video_edit (identity, recipe, name, author_id, created_at)"
            " VALUES (?, ?, ?, ?, ?) RETURNING id",
            [identity, recipe.to_json(), name, author and author.id, now_text()],
        ).fetchone()[0]
        database.conn.executemany(
            "INSERT INTO video_edit_parent (edit_id, position, sha256) VALUES (?, ?, ?)",
            [[number, position, parent] for position, parent in enumerate(parents)],
        )
    return int(number)


def video_named(workspace: Workspace, name: str) -> ListedVideo:
    """The usable video of a name or content hash.

    Raises:
        Refusal: if there is none.
    """
    return _found(Videos(workspace), [name])[0]


def _found(known: Videos, videos: Sequence[str]) -> list[ListedVideo]:
    try:
        return [known.find(name) for name in videos]
    except Fault as fault:
        raise Refusal(fault_text(1, fault).removeprefix("row 1, field video: ")) from fault


def timelines(workspace: Workspace, parents: Sequence[str]) -> list[Timeline]:
    """The videos of these contents as they are, in this order.

    Raises:
        ValueError: if one is not here any more.
    """
    return [
        source_timeline(position, workspace.media.frame_table(sha256), facts_of(workspace, sha256))
        for position, sha256 in enumerate(parents)
    ]


def facts_of(workspace: Workspace, sha256: str) -> Facts:
    """What probing found of a content.

    Raises:
        ValueError: if there is no usable video of this content.
    """
    rows = workspace.store.rows(
        "SELECT facts FROM video WHERE sha256 = ? AND status = 'usable' ORDER BY id LIMIT 1",
        [sha256],
    )
    if not rows:
        raise Refusal(f"The video {sha256[:12]} is not here any more. Import it again.")
    facts = json.loads(rows[0]["facts"])
    known = {name: facts[name] for name in Facts.__dataclass_fields__ if name in facts}
    return Facts.from_json(json.dumps(known))


def _free_name(database: Database, parent: str, recipe: Recipe, identity: str) -> str:
    """A name beside the parent's that no other video or edit has."""
    path = PurePosixPath(parent)
    stem = path.name.removesuffix(path.suffix)
    plain = str(path.with_name(f"{stem}~{recipe.label}.mp4"))
    taken = first_row(
        database,
        "SELECT 1 FROM video WHERE name = :name UNION SELECT 1 FROM video_edit WHERE name = :name",
        {"name": plain},
    )
    return (
        plain if taken is None else str(path.with_name(f"{stem}~{recipe.label}~{identity[:6]}.mp4"))
    )


def stored_edits(workspace: Workspace) -> list[StoredEdit]:
    """Every edit, newest first."""
    return [_edit(row) for row in workspace.store.rows(f"{_EDITS} ORDER BY e.id DESC")]


def stored_edit(workspace: Workspace, edit_id: int) -> StoredEdit:
    """One edit as it stands now.

    Raises:
        LookupError: if there is none.
    """
    rows = workspace.store.rows(f"{_EDITS} WHERE e.id = ?", [edit_id])
    if not rows:
        raise Missing(f"There is no edit {edit_id}.")
    return _edit(rows[0])


def edits_of(workspace: Workspace, sha256: str) -> list[StoredEdit]:
    """The edits in which a content is a parent, oldest first."""
    rows = workspace.store.rows(
        f"{_EDITS} WHERE e.id IN (SELECT edit_id FROM video_edit_parent WHERE sha256 = ?)"
        " ORDER BY e.id",
        [sha256],
    )
    return [_edit(row) for row in rows]


def origin_of(workspace: Workspace, sha256: str) -> StoredEdit | None:
    """The edit that made a content; None for one that came in."""
    rows = workspace.store.rows(f"{_EDITS} WHERE v.sha256 = ? ORDER BY e.id LIMIT 1", [sha256])
    return _edit(rows[0]) if rows else None


def _edit(row: dict[str, Any]) -> StoredEdit:
    progress = json.loads(row["progress"])
    return StoredEdit(
        row["id"], row["video"], Recipe.from_json(row["recipe"]), status_of(row), row["reason"],
        row["video_id"], row["sha256"], tuple(json.loads(row["parents"])),
        tuple(json.loads(row["parent_names"])), progress.get("done", 0), progress.get("wanted", 0),
        bool(row["stopped"]),
    )  # fmt: skip
