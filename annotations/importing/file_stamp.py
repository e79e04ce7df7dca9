"""The content of files that were planned, so that a plan is not carried out on other content."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

Stamp = tuple[tuple[Path, str], ...]


def stamp_of(paths: Iterable[Path]) -> Stamp:
    """Each file once, with the SHA-256 of its content."""
    return tuple(
        (path, hashlib.sha256(path.read_bytes()).hexdigest()) for path in dict.fromkeys(paths)
    )
