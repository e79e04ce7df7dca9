"""Made-up sheets, frames and clips whose pictures say which frame they are."""

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

BITS = 8


def picture(text: str, code: int, width: int, height: int, hue: int) -> np.ndarray:
    """(height, width, 3) uint8 RGB: a coloured ground, a text, and `code` as black and white blocks
    along the lower edge, the lowest bit first."""
    image = np.zeros((height, width, 3), np.uint8)
    image[:] = (hue % 180, 110, 150)
    image = cv2.cvtColor(image, cv2.COLOR_HSV2RGB)
    x = int(width * (0.15 + 0.7 * (code % 16) / 15))
    cv2.circle(image, (x, height // 2), height // 7, (240, 225, 200), -1, cv2.LINE_AA)
    scale = height / 220
    cv2.putText(image, text, (8, int(34 * scale)), 0, scale, (250, 250, 250), 2, cv2.LINE_AA)
    block = width // BITS
    for bit in range(BITS):
        level = 255 if code >> bit & 1 else 0
        image[height - height // 8 :, bit * block : (bit + 1) * block] = level
    return image


def jpeg(image: np.ndarray) -> bytes:
    """The picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
    assert done
    return data.tobytes()


def sheet(name: str, count: int, columns: int, tile: tuple[int, int], hue: int) -> bytes:
    """A contact sheet of `count` tiles, row by row, as JPEG."""
    width, height = tile
    rows = -(-count // columns)
    image = np.zeros((rows * height, columns * width, 3), np.uint8)
    for i in range(count):
        y, x = i // columns * height, i % columns * width
        image[y : y + height, x : x + width] = picture(f"{name} {i + 1}", i, width, height, hue)
    return jpeg(image)


def constant_times(count: int, fps: int) -> list[int]:
    """Time stamps, ms."""
    return [round(1000 * i / fps) for i in range(count)]


def varying_times(count: int) -> list[int]:
    """Time stamps, ms, with steps of 20, 40, 60, 80, 100, 20, ... ms."""
    steps = [20 * (1 + i % 5) for i in range(count - 1)]
    return [0, *np.cumsum(steps).tolist()]


def clip(path: Path, times_ms: list[int], hue: int) -> None:
    """Writes an H.264 mp4 whose frame i shows i and starts at `times_ms[i]`."""
    with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=Fraction(30))
        stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        stream.options = {"crf": "20", "preset": "ultrafast", "g": "12", "bf": "2"}
        for i, time in enumerate(times_ms):
            frame = av.VideoFrame.from_ndarray(picture(f"frame {i}", i, 640, 360, hue), "rgb24")
            frame.pts, frame.time_base = time, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def clip_times(path: Path) -> tuple[list[float], float]:
    """Frame times and duration of a clip, s, as its packets have them."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.time_base is not None
        stamps = sorted(
            (packet.pts, packet.duration or 0)
            for packet in container.demux(stream)
            if packet.pts is not None
        )
        base = stream.time_base
        times = [float(pts * base) for pts, _ in stamps]
        return times, float((stamps[-1][0] + stamps[-1][1]) * base)
