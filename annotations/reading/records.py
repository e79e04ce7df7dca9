"""What an import reads: questions on their way in, the videos they ask for, and what is wrong."""

from dataclasses import dataclass, field
from typing import Any, Literal

from core.refusal import Refusal

Tags = dict[str, str | bool]
Reference = dict[str, list[str]]  # 'answers' that are accepted, and 'points' of a good answer

OTHERS = " and others"  # stands behind the first of several files with the same problem


class Fault(Refusal):
    """A fault of one value; `as_problem` adds its file and row.

    Attributes:
        what: what is wrong, in a few words.
        column: the column or field, '' if it is not one alone.
        value: what was got.
        allowed: what is allowed.
        todo: what to do about it.
    """

    def __init__(
        self, what: str, *, column: str = "", value: object = "", allowed: str = "", todo: str = ""
    ):
        """Keep the parts; the message is the first of them."""
        super().__init__(what)
        self.what = what
        self.column = column
        self.value = shown(value)
        self.allowed = allowed
        self.todo = todo


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a person should know about an import.

    Attributes:
        level: an error kept what it names out; a warning did not.
        what: what is wrong, in a few words.
        file: file name.
        row: where in the file: 'row 3', 'line 3' or an id; '' for the whole file.
        column: column or field, as the file calls it.
        value: what was got.
        allowed: what is allowed.
        todo: what to do about it.
        rows: how many rows it concerns.
    """

    level: Literal["error", "warning"]
    what: str
    file: str = ""
    row: str = ""
    column: str = ""
    value: str = ""
    allowed: str = ""
    todo: str = ""
    rows: int = 1

    @property
    def text(self) -> str:
        """The problem as one line for a person."""
        where = ", ".join(part for part in (self.file, self.row) if part)
        column = f"column {self.column}" if self.column else ""
        head = ", ".join(part for part in (where, column) if part)
        got = f" (got {self.value})" if self.value else ""
        allowed = f" Allowed: {self.allowed}." if self.allowed else ""
        what = "times" if self.file.endswith(OTHERS) else "rows"
        count = f" {self.rows:,} {what}." if self.rows > 1 else ""
        todo = f" {self.todo}" if self.todo else ""
        return f"{head + ': ' if head else ''}{self.what}{got}.{count}{allowed}{todo}"


def as_problem(
    fault: Fault, file: str, row: str, level: Literal["error", "warning"] = "error"
) -> Problem:
    """Return a fault as a problem with its file and row."""
    return Problem(
        level, fault.what, file, row, fault.column, fault.value, fault.allowed, fault.todo
    )


def shown(value: object, length: int = 120) -> str:
    """Return a value for a message: quoted if it is text, cut if it is long, '' if empty."""
    if value is None or value == "":
        return ""
    text = value if isinstance(value, str) else repr(value)
    text = text if len(text) <= length else text[: length - 1] + "…"
    return repr(text) if isinstance(value, str) else text


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """A question as read and checked, before it is compared with what is stored.

    Attributes:
        uid: identity in the workspace, stable over imports.
        text: what is asked.
        options: at least two texts; none where the answer is free.
        key: 0-based index into options; None: unlabelled.
        reference: what free answers are held against, or the options of which several are right.
        video: name of the video.
        start_s: start of the clip, s from the first frame.
        end_s: end of the clip, s; None: to the end of the video.
        category: '' if there is none.
        tags: such as {'demonstration_type': 'human', 'zoom': True}.
        note: free text.
        file: name of the file it came from.
        row: where in it, in words.
        frames: first and last frame of the clip, where the file says that instead of times; they
            become times once the video is at hand.
    """

    uid: str
    text: str
    options: tuple[str, ...]
    key: int | None
    video: str
    start_s: float = 0.0
    end_s: float | None = None
    category: str = ""
    tags: Tags = field(default_factory=dict[str, str | bool])
    note: str = ""
    file: str = ""
    row: str = ""
    reference: Reference = field(default_factory=dict[str, list[str]])
    frames: tuple[int, int | None] | None = None


@dataclass(frozen=True, slots=True)
class About:
    """Facts about a video from a file; '', None and () where they are not known.

    Attributes:
        uploader: who put it up.
        upload_date: year, month and day, such as '2024-05-31'.
        keywords: its tags where it was put up.
        source_url: where it once came from; stands in a column of its own.
        licence: as its source names it.
    """

    title: str = ""
    description: str = ""
    uploader: str = ""
    upload_date: str = ""
    view_count: int | None = None
    keywords: tuple[str, ...] = ()
    source_url: str = ""
    licence: str = ""

    def known(self) -> dict[str, Any]:
        """Return the known facts as they are stored, without the source."""
        facts: dict[str, Any] = {
            "title": self.title,
            "description": self.description,
            "uploader": self.uploader,
            "upload_date": self.upload_date,
            "view_count": self.view_count,
            "keywords": list(self.keywords),
            "licence": self.licence,
        }
        return {name: value for name, value in facts.items() if value not in ("", None, [])}

    def or_else(self, fallback: "About | None") -> "About":
        """Return these facts, filled up from another source."""
        if fallback is None:
            return self
        return About(
            self.title or fallback.title,
            self.description or fallback.description,
            self.uploader or fallback.uploader,
            self.upload_date or fallback.upload_date,
            fallback.view_count if self.view_count is None else self.view_count,
            self.keywords or fallback.keywords,
            self.source_url or fallback.source_url,
            self.licence or fallback.licence,
        )


@dataclass(frozen=True, slots=True)
class VideoRequest:
    """A video that questions name.

    Attributes:
        name: identity in the workspace, such as 'human/0209-03'.
        wanted: path below the video folder to look for, '/' between parts, suffix optional.
        source_url: where it once came from, '' if unknown.
        about: what is told of it; None for nothing.
    """

    name: str
    wanted: str
    source_url: str = ""
    about: About | None = None
