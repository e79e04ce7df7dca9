"""What an edit of videos has to bring along; each is a file in edits/.

An edit is a list: for each new frame the source frame that it shows and the moment at which it
begins, with what is done to its upright picture. Times are fractions, so nothing is rounded before
the file is written.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from core import plugins
from core.refusal import Refusal

PACKAGE = "core.edits"

Image = NDArray[np.uint8]
PictureChange = Callable[[Image], Image]
Settings = dict[str, Any]


@dataclass(frozen=True)
class SourceSound:
    """The sound of one source from its first frame to its end.

    Attributes:
        source: position among the edited videos, from 0.
        seconds: length, s.
    """

    source: int
    seconds: Fraction


@dataclass(frozen=True)
class ReversedSound:
    """A sound played backwards."""

    sound: "Sound"

    @property
    def seconds(self) -> Fraction:
        """Length, s."""
        return self.sound.seconds


@dataclass(frozen=True)
class FasterSound:
    """A sound at another tempo with its pitch kept; a factor of 2 takes half the time."""

    sound: "Sound"
    factor: Fraction

    @property
    def seconds(self) -> Fraction:
        """Length, s."""
        return self.sound.seconds / self.factor


@dataclass(frozen=True)
class PartOfSound:
    """A sound from a start to an end, both in s of the sound."""

    sound: "Sound"
    start: Fraction
    end: Fraction

    @property
    def seconds(self) -> Fraction:
        """Length, s."""
        return self.end - self.start


@dataclass(frozen=True)
class JoinedSound:
    """Sounds one after the other; None is silence.

    Attributes:
        parts: each sound with the length that it fills, s.
    """

    parts: tuple[tuple["Sound | None", Fraction], ...]

    @property
    def seconds(self) -> Fraction:
        """Length, s."""
        return sum((seconds for _, seconds in self.parts), Fraction(0))


Sound = SourceSound | ReversedSound | FasterSound | PartOfSound | JoinedSound


@dataclass(frozen=True)
class EditedFrame:
    """One frame of the new video.

    Attributes:
        source: position of the video that it comes from, from 0.
        index: of the frame in that video.
        time: when it begins in the new video, s.
        changes: what is done to its upright picture, in this order.
    """

    source: int
    index: int
    time: Fraction
    changes: tuple[PictureChange, ...] = ()


@dataclass(frozen=True)
class Timeline:
    """A video as it is to become: its frames, its end, its size and its sound.

    Attributes:
        frames: in the order in which they are shown; times rise from 0.
        end: end of the last frame, s.
        width: px as shown; `height` likewise.
        sound: None for a video without sound.
    """

    frames: tuple[EditedFrame, ...]
    end: Fraction
    width: int
    height: int
    sound: Sound | None = None

    def ends(self) -> tuple[Fraction, ...]:
        """When each frame makes way for the next, s."""
        return (*(frame.time for frame in self.frames[1:]), self.end)

    def changed(self, change: PictureChange, width: int, height: int) -> "Timeline":
        """The timeline with something done to every picture, which then has this size."""
        frames = tuple(replace(frame, changes=(*frame.changes, change)) for frame in self.frames)
        return replace(self, frames=frames, width=width, height=height)


class Edit(Protocol):
    """The module of an edit.

    Attributes:
        TITLE: its name for people.
        HELP: what it does, in a sentence.
        DEFAULTS: its settings with their defaults; None where one has to be given.
        OTHERS: how many other videos it needs beside the one that is edited.
    """

    TITLE: str
    HELP: str
    DEFAULTS: Settings
    OTHERS: int

    def check(self, settings: Settings) -> Settings:
        """The settings, checked and in the one form in which they are kept (JSON).

        Raises ValueError for one that is not allowed.
        """
        ...

    def apply(self, timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
        """The timeline after the edit. Raises ValueError where it does not fit this video."""
        ...

    def label(self, settings: Settings) -> str:
        """The edit in a word that can stand in a file name, such as 'speed2' or 'reverse'."""
        ...


def edit(name: str) -> Edit:
    """The edit of this name.

    Raises:
        LookupError: if there is none.
    """
    return cast("Edit", plugins.load(PACKAGE, name))


def edits() -> tuple[str, ...]:
    """Names of all edits."""
    return plugins.names(PACKAGE)


def fraction(value: object, name: str) -> Fraction:
    """A number as a fraction: '3/2', '1.5', 2 and 1.5 are all understood.

    Raises:
        ValueError: if it is no finite number.
    """
    try:
        if isinstance(value, bool) or value is None:
            raise ValueError
        return Fraction(str(value).strip()).limit_denominator(1_000_000)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise Refusal(f"{name} is {value!r}; it has to be a number, such as 1.5 or 3/2.") from None


def only_known(settings: Settings, defaults: Settings) -> Settings:
    """The settings over their defaults.

    Raises:
        ValueError: for one that the edit does not have, or one that is lacking.
    """
    unknown = sorted(settings.keys() - defaults.keys())
    if unknown:
        raise Refusal(f"{unknown[0]!r} is no setting. Allowed: {', '.join(defaults) or 'none'}.")
    merged = {**defaults, **settings}
    lacking = [name for name, value in merged.items() if value is None]
    if lacking:
        raise Refusal(f"Setting {lacking[0]} is lacking.")
    return merged
