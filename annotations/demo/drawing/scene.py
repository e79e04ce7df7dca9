"""Drawing for the demo: shapes as point lists, and a canvas that paints them smoothly.

Lengths are pixels of the finished picture (640 × 360), x to the right, y down; angles are degrees,
clockwise on screen, 0 pointing right.
"""

from functools import cache, lru_cache
from math import ceil, floor
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from annotations.demo.drawing.shapes import Point, Points, disc, oval

Color: TypeAlias = tuple[int, int, int]
Image: TypeAlias = NDArray[np.uint8]

WIDTH, HEIGHT = 640, 360
SCALE = 2  # drawn at twice the size, then averaged: the antialiasing
BITS = 4  # fractional bits of cv2's coordinates


def rgb(text: str) -> Color:
    """The colour of a text such as ``#f4a261``."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(a: Color, b: Color, share: float) -> Color:
    """The colour on the way from a (share 0) to b (share 1)."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


def lighter(color: Color, share: float = 0.25) -> Color:
    """The colour moved towards white by a share of 0 to 1."""
    return mix(color, (255, 255, 255), share)


def darker(color: Color, share: float = 0.25) -> Color:
    """The colour moved towards a deep blue by a share of 0 to 1: black shadows look dirty."""
    return mix(color, (18, 20, 44), share)


@cache
def gradient(top: Color, bottom: Color, vignette: float = 0.06) -> Image:
    """A canvas-sized background from top to bottom colour with darker corners; do not write to it.

    A grain of about one level, fixed, keeps the encoder from showing bands.
    """
    corners, grain = _surface()
    share = np.linspace(0, 1, HEIGHT * SCALE, dtype=np.float32)[:, None, None]
    column = np.array(top, np.float32) * (1 - share) + np.array(bottom, np.float32) * share
    image = column * (1 - vignette * corners) + grain
    return np.asarray(cv2.convertScaleAbs(image), np.uint8)


@cache
def _surface() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    size = (HEIGHT * SCALE, WIDTH * SCALE)
    y, x = np.mgrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j].astype(np.float32)
    corners = np.clip(x * x + y * y - 0.4, 0, None)[..., None] / np.float32(1.6)
    grain = np.random.default_rng(7).normal(0, 1.1, size).astype(np.float32)
    return corners, grain[..., None]


@lru_cache(64)
def _falloff(side: int) -> Image:
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    return (255 * np.clip(1 - x * x - y * y, 0, 1) ** 2).astype(np.uint8)


def _light(side: int, color: Color, strength: float) -> Image:
    levels = [cv2.convertScaleAbs(_falloff(side), alpha=strength * c / 255) for c in color]
    return np.asarray(cv2.merge(levels), np.uint8)


@lru_cache(600)
def _small_light(side: int, color: Color, level: int) -> Image:
    return _light(side, color, level / 24)


class Canvas:
    """A picture being painted; later shapes cover earlier ones."""

    def __init__(self, ground: Image):
        """A canvas that starts as a copy of a background made by ``gradient`` or ``painted``."""
        self.pixels = ground.copy()

    def frame(self) -> Image:
        """The finished picture, (360, 640, 3) RGB."""
        small = cv2.resize(self.pixels, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)

    def fill(self, points: Points, color: Color, opacity: float = 1.0) -> None:
        """Paint the inside of a closed outline."""
        if opacity >= 1:
            cv2.fillPoly(self.pixels, [_fixed(points)], color, cv2.LINE_AA, BITS)
        elif opacity > 0 and (box := _box(points, 2)):
            part, mask = self._part(box), _mask(points, box)
            _blend(part, cv2.convertScaleAbs(mask, alpha=opacity), color)

    def shaded(self, points: Points, top: Color, bottom: Color) -> None:
        """Paint the inside of a closed outline with colours running from its top to its bottom."""
        if box := _box(points, 1):
            part = self._part(box)
            ramp = np.array([[top], [bottom]], np.uint8)
            paint = cv2.resize(ramp, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_LINEAR)
            mask = cv2.merge([_mask(points, box)] * 3)
            kept = cv2.multiply(part, cv2.bitwise_not(mask), scale=1 / 255)
            part[:] = cv2.add(kept, cv2.multiply(paint, mask, scale=1 / 255))

    def line(
        self, points: Points, width: float, color: Color, closed: bool = False, opacity: float = 1.0
    ) -> None:
        """Draw along the points with round ends."""
        thick = max(1, round(width * SCALE))
        if opacity >= 1:
            cv2.polylines(self.pixels, [_fixed(points)], closed, color, thick, cv2.LINE_AA, BITS)
        elif opacity > 0 and (box := _box(points, width + 2)):
            mask = np.zeros(self._part(box).shape[:2], np.uint8)
            inside = _fixed(points - np.array(box[:2]))
            shade = round(255 * opacity)
            cv2.polylines(mask, [inside], closed, (shade,), thick, cv2.LINE_AA, BITS)
            _blend(self._part(box), mask, color)

    def soft(self, points: Points, color: Color, blur: float, opacity: float = 1.0) -> None:
        """Paint an outline whose edge is blurred over about ``blur`` px: shadows, mist, light."""
        if opacity > 0 and (box := _box(points, 2.5 * blur)):
            part = self._part(box)
            coarse = 4 if blur > 12 else 2  # px of the mask's squares: blurred away again
            step = coarse * SCALE
            size = (-(-part.shape[1] // step), -(-part.shape[0] // step))
            mask = np.zeros((size[1], size[0]), np.uint8)
            inside = np.round((points - np.array(box[:2])) / coarse * 16).astype(np.int32)
            cv2.fillPoly(mask, [inside], (round(255 * opacity),), cv2.LINE_AA, BITS)
            mask = cv2.GaussianBlur(mask, (0, 0), blur / coarse)
            mask = cv2.resize(mask, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_LINEAR)
            _blend(part, mask, color)

    def shadow(self, points: Points, dx: float = 0, dy: float = 6, opacity: float = 0.28) -> None:
        """A soft shadow of an outline, moved by dx, dy."""
        self.soft(points + np.array((dx, dy)), (16, 16, 46), 5, opacity)

    def contact(self, center: Point, width: float, opacity: float = 0.3) -> None:
        """The flat shadow under something that stands or hovers over the ground."""
        self.soft(oval(center, width / 2, width / 9), (14, 16, 40), max(2.5, width / 18), opacity)

    def glow(self, center: Point, radius: float, color: Color, strength: float = 1.0) -> None:
        """Add light that fades to nothing at the radius."""
        box = _box(np.array([center]), radius)
        if strength <= 0 or not box:
            return
        x, y = floor(center[0] - radius), floor(center[1] - radius)
        side = int(2 * radius) + 2
        x0, y0 = box[0] - x, box[1] - y
        if side <= 60:
            light = _small_light(side * SCALE, color, round(24 * strength))
        else:
            light = _light(side * SCALE, color, strength)
        part = self._part(box)
        light = light[y0 * SCALE :, x0 * SCALE :][: part.shape[0], : part.shape[1]]
        part = part[: light.shape[0], : light.shape[1]]
        if light.size:
            part[:] = cv2.add(part, light)

    def ball(self, center: Point, radius: float, color: Color) -> None:
        """A ball lit from the upper left."""
        x, y = center
        self.fill(disc(center, radius), darker(color, 0.3))
        self.fill(disc((x - radius * 0.07, y - radius * 0.09), radius * 0.88), color)
        self.fill(
            oval((x - radius * 0.34, y - radius * 0.4), radius * 0.28, radius * 0.18, -35),
            (255, 255, 255),
            0.55,
        )

    def _part(self, box: tuple[int, int, int, int]) -> Image:
        x0, y0, x1, y1 = (edge * SCALE for edge in box)
        return self.pixels[y0:y1, x0:x1]


def _fixed(points: Points) -> NDArray[np.int32]:
    # The half steps put pixel centres where averaging SCALE × SCALE blocks expects them.
    return np.round(((points + 0.5) * SCALE - 0.5) * (1 << BITS)).astype(np.int32)


def _box(points: Points, margin: float) -> tuple[int, int, int, int] | None:
    (x_min, y_min), (x_max, y_max) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    x0, y0 = max(0, floor(x_min - margin)), max(0, floor(y_min - margin))
    x1, y1 = min(WIDTH, ceil(x_max + margin) + 1), min(HEIGHT, ceil(y_max + margin) + 1)
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _mask(points: Points, box: tuple[int, int, int, int]) -> Image:
    mask = np.zeros(((box[3] - box[1]) * SCALE, (box[2] - box[0]) * SCALE), np.uint8)
    cv2.fillPoly(mask, [_fixed(points - np.array(box[:2]))], (255,), cv2.LINE_AA, BITS)
    return mask


def _blend(part: Image, mask: cv2.typing.MatLike, color: Color) -> None:
    kept = cv2.multiply(part, cv2.merge([cv2.bitwise_not(mask)] * 3), scale=1 / 255)
    paint = cv2.merge([cv2.convertScaleAbs(mask, alpha=c / 255) for c in color])
    part[:] = cv2.add(kept, paint)
