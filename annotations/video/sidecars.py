"""Read the metadata files that yt-dlp writes beside videos: NAME.info.json."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from annotations.reading import checks
from annotations.reading.records import About, Fault, Problem, as_problem, shown
from annotations.video.library import Progress

SUFFIX = ".info.json"
LARGEST = 64 << 20  # bytes


def sidecars(videos: Iterable[Path], progress: Progress) -> tuple[dict[Path, About], list[Problem]]:
    """What is told of videos that have such a file beside them, and those that cannot be read."""
    abouts: dict[Path, About] = {}
    problems: list[Problem] = []
    beside = [(video, path) for video in videos if (path := sidecar(video)) is not None]
    for count, (video, path) in enumerate(beside, start=1):
        try:
            abouts[video] = read_sidecar(path)
        except Fault as fault:
            problems.append(as_problem(fault, path.name, ""))
        except OSError as error:
            problems.append(Problem("error", f"cannot be read: {error.strerror}", path.name))
        progress("Reading titles", count, len(beside))
    return abouts, problems


def sidecar(video: Path) -> Path | None:
    """The file that yt-dlp wrote beside a video, NAME.info.json beside NAME.mp4; None for none."""
    path = video.with_suffix(SUFFIX)
    return path if path.is_file() else None


def read_sidecar(path: Path) -> About:
    """What a sidecar file of yt-dlp tells.

    Raises:
        Fault: if it is no JSON object, or a field is not what it has to be.
        OSError: if it cannot be read.
    """
    if path.stat().st_size > LARGEST:
        raise Fault("too large", value=path.stat().st_size, allowed=f"{LARGEST:,} bytes")
    try:
        content: object = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise Fault(f"not valid JSON: {error}", todo="Download it again.") from error
    if not isinstance(content, dict):
        raise Fault(
            "no JSON object", value=shown(repr(content)[:80]), allowed="an object of fields"
        )
    fields = cast("dict[str, object]", content)

    def text(*names: str) -> str:
        return next(filter(None, (_text(fields, name) for name in names)), "")

    return About(
        text("title", "fulltitle"),
        text("description"),
        text("uploader", "channel"),
        _date(text("upload_date")),
        _count(fields, "view_count"),
        _texts(fields, "tags"),
        checks.read_link(text("webpage_url", "original_url")),
        text("license"),
    )


def _text(fields: dict[str, object], name: str) -> str:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise Fault("not a text", column=name, value=value, allowed="a text")
    return checks.read_text(value, name)


def _texts(fields: dict[str, object], name: str) -> tuple[str, ...]:
    value = fields.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise Fault("no list", column=name, value=value, allowed="a list of texts")
    listed = cast("list[object]", value)
    return tuple(text for entry in listed if (text := checks.read_text(entry, name)))


def _count(fields: dict[str, object], name: str) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # some tools write every number with a fraction
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Fault("no count", column=name, value=value, allowed="a whole number, 0 or more")
    return value


def _date(text: str) -> str:
    plain = text.replace("-", "")
    if text and not (len(plain) == 8 and plain.isascii() and plain.isdecimal()):
        raise Fault("no date", column="upload_date", value=text, allowed="YYYYMMDD")
    return f"{plain[:4]}-{plain[4:6]}-{plain[6:]}" if text else ""
