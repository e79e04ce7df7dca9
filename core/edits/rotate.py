"""A video turned clockwise; quarter turns move pixels, other angles blend them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, radians, sin

import cv2
import numpy as np

from core.edit import Image, Settings, Timeline, only_known
from core.refusal import Refusal

TITLE = "Rotate"
HELP = "Turn it clockwise by whole degrees. At other angles than quarter turns corners are black."
DEFAULTS: Settings = {"degrees": None}
OTHERS = 0


@dataclass(frozen=True)
class QuarterTurns:
    """Turns a picture clockwise by quarter turns, pixel by pixel."""

    turns: int

    def __call__(self, image: Image) -> Image:
        """The turned picture."""
        return np.ascontiguousarray(np.rot90(image, -self.turns))


@dataclass(frozen=True)
class Turn:
    """Turns a picture clockwise by any angle into a black ground of a given size."""

    degrees: int
    width: int
    height: int

    def __call__(self, image: Image) -> Image:
        """The turned picture, bilinear."""
        high, wide = image.shape[:2]
        middle = ((wide - 1) / 2, (high - 1) / 2)
        matrix = cv2.getRotationMatrix2D(middle, -self.degrees, 1.0)
        matrix[:, 2] += ((self.width - wide) / 2, (self.height - high) / 2)
        turned = cv2.warpAffine(image, matrix, (self.width, self.height), flags=cv2.INTER_LINEAR)
        return np.asarray(turned, np.uint8)


def check(settings: Settings) -> Settings:
    """The angle, 1 to 359 degrees.

    Raises:
        ValueError: if it is no whole number, or turns nothing.
    """
    value = only_known(settings, DEFAULTS)["degrees"]
    if isinstance(value, bool) or not str(value).strip().lstrip("+-").isdecimal():
        raise Refusal(f"Rotate: {value!r} is no whole number of degrees.")
    degrees = int(value) % 360
    if degrees == 0:
        raise Refusal(f"Rotate: {value} degrees turn nothing; allowed are 1 to 359.")
    return {"degrees": degrees}


def apply(timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
    """The same frames at the same times, each turned; the whole picture stays in sight."""
    del others
    degrees: int = settings["degrees"]
    wide, high = timeline.width, timeline.height
    if degrees % 90 == 0:
        if degrees % 180:
            wide, high = high, wide
        return timeline.changed(QuarterTurns(degrees // 90), wide, high)
    c, s = abs(cos(radians(degrees))), abs(sin(radians(degrees)))
    width, height = (2 * ceil((a - 1e-9) / 2) for a in (wide * c + high * s, wide * s + high * c))
    return timeline.changed(Turn(degrees, width, height), width, height)


def label(settings: Settings) -> str:
    """Such as 'rotate90'."""
    return f"rotate{settings['degrees']}"
