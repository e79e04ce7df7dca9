"""`backup`: everything of a workspace that cannot be made again, in one file, while people work."""

import hashlib
import os
import secrets
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from annotations.backup.manifest import (
    MANIFEST,
    MEDIA,
    MEDIA_INSIDE,
    MEDIA_NONE,
    BackupError,
    Manifest,
    StoredFile,
)
from annotations.backup.snapshot_file import copy_database
from annotations.backup.workspace_files import (
    BLOCK,
    SCRATCH,
    file_sha256,
    media_files,
    other_files,
    video_hashes,
)
from annotations.settings_file import SETTINGS_FILE, read_settings
from annotations.workspace import DATABASE_FILE
from core.half_made import being_made, remove_left_over
from core.refusal import Refusal

MEDIA_FOLDER = "media"

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Backup:
    """A backup that was made.

    Attributes:
        path: the archive.
        size: of the archive, bytes.
        warnings: one line for each thing that was found wrong on the way, such as a video whose
            content is no longer what its name says; the backup is whole all the same.
    """

    path: Path
    manifest: Manifest
    size: int
    warnings: tuple[str, ...]


def backup(
    root: Path, target: Path, media: str = MEDIA_INSIDE, progress: Progress | None = None
) -> Backup:
    """Write a backup of a workspace and return what it holds.

    The database is copied by SQLite's online backup, so people go on answering; everything that
    was acknowledged before the call is in it. The archive gets its name only when it is whole and
    on the disk.

    Args:
        root: the workspace's folder.
        target: the archive; it must not exist.
        media: videos 'inside' the archive; 'beside' it in the folder `media`, where those that an
            earlier backup put there are not copied again; or 'none'.
        progress: told bytes done and bytes in all.

    Raises:
        BackupError: if `root` is no workspace, the target exists, or the database is damaged.
        OSError: if there is no room, or a file cannot be read; no archive is left then.
    """
    root = root.expanduser().resolve()
    if media not in MEDIA:
        raise BackupError(f"media: got {media!r}. Allowed: {', '.join(MEDIA)}.")
    if not (root / DATABASE_FILE).is_file():
        raise BackupError(f"{root} is no workspace (no {DATABASE_FILE}).")
    target = target.expanduser().absolute()
    if target.exists():
        raise BackupError(f"{target} exists already. Name a file that does not.")
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_left_over(target.parent, SCRATCH)
    remove_left_over(target.parent / MEDIA_FOLDER, ".", ".part")
    with (
        tempfile.TemporaryDirectory(dir=target.parent, prefix=SCRATCH) as scratch,
        being_made(Path(scratch)),
    ):
        copy, part = Path(scratch) / DATABASE_FILE, Path(scratch) / "archive.part"
        counts = copy_database(root / DATABASE_FILE, copy)
        manifest, warnings = _Writer(root, copy, media, progress).write(part, target, counts)
        size = part.stat().st_size
        os.replace(part, target)
        _sync_folder(target.parent)
    return Backup(target, manifest, size, tuple(warnings))


class _Writer:
    """One archive on its way to the disk."""

    def __init__(self, root: Path, copy: Path, media: str, progress: Progress | None):
        self.root, self.copy, self.media = root, copy, media
        self.progress = progress or _silent
        self.finished, self.total = 0, 0
        self.warnings: list[str] = []
        self.files: list[StoredFile] = []

    def write(self, part: Path, target: Path, counts: dict[str, int]) -> tuple[Manifest, list[str]]:
        """Write the archive and return its manifest with what was found wrong."""
        others = list(other_files(self.root))
        hashes = video_hashes(self.copy)
        videos = list(media_files(self.root, hashes)) if self.media != MEDIA_NONE else []
        self.total = sum(path.stat().st_size for path in [self.copy, *others, *videos])
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        with os.fdopen(descriptor, "w+b") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
                self._add(archive, self.copy, DATABASE_FILE, zipfile.ZIP_DEFLATED)
                for path in others:
                    self._add(archive, path, self._name(path), zipfile.ZIP_DEFLATED)
                for path in videos:
                    self._video(archive, path, target.parent / MEDIA_FOLDER)
                self._note_missing(hashes)
                manifest = Manifest(
                    datetime.now().astimezone().isoformat(timespec="seconds"),
                    self._workspace_name(),
                    self.media, counts, tuple(self.files),
                )  # fmt: skip
                archive.writestr(MANIFEST, manifest.to_json())
            file.flush()
            os.fsync(file.fileno())
        return manifest, self.warnings

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _workspace_name(self) -> str:
        """The workspace's name; the folder's where the settings are broken, which stops nobody."""
        try:
            return read_settings(self.root / SETTINGS_FILE).name
        except Refusal as error:
            self.warnings.append(str(error))
            return self.root.name

    def _add(self, archive: zipfile.ZipFile, path: Path, name: str, how: int) -> None:
        info = zipfile.ZipInfo(name)
        info.compress_type = how
        info.external_attr = 0o600 << 16
        with archive.open(info, "w", force_zip64=True) as stream:
            self._keep(path, name, stream.write)

    def _keep(self, path: Path, name: str, write: Callable[[bytes], object]) -> StoredFile:
        """Copy a file block by block and note its checksum."""
        digest, size = hashlib.sha256(), 0
        with path.open("rb") as source:
            while block := source.read(BLOCK):
                digest.update(block)
                size += len(block)
                write(block)
                self.finished += len(block)
                self.progress(min(self.finished, self.total), self.total)
        stored = StoredFile(name, size, digest.hexdigest())
        self.files.append(stored)
        return stored

    def _video(self, archive: zipfile.ZipFile, path: Path, folder: Path) -> None:
        name = self._name(path)
        if self.media == MEDIA_INSIDE:
            self._add(archive, path, name, zipfile.ZIP_STORED)
        else:
            self._beside(path, name, folder)
        stored = self.files[-1]
        original = path.name.startswith("original")
        if original and stored.sha256 != path.parent.name:
            self.warnings.append(
                f"{name}: the content is no longer the one that was imported "
                f"(SHA-256 {stored.sha256[:12]}…). Import the video again."
            )

    def _beside(self, path: Path, name: str, folder: Path) -> None:
        """Put a file into a folder of files named by their content, once for all backups."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        sha256 = file_sha256(path)
        kept = folder / sha256
        size = path.stat().st_size
        if kept.is_file() and kept.stat().st_size == size:
            self.files.append(StoredFile(name, size, sha256))
            self.finished += size
            self.progress(min(self.finished, self.total), self.total)
            return
        part = folder / f".{sha256}.{secrets.token_hex(4)}.part"
        try:
            with part.open("xb") as target, being_made(part):
                stored = self._keep(path, name, target.write)
                target.flush()
                os.fsync(target.fileno())
            os.replace(part, folder / stored.sha256)
        finally:
            part.unlink(missing_ok=True)

    def _note_missing(self, hashes: list[str]) -> None:
        for sha256 in hashes:
            folder = self.root / "media" / sha256[:2] / sha256
            if not any(folder.glob("original*")):
                self.warnings.append(
                    f"media/{sha256[:2]}/{sha256}: the video's file is not in the workspace."
                )


def _silent(finished: int, total: int) -> None:
    del finished, total


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
