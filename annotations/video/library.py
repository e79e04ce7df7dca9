"""Videos by their content: read and probed where they lie, and kept in the workspace."""

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from annotations.media import Media
from core.half_made import whole
from core.process.processes import workers_for
from core.refusal import Refusal
from core.video.errors import UNREADABLE, reason_of
from core.video.player import make_player_copy
from core.video.probe import Facts, probe
from core.video.table import read_table

PROBE_S = 60.0
BYTES_A_SECOND = 20e6  # a disk that reads slower than this is taken for hung
COPY_S = 600.0

Progress = Callable[[str, int, int], None]


def no_progress(message: str, count: int, total: int) -> None:
    """Nothing; for callers who do not watch."""


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
        state = path.stat()
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except PermissionError:
        return Content(path, "", reason=UNREADABLE)
    except OSError as error:
        return Content(path, "", reason=f"cannot be read: {error.strerror}")
    return Content(path, sha256, state.st_size, state.st_mtime_ns)


def contents(paths: Sequence[Path], progress: Progress) -> dict[Path, Content]:
    """Contents of files by path."""
    by_path: dict[Path, Content] = {}
    with ThreadPoolExecutor(4) as pool:
        for count, content in enumerate(pool.map(content_of, paths), start=1):
            by_path[content.path] = content
            progress("Reading videos", count, len(paths))
    return by_path


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


def probe_all(files: Sequence[Content], progress: Progress) -> dict[str, Probed]:
    """Facts by content hash, probed in processes that can be killed; a fault costs its own file."""
    if not files:
        return {}
    by_path = {content.path: content.sha256 for content in files}
    limit = PROBE_S + max(content.size for content in files) / BYTES_A_SECOND
    results: dict[str, Probed] = {}
    with workers_for(len(files)) as workers:
        for path, result in workers.map(_facts, by_path, limit):
            if isinstance(result, Exception):
                results[by_path[path]] = Probed("{}", None, reason_of(result))
            else:
                results[by_path[path]] = Probed(result.to_json(), result.duration_s)
            progress("Probing videos", len(results), len(files))
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
    unkept = [job for job in jobs if not job.is_done]
    if not unkept:
        return
    limit = COPY_S + max(job.content.size for job in unkept) / (BYTES_A_SECOND / 20)
    with workers_for(len(unkept)) as workers:
        for count, (job, result) in enumerate(workers.map(keep, unkept, limit), start=1):
            progress("Keeping videos", count, len(unkept))
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
        text = read_table(original).to_json()
        with whole(table) as part:
            part.write_text(text, encoding="utf-8")
    if job.copy_for_player and not media.player(sha256).exists():
        make_player_copy(original, media.player(sha256))


def _place(content: Content, target: Path) -> None:
    scratch = target.with_name(f".{secrets.token_hex(6)}.part")
    try:
        try:
            os.link(content.path.resolve(), scratch)
        except OSError:
            shutil.copyfile(content.path, scratch)
        stat = scratch.stat()
        linked = stat.st_mtime_ns == content.mtime_ns and stat.st_size == content.size
        if not linked and content_of(scratch).sha256 != content.sha256:
            raise Refusal("the file changed while it was imported; import again")
        os.replace(scratch, target)
    finally:
        scratch.unlink(missing_ok=True)
