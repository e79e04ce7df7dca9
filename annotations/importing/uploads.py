"""Files that somebody uploaded, kept in the workspace under a name of our own making."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from annotations.workspace import Workspace

FOLDER = "uploads"
LONGEST_NAME = 120
_UNUSUAL = re.compile(r"[^\w.&+()-]+")


def keep_uploads(workspace: Workspace, files: Sequence[tuple[str, bytes]]) -> list[Path]:
    """Where the files now lie, in their order: pairs of the name that was given, and the content.

    The same files lie in the same place. Names keep what readers tell from them, without folders.
    """
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    folder = workspace.root / "imports" / digest.hexdigest()[:16] / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for number, (name, content) in enumerate(files):
        path = folder / safe_name(name)
        if path in paths:
            path = folder / f"{number} {path.name}"
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)  # written anew it would look changed to a plan made of it
        paths.append(path)
    return paths


def safe_name(name: str) -> str:
    """A file name without folders, and without characters that mean something elsewhere."""
    bare = _UNUSUAL.sub("_", re.split(r"[/\\]", name)[-1]).lstrip(".")
    stem, dot, suffix = bare.rpartition(".")
    return f"{stem[:LONGEST_NAME]}{dot}{suffix[:12]}" if stem else bare[:LONGEST_NAME] or "file"
