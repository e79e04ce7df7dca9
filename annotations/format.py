"""The contract of a file format: a module in annotations/formats with the names of `Format`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from annotations.detection import Finder
from annotations.reading.records import Problem, QuestionDraft, VideoRequest

FOLDER = "annotations.formats"


@dataclass(frozen=True)
class Choices:
    """What the person who imports decided; everything else is read from the file.

    Attributes:
        columns: pairs of field and column, such as ('question', 'Query').
        keys: how to read answers: 'letters', '0' or '1' (positions from it), 'text', '' to detect.
        encoding: of text files, '' to detect.
    """

    columns: tuple[tuple[str, str], ...] = ()
    keys: str = ""
    encoding: str = ""


@dataclass(frozen=True)
class Reading:
    """A file or folder as a format understands it; rows are read again each time they are asked.

    Attributes:
        format: name of the format.
        files: what was read.
        mapping: what becomes what, in words: (field, where it comes from).
        rows: reads again from the start: questions, and problems in their place among them.
        videos: by name.
        problems: of the files as a whole.
        all_videos: take every video of the folder, also those that nothing names.
        videos_alone: take every video that is named, also those that no question is about.
        undecided: what a person has to decide before anything is written, in words; '' if nothing.
        video_folders: where videos may lie when no folder is given, the likeliest first.
    """

    format: str
    files: tuple[Path, ...]
    mapping: tuple[tuple[str, str], ...]
    rows: Callable[[], Iterator[QuestionDraft | Problem]]
    videos: dict[str, VideoRequest]
    problems: tuple[Problem, ...] = ()
    all_videos: bool = False
    videos_alone: bool = False
    undecided: str = ""
    video_folders: tuple[Path, ...] = field(default=())

    @property
    def takes_videos(self) -> bool:
        """Whether videos are taken for their own sake."""
        return self.all_videos or self.videos_alone


class Format(Protocol):
    """What a module in annotations/formats has."""

    TITLE: str

    def likeness(self, path: Path) -> int:
        """How surely the path is of this format: 0 no; 1 to 3, the more particular the higher."""
        ...

    def read(self, path: Path, choices: Choices) -> Reading:
        """Survey the path once from end to end.

        Raises:
            ValueError: if nothing of it can be read; says why and what to do.
        """
        ...


def _advice(path: Path) -> str:
    if path.suffix.lower() in {".xls", ".ods", ".numbers"}:
        return f"{path.suffix} is not read: save it as xlsx or CSV (UTF-8) and import that. "
    if path.is_dir():
        return "It holds no video and no file of questions. "
    return ""


_FORMATS: Finder[Format] = Finder(FOLDER, "", "a file of questions or a folder", _advice)

load = _FORMATS.load
likeness = _FORMATS.likeness
detect = _FORMATS.detect
