"""A video that a search has named but nobody has downloaded: its metadata as one frozen type."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from core.refusal import Refusal

YOUTUBE = "Youtube"
YOUTUBE_ID = re.compile(r"[A-Za-z0-9_-]{11}")
LONGEST_TITLE, LONGEST_DESCRIPTION = 1000, 20_000


@dataclass(frozen=True)
class Candidate:
    """Metadata of a video.

    Attributes:
        source: extractor that knows it, such as 'Youtube'.
        key: its id there; (source, key) is what it is known by.
        duration_s: s; None where unknown.
        views: None where unknown, which is not 0.
        upload_date: '2024-05-31', '' where unknown.
        live: 'is_live', 'is_upcoming', 'was_live', '' for none of them.
        licence: as the source names it.
        file: where it lies on this machine already; '' for nowhere.
    """

    source: str
    key: str
    url: str = ""
    title: str = ""
    description: str = ""
    channel: str = ""
    channel_url: str = ""
    duration_s: float | None = None
    views: int | None = None
    upload_date: str = ""
    live: str = ""
    licence: str = ""
    file: str = ""

    @property
    def name(self) -> str:
        """A file name without suffix: never of the title, which may be longer than disks allow."""
        return re.sub(r"[^A-Za-z0-9_.-]", "_", f"{self.source}_{self.key}")[:120]


def from_entry(entry: Mapping[str, Any]) -> Candidate:
    """The candidate of an entry of yt-dlp, flat or whole; fields of a wrong type are left out.

    Raises:
        Refusal: if it has neither an id nor an address.
    """
    url = _link(entry.get("webpage_url") or entry.get("original_url") or entry.get("url"))
    source = _text(entry.get("extractor_key") or entry.get("ie_key"), 100) or "Generic"
    source = source.partition("Search")[0] if source.startswith("YoutubeSearch") else source
    key = _text(entry.get("id"), 300)
    if not key and not url:
        raise Refusal("The entry has neither an id nor an address.")
    if source == "Generic" or not key:
        # The id of a plain link is its file's name, which two links may share.
        key = url or key
    date = _text(entry.get("upload_date"), 10)
    live = _text(entry.get("live_status"), 20)
    return Candidate(
        source, key, url, _text(entry.get("title"), LONGEST_TITLE),
        _text(entry.get("description"), LONGEST_DESCRIPTION),
        _text(entry.get("channel") or entry.get("uploader"), 300),
        _link(entry.get("channel_url") or entry.get("uploader_url")),
        _number(entry.get("duration")), _count(entry.get("view_count")),
        f"{date[:4]}-{date[4:6]}-{date[6:]}" if re.fullmatch(r"\d{8}", date) else "",
        live if live not in ("not_live", "") else "", _text(entry.get("license"), 200),
    )  # fmt: skip


def youtube(key: str) -> Candidate:
    """A video of YouTube by its id, which may begin with a dash.

    Raises:
        Refusal: if it is no such id.
    """
    if not YOUTUBE_ID.fullmatch(key):
        raise Refusal(f"{key[:60]!r} is no id of YouTube: 11 of A-Z a-z 0-9 - _.")
    return Candidate(YOUTUBE, key, f"https://www.youtube.com/watch?v={key}")


def views_text(views: int | None) -> str:
    """A number of views for a person: 'unknown' is not 0."""
    return "unknown" if views is None else f"{views:,}"


def _text(value: object, longest: int) -> str:
    return value.replace("\0", " ").strip()[:longest] if isinstance(value, str) else ""


def _link(value: object) -> str:
    text = _text(value, 2000)
    return text if urlsplit(text).scheme in ("http", "https") else ""


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None


def _count(value: object) -> int | None:
    number = _number(value)
    return None if number is None else int(number)
