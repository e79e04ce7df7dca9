"""decord as a second source of frames, only where it is known to give the right ones."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from core.process.processes import ProcessDied, TookTooLong, call
from core.video.errors import HUNG, REFUSED, VideoError
from core.video.geometry import Image, fitted
from core.video.readers import Reading, read_decord
from core.video.source import open_video
from core.video.table import FrameTable

_CONTAINERS = ("mov,", "matroska")
_CODECS = ("h264", "hevc", "vp8", "vp9", "mpeg4")
_TIME_TOLERANCE_S = 0.002


def decord_frames(
    path: str | Path, indices: Sequence[int], table: FrameTable, longest_side: int | None = None
) -> dict[int, Image]:
    """RGB images by frame index, read by decord in a process of its own.

    Raises:
        VideoError: if decord is known to be wrong on such a file, counts its frames differently,
            gives them other times, or does not return.
    """
    why_not, sar, coded = _why_not(path, table)
    if why_not:
        raise VideoError(REFUSED, f"decord gives other frames when a file has {why_not}")
    try:
        reading: Reading = call(
            _read, str(path), tuple(indices), timeout_s=20 + 2 * table.duration_s
        )
    except (TookTooLong, ProcessDied) as error:
        raise VideoError(HUNG, str(error)) from None
    start_time, *times = reading.times
    if reading.n != table.n:
        raise VideoError(REFUSED, f"decord counts {reading.n} frames of {table.n}")
    for index, time in zip(indices, times, strict=True):
        expected = table.times[index]
        if abs(time - start_time - expected) > _TIME_TOLERANCE_S:
            raise VideoError(
                REFUSED,
                f"decord has frame {index} at {time - start_time:.3f} s, not {expected:.3f} s",
            )
    images: dict[int, Image] = {}
    for index, image in zip(indices, reading.images[1:], strict=True):
        if image is None:
            raise VideoError(REFUSED, f"decord gave nothing for frame {index}")
        # decord turns frames upright; pixels that were wide are then high.
        turned = image.shape[:2] != coded
        images[index] = _resized(image, 1 / sar if turned else sar, longest_side)
    return images


class _First:
    """Frame 0, whose time the others are measured from, then the wanted ones."""

    def __init__(self, indices: tuple[int, ...]):
        self.indices = indices

    def __call__(self, n: int) -> Sequence[int]:
        inside = [i for i in self.indices if i < n]
        return (0, *inside) if len(inside) == len(self.indices) else (0,)


def _read(path: str, indices: tuple[int, ...]) -> Reading:
    return read_decord(path, _First(indices))


def _why_not(path: str | Path, table: FrameTable) -> tuple[str, float, tuple[int, int]]:
    with open_video(path) as (container, stream):
        name, codec = container.format.name, stream.codec_context.name
        sar = float(stream.sample_aspect_ratio or 1)
        coded = (stream.height, stream.width)
    if table.flags:
        return ", ".join(table.flags), sar, coded
    if not name.startswith(_CONTAINERS):
        return f"the container {name}", sar, coded
    return ("" if codec in _CODECS else f"the codec {codec}"), sar, coded


def _resized(image: Image, sar: float, longest_side: int | None) -> Image:
    high, wide = image.shape[:2]
    square = (round(wide * sar), high) if sar >= 1 else (wide, round(high / sar))
    size = fitted(*square, longest_side)
    if size == (wide, high):
        return image
    method = cv2.INTER_AREA if size[0] < wide or size[1] < high else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=method), np.uint8)
