"""Files and folders on their way to their names, and what killed processes left of theirs.

Who makes one holds a lock on it, which ends with the process, however it ends. So the next one that
comes by knows what is left over and takes it away.
"""

import fcntl
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


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
    """Whether the lock is free, and from now on ours."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # somebody else's, or a disk without locks
        return False
    return True
