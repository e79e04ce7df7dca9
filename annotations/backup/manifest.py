"""What a backup says of itself: when it was made, what it holds, and the checksum of every file."""

import json
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any, cast

from core.refusal import Refusal

MANIFEST = "manifest.json"
FORMAT = 1
MEDIA_INSIDE, MEDIA_BESIDE, MEDIA_NONE = "inside", "beside", "none"
MEDIA = (MEDIA_INSIDE, MEDIA_BESIDE, MEDIA_NONE)


class BackupError(Refusal):
    """Why a backup cannot be made or read, in words for a person."""


@dataclass(frozen=True)
class StoredFile:
    """One file of a workspace in a backup.

    Attributes:
        path: in the workspace, with forward slashes; never absolute, never with '..'.
        size: bytes.
        sha256: of the content, 64 hex digits.
    """

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The contents of a backup.

    Attributes:
        made_at: ISO time with zone.
        name: the workspace's name.
        media: 'inside' the archive, 'beside' it in a folder of files named by content, or 'none'.
        counts: rows of the tables that people care for, such as {'answers': 1200}.
        files: in the archive, or (media that lie beside it) in the folder `media`.
    """

    made_at: str
    name: str
    media: str
    counts: dict[str, int]
    files: tuple[StoredFile, ...]

    def to_json(self) -> str:
        """The manifest as JSON, indented."""
        return json.dumps({"rushes_backup": FORMAT, **asdict(self)}, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """The manifest that a text holds.

        Raises:
            BackupError: if it is none, is of a newer format, or names a path that would leave the
                workspace.
        """
        try:
            raw = cast("dict[str, Any]", json.loads(text))
            version = int(raw["rushes_backup"])
            if version > FORMAT:
                raise BackupError("The backup was made by a newer Rushes. Update Rushes first.")
            files = tuple(
                StoredFile(str(file["path"]), int(file["size"]), str(file["sha256"]))
                for file in raw["files"]
            )
            manifest = cls(
                str(raw["made_at"]), str(raw["name"]), str(raw["media"]),
                {str(name): int(count) for name, count in raw["counts"].items()}, files,
            )  # fmt: skip
        except BackupError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BackupError(f"The backup's manifest cannot be read ({error}).") from error
        for file in files:
            path = PurePosixPath(file.path)
            if path.is_absolute() or ".." in path.parts or "\\" in file.path or not path.parts:
                raise BackupError(f"The backup names a path outside the workspace: {file.path!r}.")
        return manifest
