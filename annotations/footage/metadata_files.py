"""Read metadata of videos from files: folders of NAME.info.json, CSV tables, and lists of ids."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from annotations.reading.checks import YOUTUBE_LINK, read_seconds
from annotations.reading.encoding import find_encoding
from annotations.reading.json_rows import open_json
from annotations.reading.records import Fault, Problem
from annotations.reading.table_files import open_table
from annotations.reading.text_tables import Row
from annotations.video.video_folder import SUFFIXES
from core.footage.candidate import YOUTUBE_ID, Candidate, from_entry, youtube
from core.refusal import Refusal

INFO = ".info.json"
LARGEST = 64 << 20  # bytes of an info.json
COLUMNS = {
    "id": ("id", "videoid", "youtubeid", "key", "video"),
    "url": ("url", "webpageurl", "link", "sourceurl"),
    "title": ("title", "name"),
    "description": ("description",),
    "channel": ("channel", "uploader", "author"),
    "channel_url": ("channelurl", "uploaderurl"),
    "duration": ("duration", "durations", "length", "durationstring"),
    "view_count": ("viewcount", "views"),
    "upload_date": ("uploaddate", "date", "published", "publishedat"),
    "license": ("license", "licence"),
    "extractor_key": ("extractorkey", "extractor", "source"),
}
_UNKNOWN = frozenset({"na", "n/a", "none", "null", "nan", "unknown", "-"})
_THOUSANDS = re.compile(r"\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\1\d{3})*")
_LENGTH = re.compile(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?")  # ISO 8601
_ARCHIVED = re.compile(r"youtube\s+(?=\S{11}$)")  # a line of a list of what was downloaded
_GUARDED = re.compile("'[-=+@]")


def read_metadata(path: Path) -> Iterator[Candidate | Problem]:
    """Candidates of a file or of the info.json files of a folder; a bad row is a problem instead.

    Raises:
        Refusal: if the path holds nothing that could be read so, or a table has no id and no
            address.
        OSError: if it cannot be read.
    """
    if path.is_dir():
        files = sorted(path.rglob(f"*{INFO}"))
        if not files:
            raise Refusal(f"There is no file NAME{INFO} in {path}.")
        return (_info(file) for file in files)
    if path.name.endswith(INFO):
        return iter([_info(path)])
    if path.suffix.lower() in (".csv", ".tsv", ".xlsx", ".parquet"):
        return _table(open_table(path, "").rows(), path)
    if path.suffix.lower() in (".json", ".jsonl", ".ndjson"):
        return _table(open_json(path).rows(), path)
    if path.suffix.lower() in (".txt", ""):
        return _list(path)
    raise Refusal(
        f"{path.name} cannot be read as metadata. Allowed: a folder of NAME{INFO}, .csv, .tsv, "
        ".xlsx, .parquet, .json, .jsonl, or .txt with an id or address in each line."
    )


def _info(path: Path) -> Candidate | Problem:
    try:
        if path.stat().st_size > LARGEST:
            return Problem("error", "too large", path.name, allowed=f"{LARGEST:,} bytes")
        value: object = json.loads(path.read_bytes())
        if not isinstance(value, dict):
            return Problem("error", "no JSON object", path.name, allowed="an object of fields")
        candidate = from_entry(cast("dict[str, Any]", value))
        return replace(candidate, file=_video_beside(path))
    except (ValueError, RecursionError) as error:
        return Problem("error", f"cannot be read: {error}", path.name, todo="Download it again.")
    except OSError as error:
        return Problem("error", f"cannot be read: {error.strerror}", path.name)


def _video_beside(path: Path) -> str:
    """The video that lies beside its info.json already; '' if there is none."""
    stem = path.name.removesuffix(INFO)
    names = (path.with_name(stem + suffix) for suffix in sorted(SUFFIXES))
    return next((str(file.resolve()) for file in names if file.is_file()), "")


def _table(rows: Iterator[Row | Problem], path: Path) -> Iterator[Candidate | Problem]:
    for row in rows:
        if isinstance(row, Problem):
            yield row
            continue
        try:
            yield _of_row(row.cells)
        except Refusal as error:
            yield Problem("error", str(error), path.name, row.where)


def _of_row(cells: dict[str, object]) -> Candidate:
    plain = {re.sub("[^a-z]", "", name.lower()): value for name, value in cells.items()}
    entry: dict[str, Any] = {}
    for field, names in COLUMNS.items():
        value = next((plain[name] for name in names if plain.get(name) not in (None, "")), None)
        if value is not None:
            entry[field] = _cell(field, value)
    key, url = str(entry.get("id", "")), str(entry.get("url", ""))
    if not key and not url:
        raise Refusal("the row has neither an id nor an address (columns id or url)")
    if key and not url and "extractor_key" not in entry:
        entry |= {"url": youtube(key).url, "extractor_key": "Youtube"}
    elif url and "extractor_key" not in entry and (known := _youtube_of(url)):
        entry |= {"id": known, "extractor_key": "Youtube"}
    return from_entry(entry)


def _cell(field: str, value: object) -> object:
    """A cell as yt-dlp would have it; the apostrophe that guards against formulas is taken off."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    text = text[1:] if _GUARDED.match(text) else text
    if field == "view_count":
        return _views(text)
    if field == "duration":
        return _duration(text)
    return text[:10].replace("-", "").replace("/", "") if field == "upload_date" else text


def _views(text: str) -> float | None:
    """A count of views, also with its thousands apart; None where a tool wrote that it is unknown.

    Raises:
        Refusal: if it is none.
    """
    if text.casefold() in _UNKNOWN:
        return None
    number = re.sub(r"\D", "", text) if _THOUSANDS.fullmatch(text) else text.replace(",", "")
    try:
        return float(number)
    except ValueError:
        raise Refusal(f"view_count is {text[:40]!r}; allowed: a number, or nothing") from None


def _duration(text: str) -> float | None:
    """A length in s: '262', '4:22' or 'PT4M22S'; None where a tool wrote that it is unknown.

    Raises:
        Refusal: if it is none.
    """
    if text.casefold() in _UNKNOWN:
        return None
    parts = _LENGTH.fullmatch(text)
    if parts and any(parts.groups()):
        days, hours, minutes, seconds = (float(part or 0) for part in parts.groups())
        return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    try:
        return read_seconds(text, "duration")
    except Fault:
        allowed = "seconds, or such as 4:22 or PT4M22S"
        raise Refusal(f"duration is {text[:40]!r}; allowed: {allowed}") from None


def _youtube_of(url: str) -> str:
    """The id in an address of YouTube; '' in others."""
    match = YOUTUBE_LINK.match(url)
    return match[1] if match else ""


def _list(path: Path) -> Iterator[Candidate | Problem]:
    with find_encoding(path).open(path) as file:
        lines = file.read().removeprefix("\ufeff").splitlines()
    for number, line in enumerate(lines, start=1):
        text = _ARCHIVED.sub("", line.strip())
        if not text or text.startswith("#"):
            continue
        try:
            if YOUTUBE_ID.fullmatch(text):
                yield youtube(text)
            elif known := _youtube_of(text):
                yield youtube(known)
            else:
                yield from_entry({"url": text})
        except ValueError:
            what = "neither an id of YouTube (11 of A-Z a-z 0-9 - _) nor an address"
            yield Problem("error", what, path.name, f"line {number}", value=text[:80])
