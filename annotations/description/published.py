"""UTD's published descriptions: one JSON object, video id to five lists of texts by frame.

Such files hold gigabytes, so they are read piece by piece. A record that is none costs itself.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from pathlib import Path
from typing import IO, Any, cast

from annotations.description.cleaning import is_cut
from annotations.description.concepts import BY_PUBLISHED, TextKind
from core.bias.representation import FRAMES

_CHUNK = 1 << 20
_MOST = 64 << 20  # letters of one record: a file that needs more is no list of records


@dataclass(frozen=True)
class Record:
    """The published texts of one video.

    Attributes:
        video: its id.
        texts: by kind of text, in the order of the frames; whole or not.
        fault: why the record cannot be used; '' if it can.
    """

    video: str
    texts: dict[TextKind, tuple[str, ...]]
    fault: str = ""

    @property
    def complete(self) -> bool:
        """Whether every list has a text for each of the eight frames, none of them cut."""
        return all(
            len(texts) == FRAMES and not any(map(is_cut, texts)) for texts in self.texts.values()
        )


def records(path: Path) -> Iterator[Record]:
    """The records of a file in its order.

    Raises:
        ValueError: if it is no JSON object of records; says where it stops to be one.
        OSError: if it cannot be read.
    """
    with path.open(encoding="utf-8-sig") as file:
        for name, value in members(file, path.name):
            yield _record(name, value)


def members(file: IO[str], title: str) -> Iterator[tuple[str, Any]]:
    """Name and value of each member of the JSON object in a file, one at a time.

    Raises:
        ValueError: if the file holds no such object.
    """
    text = _Text(file, title)
    text.expect("{")
    if text.peek() == "}":
        return
    while True:
        name = text.value()
        if not isinstance(name, str):
            raise text.fault("a video id in quotes")
        text.expect(":")
        yield name, text.value()
        if text.peek() == "}":
            return
        text.expect(",")


class _Text:
    """JSON text that is read as far as it is needed."""

    def __init__(self, file: IO[str], title: str):
        self._file, self._title = file, title
        self._text, self._at, self._before = "", 0, 0
        self._decode = JSONDecoder().raw_decode

    def fault(self, wanted: str) -> ValueError:
        """What is wrong at the place that was reached."""
        near = self._text[self._at : self._at + 40]
        return ValueError(
            f"{self._title}, letter {self._before + self._at + 1:,}: {wanted} was expected, there "
            f"is {near!r}. Allowed: one JSON object, video id to lists of texts."
        )

    def peek(self) -> str:
        """The next letter that is no space; '' at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at].isspace():
                self._at += 1
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def expect(self, letter: str) -> None:
        """Go past a letter."""
        if self.peek() != letter:
            raise self.fault(repr(letter))
        self._at += 1

    def value(self) -> Any:
        """The JSON value that begins here."""
        self.peek()
        while True:
            try:
                found, end = self._decode(self._text, self._at)
            except JSONDecodeError:
                if len(self._text) - self._at > _MOST or not self._more():
                    raise self.fault("a JSON value") from None
                continue
            # A number or a word at the end of what was read may go on.
            if end == len(self._text) and self._more():
                continue
            self._at = end
            return found

    def _more(self) -> bool:
        chunk = self._file.read(max(_CHUNK, len(self._text) - self._at))
        self._before += self._at
        self._text, self._at = self._text[self._at :] + chunk, 0
        return bool(chunk)


def _record(name: str, value: Any) -> Record:
    if not isinstance(value, dict):
        return Record(name, {}, f"is {json.dumps(value)[:40]}, no object of lists of texts")
    lists = cast("dict[str, Any]", value)
    texts: dict[TextKind, tuple[str, ...]] = {}
    for published, kind in BY_PUBLISHED.items():
        if published not in lists:
            continue
        given = lists[published]
        rows = cast("list[Any]", given) if isinstance(given, list) else None
        if rows is None or not all(isinstance(text, str) for text in rows):
            return Record(name, {}, f"{published!r} is no list of texts")
        if len(rows) > FRAMES:
            return Record(name, {}, f"{published!r} has {len(rows)} texts; allowed: {FRAMES}")
        texts[kind] = tuple(rows)
    if not texts:
        return Record(name, {}, f"has none of the lists {', '.join(BY_PUBLISHED)}")
    return Record(name, texts)
