"""Where media lies in a workspace. Every path is made of a content hash, never of a given name."""

import hashlib
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.refusal import Refusal
from core.video.table import FrameTable

NEAR_S = 0.0005  # times are stamps, rounded to the millisecond
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Media:
    """The media folder.

    Attributes:
        root: the folder; originals and player copies cannot be had again, sheets and frames can.
    """

    root: Path

    def folder(self, sha256: str) -> Path:
        """The folder of one video.

        Raises:
            ValueError: if the hash is no SHA-256 in lower-case hex, so that no path can leave.
        """
        if not SHA256.fullmatch(sha256):
            raise Refusal(f"{sha256[:80]!r} is no content hash (64 hex digits).")
        return self.root / sha256[:2] / sha256

    def original(self, sha256: str, suffix: str) -> Path:
        """The video as it came in; the suffix is that of the given file, such as '.mkv'."""
        return self.folder(sha256) / f"original{suffix.lower()}"

    def find_original(self, sha256: str) -> Path | None:
        """The video as it came in, or None if it is not here."""
        return next(iter(sorted(self.folder(sha256).glob("original*"))), None)

    def table(self, sha256: str) -> Path:
        """The frame table, JSON."""
        return _table(self, sha256)

    def frame_table(self, sha256: str) -> FrameTable:
        """The frame table that was read at import."""
        return _read_table(self.table(sha256))

    def frames_between(self, sha256: str, start_s: float, end_s: float | None) -> list[int]:
        """Indices of the frames on screen from a start to before an end, s; None: to the end.

        The first is the one that is on screen at the start, also where none begins in the clip: a
        slide, a screen that does not change, a clip shorter than a frame. Empty where the times
        name no clip of the video.
        """
        table = self.frame_table(sha256)
        if start_s >= table.duration_s or (end_s is not None and end_s <= start_s):
            return []
        first = max(0, bisect_right(table.times, start_s + NEAR_S) - 1)
        stop = len(table.times) if end_s is None else bisect_left(table.times, end_s)
        return list(range(first, max(stop, first + 1)))

    def hashes(self, sha256: str) -> Path:
        """Perceptual hashes of some frames, JSON."""
        return self.folder(sha256) / "hashes.json"

    def player(self, sha256: str) -> Path:
        """The H.264 copy for browsers that cannot play the original."""
        return self.folder(sha256) / "player.mp4"

    def playable(self, sha256: str) -> Path | None:
        """What the browser plays: the copy where there is one, else the original."""
        copy = self.player(sha256)
        return copy if copy.exists() else self.find_original(sha256)

    def frame(self, sha256: str, index: int) -> Path:
        """One frame, large, JPEG."""
        return self.folder(sha256) / "frames" / f"{index}.jpg"

    def thumb(self, sha256: str, index: int) -> Path:
        """One frame, small, JPEG."""
        return self.folder(sha256) / "thumbs" / f"{index}.jpg"

    def small_sheet(self, sha256: str, frames: tuple[int, ...]) -> Path:
        """A small contact sheet of these frames in this order, JPEG."""
        return self.folder(sha256) / "small" / f"{sheet_key(frames)}.jpg"

    def sheet(self, sha256: str, frames: tuple[int, ...]) -> Path:
        """The contact sheet of these frames in this order, JPEG; statuses lie beside it, JSON."""
        return _sheet(self, sha256, frames)

    def sheet_facts(self, sha256: str, frames: tuple[int, ...]) -> Path:
        """What is known of the contact sheet, JSON; written once the sheet is there."""
        return _sheet_facts(self, sha256, frames)


# Desks ask for the same paths over and over, and making one takes longer than to look at the file.
@lru_cache(maxsize=16_384)
def _sheet(media: Media, sha256: str, frames: tuple[int, ...]) -> Path:
    return media.folder(sha256) / "sheets" / f"{sheet_key(frames)}.jpg"


@lru_cache(maxsize=16_384)
def _sheet_facts(media: Media, sha256: str, frames: tuple[int, ...]) -> Path:
    return _sheet(media, sha256, frames).with_suffix(".json")


@lru_cache(maxsize=16_384)
def _table(media: Media, sha256: str) -> Path:
    return media.folder(sha256) / "frames.json"


@lru_cache(maxsize=4096)
def _read_table(path: Path) -> FrameTable:
    return FrameTable.from_json(path.read_text(encoding="utf-8"))


def sheet_key(frames: tuple[int, ...]) -> str:
    """A short name for frames in an order: 16 hex digits."""
    return hashlib.sha256(",".join(map(str, frames)).encode()).hexdigest()[:16]
