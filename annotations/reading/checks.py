"""Checks of single values in an import: texts, identities, times."""

import re
import unicodedata
from fractions import Fraction

from annotations.reading.answer_key import NotANumber
from annotations.reading.records import Fault

UNITS = {"s": 1, "ms": 1000, "us": 1_000_000}
ROUNDING_S = 0.5  # published times are rounded; an end this little beyond the video is its end

_SHORTENED = re.compile(r"[+-]?\d(?:[.,]\d+)?E\+\d{2,}")
_DATE = re.compile(r"\d{1,2}-[A-Z][a-z]{2}(?:-\d{2,4})?|[A-Z][a-z]{2}-\d{2,4}")
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_WHOLE = re.compile(r"\d+\.0+")
_SECONDS = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_UNIT = re.compile(r"(?<=[\d.,])\s*(?:s|secs?|seconds?)\.?$", re.IGNORECASE)
_COMMA = re.compile(r"(?![+-]?[1-9]\d{0,2},\d{3}$)([+-]?\d+),(\d+)")  # no thousands
_BLANK = "\u200b\u2060\ufeff"  # of no width, left by editors and by files put together
YOUTUBE_LINK = re.compile(
    r"https?://(?:[a-z]+\.)?(?:youtu\.be/|youtube(?:-nocookie)?\.com/"
    r"(?:watch\?(?:[^#]*&)?v=|embed/|shorts/|v/|live/))([\w-]{11})(?![\w-])"
)
_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)")


_YES = frozenset({"true", "yes", "y", "1", "1.0", "several", "multiple", "multi"})
_NO = frozenset({"", "false", "no", "n", "0", "0.0", "one", "single"})


def read_yes(value: object, column: str) -> bool:
    """Whether a cell says yes; an empty one says no.

    Raises:
        Fault: if it says neither.
    """
    text = read_text(value, column).casefold()
    if text not in _YES | _NO:
        raise Fault(
            "neither yes nor no", column=column, value=value, allowed="true or false, yes or no",
            todo="Write whether several options may be right, or map the column to nothing.",
        )  # fmt: skip
    return text in _YES


def read_text(value: object, column: str) -> str:
    """A cell as text in NFC without blanks around it; '' for an empty one.

    Raises:
        Fault: if it is no text or number, or holds characters that cannot be stored or shown.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, NotANumber):
        raise Fault(
            f"{value.text} is no value",
            column=column,
            value=value.text,
            allowed="a text",
            todo="Write the text, or leave it empty.",
        )
    if not isinstance(value, str):
        raise Fault("not a text", column=column, value=repr(value), allowed="a text")
    if _NO_TEXT.search(value):
        raise Fault(
            "holds bytes that are no text in the file's encoding",
            column=column,
            value=value.encode("utf-8", "backslashreplace").decode(),
            allowed="text",
            todo="Save the file as UTF-8, or name its encoding with --encoding.",
        )
    return unicodedata.normalize("NFC", value).strip().strip(_BLANK).strip()


def decimal_point(text: str) -> str:
    """A number such as '1,5' with a point; any other text, and '1,500', stays as it is."""
    return _COMMA.sub(r"\1.\2", text) if _COMMA.fullmatch(text) else text


def has_blanks_around(value: object) -> bool:
    """Whether reading takes blanks off the ends of a cell."""
    return isinstance(value, str) and value != value.strip()


def read_id(value: object, column: str, *, whole: bool = False) -> str:
    """An identity as text.

    Args:
        value: the cell.
        column: its column, for the message.
        whole: numbers such as '17.0' are '17': every one in the column is written so.

    Raises:
        Fault: if it is empty or a number that a spreadsheet shortened, such as 2.01E+05.
    """
    text = read_text(value, column)
    if not text:
        raise Fault(
            "no identity", column=column, allowed="a text that is unique in the file",
            todo="Fill the cell.",
        )  # fmt: skip
    if _SHORTENED.fullmatch(text):
        raise Fault(
            "a number that a spreadsheet shortened",
            column=column,
            value=text,
            allowed="the identity with all its digits",
            todo="Format the column as text in the spreadsheet and save it again.",
        )
    return text.split(".")[0] if whole and is_whole(text) else text


def is_whole(text: str) -> bool:
    """Whether an identity is written like '17.0'."""
    return _WHOLE.fullmatch(text) is not None


def looks_like_date(text: str) -> bool:
    """Whether a spreadsheet may have made a date of an identity: '2-Sep', 'Mar-03'."""
    return _DATE.fullmatch(text) is not None


def read_video_name(value: object, column: str, *, whole: bool = False) -> str:
    """A video's name as it is kept: '/' between parts, no drive, no leading './' or '/'.

    A link to a video of YouTube is the identity in it, by which files are named.

    Raises:
        Fault: if it is empty, shortened by a spreadsheet, or leads out of its folder.
    """
    text = read_id(value, column, whole=whole).replace("\\", "/")
    linked = YOUTUBE_LINK.match(text)
    if linked:
        return linked[1]
    text = re.sub(r"^(?:[A-Za-z]:|file://|[a-z]+://[^/]+/)", "", text)
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        raise Fault(
            "not the name of a file below the video folder",
            column=column,
            value=value,
            allowed="a name such as human/0209-03.mp4",
            todo="Write the path from the video folder on.",
        )
    return "/".join(parts)


def read_link(text: str) -> str:
    """A link that may be offered to a person: http or https; '' for anything else."""
    begins = text.lower().startswith(("http://", "https://"))
    return text if begins and not any(character.isspace() for character in text) else ""


def read_seconds(value: object, column: str, unit: str = "s") -> float | None:
    """A time in seconds, from a number or from hours, minutes and seconds; None if empty.

    '262', '262 s', '4:22' and '00:04:22.0' are all 262.0.

    Args:
        value: the cell.
        column: its column, for the message.
        unit: of plain numbers: 's', 'ms' or 'us'.

    Raises:
        Fault: if it is no time, or negative.
    """
    if isinstance(value, NotANumber):
        return None
    text = read_text(value, column)
    if not text:
        return None
    number = _UNIT.sub("", text) if unit == "s" else text
    seconds = _plain_seconds(number, unit) if _SECONDS.fullmatch(number) else _clock_seconds(text)
    if seconds is None or not 0 <= seconds < 1e9:
        raise Fault(
            "not a time",
            column=column,
            value=text,
            allowed="seconds such as 262 or 262.5 (with a point), or 4:22 or 1:02:03.5",
            todo="Minutes and seconds run to 59; times begin at 0.",
        )
    return float(seconds)


def read_span(value: object, columns: str) -> tuple[float, float | None]:
    """Start and end (s) in one cell, such as '3.1-6.42' or '00:15-00:19'; all if it is empty.

    Raises:
        Fault: if it is no span of time.
    """
    text = read_text(value, columns)
    if not text:
        return 0.0, None
    parts = re.split(r"\s*(?:-|\u2013|\u2014|,|\bto\b)\s*", text.strip("[]() "))
    if len(parts) != 2:
        raise Fault("not a span of time", column=columns, value=text, allowed="such as 3.1-6.42")
    start_s, end_s = (read_seconds(part, columns) for part in parts)
    check_span(start_s or 0.0, end_s, columns)
    return start_s or 0.0, end_s


def read_frame(value: object, column: str) -> int | None:
    """The number of a frame, counted from 0; None if the cell is empty.

    Raises:
        Fault: if it is no whole number from 0 on.
    """
    text = "" if isinstance(value, NotANumber) else read_text(value, column)
    if not text:
        return None
    if not re.fullmatch(r"\d{1,9}(?:\.0+)?", text):
        raise Fault(
            "not the number of a frame", column=column, value=text, allowed="0, 1, 2...",
            todo="Count frames from 0, or give times in seconds.",
        )  # fmt: skip
    return int(text.split(".")[0])


def _plain_seconds(text: str, unit: str) -> Fraction:
    # A Fraction keeps 2866667 us from becoming 2.8666669999 s; the exponent is bounded first.
    if abs(float(text)) > 1e18:
        return Fraction(10**18)
    return Fraction(text) / UNITS[unit]


def _clock_seconds(text: str) -> float | None:
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    hours, minutes, seconds = int(match[1] or 0), int(match[2]), float(match[3])
    if seconds >= 60 or (match[1] is not None and minutes >= 60):
        return None
    return hours * 3600 + minutes * 60 + seconds


def unit_of(column: str) -> str:
    """The unit that a column's name gives to its times: 's', 'ms' or 'us'."""
    name = column.casefold()
    if re.search(r"(_|\b)(ms|msec|millis|milliseconds?)$", name):
        return "ms"
    if re.search(r"(_|\b)(us|usec|micros|microseconds?)$", name):
        return "us"
    return "s"


def check_span(start_s: float, end_s: float | None, columns: str) -> None:
    """Check that a clip starts before it ends.

    Raises:
        Fault: if it does not.
    """
    if end_s is not None and end_s <= start_s:
        raise Fault(
            "the clip does not start before it ends",
            column=columns,
            value=f"{start_s:g} to {end_s:g} s",
            allowed="start < end",
            todo="Correct the times; they are never exchanged silently.",
        )


def fit_span(
    start_s: float, end_s: float | None, duration_s: float, columns: str
) -> tuple[float | None, bool]:
    """The end of a clip within its video, and whether it had to be moved to the video's end.

    Raises:
        Fault: if the clip reaches beyond the video by more than half a second.
    """
    beyond = max(start_s, end_s or 0.0) - duration_s
    if start_s < duration_s and beyond <= 0:
        return end_s, False
    if start_s < duration_s and beyond <= ROUNDING_S:
        return None, True
    raise Fault(
        f"the clip ends {beyond:.1f} s beyond its video"
        if start_s < duration_s
        else f"the clip starts {start_s - duration_s:.1f} s beyond its video",
        column=columns,
        value=f"{start_s:g} to {'the end' if end_s is None else f'{end_s:g} s'}",
        allowed=f"0 to {duration_s:.3f} s",
        todo=_unit_advice(max(start_s, end_s or 0.0), duration_s),
    )


def _unit_advice(time_s: float, duration_s: float) -> str:
    for unit, name in (("ms", "milliseconds"), ("us", "microseconds")):
        if time_s / UNITS[unit] <= duration_s and time_s > 10 * duration_s:
            return f"If these are {name}, let the column's name end in _{unit}."
    return "Correct the times, or check that this is the video that was meant."
