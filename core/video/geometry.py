"""How decoded pixels become an upright picture with square pixels."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import Colorspace, Interpolation
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Turn = tuple[int, int, int, int]

UPRIGHT: Turn = (1, 0, 0, 1)
_UNSPECIFIED = 2
_LONGEST_SIDE = 16384
_SANE_RATIOS = (Fraction(1, 16), Fraction(16))


@dataclass(frozen=True)
class Shape:
    """What has to be done to frames of one video.

    Attributes:
        sar: width of a pixel over its height.
        turn: signs (a, b, c, d) of the display matrix: shown x = a·x + c·y, y = b·x + d·y.
    """

    sar: Fraction = Fraction(1)
    turn: Turn = UPRIGHT

    @property
    def rotation(self) -> int:
        """Degrees by which frames are turned clockwise to be upright: 0, 90, 180 or 270."""
        a, b, _, _ = self.turn
        return {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}[(a, b)]

    @property
    def turned(self) -> bool:
        """Whether stored frames are not upright."""
        return self.turn != UPRIGHT

    @property
    def sideways(self) -> bool:
        """Whether upright frames have width and height exchanged."""
        return self.turn[0] == 0

    def shown(self, width: int, height: int) -> tuple[int, int]:
        """Displayed (width, height) in px of a stored frame; pixels are only ever stretched."""
        wide, high = self._squared(width, height)
        return (high, wide) if self.sideways else (wide, high)

    def _squared(self, width: int, height: int) -> tuple[int, int]:
        if self.sar >= 1:
            return max(1, round(width * self.sar)), height
        return width, max(1, round(height / self.sar))


def shape_of(frame: VideoFrame, sar: Fraction | None) -> Shape:
    """The shape that a decoded frame declares; ``sar`` is the stream's, None or 0 if unknown."""
    if not sar or not _SANE_RATIOS[0] <= sar <= _SANE_RATIOS[1]:
        sar = Fraction(1)
    if max(frame.width * sar, frame.height / sar) > _LONGEST_SIDE:
        sar = Fraction(1)
    return Shape(Fraction(sar), _turn(frame))


class ShapeReader:
    """Gives the shape of each frame of one stream.

    PyAV's side data and its frame hold each other until the garbage collector comes by, 3 MB for
    each frame of 1080p: so they are read only where a frame's size or rotation is another.
    """

    def __init__(self, sar: Fraction | None):
        """Take the stream's ratio of a pixel's width to its height, None or 0 if unknown."""
        self._sar = sar
        self._known: dict[tuple[int, int, int], Shape] = {}

    def __call__(self, frame: VideoFrame) -> Shape:
        """The shape that a decoded frame declares."""
        kind = (frame.width, frame.height, frame.rotation)
        if kind not in self._known:
            self._known[kind] = shape_of(frame, self._sar)
        return self._known[kind]


def _turn(frame: VideoFrame) -> Turn:
    # The stubs call side data a TypedDict; it is a mapping with keys by name.
    data = cast(Mapping[str, bytes], frame.side_data).get("DISPLAYMATRIX")
    if data is None:
        return UPRIGHT
    matrix = struct.unpack("=9i", bytes(data)[:36])
    a, b, c, d = matrix[0], matrix[1], matrix[3], matrix[4]
    if abs(a) + abs(d) >= abs(b) + abs(c):
        return (1 if a >= 0 else -1, 0, 0, 1 if d >= 0 else -1)
    return (0, 1 if b >= 0 else -1, 1 if c >= 0 else -1, 0)


def fitted(width: int, height: int, longest_side: int | None) -> tuple[int, int]:
    """(width, height) scaled down so that neither exceeds ``longest_side``; never enlarged."""
    longest = max(width, height)
    if longest_side is None or longest <= longest_side:
        return width, height
    return (
        max(1, round(width * longest_side / longest)),
        max(1, round(height * longest_side / longest)),
    )


def is_untagged_hd(frame: VideoFrame) -> bool:
    """Whether a frame does not say what its colours mean and players take them as BT.709."""
    return frame.colorspace == _UNSPECIFIED and frame.height >= 720 and not frame.format.is_rgb


def picture(
    frame: VideoFrame,
    shape: Shape,
    longest_side: int | None = None,
    *,
    guess_colours: bool = True,
) -> Image:
    """The frame as RGB (H, W, 3) uint8, upright, square pixels, no side over ``longest_side`` px.

    Scaling happens while converting from YUV, on the small side of the work. Untagged colours are
    read as players do, BT.709 from 720 lines on and BT.601 below, or without ``guess_colours`` as
    other decoders do, always BT.601.
    """
    width, height = fitted(*shape.shown(frame.width, frame.height), longest_side)
    if shape.sideways:
        width, height = height, width
    shrinks = width < frame.width or height < frame.height
    same = (width, height) == (frame.width, frame.height)
    # Where it scales to an even width, swscale is twice as fast to pixels of four bytes.
    scaled = frame.reformat(
        format="rgb24" if same or width % 2 else "rgb0",
        width=width,
        height=height,
        src_colorspace=Colorspace.ITU709 if guess_colours and is_untagged_hd(frame) else None,
        interpolation=Interpolation.AREA if shrinks else Interpolation.BILINEAR,
        threads=1,
    )
    image = cast(Image, scaled.reformat(format="rgb24", threads=1).to_ndarray())
    return _turned(image, shape.turn)


def _turned(image: Image, turn: Turn) -> Image:
    a, b, c, d = turn
    if a == 0:
        image = image.transpose(1, 0, 2)
        flip_x, flip_y = c < 0, b < 0
    else:
        flip_x, flip_y = a < 0, d < 0
    image = image[:: -1 if flip_y else 1, :: -1 if flip_x else 1]
    return np.ascontiguousarray(image)
