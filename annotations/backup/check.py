"""`check`: is what a workspace holds whole? Every fault is named with what can be done about it."""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from annotations.backup.check_rows import row_faults
from annotations.backup.snapshot_file import integrity_faults, read_only
from annotations.backup.workspace_files import file_sha256
from annotations.media import Media
from annotations.settings_file import SETTINGS_FILE, read_settings
from annotations.workspace import DATABASE_FILE, KEY_FILE, SHORTEST_KEY
from core.refusal import Refusal
from core.video.table import FrameTable

Progress = Callable[[int, int], None]

HELP_DATABASE = (
    "Stop the server, keep a copy of the folder, and restore the newest backup "
    "(rushes restore FILE NEW_FOLDER). Without one: sqlite3 rushes.db .recover"
)


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        area: 'database', 'rows', 'media', 'settings' or 'folder'.
        where: table and row, or path in the workspace.
        what: what is wrong, in words.
        help: what can be done about it.
    """

    area: str
    where: str
    what: str
    help: str = ""

    @property
    def line(self) -> str:
        """The fault as one line."""
        return f"{self.area}: {self.where}: {self.what}" + (f" {self.help}" if self.help else "")


def check(root: Path, media: bool = True, progress: Progress | None = None) -> list[Fault]:
    """Return everything that is wrong with a workspace; an empty list if it is whole.

    Nothing is written, and people may go on working meanwhile.

    Args:
        root: the workspace's folder.
        media: whether every video is read and compared with its hash, which takes as long as the
            disk does; without it only whether the files are there.
        progress: told bytes of videos done and in all.

    Raises:
        ValueError: if the folder is no workspace.
    """
    root = root.expanduser().resolve()
    if not (root / DATABASE_FILE).is_file():
        raise Refusal(f"{root} is no workspace (no {DATABASE_FILE}).")
    faults = [*_settings_faults(root), *_folder_faults(root)]
    try:
        with closing(read_only(root / DATABASE_FILE)) as connection:
            broken = integrity_faults(connection)
            faults += [Fault("database", DATABASE_FILE, text, HELP_DATABASE) for text in broken]
            if not broken:
                faults += [Fault("rows", *fault) for fault in row_faults(connection)]
            faults += _media_faults(root, connection, media, progress)
    except sqlite3.Error as error:
        faults.append(Fault("database", DATABASE_FILE, f"{error}.", HELP_DATABASE))
    return faults


def _settings_faults(root: Path) -> Iterator[Fault]:
    try:
        read_settings(root / SETTINGS_FILE)
    except (ValueError, OSError) as error:
        yield Fault("settings", SETTINGS_FILE, str(error), "Mend the line it names.")
    key = root / KEY_FILE
    if not key.exists():
        yield Fault(
            "settings", KEY_FILE, "is missing, so every invite link and session is void.",
            "Copy it from a backup; a server that starts without it makes a new one.",
        )  # fmt: skip
    elif len(key.read_text(encoding="utf-8", errors="replace").strip()) < SHORTEST_KEY:
        yield Fault(
            "settings", KEY_FILE, "is empty or cut short, so links could be forged.",
            "Copy it from a backup, or delete it: a new one is made, and old links end.",
        )  # fmt: skip


def _folder_faults(root: Path) -> Iterator[Fault]:
    if os.name == "posix" and stat.S_IMODE(root.stat().st_mode) & 0o007:
        yield Fault(
            "folder", ".", "everybody on this machine may read keys and answers.",
            f"Make it private: chmod 700 {root}",
        )  # fmt: skip


def _media_faults(
    root: Path, connection: sqlite3.Connection, read: bool, progress: Progress | None
) -> Iterator[Fault]:
    videos = connection.execute(
        "SELECT sha256, group_concat(name, ', ') AS names FROM video"
        " WHERE sha256 <> '' AND status = 'usable' GROUP BY sha256 ORDER BY min(id)"
    ).fetchall()
    media = Media(root / "media")
    originals = {row["sha256"]: media.find_original(row["sha256"]) for row in videos}
    total = sum(path.stat().st_size for path in originals.values() if path is not None)
    finished = 0
    for row in videos:
        original, sha256 = originals[row["sha256"]], row["sha256"]
        where = f"{row['names']} (media/{sha256[:2]}/{sha256[:12]}…)"
        if original is None:
            yield Fault(
                "media", where, "the video's file is gone.",
                "Import its folder again; answers stay.",
            )  # fmt: skip
            continue
        if read:
            yield from _content_faults(original, sha256, where)
            finished += original.stat().st_size
            if progress is not None:
                progress(finished, total)
        yield from _table_faults(media.table(sha256), where)


def _content_faults(original: Path, sha256: str, where: str) -> Iterator[Fault]:
    try:
        content = file_sha256(original)
    except OSError as error:
        yield Fault("media", where, f"cannot be read: {error.strerror}.", "Look at the disk.")
        return
    if content != sha256:
        yield Fault(
            "media", where, f"has other content than was imported (SHA-256 {content[:12]}…).",
            "Was the file changed in its own folder? Import the right one again.",
        )  # fmt: skip


def _table_faults(table: Path, where: str) -> Iterator[Fault]:
    try:
        FrameTable.from_json(table.read_text(encoding="utf-8"))
    except FileNotFoundError:
        yield Fault("media", where, "its frame table is gone.", "Import its folder again.")
    except (ValueError, KeyError, TypeError, OSError) as error:
        yield Fault(
            "media", where, f"its frame table cannot be read ({error}).",
            "Delete frames.json in its folder and import it again.",
        )  # fmt: skip
