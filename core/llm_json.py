"""JSON out of a model's text, however it is wrapped or broken; nothing in it is ever executed."""

import json
import re
from dataclasses import dataclass
from typing import cast

DEEPEST = 60
TRIES = 300  # brackets that turn out not to begin a value
LONGEST = 2_000_000  # characters

_FENCE = re.compile(r"```[ \t]*[A-Za-z0-9_-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_WORDS = {"true": True, "false": False, "null": None, "none": None, "undefined": None}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NOT_A_NUMBER = re.compile(r"[+-]?(?:NaN|Infinity|inf)\b", re.IGNORECASE)
_BARE = re.compile(r"[A-Za-z_$\u00c0-\uffff][\w$.\-]*")
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*|\.\.\.|\u2026)*", re.DOTALL)
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u201d": "\u201d"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/"}
_NEXT_KEY = re.compile(r"\s*,\s*(?:[\"'\u201c]|[A-Za-z_]\w*[\"'\u201d]?\s*:)")
_ENDS = re.compile(r"\s*(?:[}\]]|\Z|//|/\*)")


@dataclass(frozen=True)
class JsonReading:
    """What was found.

    Attributes:
        values: every object and list that stands in the text by itself, in order.
        repaired: what had to be mended, in words; () if it was JSON as it stood.
        reason: why there is no value; '' if there is one.
    """

    values: tuple[object, ...]
    repaired: tuple[str, ...]
    reason: str = ""

    @property
    def value(self) -> object:
        """The last object, else the last list; None if there is none, `reason` says why."""
        objects = [value for value in self.values if _is_object(value)]
        return (objects or list(self.values) or [None])[-1]


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


class _BrokenError(ValueError):
    """The text cannot be read as JSON from here."""


def read(text: str) -> JsonReading:
    """Objects and lists in a model's text.

    Fences, words around, comments, single or curly quotes, commas too many or lacking, bare keys,
    Python's True and None, raw line ends, unescaped quotes and a cut-off end are understood; text
    inside strings stays as it is. NaN and Infinity become None.

    Args:
        text: what the model wrote.

    Returns:
        The values with what was mended, or the reason why there is none.
    """
    if len(text) > LONGEST:
        reason = f"{len(text):,} characters; allowed are {LONGEST:,}"
        return JsonReading((), (), reason)
    if not text.strip():
        return JsonReading((), (), "there is no text")
    fenced = [part for part in _FENCE.findall(text) if "{" in part or "[" in part]
    reason = ""
    for part in ["\n".join(fenced), text] if fenced else [text]:
        values, repaired, reason = _all_values(part)
        if values:
            return JsonReading(tuple(values), tuple(dict.fromkeys(repaired)))
    return JsonReading((), (), reason)


def _all_values(text: str) -> tuple[list[object], list[str], str]:
    values: list[object] = []
    repaired: list[str] = []
    reason = "there is no { or [ in the text"
    whole = _strict(text.strip())
    if isinstance(whole, dict | list):
        return [whole], [], ""
    if isinstance(whole, str) and "{" in whole:
        values, repaired, reason = _all_values(whole)
        return values, ["JSON inside a JSON string", *repaired], reason
    place, tries = 0, TRIES
    while (start := _start(text, place)) is not None:
        try:
            value, place, notes = _value_at(text, start)
        except _BrokenError as broken:
            reason = str(broken)
            place = start + 1
            tries -= 1
            if not tries:
                break
            continue
        if not value and "cut off at the end" in notes:
            reason = "cut off before anything was said"
            continue
        if _is_object(value) or _is_data(text, start, value):
            values.append(value)
            repaired += notes
    if len(values) > 1:
        repaired.append(f"{len(values)} values stand in the text")
    elif values and text[place:].strip() in ("}", "]"):
        repaired.append("a closing bracket too many")
    return values, repaired, reason


def _start(text: str, place: int) -> int | None:
    found = [at for at in (text.find("{", place), text.find("[", place)) if at >= 0]
    return min(found, default=None)


def _is_data(text: str, start: int, value: object) -> bool:
    """Whether a list is meant as data, not a bracketed word or a footnote such as [1]."""
    return not text[:start].strip() or any(map(_is_object, cast("list[object]", value)))


def _strict(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> object:
    raise ValueError(constant)


def _value_at(text: str, start: int) -> tuple[object, int, list[str]]:
    try:
        value, end = json.JSONDecoder(parse_constant=_refuse).raw_decode(text, start)
    except (ValueError, RecursionError):
        reader = _Reader(text, start)
        value = reader.value(0)
        return value, reader.place, reader.notes
    return value, end, []


class _Reader:
    """Reads one value from a place on, mending what it meets."""

    def __init__(self, text: str, place: int):
        self.text = text
        self.place = place
        self.notes: list[str] = []

    def value(self, depth: int) -> object:
        if depth > DEEPEST:
            raise _BrokenError(f"nested deeper than {DEEPEST} levels")
        self.blanks()
        here = self.peek()
        if here == "{":
            return self.read_object(depth)
        if here in ("[", "("):
            return self.read_list(depth)
        if here in _QUOTES:
            return self.string(of_key=False)
        return self.bare()

    def peek(self) -> str:
        return self.text[self.place : self.place + 1]

    def blanks(self) -> None:
        match = _SPACE.match(self.text, self.place)
        if match and match.end() > self.place:
            if match[0].strip():
                self.note("a comment")
            self.place = match.end()

    def note(self, what: str) -> None:
        self.notes.append(what)

    def read_object(self, depth: int) -> dict[str, object]:
        fields: dict[str, object] = {}
        self.place += 1
        while True:
            self.separators("}")
            here = self.peek()
            if here == "":
                self.note("cut off at the end")
                return fields
            if here in ("}", "]"):
                self.place += 1
                if here == "]":
                    self.note("a wrong closing bracket")
                return fields
            name = self.key()
            self.blanks()
            if self.peek() not in (":", "="):
                if self.peek() == "":
                    self.note("cut off at the end")
                    return fields
                raise _BrokenError(f"no colon after {name!r} at character {self.place}")
            self.place += 1
            self.blanks()
            if self.peek() == "":
                self.note("cut off at the end")
                return fields
            if self.peek() in (",", "}"):
                self.note(f"no value for {name!r}")
                fields[name] = None
                continue
            if name in fields:
                self.note(f"{name!r} stands there twice; the last counts")
            fields[name] = self.value(depth + 1)

    def read_list(self, depth: int) -> list[object]:
        items: list[object] = []
        closing = "]" if self.peek() == "[" else ")"
        if closing == ")":
            self.note("a Python tuple")
        self.place += 1
        while True:
            self.separators(closing)
            here = self.peek()
            if here == "":
                self.note("cut off at the end")
                return items
            if here in (closing, "}"):
                if here == closing:
                    self.place += 1
                else:
                    self.note("a list that is not closed")
                return items
            items.append(self.value(depth + 1))

    def separators(self, closing: str) -> None:
        """Past commas; one too many or none at all is mended."""
        self.blanks()
        commas = 0
        while self.peek() in (",", ";", "\uff0c"):
            commas += 1
            self.place += 1
            self.blanks()
        if commas > 1 or (commas and self.peek() in (closing, "")):
            self.note("a comma too many")
        before = self.text[: self.place].rstrip()[-1:]
        if (
            not commas
            and before not in ("{", "[", "(")
            and self.peek() not in (closing, "", "}", "]")
        ):
            self.note("a comma lacking")

    def key(self) -> str:
        if self.peek() in _QUOTES:
            return self.string(of_key=True)
        match = _BARE.match(self.text, self.place) or _NUMBER.match(self.text, self.place)
        if match is None:
            raise _BrokenError(
                f"no name at character {self.place}: {self.text[self.place : self.place + 20]!r}"
            )
        self.place = match.end()
        self.note("a name without quotes")
        return match[0]

    def bare(self) -> object:
        odd = _NOT_A_NUMBER.match(self.text, self.place)
        if odd:
            self.place = odd.end()
            self.note(f"{odd[0]} became null")
            return None
        number = _NUMBER.match(self.text, self.place)
        if number and not _BARE.match(self.text, number.end()):
            self.place = number.end()
            return self.number(number[0])
        match = _BARE.match(self.text, self.place)
        if match is None:
            raise _BrokenError(
                f"no value at character {self.place}: {self.text[self.place : self.place + 20]!r}"
            )
        word = match[0].lower()
        if word in _WORDS:
            self.place = match.end()
            if match[0] not in ("true", "false", "null"):
                self.note(f"{match[0]} in place of JSON's own word")
            return _WORDS[word]
        unquoted = re.compile(r"[^,}\]\n\"]*").match(self.text, self.place)
        self.place = unquoted.end() if unquoted else match.end()
        self.note("text without quotes")
        return unquoted[0].strip() if unquoted else match[0]

    def number(self, written: str) -> object:
        try:
            return json.loads(written)
        except ValueError:
            self.note("a number in another notation")
            return float(written) if not written.lstrip("+-").isdigit() else int(written)

    def string(self, *, of_key: bool) -> str:
        quote = _QUOTES[self.peek()]
        if quote != '"':
            self.note("other quotes than JSON's")
        self.place += 1
        parts: list[str] = []
        while True:
            here = self.peek()
            if here == "":
                self.note("cut off at the end")
                return "".join(parts)
            if here == "\\":
                parts.append(self.escape())
                continue
            if here == quote and self.closes(of_key=of_key):
                self.place += 1
                return "".join(parts)
            if here == quote:
                self.note("a quote inside a string")
            elif here < " ":
                self.note("a raw line end or tab inside a string")
            parts.append(here)
            self.place += 1

    def closes(self, *, of_key: bool) -> bool:
        """Whether a quote ends its string, judged by what follows."""
        after = self.place + 1
        if of_key:
            return re.compile(r"\s*[:=]").match(self.text, after) is not None
        if _ENDS.match(self.text, after) or _NEXT_KEY.match(self.text, after):
            return True
        if re.compile(r"\s*,\s*(?:[}\]\[{(\d-]|true|false|null|None|True|False|\Z|//|/\*)").match(
            self.text, after
        ):
            return True
        # Without a comma the next line begins a new name.
        return (
            re.compile(r"\s*\n\s*[\"'\u201c][^\"'\n]*[\"'\u201d]\s*[:,\]]").match(self.text, after)
            is not None
        )

    def escape(self) -> str:
        after = self.text[self.place + 1 : self.place + 2]
        if after == "u":
            digits = self.text[self.place + 2 : self.place + 6]
            if re.fullmatch(r"[0-9a-fA-F]{4}", digits):
                self.place += 6
                return self.surrogates(int(digits, 16))
        self.place += 2
        if after in _ESCAPES:
            return _ESCAPES[after]
        if after in ('"', "'", "\\"):
            return after
        self.note("an unknown escape kept as it stands")
        return "\\" + after

    def surrogates(self, code: int) -> str:
        """A character, joined with the second half that follows where it is the first half."""
        match = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(self.text, self.place)
        if 0xD800 <= code < 0xDC00 and match:
            self.place = match.end()
            return chr(0x10000 + ((code - 0xD800) << 10) + int(match[1], 16) - 0xDC00)
        if 0xD800 <= code < 0xE000:
            self.note("half a character left out")
            return ""
        return chr(code)
