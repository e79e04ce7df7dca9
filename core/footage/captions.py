"""Read captions (WebVTT, SubRip, json3) as lines of speech, with the quirks that files have.

Captions made by machines roll: each cue repeats the line before. The repeated lines are dropped,
whole equal lines only, since people do say a word three times.
"""

import html
import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

SHORTEST_CUE_S = 0.05  # rolling captions flash what was said for 10 ms
_TIME = r"(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_SPAN = re.compile(rf"^\s*{_TIME}\s*-->\s*{_TIME}")
_TAGS = re.compile(r"<[^>\n]*>")
_NOTES = re.compile(r"\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|[♪♫#*]+")


@dataclass(frozen=True)
class SpokenLine:
    """A line of speech.

    Attributes:
        start_s: s from the first frame; `end_s` likewise, None where the source has no end.
    """

    start_s: float
    end_s: float | None
    text: str


def read_captions(text: str) -> list[SpokenLine]:
    """The lines of a caption file of any of the three kinds, told from its content.

    Raises:
        ValueError: if it is none of them.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if text.lstrip().startswith("{"):
        return _json3(text)
    lines = _without_repeats(list(_cues(text)))
    if not lines and "-->" not in text:
        raise ValueError("These are no captions: neither WebVTT, SubRip nor json3.")
    return lines


def _cues(text: str) -> Iterator[tuple[float, float, list[str]]]:
    """Start, end and lines of each cue; NOTE and STYLE blocks have no times and are none."""
    rows = text.split("\n")
    at = 0
    while at < len(rows):
        match = _SPAN.match(rows[at])
        at += 1
        if match is None:
            continue
        texts: list[str] = []
        # A line with one blank does not end a cue; an empty one does.
        while at < len(rows) and rows[at] != "" and not _SPAN.match(rows[at]):
            if not (
                rows[at].strip().isdigit() and at + 1 < len(rows) and _SPAN.match(rows[at + 1])
            ):
                texts.append(_plain(rows[at]))
            at += 1
        start, end = _seconds(match.groups()[:4]), _seconds(match.groups()[4:])
        yield start, end, [line for line in texts if line]


def _seconds(parts: tuple[Any, ...]) -> float:
    hours, minutes, seconds, fraction = parts
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return whole + int(str(fraction).ljust(3, "0")) / 1000


def _plain(line: str) -> str:
    return " ".join(html.unescape(_TAGS.sub("", line)).replace("\u200b", "").split())


def _without_repeats(cues: list[tuple[float, float, list[str]]]) -> list[SpokenLine]:
    """Cues as lines, without the first lines of a cue that are the last of the cue before."""
    lines: list[SpokenLine] = []
    previous: list[str] = []
    before_end = -math.inf
    for start, end, texts in sorted(cues, key=lambda cue: cue[0]):
        repeated = 0
        if start - before_end < 1.0:
            longest = min(len(previous), len(texts))
            repeated = next((n for n in range(longest, 0, -1) if previous[-n:] == texts[:n]), 0)
        new = texts[repeated:]
        previous, before_end = texts or previous, end
        if new and end - start >= SHORTEST_CUE_S:
            lines.append(SpokenLine(start, end, " ".join(new)))
    return lines


def _json3(text: str) -> list[SpokenLine]:
    try:
        value: object = json.loads(text)
    except ValueError as error:
        raise ValueError(f"These captions are no valid JSON: {error}") from error
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    events = fields.get("events")
    if not isinstance(events, list):
        raise ValueError("These captions have no 'events'.")
    lines: list[SpokenLine] = []
    for event in cast("list[dict[str, Any]]", events):
        spoken = "".join(str(part.get("utf8") or "") for part in event.get("segs") or ())
        start, length = event.get("tStartMs"), event.get("dDurationMs")
        if spoken.strip() and isinstance(start, int | float):
            end = (start + length) / 1000 if isinstance(length, int | float) else None
            lines.append(SpokenLine(start / 1000, end, _plain(spoken)))
    return lines


def possible_lines(lines: Iterable[SpokenLine], duration_s: float) -> list[SpokenLine]:
    """Lines that can have been spoken, in order of time, each with an end within the sound.

    Left out: times that are no numbers, lines past the end, of no length, and those that hold no
    word but only marks or notes such as [Music]. A line without an end reaches to the next one.
    """
    ordered = sorted(
        (line for line in lines if math.isfinite(line.start_s) and line.start_s < duration_s),
        key=lambda line: line.start_s,
    )
    starts = [line.start_s for line in ordered]
    kept: list[SpokenLine] = []
    for number, line in enumerate(ordered):
        if not has_words(line.text):
            continue
        later = next((start for start in starts[number + 1 :] if start > line.start_s), duration_s)
        end = later if line.end_s is None or math.isnan(line.end_s) else line.end_s
        start, end = max(0.0, line.start_s), min(end, duration_s)
        if end > start:
            kept.append(SpokenLine(start, end, line.text.strip()))
    return kept


def has_words(text: str) -> bool:
    """Whether a text holds a letter or digit outside of notes such as [Music] or (applause)."""
    return any(letter.isalnum() for letter in _NOTES.sub("", text))
