"""Why a video cannot be used, in words that fit in a table cell."""

from pathlib import Path

from core.process.processes import ProcessDied, TookTooLong
from core.refusal import Refusal

NOT_FOUND = "file not found"
NOT_A_FILE = "not a file"
UNREADABLE = "no permission to read the file"
EMPTY = "empty file"
INCOMPLETE = "incomplete file (index missing)"
NOT_A_VIDEO = "not a video file"
DAMAGED = "damaged file (index unreadable)"
NO_VIDEO_STREAM = "no video stream"
NO_DECODER = "no decoder for this codec"
NO_FRAME = "no frame could be decoded"
HUNG = "the decoder hung or crashed"
REFUSED = "not safe with this decoder"


class VideoError(Refusal):
    """A video that cannot be used as asked.

    Attributes:
        reason: short words for a person, one of the constants of this module, with a remark in
            brackets where it helps ("not a video file (an HTML page)").
        detail: what is behind it, for a log or a tooltip; may be empty.
    """

    def __init__(self, reason: str, detail: str = ""):
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail

    def __reduce__(self):
        return VideoError, (self.reason, self.detail)


_LOOKS = (
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<?xml", "an XML document"),
    (b"<", "an HTML or XML document"),
    (b"{", "a JSON document"),
    (b"[", "a JSON document"),
    (b"%pdf", "a PDF document"),
    (b"pk\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89png", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"#extm3u", "a playlist"),
    (b"version https://git-lfs", "a Git LFS pointer"),
)


def complaint(path: Path, detail: str = "") -> VideoError:
    """The error that says best why a file could not be opened as a video, from its first bytes."""
    if not path.exists():
        return VideoError(NOT_FOUND, str(path))
    if not path.is_file():
        return VideoError(NOT_A_FILE, str(path))
    if path.stat().st_size == 0:
        return VideoError(EMPTY, str(path))
    try:
        with path.open("rb") as file:
            head = file.read(512)
        boxes = _boxes(path) if head[4:8] in (b"ftyp", b"mdat", b"wide", b"free", b"skip") else None
    except OSError as error:
        return VideoError(UNREADABLE, str(error))
    if boxes is not None:
        whole = b"moov" in boxes or b"moof" in boxes
        return VideoError(DAMAGED if whole else INCOMPLETE, detail)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for magic, looks in _LOOKS:
        if start.startswith(magic):
            return VideoError(f"{NOT_A_VIDEO} ({looks})", detail)
    known = head.startswith((b"RIFF", b"\x1aE\xdf\xa3", b"OggS", b"FLV"))
    return VideoError(DAMAGED if known or head[4:8] == b"moov" else NOT_A_VIDEO, detail)


def _boxes(path: Path) -> set[bytes]:
    """Names of the top-level boxes of an MP4 or MOV file, as far as they can be walked."""
    names: set[bytes] = set()
    total = path.stat().st_size
    with path.open("rb") as file:
        at = 0
        while at + 8 <= total and len(names) < 1000:
            file.seek(at)
            head = file.read(16)
            size = int.from_bytes(head[:4], "big")
            names.add(head[4:8])
            if size == 1:
                size = int.from_bytes(head[8:16], "big")
            if size < 8:
                break
            at += size
    return names


def reason_of(error: Exception) -> str:
    """The error in words that fit in a table cell, also for one that is no VideoError."""
    if isinstance(error, VideoError):
        return error.reason
    if isinstance(error, (TookTooLong, ProcessDied)):
        return HUNG
    if isinstance(error, PermissionError):
        return UNREADABLE
    return str(error).splitlines()[0][:120] if str(error) else type(error).__name__
