"""Finds, among the plug-ins of a folder that read files, the one that a path looks most like."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar, cast

from core import plugins
from core.refusal import Refusal


class Likeable(Protocol):
    """What a plug-in has to have to be found."""

    TITLE: str

    def likeness(self, path: Path) -> int:
        """How surely the path is of this format: 0 no; 1 to 3, the more particular the higher."""
        ...


Plugin = TypeVar("Plugin", bound=Likeable)


@dataclass(frozen=True)
class Finder(Generic[Plugin]):
    """The formats of one folder, and how they are spoken of.

    Attributes:
        folder: dotted name of the folder.
        of: what the formats are of, such as ' of predictions'; '' if that need not be said.
        wanted: what a person should give, such as 'a file or folder of predictions'.
        advice: what may help with a path that is in no format, as a sentence with a space behind.
    """

    folder: str
    of: str
    wanted: str
    advice: Callable[[Path], str] = lambda path: ""

    def names(self) -> tuple[str, ...]:
        """The names of the formats."""
        return plugins.names(self.folder)

    def load(self, name: str) -> Plugin:
        """The format of this name.

        Raises:
            ValueError: if there is none; lists those there are.
        """
        try:
            return cast("Plugin", plugins.load(self.folder, name))
        except LookupError as error:
            message = f"There is no format {name!r}{self.of}. Allowed: {', '.join(self.names())}."
            raise Refusal(message) from error

    def likeness(self, path: Path) -> dict[str, int]:
        """How surely a path is of each format."""
        return {name: self.load(name).likeness(path) for name in self.names()}

    def detect(self, path: Path) -> str:
        """Name of the format that fits a file or folder best.

        Raises:
            ValueError: if none does.
        """
        if not path.exists():
            raise Refusal(f"{path} does not exist. Give {self.wanted}.")
        likeness = self.likeness(path)
        best = max(likeness, key=lambda name: likeness[name])
        if likeness[best] == 0:
            known = "; ".join(f"{name}: {self.load(name).TITLE}" for name in likeness)
            message = (
                f"{path} is in no known format{self.of}. {self.advice(path)}Known are {known}."
            )
            raise Refusal(message)
        return best
