"""Search with yt-dlp in a process of its own: metadata as it comes, nothing is downloaded.

The process is separate because yt-dlp keeps state, may hang in a reply, and is to be stopped at any
moment. It says what it finds through a pipe, one batch after the other.
"""

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, cast
from urllib.parse import urlsplit

from core.footage.candidate import Candidate, from_entry
from core.footage.failure import Failure, failure_of
from core.process.process_start import begin, spawn_context
from core.refusal import Refusal

BATCH = 20  # results of a page
SILENT_S = 180.0
MEMORY = 4 * 2**30  # bytes of address space
INSTALL = "pip install -e '.[footage]'"


@dataclass(frozen=True)
class Pace:
    """How gently a source is asked.

    Attributes:
        request_s: pause before each request after the first, s.
        an_hour: requests in an hour at most.
    """

    request_s: float = 1.0
    an_hour: int = 1000


@dataclass(frozen=True)
class Lookup:
    """What is looked up.

    Attributes:
        target: an address, or KEYn:WORDS of a search.
        wanted: results at most.
        skip: results that are stored already.
        requests: how many requests may be made now.
    """

    target: str
    wanted: int
    skip: int = 0
    pace: Pace = Pace()
    requests: int = 1000


@dataclass(frozen=True)
class Batch:
    """Results of one page.

    Attributes:
        candidates: in the order of the source.
        requests: made since the last batch.
    """

    candidates: tuple[Candidate, ...]
    requests: int


@dataclass(frozen=True)
class End:
    """The end of a lookup.

    Attributes:
        failure: why it ended early; None where it went through.
        spent: whether it ended because no more requests may be made now.
    """

    failure: Failure | None = None
    spent: bool = False
    requests: int = 0


class NotInstalled(Refusal):
    """yt-dlp is not installed."""


def look_up(job: Lookup) -> Iterator[Batch | End]:
    """Batches of candidates, then how it ended. Closing the iterator ends the process."""
    context = spawn_context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(job, sender), daemon=True)
    process.start()
    sender.close()
    try:
        while True:
            if not receiver.poll(SILENT_S):
                yield End(Failure("took too long", f"silent for {SILENT_S:.0f} s"))
                return
            try:
                message = cast("Batch | End", receiver.recv())
            except EOFError:
                process.join(timeout=10)
                yield End(Failure("other", f"its process ended with code {process.exitcode}"))
                return
            yield message
            if isinstance(message, End):
                return
    finally:
        receiver.close()
        process.terminate()
        process.join(timeout=10)


def serve(job: Lookup, sender: Connection) -> None:
    """Look up and say what is found, until the end or until nobody listens."""
    begin(MEMORY)
    count = _Count(job.requests)
    try:
        for batch in _batches(job, count):
            sender.send(Batch(tuple(batch), count.taken()))
        sender.send(End(requests=count.taken()))
    except _Spent:
        sender.send(End(spent=True, requests=count.taken()))
    except (BrokenPipeError, KeyboardInterrupt):
        return
    except NotInstalled as error:
        sender.send(End(Failure("needs a program", str(error))))
    except Exception as error:
        sender.send(End(failure_of(error), requests=count.taken()))


class _Spent(Exception):  # noqa: N818
    """No more requests may be made now."""


class _Count:
    """Requests that were made."""

    def __init__(self, limit: int):
        self.most, self.all, self._told = limit, 0, 0

    def one_more(self) -> None:
        """Note a request.

        Raises:
            _Spent: if it may not be made.
        """
        if self.all >= self.most:
            raise _Spent
        self.all += 1

    def taken(self) -> int:
        """Requests since the last time this was asked."""
        new, self._told = self.all - self._told, self.all
        return new


def _batches(job: Lookup, count: _Count) -> Iterator[list[Candidate]]:
    with downloader({"sleep_interval_requests": job.pace.request_s}, count.one_more) as ydl:
        # Entries are taken inside the block: outside of it they would ask the network anew.
        entries = itertools.islice(_entries(ydl, job.target), job.skip, job.wanted)
        while batch := list(itertools.islice(entries, BATCH)):
            yield [candidate for entry in batch if (candidate := _candidate(entry))]


def downloader(options: Mapping[str, Any], before_request: Callable[[], None]) -> Any:
    """A YoutubeDL that writes nothing to the terminal and tells of each of its requests.

    Raises:
        NotInstalled: without yt-dlp.
    """
    try:
        from yt_dlp import YoutubeDL
    except ImportError:
        raise NotInstalled(f"yt-dlp is not installed: {INSTALL}") from None

    class Counting(YoutubeDL):
        def urlopen(self, req: Any) -> Any:
            before_request()
            return super().urlopen(req)

    usual = {
        "quiet": True, "no_warnings": True, "noprogress": True, "logger": Log(),
        "skip_download": True, "extract_flat": "in_playlist", "ignoreerrors": False,
        "socket_timeout": 30, "extractor_retries": 2, "cachedir": False,
    }  # fmt: skip
    return Counting(cast("Any", {**usual, **options}))


class Log:
    """Keeps what yt-dlp would print: some of its reasons stand only there."""

    def __init__(self):
        """Begins empty."""
        self.lines: list[str] = []

    def debug(self, message: str) -> None:
        """Keep a message."""
        self.lines.append(message)

    warning = error = info = debug


def _entries(ydl: Any, target: str) -> Iterator[dict[str, Any]]:
    """Entries of a search, channel or playlist, fetched page by page as they are taken."""
    result: dict[str, Any] = ydl.extract_info(target, download=False, process=False)
    for _ in range(5):
        if result.get("_type") not in ("url", "url_transparent"):
            break
        result = ydl.extract_info(
            result["url"], download=False, process=False, ie_key=result.get("ie_key")
        )
    if "entries" not in result:
        yield result
        return
    for entry in result["entries"]:
        if entry:
            known = {name: value for name, value in entry.items() if value is not None}
            yield {name: result.get(name) for name in ("channel", "channel_url")} | known


def _candidate(entry: dict[str, Any]) -> Candidate | None:
    """The candidate of an entry; None for what is no video, such as a channel among results."""
    if str(entry.get("ie_key") or "").endswith(("Tab", "Playlist")):
        return None
    try:
        return from_entry(entry)
    except ValueError:
        return None


def search_target(query: str, wanted: int, key: str = "ytsearch") -> str:
    """What yt-dlp takes for a search of words: 'ytsearch20:bicycle kick'."""
    return f"{key}{wanted}:{' '.join(query.split())}"


def channel_target(url: str) -> str:
    """The address of a channel's videos; other addresses as they are."""
    parts = urlsplit(url)
    path = parts.path.strip("/")
    is_root = path.startswith(("@", "channel/", "c/", "user/"))
    depth = 1 if path.startswith("@") else 2
    if "youtube.com" in parts.netloc and is_root and path.count("/") < depth:
        return url.rstrip("/") + "/videos"
    return url


def wait_words(until: float) -> str:
    """'until 14:05' in local time."""
    return time.strftime("until %H:%M", time.localtime(until))
