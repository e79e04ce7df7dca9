"""`restore`: a workspace out of a backup, into a new folder, every byte checked."""

import hashlib
import os
import sqlite3
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO

from annotations.backup.backup import MEDIA_FOLDER
from annotations.backup.manifest import MANIFEST, MEDIA_BESIDE, BackupError, Manifest, StoredFile
from annotations.backup.snapshot_file import integrity_faults, read_only
from annotations.backup.workspace_files import BLOCK
from annotations.workspace import DATABASE_FILE, KEY_FILE
from core.half_made import new_folder

Progress = Callable[[int, int], None]
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError)
_PACKED_AGAIN = (NotImplementedError, RuntimeError)  # another compression, or a password
_PACKED_WORDS = (
    "{} was packed again by another program, and cannot be read ({}). Use the file as Rushes "
    "wrote it."
)


def restore(source: Path, root: Path, progress: Progress | None = None) -> Manifest:
    """Unpack a backup into a folder and return what it held.

    The folder gets its name only when every file has the size and checksum of the manifest and the
    database is sound; so a log that a crashed server left behind can never meet an older database.

    Args:
        source: the archive; videos that lie beside it are looked for in its folder `media`.
        root: the workspace to be; it must not exist, or be empty.
        progress: told bytes done and bytes in all.

    Raises:
        BackupError: if the folder is not empty, or the backup is damaged or incomplete.
        OSError: if there is no room; nothing is left then.
    """
    source, root = source.expanduser().absolute(), root.expanduser().absolute()
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise BackupError(
            f"{root} is not empty, and restoring never writes over what is there. Move it away "
            f"(mv {root} {root}.old) or name another folder."
        )
    manifest = read_manifest(source)
    try:
        with new_folder(root, 0o700) as part:
            with zipfile.ZipFile(source) as archive:
                _unpack(archive, manifest, source.parent / MEDIA_FOLDER, part, progress)
            _check_database(part / DATABASE_FILE)
            if root.exists():
                root.rmdir()
            os.replace(part, root)
    except _DAMAGED as error:
        raise BackupError(f"{source} is damaged: {error}. Use another backup.") from error
    except _PACKED_AGAIN as error:
        raise BackupError(_PACKED_WORDS.format(source, error)) from error
    return manifest


def read_manifest(source: Path) -> Manifest:
    """What a backup says it holds.

    Raises:
        BackupError: if it is no whole backup.
        OSError: if the file cannot be read.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            return Manifest.from_json(archive.read(MANIFEST).decode("utf-8", "replace"))
    except _DAMAGED as error:
        raise BackupError(
            f"{source} is no whole backup ({error}): it was cut short, or is another kind of file."
        ) from error
    except _PACKED_AGAIN as error:
        raise BackupError(_PACKED_WORDS.format(source, error)) from error
    except KeyError as error:
        raise BackupError(f"{source} is no backup of Rushes: it holds no {MANIFEST}.") from error


def _unpack(
    archive: zipfile.ZipFile, manifest: Manifest, media: Path, part: Path,
    progress: Progress | None,
) -> None:  # fmt: skip
    total = sum(file.size for file in manifest.files)
    finished = 0
    inside = set(archive.namelist())
    for file in manifest.files:
        target = part / file.path
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _open(archive, inside, manifest, media, file) as stream:
            _write(stream, target, file)
        finished += file.size
        if progress is not None:
            progress(finished, total)
    if (part / KEY_FILE).exists():
        (part / KEY_FILE).chmod(0o600)


def _open(
    archive: zipfile.ZipFile, inside: set[str], manifest: Manifest, media: Path, file: StoredFile
) -> IO[bytes]:
    if file.path in inside:
        return archive.open(file.path)
    if manifest.media == MEDIA_BESIDE and (media / file.sha256).is_file():
        return (media / file.sha256).open("rb")
    where = f"{media / file.sha256}" if manifest.media == MEDIA_BESIDE else "the backup"
    raise BackupError(f"{file.path} is missing: it should be in {where}.")


def _write(stream: IO[bytes], target: Path, file: StoredFile) -> None:
    digest, size = hashlib.sha256(), 0
    with target.open("xb") as written:
        while block := stream.read(BLOCK):
            digest.update(block)
            size += len(block)
            written.write(block)
    if size != file.size or digest.hexdigest() != file.sha256:
        raise BackupError(
            f"{file.path} in the backup is damaged: {size:,} bytes with another checksum than the "
            f"{file.size:,} that were saved. Use another backup."
        )


def _check_database(path: Path) -> None:
    try:
        with closing(read_only(path)) as connection:
            faults = integrity_faults(connection)
    except sqlite3.Error as error:
        faults = [str(error)]
    if faults:
        raise BackupError(f"The database in the backup is damaged: {faults[0]}.")
