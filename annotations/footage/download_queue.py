"""Download what was chosen, one video after the other; what is stored is not downloaded again."""

import importlib.util
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from annotations.footage.arrival import Arrived, keep_arrival, keep_captions
from annotations.footage.store import FIELDS
from annotations.workspace import Workspace
from core.byte_size import size_words
from core.footage import failure
from core.footage.candidate import Candidate
from core.footage.failure import Failure
from core.footage.fetch import Fetched, FetchJob, fetch, is_private
from core.footage.lookup import INSTALL, wait_words
from core.process.processes import ProcessDied, TookTooLong, Workers
from db.connection import Store

FOLDER = "incoming"
JAVASCRIPT = ("deno", "node", "bun", "qjs")
PAUSE_S = 3600.0
MOST_TRIES = 3


@dataclass(frozen=True)
class Limits:
    """What downloads may cost.

    Attributes:
        most_bytes: of a video; `most_s` the time for it, s.
        budget_bytes: of all downloads of the workspace.
        free_bytes: of the disk that are left alone.
        pause_s: between two downloads from the internet, s.
    """

    most_bytes: int = 500 * 10**6
    most_s: float = 900.0
    budget_bytes: int = 200 * 10**9
    free_bytes: int = 2 * 10**9
    pause_s: float = 5.0


@dataclass(frozen=True)
class Downloaded:
    """What a session of downloading did.

    Attributes:
        done: videos that came now, of `bytes` together.
        failed: candidates that failed, as (title or address, kind, message).
        left: candidates that still wait.
        pause: why nothing more is downloaded now; '' if nothing hinders.
    """

    done: int
    bytes: int
    failed: tuple[tuple[str, str, str], ...]
    left: int
    pause: str = ""


@dataclass(frozen=True)
class Step:
    """How far downloading is.

    Attributes:
        left_s: s until all is done at the pace so far; None before the first.
    """

    done: int
    failed: int
    left: int
    bytes: int
    left_s: float | None
    note: str


def run_downloads(
    workspace: Workspace,
    store: Store,
    *,
    limits: Limits | None = None,
    only: Sequence[int] | None = None,
    limit: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    say: Callable[[Step], None] = lambda step: None,
) -> Downloaded:
    """Download what waits, until all is done, a budget is spent, or somebody asks to stop.

    Args:
        workspace: gets the videos.
        store: of the metadata.
        limits: of size, time and disk.
        only: ids of candidates; None for all that wait.
        most: downloads of this session; None for all.
        stop: asked after each.
        say: is told how far it is.
    """
    with Workers(1) as workers:
        return _Session(workspace, store, limits or Limits(), workers, stop, say).run(only, limit)


class _Session:
    def __init__(self, workspace: Workspace, store: Store, limits: Limits, workers: Workers,
                 stop: Callable[[], bool], say: Callable[[Step], None]):  # fmt: skip
        self.workspace, self.store, self.limits = workspace, store, limits
        self.workers, self.stop, self.say = workers, stop, say
        self.folder = workspace.root / FOLDER
        self.began = time.monotonic()
        self.done = self.bytes = 0
        self.failed: list[tuple[str, str, str]] = []

    def run(self, only: Sequence[int] | None, limit: int | None) -> Downloaded:
        waiting = self._waiting(only)
        pause = ""
        for count, row in enumerate(waiting if limit is None else waiting[:limit]):
            pause = self._hindrance()
            if pause or self.stop():
                break
            self._say(len(waiting) - count, row["title"] or row["url"])
            if count and not row["file"] and not is_private(row["url"]):
                time.sleep(self.limits.pause_s)
            pause = self._one(row)
            if pause:
                break
        remaining = len(self._waiting(only))
        self._say(remaining, pause or "done")
        return Downloaded(self.done, self.bytes, tuple(self.failed), remaining, pause)

    def _waiting(self, only: Sequence[int] | None) -> list[dict[str, Any]]:
        rows = self.store.rows(
            "SELECT v.*, d.start_s, d.end_s, d.tries FROM download d"
            " JOIN video v ON v.id = d.video_id WHERE d.state = 'waiting' ORDER BY d.rowid"
        )
        wanted = None if only is None else set(only)
        return [row for row in rows if wanted is None or row["id"] in wanted]

    def _hindrance(self) -> str:
        """Why nothing may be downloaded now; '' if it may."""
        rows = self.store.rows(
            "SELECT * FROM pause WHERE source = 'download' AND until > ?", [time.time()]
        )
        if rows:
            return f"{rows[0]['why']}; waiting {wait_words(rows[0]['until'])}"
        free = shutil.disk_usage(self.workspace.root).free
        if free < self.limits.free_bytes:
            return f"the disk has only {size_words(free)} left"
        spent = self.store.rows("SELECT coalesce(sum(bytes), 0) AS n FROM download")[0]["n"]
        if spent >= self.limits.budget_bytes:
            return f"the budget of {size_words(self.limits.budget_bytes)} is spent"
        return ""

    def _one(self, row: dict[str, Any]) -> str:
        """Download one; why the queue has to pause, '' if it need not."""
        began = time.monotonic()
        candidate = Candidate(**{name: row[name] for name in FIELDS})
        section = (row["start_s"], row["end_s"]) if row["end_s"] else None
        fetched = self._fetched(row, candidate, section)
        arrived = Arrived(failure=fetched.failure)
        if fetched.failure is None:
            about = _merged(candidate, fetched.metadata)
            span = (fetched.start_s, section[1]) if section else None
            arrived = keep_arrival(self.workspace, Path(fetched.path), about, span)
        if fetched.captions:
            captions = Path(fetched.captions)
            if arrived.failure is None:
                keep_captions(self.workspace, captions, arrived.sha256)
            self._forget(fetched.captions)
        seconds = time.monotonic() - began
        if arrived.failure is None:
            self._set(row, "done", None, fetched.size, seconds, arrived)
            self.done, self.bytes = self.done + 1, self.bytes + fetched.size
            self._forget(fetched.path)
            return ""
        if fetched.path:
            self._forget(fetched.path)
        return self._failure(row, arrived.failure, seconds)

    def _fetched(
        self, row: dict[str, Any], candidate: Candidate, section: tuple[float, float] | None
    ) -> Fetched:
        if row["file"]:
            path = Path(row["file"])
            if path.is_file():
                return Fetched(str(path), path.stat().st_size)
            return Fetched(failure=Failure(failure.GONE, f"{path.name} is not there any more"))
        if not candidate.url:
            return Fetched(failure=Failure(failure.UNSUPPORTED, "it has no address"))
        if foretold := failure.unavailable(candidate.live):
            return Fetched(failure=Failure(foretold, "its metadata says so"))
        job = FetchJob(
            candidate.url, candidate.source, str(self.folder), f"{row['id']}_{candidate.name}",
            self.limits.most_bytes, self.limits.most_s, section, self._trusts(candidate),
        )  # fmt: skip
        try:
            return self.workers.call(fetch, job, timeout_s=self.limits.most_s + 120)
        except TookTooLong:
            message = f"more than {self.limits.most_s:.0f} s"
            return Fetched(failure=Failure(failure.TOO_LONG, message))
        except ProcessDied as error:
            return Fetched(failure=Failure(failure.OTHER, str(error)))

    def _trusts(self, candidate: Candidate) -> bool:
        """Whether an address of the local network is allowed: where an author named its host."""
        host = urlsplit(candidate.url).hostname
        rows = self.store.rows("SELECT target FROM query WHERE how IN ('channel', 'playlist')")
        return any(urlsplit(str(row["target"])).hostname == host for row in rows)

    def _failure(self, row: dict[str, Any], why: Failure, seconds: float) -> str:
        if why.concerns == "queue":
            until = time.time() + PAUSE_S
            with self.store.write() as database:
                database.conn.execute(
                    "INSERT OR REPLACE INTO pause (source, until, why) VALUES ('download', ?, ?)",
                    [until, f"the source {why.kind}"],
                )
            return f"the source {why.kind}; waiting {wait_words(until)}"
        again = why.kind in failure.PASSING and row["tries"] + 1 < MOST_TRIES
        self._set(row, "waiting" if again else "failed", why, 0, seconds, Arrived())
        self.failed.append((row["title"] or row["url"], why.kind, why.message))
        return ""

    def _set(self, row: dict[str, Any], state: str, why: Failure | None, size: int, seconds: float,
             arrived: Arrived) -> None:  # fmt: skip
        with self.store.write() as database:
            database.conn.execute(
                "UPDATE download SET state = ?, failure = ?, message = ?, tries = tries + 1,"
                " bytes = ?, seconds = seconds + ?, sha256 = ?, name = ?, at = ?"
                " WHERE video_id = ? AND start_s = ? AND end_s = ?",
                [
                    state, why.kind if why else "", why.message if why else "", size, seconds,
                    arrived.sha256, arrived.name, time.time(),
                    row["id"], row["start_s"], row["end_s"],
                ],
            )  # fmt: skip

    def _forget(self, path: str) -> None:
        """Remove a file that came in; a file that was there before stays."""
        if Path(path).parent == self.folder:
            Path(path).unlink(missing_ok=True)

    def _say(self, remaining: int, note: str) -> None:
        through = self.done + len(self.failed)
        seconds = time.monotonic() - self.began
        left_s = seconds / through * remaining if through else None
        self.say(Step(self.done, len(self.failed), remaining, self.bytes, left_s, note))


def _merged(candidate: Candidate, newer: Candidate | None) -> Candidate:
    """What is known of a video, with what its source said when it was downloaded."""
    if newer is None:
        return candidate
    known = {
        name: value
        for name in FIELDS[3:]
        if (value := getattr(newer, name)) not in ("", None)
        # The generic extractor calls a file by its name; a title that was found is better.
        and not (name == "title" and candidate.title and candidate.source == "Generic")
    }
    return replace(candidate, **known)


def warnings() -> list[str]:
    """What downloads need beyond Python that this machine lacks; to be said before they start."""
    messages: list[str] = []
    if importlib.util.find_spec("yt_dlp") is None:
        messages.append(f"yt-dlp is not installed: {INSTALL}")
    if not any(shutil.which(program) for program in JAVASCRIPT):
        messages.append(
            "Videos of YouTube need a JavaScript program, and none is here: install deno 2.3 or "
            "later, node 22 or later, or quickjs. Other sources do without."
        )
    return messages
