"""Videos that are edits of one another: they are one cluster wherever videos are drawn or split."""

from collections.abc import Sequence

from sqlite_utils import Database

from annotations.workspace import Workspace
from db.connection import rows

# SQL for the family of a row `v` of video: a content hash, or a stand-in where no file was found.
FAMILY = (
    "coalesce((SELECT f.family FROM video_family f WHERE f.sha256 = v.sha256),"
    " nullif(v.sha256, ''), 'video ' || v.id)"
)


def cluster_of(workspace: Workspace, sha256: str) -> str:
    """The content hash that stands for a video, all it was made of and all made of it."""
    rows_of_content = workspace.store.rows(
        "SELECT family FROM video_family WHERE sha256 = ?", [sha256]
    )
    return str(rows_of_content[0]["family"]) if rows_of_content else sha256


def clusters(workspace: Workspace) -> dict[str, str]:
    """The cluster of each video that has relatives, by content hash; all others are their own."""
    return {
        row["sha256"]: row["family"]
        for row in workspace.store.rows("SELECT sha256, family FROM video_family")
    }


def relate(database: Database, contents: Sequence[str]) -> None:
    """Make these contents one family, with all their relatives, in a transaction that is open."""
    marks = ", ".join("?" * len(contents))
    families = {
        row["family"]
        for row in rows(
            database, f"SELECT family FROM video_family WHERE sha256 IN ({marks})", list(contents)
        )
    }
    family = min(families or {contents[0]})
    for merged in sorted(families - {family}):
        database.conn.execute(
            "UPDATE video_family SET family = ? WHERE family = ?", [family, merged]
        )
    database.conn.executemany(
        "INSERT INTO video_family (sha256, family) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [[content, family] for content in contents],
    )
