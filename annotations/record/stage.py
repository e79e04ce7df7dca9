"""Stages: what the desk draws of an item, and the values that go with it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Grid:
    """A stage of still frames of one video, in the order given.

    Attributes:
        times: s from the video's first frame; None where the time would give the order away.
    """

    sha256: str
    frames: tuple[int, ...]
    times: tuple[float | None, ...]
    note: str = ""


@dataclass(frozen=True)
class Beside:
    """A picture beside the stage: one frame of another video, with words."""

    sha256: str
    frame: int
    label: str


@dataclass(frozen=True)
class Player:
    """A stage with the moving clip; start and end in s from the video's first frame.

    Attributes:
        marks: whether segments are marked on it, on a timeline with pictures.
        beside: pictures to compare it with.
        title: what the video was called where it comes from, if it may be told.
        link: to where that is; only http and https are offered.
    """

    sha256: str
    start_s: float
    end_s: float | None
    marks: bool = False
    beside: tuple[Beside, ...] = ()
    title: str = ""
    link: str = ""


@dataclass(frozen=True)
class ClipView:
    """One of several clips of a stage."""

    id: str
    title: str
    link: str
    player: Player


@dataclass(frozen=True)
class Clips:
    """A stage with several clips, of which one plays at a time."""

    clips: tuple[ClipView, ...]


@dataclass(frozen=True)
class Picker:
    """A stage on which one frame is picked: the grid first, then frame by frame."""

    grid: Grid
    player: Player


Stage = Grid | Player | Clips | Picker


@dataclass(frozen=True)
class Content:
    """What the desk shows of an item: the stage and the values that the form's fields ask for."""

    label: str
    stage: Stage | None
    values: dict[str, Any]
