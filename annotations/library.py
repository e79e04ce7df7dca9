"""The videos of a folder: finding them by name, knowing them by content, keeping them."""

import hashlib
import os
import shutil
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from annotations.media import Media
from core.processes import Workers
from core.video.errors import UNREADABLE, reason_of
from core.video.player import make_player_copy
from core.video.probe import Facts, probe
from core.video.table import read_table

SUFFIXES = frozenset(
    (
        ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts",
        ".mts", ".m2ts", ".wmv", ".flv", ".ogv", ".3gp", ".gif",
    )
)  # fmt: skip
PROBE_S = 60.0
BYTES_A_SECOND = 20e6  # a disk that reads slower than this is taken for hung
COPY_S = 600.0

Progress = Callable[[str, int, int], None]


def no_progress(words: str, done: int, total: int) -> None:
    """Nothing; for callers who do not watch."""


def video_files(folder: Path) -> Iterator[Path]:
    """Files with the suffix of a video in a folder and those below, sorted; or the one file."""
    if folder.is_file():
        if folder.suffix.lower() in SUFFIXES:
            yield folder
        return
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES:
                yield Path(base) / name


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
        return unicodedata.normalize("NFC", PurePosixPath(below).as_posix())

    def _names(self, file: Path) -> tuple[str, str]:
        name = self.name_of(file)
        return name, name[: -len(file.suffix)]

    def find(self, wanted: str) -> Found:
        """The file that a name means."""
        if self.folder is None:
            return Found(None, "no folder of videos was given")
        wanted = unicodedata.normalize("NFC", wanted)
        stem = PurePosixPath(wanted)
        without = str(stem.with_suffix("")) if stem.suffix.lower() in SUFFIXES else ""
        for name, note in ((wanted, ""), (without, "has another suffix than the name")):
            for found in self._candidates(name) if name else ():
                if len(found.paths) == 1:
                    [path] = found.paths
                    words = "; ".join(part for part in (note, found.note) if part)
                    remark = f"{self.name_of(path)} {words}" if words else ""
                    return Found(path, note=remark, exact=found.exact)
                names = ", ".join(self.name_of(path) for path in found.paths[:3])
                return Found(None, f"several files fit: {names}")
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


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it was when it was looked at.

    Attributes:
        path: the file.
        sha256: of its bytes; '' if it could not be read.
        size: bytes.
        mtime_ns: when it was changed.
        reason: why it could not be read.
    """

    path: Path
    sha256: str
    size: int = 0
    mtime_ns: int = 0
    reason: str = ""


def content_of(path: Path) -> Content:
    """A file's content hash and what it had for size and date when that was taken."""
    try:
        before = path.stat()
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except PermissionError:
        return Content(path, "", reason=UNREADABLE)
    except OSError as error:
        return Content(path, "", reason=f"cannot be read: {error.strerror}")
    return Content(path, sha256, before.st_size, before.st_mtime_ns)


def contents(paths: Sequence[Path], progress: Progress) -> dict[Path, Content]:
    """Contents of files by path."""
    found: dict[Path, Content] = {}
    with ThreadPoolExecutor(4) as pool:
        for done, content in enumerate(pool.map(content_of, paths), start=1):
            found[content.path] = content
            progress("Reading videos", done, len(paths))
    return found


@dataclass(frozen=True, slots=True)
class Probed:
    """What probing a file found.

    Attributes:
        facts: as JSON; '{}' if it cannot be used.
        duration_s: s; None if it cannot be used.
        reason: why it cannot be used.
    """

    facts: str
    duration_s: float | None
    reason: str = ""


def probe_all(found: Sequence[Content], progress: Progress) -> dict[str, Probed]:
    """Facts by content hash, probed in processes that can be killed; a fault costs its own file."""
    if not found:
        return {}
    by_path = {content.path: content.sha256 for content in found}
    limit = PROBE_S + max(content.size for content in found) / BYTES_A_SECOND
    results: dict[str, Probed] = {}
    with Workers(_workers(len(found))) as workers:
        for path, result in workers.map(_facts, by_path, limit):
            if isinstance(result, Exception):
                results[by_path[path]] = Probed("{}", None, reason_of(result))
            else:
                results[by_path[path]] = Probed(result.to_json(), result.duration_s)
            progress("Probing videos", len(results), len(found))
    return results


def _facts(path: Path) -> Facts:
    return probe(path)[0]


@dataclass(frozen=True, slots=True)
class Keeping:
    """A video to be put into the workspace.

    Attributes:
        content: the file.
        media: the workspace's media.
        copy_for_player: whether browsers need a copy.
    """

    content: Content
    media: Media
    copy_for_player: bool

    @property
    def is_done(self) -> bool:
        """Whether everything is there already."""
        sha256 = self.content.sha256
        return (
            self.media.find_original(sha256) is not None
            and self.media.table(sha256).exists()
            and (not self.copy_for_player or self.media.player(sha256).exists())
        )


def keep_all(jobs: Iterable[Keeping], progress: Progress) -> Iterator[tuple[Keeping, str]]:
    """Each video with why it could not be kept ('' if it could), as they finish."""
    left = [job for job in jobs if not job.is_done]
    if not left:
        return
    limit = COPY_S + max(job.content.size for job in left) / (BYTES_A_SECOND / 20)
    with Workers(_workers(len(left))) as workers:
        for done, (job, result) in enumerate(workers.map(keep, left, limit), start=1):
            progress("Keeping videos", done, len(left))
            yield job, reason_of(result) if isinstance(result, Exception) else ""


def keep(job: Keeping) -> None:
    """Put a video, its frame table and, where browsers need it, a player copy into the workspace.

    What is there already stays. The original is a hard link where the disk allows.

    Raises:
        ValueError: if the file is not what it was when it was looked at.
        OSError: if there is no room.
    """
    sha256, media = job.content.sha256, job.media
    media.folder(sha256).mkdir(parents=True, exist_ok=True)
    original = media.find_original(sha256)
    if original is None:
        original = media.original(sha256, job.content.path.suffix)
        _place(job.content, original)
    table = media.table(sha256)
    if not table.exists():
        _write(table, read_table(original).to_json())
    if job.copy_for_player and not media.player(sha256).exists():
        make_player_copy(original, media.player(sha256))


def _place(content: Content, target: Path) -> None:
    scratch = target.with_name(f".{os.getpid()}{target.suffix}")
    scratch.unlink(missing_ok=True)
    try:
        try:
            os.link(content.path.resolve(), scratch)
        except OSError:
            shutil.copyfile(content.path, scratch)
        now = scratch.stat()
        linked = now.st_mtime_ns == content.mtime_ns and now.st_size == content.size
        if not linked and content_of(scratch).sha256 != content.sha256:
            raise ValueError("the file changed while it was imported; import again")
        os.replace(scratch, target)
    finally:
        scratch.unlink(missing_ok=True)


def _write(target: Path, text: str) -> None:
    scratch = target.with_name(f".{os.getpid()}{target.name}")
    scratch.write_text(text, encoding="utf-8")
    os.replace(scratch, target)


def _workers(jobs: int) -> int:
    return max(1, min(jobs, os.cpu_count() or 1, 8))
