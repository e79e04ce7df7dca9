"""Videos that are edits of one another: they are one cluster wherever videos are drawn or split."""

from collections.abc import Collection, Sequence

from sqlite_utils import Database

from annotations.workspace import Workspace
from db.connection import rows

# SQL for the family of a row `v` of video: a content hash, or a stand-in where no file was found.
FAMILY = (
    "coalesce((SELECT f.family FROM video_family f WHERE f.sha256 = v.sha256),"
    " nullif(v.sha256, ''), 'video ' || v.id)"
)

# SQL for the columns family, edit (its recipe; NULL for what came in) and parents (names as JSON,
# the edited one first) of a row `v` of video.
LINEAGE = f"""{FAMILY} AS family,
  (SELECT e.recipe FROM video_edit e WHERE e.video_id = v.id ORDER BY e.id LIMIT 1) AS edit,
  (SELECT json_group_array(p.name) FROM (
    SELECT coalesce((SELECT min(w.name) FROM video w WHERE w.sha256 = x.sha256), x.sha256) AS name
    FROM video_edit_parent x WHERE x.edit_id =
      (SELECT e.id FROM video_edit e WHERE e.video_id = v.id ORDER BY e.id LIMIT 1)
    ORDER BY x.position) p) AS parents"""


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


def with_edits(database: Database, videos: Collection[str]) -> set[str]:
    """These videos, by name or content hash, and the content hashes of all that is made of them."""
    contents = {
        str(row["sha256"])
        for row in rows(database, "SELECT name, sha256 FROM video WHERE sha256 <> ''")
        if {row["name"], row["sha256"]} & set(videos)
    }
    made_of: dict[str, set[str]] = {}
    for row in rows(
        database,
        "SELECT p.sha256 AS parent, v.sha256 AS edit FROM video_edit_parent p"
        " JOIN video_edit e ON e.id = p.edit_id JOIN video v ON v.id = e.video_id",
    ):
        made_of.setdefault(str(row["parent"]), set()).add(str(row["edit"]))
    edits: set[str] = set()
    waiting = list(contents)
    while waiting:
        new = made_of.get(waiting.pop(), set()) - edits
        edits |= new
        waiting += new
    return set(videos) | edits


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
