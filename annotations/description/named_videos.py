"""Videos by the ids that data sets use for them, made where the workspace has none of that name."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from annotations.people import now_text
from annotations.workspace import Workspace

NOT_HERE = "its file has not been imported"


class NamedVideos:
    """Ids of videos by name, by name without suffix, and by the last part of that."""

    def __init__(self, workspace: Workspace):
        """Read the names once; of several videos of a name the newest usable one counts."""
        self._workspace = workspace
        self._ids: dict[str, int] = {}
        rows = workspace.store.rows(
            "SELECT id, name FROM video ORDER BY status = 'usable' DESC, id DESC"
        )
        for depth in range(3):
            for row in rows:
                self._ids.setdefault(spellings(row["name"])[depth], row["id"])

    def find(self, name: str) -> int | None:
        """The id of the video that a name means; None where there is none."""
        return next((self._ids[one] for one in spellings(name) if one in self._ids), None)

    def ensure(self, names: Iterable[str]) -> dict[str, int]:
        """Ids of videos by name; those that are not here become videos whose file is missing."""
        wanted = dict.fromkeys(names)
        new = [name for name in wanted if self.find(name) is None]
        if new:
            with self._workspace.store.write() as database:
                for name in new:
                    added = database.conn.execute(
                        "INSERT INTO video (name, status, reason, created_at)"
                        " VALUES (?, 'missing', ?, ?)"
                        " ON CONFLICT (name, sha256) DO UPDATE SET name = excluded.name"
                        " RETURNING id",
                        [name, NOT_HERE, now_text()],
                    ).fetchone()
                    for spelling in spellings(name):
                        self._ids.setdefault(spelling, int(added[0]))
        return {name: video for name in wanted if (video := self.find(name)) is not None}


def spellings(name: str) -> tuple[str, str, str]:
    """A name, the name without the suffix of a video file, and the last part of that."""
    path = PurePosixPath(name.strip())
    is_file = path.suffix.lower() in _SUFFIXES
    whole = str(path.with_suffix("")) if is_file else str(path)
    return name.strip(), whole, PurePosixPath(whole).name


_SUFFIXES = {".avi", ".mp4", ".mkv", ".webm", ".mov", ".gif", ".m4v", ".mpg", ".mpeg"}
