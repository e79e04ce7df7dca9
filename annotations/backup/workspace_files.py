"""Which files of a workspace cannot be made again, so that a backup has to hold them."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from annotations.backup.snapshot_file import read_only
from annotations.workspace import DATABASE_FILE

LEFT_OUT = ("logs", "media", "backups", "__pycache__")
MARK = "serving.json"  # which process serves the workspace: nothing of its content
SCRATCH = ".rushes-backup-"  # folders of backups that are being made
BLOCK = 1 << 20


def other_files(root: Path) -> Iterator[Path]:
    """Files beside the database and the media: settings, the key, prompts, uploads, reports."""
    for folder, folders, names in os.walk(root):
        at = Path(folder)
        if at == root:
            folders[:] = [name for name in folders if name not in LEFT_OUT]
        folders[:] = sorted(name for name in folders if not name.startswith(SCRATCH))
        for name in sorted(names):
            path = at / name
            database = at == root and name.startswith(DATABASE_FILE)
            if name == MARK and at == root:
                continue
            if not database and not name.endswith(".part") and path.is_file():
                yield path


def media_files(root: Path, hashes: list[str]) -> Iterator[Path]:
    """What is kept of each video: the original, the copy for browsers, frame table and hashes."""
    for sha256 in hashes:
        folder = root / "media" / sha256[:2] / sha256
        if folder.is_dir():
            yield from (
                path
                for path in sorted(folder.iterdir())
                if path.is_file() and not path.name.endswith(".part")
            )


def video_hashes(database: Path) -> list[str]:
    """Content hashes of all videos that a database file names."""
    with closing(read_only(database)) as connection:
        return [row[0] for row in connection.execute(
            "SELECT DISTINCT sha256 FROM video WHERE sha256 <> '' ORDER BY sha256")]  # fmt: skip


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's content, 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
