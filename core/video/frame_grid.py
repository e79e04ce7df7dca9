"""The grid of sampled frames as one picture: 4×4 for sixteen frames."""

from collections.abc import Sequence

import cv2
import numpy as np

from core.video.geometry import Image
from core.video.sample import SampledFrame

_BACKGROUND = (16, 16, 20)
_MISSING = (44, 44, 50)
_INK = (235, 235, 240)
_WARNING = (240, 180, 70)


def tile_size(width: int, height: int, area: int = 320 * 180) -> tuple[int, int]:
    """(width, height) in px, both even, of a tile with the video's shape and about this area."""
    if width < 1 or height < 1:
        raise ValueError(f"Got a video of {width}x{height} px: both sides must be at least 1.")
    # Extreme shapes are kept within 1:8 so that a tile stays a picture one can see.
    ratio = min(8.0, max(1 / 8, width / height))
    wide = max(2, 2 * round((area * ratio) ** 0.5 / 2))
    high = max(2, 2 * round((area / ratio) ** 0.5 / 2))
    return wide, high


def frame_grid(
    frames: Sequence[SampledFrame],
    columns: int,
    tile_width: int,
    tile_height: int,
    quality: int = 85,
) -> bytes:
    """A JPEG of the frames in reading order, each letterboxed into its tile.

    The grid is ``columns * tile_width`` px wide. A missing frame is a grey tile that says so; a
    corrupt one has a mark in its corner. Places after the last frame stay dark.
    """
    if columns < 1:
        raise ValueError(f"Got {columns} columns: at least 1 is needed.")
    rows = max(1, -(-len(frames) // columns))
    sheet = np.full((rows * tile_height, columns * tile_width, 3), _BACKGROUND, np.uint8)
    for position, frame in enumerate(frames):
        top, column = position // columns * tile_height, position % columns * tile_width
        tile = sheet[top : top + tile_height, column : column + tile_width]
        if frame.image is None:
            tile[:] = placard(f"frame {frame.index} missing", tile_width, tile_height)
        else:
            _letterbox(tile, frame.image)
            if frame.status == "corrupt":
                _write(tile, "damaged", _WARNING)
    return jpeg(sheet, quality)


def jpeg(image: Image, quality: int = 85) -> bytes:
    """The RGB image (H, W, 3) uint8 as JPEG bytes; quality is 1..100."""
    bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    encoded, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not encoded:
        raise ValueError(f"Could not encode an image of shape {image.shape} as JPEG.")
    return data.tobytes()


def letterboxed(image: Image, width: int, height: int) -> Image:
    """The image (height, width, 3), as large as it fits, in the middle of a dark ground."""
    ground = np.full((height, width, 3), _BACKGROUND, np.uint8)
    _letterbox(ground, image)
    return ground


def placard(text: str, width: int, height: int) -> Image:
    """A grey picture (height, width, 3) with one line of text, in place of a frame."""
    ground = np.full((height, width, 3), _MISSING, np.uint8)
    _write(ground, text, _INK)
    return ground


def _letterbox(tile: Image, image: Image) -> None:
    """Draws the image into the tile, as large as it fits, in its middle."""
    high, wide = tile.shape[:2]
    scale = min(wide / image.shape[1], high / image.shape[0])
    size = (
        min(wide, max(1, round(image.shape[1] * scale))),
        min(high, max(1, round(image.shape[0] * scale))),
    )
    if (image.shape[1], image.shape[0]) != size:
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        image = np.asarray(cv2.resize(image, size, interpolation=method), np.uint8)
    top, column = (high - size[1]) // 2, (wide - size[0]) // 2
    tile[top : top + size[1], column : column + size[0]] = image


def _write(tile: Image, text: str, colour: tuple[int, int, int]) -> None:
    """Writes one line into the tile's lower left corner, small enough to fit."""
    scale = min(0.5, tile.shape[1] / (11.0 * len(text)))
    at = (max(2, tile.shape[1] // 40), tile.shape[0] - max(3, tile.shape[0] // 20))
    # OpenCV needs memory of its own; a tile is a window into the sheet.
    drawn = np.ascontiguousarray(tile)
    for ink, width in (((0, 0, 0), 3), (colour, 1)):
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, width, cv2.LINE_AA)
    tile[:] = drawn
