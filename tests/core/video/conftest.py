"""Small clips made on the fly, each frame with its number burned in as black and white blocks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.audio.stream import AudioStream
from av.container import OutputContainer

from core.video.pyav import add_audio, add_video, encode, mux, usual_priority

BITS = 10
BLOCK = 16


def numbered_image(number: int, width: int, height: int) -> np.ndarray:
    """A moving picture with the number in its upper left corner, most significant bit first.

    Each bit is a block of the luma 235 or 16, and below it its complement.
    """
    y, x = np.mgrid[0:height, 0:width]
    grey = (x * 2 + y + 5 * number) % 160 + 40
    image = np.stack([grey, np.roll(grey, 7, 1), np.roll(grey, 13, 0)], axis=2).astype(np.uint8)
    for bit in range(BITS):
        level = 240 if number >> (BITS - 1 - bit) & 1 else 15
        left = bit * BLOCK
        image[:BLOCK, left : left + BLOCK] = level
        image[BLOCK : 2 * BLOCK, left : left + BLOCK] = 255 - level
    return image


def read_number(image: np.ndarray, width: int = 176, height: int = 96) -> int | None:
    """The number burned into the picture, None if the blocks cannot be read."""
    number = 0
    sx, sy = image.shape[1] / width, image.shape[0] / height
    for bit in range(BITS):
        x = int((bit + 0.5) * BLOCK * sx)
        above, below = (float(image[int(row * BLOCK * sy), x].mean()) for row in (0.5, 1.5))
        if abs(above - below) < 60:
            return None
        number = number * 2 + (above > below)
    return number


@dataclass
class Recipe:
    """How a clip is encoded."""

    codec: str = "libx264"
    n: int = 60
    width: int = 176
    height: int = 96
    rate: Fraction = Fraction(25)
    base: Fraction | None = None
    pts: Sequence[int] | None = None
    pix_fmt: str = "yuv420p"
    options: dict[str, str] = field(default_factory=dict)
    container: dict[str, str] = field(default_factory=dict)
    format: str | None = None
    rotation: int = 0
    sar: Fraction | None = None
    sound: bool = False


Make = Callable[..., Path]


def write_clip(path: Path, recipe: Recipe) -> Path:
    to = av.open(str(path), "w", format=recipe.format, options=recipe.container)
    with usual_priority(), to as out:
        stream = add_video(out, recipe.codec, recipe.rate, recipe.options)
        stream.width, stream.height = recipe.width, recipe.height
        stream.pix_fmt = recipe.pix_fmt
        base = recipe.base or 1 / recipe.rate
        stream.codec_context.time_base = base
        if recipe.sar:
            stream.codec_context.sample_aspect_ratio = recipe.sar
        if recipe.rotation:
            stream.set_display_rotation(recipe.rotation)
        audio = add_audio(out, "aac", 48000) if recipe.sound else None
        if audio:
            audio.codec_context.layout = "stereo"
        for i in range(recipe.n):
            image = numbered_image(i, recipe.width, recipe.height)
            frame = av.VideoFrame.from_ndarray(image, format="rgb24")
            frame.pts = recipe.pts[i] if recipe.pts else i
            frame.time_base = base
            mux(out, encode(stream, frame))
        mux(out, encode(stream, None))
        if audio:
            _write_tone(out, audio, float(recipe.n / recipe.rate))
    return path


def _write_tone(out: OutputContainer, audio: AudioStream, seconds: float) -> None:
    for start in range(0, int(seconds * 48000), 1024):
        wave = np.sin(np.arange(start, start + 1024) * 2 * np.pi * 440 / 48000)
        block = np.repeat(wave[None].astype(np.float32), 2, axis=0) * 0.3
        frame = av.AudioFrame.from_ndarray(block, format="fltp", layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = 48000, start, Fraction(1, 48000)
        mux(out, encode(audio, frame))
    mux(out, encode(audio, None))


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a clip by name and recipe and gives its path."""

    def made(name: str, **recipe: object) -> Path:
        return write_clip(tmp_path / name, Recipe(**recipe))  # type: ignore[arg-type]

    return made


@pytest.fixture
def read() -> Callable[..., int | None]:
    """Reads the number burned into a picture of a made clip."""
    return read_number


@pytest.fixture
def picture_of() -> Callable[[int, int, int], np.ndarray]:
    """The picture (H, W, 3) with that number, of that width and height."""
    return numbered_image


@pytest.fixture
def cut(tmp_path: Path) -> Callable[..., Path]:
    """Copies a clip's packets so that it starts in mid-group: earlier frames get times below 0."""

    def made(source: Path, name: str, first: int, rate: int = 25) -> Path:
        target = tmp_path / name
        with av.open(str(source)) as from_, av.open(str(target), "w") as to:
            stream = from_.streams.video[0]
            copy = to.add_stream_from_template(stream)
            shift = round(Fraction(first, rate) / (stream.time_base or 1))
            started = False
            for packet in from_.demux(stream):
                if packet.pts is None or packet.dts is None:
                    continue
                started |= packet.is_keyframe and packet.pts >= shift - 12 * shift // first
                if started:
                    packet.pts -= shift
                    packet.dts -= shift
                    packet.stream = copy
                    to.mux(packet)
        return target

    return made
