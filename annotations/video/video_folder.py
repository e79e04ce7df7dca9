"""The videos of a folder, found by name."""

import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.stored_json import whole_text

SUFFIXES = frozenset(
    (
        ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts",
        ".mts", ".m2ts", ".wmv", ".flv", ".ogv", ".3gp", ".gif",
    )
)  # fmt: skip


def video_files(folder: Path) -> Iterator[Path]:
    """Files with the suffix of a video in a folder and those below, sorted; or the one file.

    Links that lead out of the folder, and what is no file, are left out (`left_out` says why): a
    data set from elsewhere could name private files of whoever imports it, or a pipe without end.
    """
    yield from (path for path, why in _named_as_videos(folder) if not why)


def left_out(folder: Path) -> dict[Path, str]:
    """Return what is named as a video in a folder and is not taken, with the reason in words."""
    return {path: why for path, why in _named_as_videos(folder) if why}


def _named_as_videos(folder: Path) -> Iterator[tuple[Path, str]]:
    if not folder.is_dir():
        if folder.is_file() and folder.suffix.lower() in SUFFIXES:
            yield folder, ""
        return
    inside = folder.resolve()
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES:
                yield Path(base) / name, _why_not(Path(base) / name, inside)


def _why_not(path: Path, inside: Path) -> str:
    """Why a file of a folder is not taken; '' if it is."""
    target = path.resolve()
    if not target.is_relative_to(inside):
        return "is a link that leads out of the folder; put the file itself there"
    if target.exists() and not target.is_file():
        return "is no file"
    if whole_text(str(path)) != str(path):
        return "has a name that is no UTF-8; give it another one"
    return ""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search for a video gave.

    Attributes:
        path: the file, None if there is none or more than one.
        reason: why there is none, in words.
        note: what a person should know about the match, '' if it is plain.
        exact: the whole name matched, not only its end.
    """

    path: Path | None
    reason: str = ""
    note: str = ""
    exact: bool = True


class Shelf:
    """The videos of a folder, found by the names that data sets give them.

    A name may lack the suffix, have more folders before it than there are or fewer, be written in
    another Unicode form, or differ in case; two files that fit equally well are never chosen from.
    """

    def __init__(self, folder: Path | None):
        """List the folder once; None: there is no folder."""
        self.folder = folder
        self.files = list(video_files(folder)) if folder else []
        refused = left_out(folder) if folder else {}
        self.left_out = {self.name_of(path): why for path, why in refused.items()}
        self._whole: dict[str, list[Path]] = {}
        self._tails: dict[str, list[Path]] = {}
        self._folded: dict[str, list[Path]] = {}
        self._numbers: dict[str, Path] = {}
        for file in self.files:
            for name in self._names(file):
                self._whole.setdefault(name, []).append(file)
                for tail in tails(name):
                    self._tails.setdefault(tail, []).append(file)
                    self._folded.setdefault(tail.casefold(), []).append(file)
            self._numbers.setdefault(file.stem.lstrip("0"), file)

    def name_of(self, file: Path) -> str:
        """A file's name in the folder, '/' between parts, in NFC."""
        below = file.relative_to(self.folder) if self.folder and file != self.folder else file.name
        return whole_text(unicodedata.normalize("NFC", PurePosixPath(below).as_posix()))

    def _names(self, file: Path) -> tuple[str, str]:
        name = self.name_of(file)
        return name, name[: -len(file.suffix)]

    def find(self, wanted: str) -> Found:
        """Return the video file with this name, or why there is none."""
        if self.folder is None:
            return Found(None, "no folder of videos was given")
        wanted = unicodedata.normalize("NFC", wanted)
        stem = PurePosixPath(wanted)
        without = str(stem.with_suffix("")) if stem.suffix.lower() in SUFFIXES else ""
        for name, note in ((wanted, ""), (without, "has another suffix than the name")):
            for candidates in self._candidates(name) if name else ():
                if len(candidates.paths) == 1:
                    [path] = candidates.paths
                    remarks = "; ".join(part for part in (note, candidates.note) if part)
                    remark = f"{self.name_of(path)} {remarks}" if remarks else ""
                    return Found(path, note=remark, exact=candidates.exact)
                names = ", ".join(self.name_of(path) for path in candidates.paths[:3])
                return Found(None, f"several files fit: {names}")
        if why := self.left_out.get(wanted):
            return Found(None, why)
        return Found(None, "file not found" + self._hint(wanted))

    def _candidates(self, name: str) -> Iterator["_Candidates"]:
        """Files that a name may mean, the surest first."""
        yield from _unless_none(self._whole.get(name))
        yield from _unless_none(self._tails.get(name))
        # A name with more folders than there are may only end at the top of the folder: 'human/7'
        # must not find 'object/7'.
        for tail in tails(name)[1:]:
            yield from _unless_none(self._whole.get(tail), exact=False)
        yield from _unless_none(self._folded.get(name.casefold()), "differs in case")

    def _hint(self, wanted: str) -> str:
        stem = PurePosixPath(wanted).stem
        near = self._numbers.get(stem.lstrip("0")) if stem.isdigit() else None
        return f" (did a spreadsheet drop zeros? there is {self.name_of(near)})" if near else ""


@dataclass(frozen=True, slots=True)
class _Candidates:
    paths: list[Path]
    note: str = ""
    exact: bool = True


def _unless_none(
    paths: Sequence[Path] | None, note: str = "", exact: bool = True
) -> Iterator[_Candidates]:
    if paths:
        yield _Candidates(sorted(set(paths)), note, exact)


def tails(name: str) -> list[str]:
    """A path and what is left of it without its first folders: 'a/b/c', 'b/c', 'c'."""
    parts = name.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]
