"""Files and folders on their way to their names, and what killed processes left of theirs.

Who makes one holds a lock on it, which ends with the process, however it ends. So the next one that
comes by knows what is left over and takes it away.
"""

import fcntl
import os
import secrets
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole(path: Path) -> Generator[Path]:
    """Yield a path beside a file's, for writing; it becomes the file if writing succeeds.

    Its name is nobody else's, so that two who write the same file at once do not meet, and nobody
    can have put a link under it. What is read under the file's name is always whole.
    """
    remove_left_over(path.parent, f".{path.name}.", ".part")
    part, descriptor = _new_part(path)
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
        os.close(descriptor)


@contextmanager
def new_folder(path: Path, mode: int = 0o777) -> Generator[Path]:
    """Yield a new folder beside a path, to be filled and renamed to it; else it is taken away.

    Args:
        path: what the folder is to be in the end.
        mode: of the folder, less what the process masks.
    """
    remove_left_over(path.parent, f".{path.name}.", ".part")
    part, descriptor = _new_part(path, mode)
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)
        os.close(descriptor)


def others_at_work(part: Path, path: Path) -> list[Path]:
    """Half-made files and folders beside a part of ours that others are making of the same path."""
    names = sorted(os.listdir(path.parent))
    theirs = [one for one in names if one.startswith(f".{path.name}.") and one.endswith(".part")]
    return [path.with_name(one) for one in theirs if one != part.name]


def replace_folder(part: Path, path: Path) -> None:
    """Put a finished folder in the place of an earlier one, which `put_back` finds if we die."""
    earlier = _earlier(path)
    if path.exists():
        path.rename(earlier)
    part.rename(path)
    shutil.rmtree(earlier, ignore_errors=True)


def put_back(path: Path) -> None:
    """Give an earlier folder its name again if the process that replaced it died in between.

    Nobody else may be replacing it; see `others_at_work`.
    """
    earlier = _earlier(path)
    if earlier.exists() and not path.exists():
        earlier.rename(path)
    shutil.rmtree(earlier, ignore_errors=True)


def _earlier(path: Path) -> Path:
    return path.with_name(f".{path.name}.earlier")


def _new_part(path: Path, folder_mode: int | None = None) -> tuple[Path, int]:
    """A new file or folder beside a path, and the descriptor that holds its lock."""
    while True:
        part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
        # Who comes by before it is locked takes it for left over: begin anew then.
        try:
            if folder_mode is None:
                descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
            else:
                part.mkdir(parents=True, mode=folder_mode)
                descriptor = os.open(part, os.O_RDONLY)
        except FileNotFoundError:
            if path.parent.is_dir():
                continue
            raise
        with suppress(OSError):  # a disk without locks, on which nobody takes anything away
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return part, descriptor
        os.close(descriptor)


@contextmanager
def being_made(path: Path) -> Generator[None]:
    """Hold the lock of a file or folder that is there and not finished yet."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        _locks(descriptor)
        yield
    finally:
        os.close(descriptor)


def remove_left_over(folder: Path, start: str, end: str = "") -> list[Path]:
    """Take away half-made files and folders that nobody is making any more, and return which.

    Args:
        folder: where they lie; it need not exist.
        start: of their names.
        end: of their names.
    """
    names = sorted(os.listdir(folder)) if folder.is_dir() else []
    removed: list[Path] = []
    for path in [folder / name for name in names if name.startswith(start) and name.endswith(end)]:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        except OSError:
            continue  # finished or taken away meanwhile, or nothing of ours
        try:
            if _locks(descriptor):
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
                removed.append(path)
        finally:
            os.close(descriptor)
    return removed


def _locks(descriptor: int) -> bool:
    """Whether the lock is free, and from now on ours; on a disk without locks it never is."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
