"""Download one video with yt-dlp, and believe nothing that was not looked at afterwards.

"OK" from the library may mean that there is no file (too large, skipped), a page of HTML named
.mp4, or half a video. Whoever calls this probes the file, too.
"""

import ipaddress
import socket
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from core.footage import failure
from core.footage.candidate import Candidate, from_entry
from core.footage.failure import Failure, failure_of
from core.footage.lookup import Log, NotInstalled, downloader
from core.footage.streams import cut_section, join_streams

# Picture and sound apart, joined here; where a source has them only together, that.
_PICTURE = "bv*[height<=720][vcodec^=avc1]/b[height<=720]/bv*[height<=720]/b/bv*"
FORMAT = f"{_PICTURE},ba[ext=m4a]/ba"
GENERIC_FORMAT = "b/bv*"
SORT = ["res:720", "vcodec:h264", "acodec:aac"]
CAPTION_TYPES = ("json3", "vtt", "srt")
MOST_CAPTION_BYTES = 10 * 2**20


@dataclass(frozen=True)
class FetchJob:
    """What is downloaded, where to, and how much of it.

    Attributes:
        url: of the video's page or file.
        source: extractor that named it.
        folder: where files are put; `name` without suffix.
        most_bytes: the download ends when it is larger.
        most_s: it ends when it takes longer, s.
        section: start and end, s; None for the whole video.
        private_hosts: whether addresses of this network are allowed.
    """

    url: str
    source: str
    folder: str
    name: str
    most_bytes: int
    most_s: float
    section: tuple[float, float] | None = None
    private_hosts: bool = False


@dataclass(frozen=True)
class Fetched:
    """What came of it.

    Attributes:
        path: of the file; '' if there is none.
        size: bytes.
        start_s: where a section really starts.
        metadata: what the source said now; None where it did not get so far.
        captions: file of the captions, in the video's language if the source says so; '' if none.
        failure: None if there is a file.
    """

    path: str = ""
    size: int = 0
    start_s: float = 0.0
    metadata: Candidate | None = None
    captions: str = ""
    failure: Failure | None = None


def fetch(job: FetchJob) -> Fetched:
    """Download a video, or say why not; to be called in a process that can be killed."""
    watch = _Watch(job)
    try:
        return _fetched(job, watch)
    except NotInstalled as error:
        return Fetched(failure=Failure(failure.NEEDS, str(error)))
    except _NotAllowed as error:
        return Fetched(failure=Failure(failure.NOT_ALLOWED, str(error)))
    except Exception as error:
        return Fetched(failure=watch.failure or failure_of(error))


class _NotAllowed(Exception):  # noqa: N818
    """An address of this network, named by somebody else."""


class _Watch:
    """Counts bytes and seconds: a reply without a length is not stopped by yt-dlp's own limit."""

    def __init__(self, job: FetchJob):
        self.job, self.began = job, time.monotonic()
        self.failure: Failure | None = None
        self.log = Log()

    def __call__(self, progress: dict[str, Any]) -> None:
        from yt_dlp.utils import DownloadCancelled

        received = int(progress.get("downloaded_bytes") or 0)
        if received > self.job.most_bytes:
            self.failure = Failure(failure.TOO_LARGE, f"more than {self.job.most_bytes:,} bytes")
        elif time.monotonic() - self.began > self.job.most_s:
            self.failure = Failure(failure.TOO_LONG, f"more than {self.job.most_s:.0f} s")
        if self.failure:
            raise DownloadCancelled(self.failure.message)


def _fetched(job: FetchJob, watch: _Watch) -> Fetched:
    folder = Path(job.folder)
    folder.mkdir(parents=True, exist_ok=True)
    generic = job.source == "Generic"
    options: dict[str, Any] = {
        "skip_download": False, "extract_flat": False, "noplaylist": True, "ignoreerrors": False,
        "outtmpl": {"default": str(folder / f"{job.name}.%(format_id)s.%(ext)s").replace(
            job.name, job.name.replace("%", "_"))},
        "format": GENERIC_FORMAT if generic else FORMAT, "format_sort": SORT,
        "max_filesize": job.most_bytes, "progress_hooks": [watch], "retries": 3,
        "fragment_retries": 3, "continuedl": True, "fixup": "never", "updatetime": False,
        "overwrites": False, "logger": watch.log, "writesubtitles": True,
        "writeautomaticsub": True, "subtitlesformat": "json3/vtt/srt",
    }  # fmt: skip
    with downloader(options, lambda: None) as ydl:
        if not job.private_hosts:
            check_host(job.url)
        info: dict[str, Any] = ydl.extract_info(job.url, download=False)
        info = next((entry for entry in info.get("entries") or () if entry), info)
        if foretold := failure.unavailable(str(info.get("live_status") or "")):
            return Fetched(failure=Failure(foretold, str(info.get("live_status"))))
        formats: list[dict[str, Any]] = info.get("requested_downloads") or [info]
        if not job.private_hosts:
            for each in formats:
                check_host(str(each.get("url") or job.url))
        metadata = from_entry(info)
        if job.section is not None:
            return _section(job, formats, metadata)
        captions = "" if generic else _captions(ydl, job, info)
        # The library's own way of writing captions fails the video where they cannot be had.
        ydl.params["writesubtitles"] = ydl.params["writeautomaticsub"] = False
        info = ydl.process_ie_result({**info, "requested_subtitles": None}, download=True)
    fetched = _checked(job, info, metadata, watch)
    if captions and not fetched.path:
        Path(captions).unlink(missing_ok=True)
    return replace(fetched, captions=captions if fetched.path else "")


def _captions(ydl: Any, job: FetchJob, info: dict[str, Any]) -> str:
    """Download the captions that a source offers; '' if there are none or they cannot be had.

    Those that people wrote come before those that a machine heard, by yt-dlp's own choice of the
    language. A video without them is worth as much: whatever fails here costs the captions alone.
    """
    offered: dict[str, dict[str, Any]] = info.get("requested_subtitles") or {}
    for each in offered.values():
        suffix = str(each.get("ext") or "")
        if suffix not in CAPTION_TYPES:
            continue
        try:
            content = each.get("data")
            if content is None:
                url = str(each["url"])
                if not job.private_hosts:
                    check_host(url)
                content = ydl.urlopen(url).read(MOST_CAPTION_BYTES + 1)
            data = content.encode() if isinstance(content, str) else bytes(content)
        except Exception:
            continue
        if 0 < len(data) <= MOST_CAPTION_BYTES:
            path = Path(job.folder) / f"{job.name}.captions.{suffix}"
            path.write_bytes(data)
            return str(path)
    return ""


def _section(job: FetchJob, formats: Sequence[dict[str, Any]], metadata: Candidate) -> Fetched:
    assert job.section is not None
    target = Path(job.folder) / f"{job.name}.{job.section[0]:g}-{job.section[1]:g}.mp4"
    # The picture's address with its sound where it has some; its own headers go with it.
    chosen = formats[0]
    headers = cast("dict[str, str]", chosen.get("http_headers") or {})
    try:
        start_s = cut_section(str(chosen["url"]), *job.section, target, headers)
    except ValueError as error:
        return Fetched(failure=Failure(failure.NO_VIDEO, str(error)), metadata=metadata)
    return Fetched(str(target), target.stat().st_size, start_s, metadata)


def _checked(job: FetchJob, info: dict[str, Any], metadata: Candidate, watch: _Watch) -> Fetched:
    """The file that is really there, picture and sound joined, or why there is none."""
    named = [str(one.get("filepath") or "") for one in info.get("requested_downloads") or ()]
    paths = [Path(name) for name in named if name and Path(name).is_file()]
    if not paths:
        declared = next(
            (line for line in watch.log.lines if "larger than max-filesize" in line), ""
        )
        size = max(_sizes(info), default=0)
        if declared or size > job.most_bytes:
            message = declared or f"{size:,} bytes; allowed: {job.most_bytes:,}"
            why = Failure(failure.TOO_LARGE, message)
        else:
            why = watch.failure or Failure(failure.OTHER, "no file came, and no reason was given")
        return Fetched(metadata=metadata, failure=why)
    path = paths[0]
    if len(paths) > 1:
        path = Path(job.folder) / f"{job.name}{paths[0].suffix}"
        join_streams(paths[0], paths[1], path)
        for part in paths[:2]:
            part.unlink(missing_ok=True)
    size = path.stat().st_size
    if size == 0:
        path.unlink()
        return Fetched(metadata=metadata, failure=Failure(failure.EMPTY, "the file is empty"))
    if size > job.most_bytes:
        path.unlink()
        message = f"{size:,} bytes; allowed: {job.most_bytes:,}"
        return Fetched(metadata=metadata, failure=Failure(failure.TOO_LARGE, message))
    return Fetched(str(path), size, 0.0, metadata)


def _sizes(info: dict[str, Any]) -> Iterable[int]:
    downloads: list[dict[str, Any]] = [info, *(info.get("requested_downloads") or ())]
    for each in downloads:
        for name in ("filesize", "filesize_approx"):
            if isinstance(each.get(name), int | float):
                yield int(each[name])


def check_host(url: str) -> None:
    """Refuse an address that leads into this network.

    Raises:
        _NotAllowed: if its host is this machine or one of the local network: an address in a file
            of strangers must not make us ask it.
    """
    host = urlsplit(url).hostname or ""
    try:
        addresses = socket.getaddrinfo(host, None)
    except OSError:
        return  # yt-dlp says better what is wrong
    for entry in addresses:
        if not ipaddress.ip_address(str(entry[4][0]).partition("%")[0]).is_global:
            raise _NotAllowed(f"{host} is an address of the local network")


def is_private(url: str) -> bool:
    """Whether an address leads to this machine or the local network."""
    try:
        check_host(url)
    except _NotAllowed:
        return True
    return False
