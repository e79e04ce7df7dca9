from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from annotations.demo.clip import DemoQuestion
from annotations.demo.clips import CLIPS, questions

Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass
class Film:
    """A clip as decoded from its file, and what can be measured in it without the drawing code."""

    frames: list[NDArray[np.uint8]]
    times: list[float]

    def mask(self, frame: NDArray[np.uint8], color: str, near: int = 40) -> NDArray[np.bool_]:
        wanted = [int(color[k : k + 2], 16) for k in (1, 3, 5)]
        apart = cv2.transform(cv2.absdiff(frame, np.array([*wanted, 0.0])), np.ones((1, 3)))
        return apart < near  # 255 at most: the sum saturates, far above every limit used

    def amounts(self, color: str, box: Box = (0, 0, 640, 360), near: int = 40) -> NDArray[np.int64]:
        """Pixels of a colour inside a box, frame by frame."""
        left, top, right, bottom = box
        return np.array(
            [self.mask(f[top:bottom, left:right], color, near).sum() for f in self.frames]
        )

    def path(self, color: str, box: Box = (0, 0, 640, 360), near: int = 40) -> NDArray[np.float64]:
        """The middle (x, y) of a colour's pixels, frame by frame; nan where there are none."""
        left, top, right, bottom = box
        out: list[tuple[float, float]] = []
        for frame in self.frames:
            y, x = np.nonzero(self.mask(frame[top:bottom, left:right], color, near))
            out.append((x.mean() + left, y.mean() + top) if len(x) else (np.nan, np.nan))
        return np.array(out)

    def light(self, box: Box) -> NDArray[np.float64]:
        """Mean brightness inside a box, frame by frame."""
        left, top, right, bottom = box
        return np.array([float(f[top:bottom, left:right].mean()) for f in self.frames])

    def turned(
        self, color: str, center: tuple[float, float], radii: tuple[float, float], fold: int,
        near: int = 40, only: list[int] | None = None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Degrees, clockwise on screen, that a pattern of equal parts has turned since frame 0.

        The parts repeat ``fold`` times around the centre; from one of the frames looked at to the
        next the smaller of the possible turns is taken, as an eye would.
        """
        y, x = np.mgrid[0:360, 0:640].astype(float)
        angle, far = (
            np.arctan2(y - center[1], x - center[0]),
            np.hypot(x - center[0], y - center[1]),
        )
        ring = (far >= radii[0]) & (far <= radii[1])
        phases: list[float] = []
        for index in only or range(len(self.frames)):
            here = ring & self.mask(self.frames[index], color, near)
            phases.append(float(np.angle(np.exp(1j * fold * angle[here]).sum())))
        return np.degrees(np.unwrap(phases)) / fold

    def sixteen(self) -> list[int]:
        """Indices of 16 uniform frames."""
        return [round(k * (len(self.frames) - 1) / 15) for k in range(16)]


def starts(flags: NDArray[np.bool_]) -> list[int]:
    """Indices at which a condition begins to hold."""
    held = np.concatenate(([False], flags))
    return [int(i) for i in np.nonzero(held[1:] & ~held[:-1])[0]]


@pytest.fixture
def begins() -> Callable[[NDArray[np.bool_]], list[int]]:
    return starts


@pytest.fixture(scope="session")
def film(demo_footage: Path) -> Callable[[str], Film]:
    """A clip by its name, decoded."""
    files = {clip.name: demo_footage / clip.file for clip in CLIPS}

    @lru_cache(2)
    def decoded(name: str) -> Film:
        with av.open(str(files[name])) as container:
            frames = list(container.decode(video=0))
        images = [np.asarray(frame.to_ndarray(format="rgb24"), np.uint8) for frame in frames]
        return Film(images, [float(frame.time or 0) for frame in frames])

    return decoded


@pytest.fixture(scope="session")
def answer() -> Callable[[str], str]:
    """The right option of a question, as text."""
    by_uid: dict[str, DemoQuestion] = {question.uid: question for question in questions()}
    return lambda uid: by_uid[uid].options[by_uid[uid].key]


@pytest.fixture
def contour() -> Callable[[Film, float, str], NDArray[np.int32]]:
    """The outline of the largest region that is not of the background colour at a time."""

    def find(film: Film, moment: float, color: str) -> NDArray[np.int32]:
        index = min(range(len(film.times)), key=lambda i: abs(film.times[i] - moment))
        mask = film.mask(film.frames[index], color, 110).astype(np.uint8)
        found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        return np.asarray(max(found, key=cv2.contourArea), np.int32)

    return find
