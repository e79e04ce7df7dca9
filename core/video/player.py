"""The copy of a video that browsers play frame for frame."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
from av.container import OutputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange, Colorspace, Interpolation
from av.video.stream import VideoStream

from core.video.decode import Decoder, first_frame
from core.video.errors import NO_FRAME, VideoError
from core.video.frame_grid import letterboxed, placard
from core.video.geometry import Image, Shape, ShapeReader, fitted, is_untagged_hd, picture, shape_of
from core.video.pyav import add_audio, add_video, encode, mux
from core.video.sound import RATE, encoded_sound
from core.video.source import numbered_packets, open_video
from core.video.table import FrameTable, read_table

KEYFRAME_EVERY = 12
_SMALLEST_SIDE = 16
FINEST_BASE = 10_000_000
FALLBACK_BASE = Fraction(1, 90_000)
_BT709, _SMPTE170M, _UNTAGGED = 1, 6, 2
_BT601 = (5, 6)


@dataclass(frozen=True)
class Canvas:
    """Size of the copy and how the source's usual frames come to fill it."""

    width: int
    height: int
    shape: Shape
    stored: tuple[int, int]
    bt709: bool

    @property
    def matrix(self) -> Colorspace:
        """Colour matrix of the copy: the source's where it is one of the two that all know."""
        return Colorspace.ITU709 if self.bt709 else Colorspace.ITU601


def make_player_copy(
    source: str | Path,
    target: str | Path,
    *,
    table: FrameTable | None = None,
    longest_side: int = 1920,
    crf: int = 20,
) -> None:
    """Writes an MP4 whose frame i is frame i of the source, shown at the same time.

    H.264, 8 bit 4:2:0, upright, square pixels, even sides, no B-frames, a keyframe at
    least every 12 frames, index in front; first frame at 0, variable rates kept; sound as AAC. A
    frame that does not decode becomes a grey picture that says so. The file appears under its
    name only when it is complete.

    Args:
        source: any video that ``read_table`` reads.
        target: where the copy goes; an older one is replaced.
        table: the source's frame table; read when None.
        longest_side: larger videos are scaled down to it, in px.
        crf: x264's constant rate factor, lower is better and larger.

    Raises:
        VideoError: if the source is no readable video or none of its frames decodes.
        OSError: if the target cannot be written.
    """
    table = table or read_table(source)
    target = Path(target)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with av.open(f"file:{part}", "w", "mp4", options={"movflags": "+faststart"}) as output:
            _write(output, source, table, longest_side, crf)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _write(
    output: OutputContainer, source: str | Path, table: FrameTable, longest_side: int, crf: int
) -> None:
    with open_video(source) as (container, stream):
        canvas = canvas_of(source, stream, longest_side)
        has_sound = bool(container.streams.audio)
    base, times = copy_times(table)
    video = _video_stream(output, canvas, base, table, crf)
    audio = add_audio(output, "aac", RATE) if has_sound else None
    # Encoding starts the streams, so the sound stream must exist before the first packet.
    packets = _encoded_video(source, video, table, canvas, base, times)
    if audio is not None:
        audio.codec_context.layout = "stereo"
        packets += _encoded_audio(source, audio, table)
    for packet in sorted(packets, key=lambda p: (p.dts or 0) * p.time_base):
        mux(output, [packet])


def copy_times(table: FrameTable) -> tuple[Fraction, tuple[int, ...]]:
    """The copy's time base, 1 over a whole number, and each frame's time in it.

    Times are those of the table exactly, save where its base is finer than MP4 can say.
    """
    base = Fraction(1, table.time_base.denominator)
    if base.denominator > FINEST_BASE:
        base = FALLBACK_BASE
    times: list[int] = []
    for pts in (*table.pts, table.end):
        time = round((pts - table.pts[0]) * table.time_base / base)
        times.append(max(time, times[-1] + 1) if times else time)
    return base, tuple(times)


def canvas_of(source: str | Path, stream: VideoStream, longest_side: int) -> Canvas:
    """Return the canvas for a copy: its size, and what the source's usual frames look like."""
    frame = first_frame(source)
    shape = shape_of(frame, stream.sample_aspect_ratio)
    width, height = fitted(*shape.shown(frame.width, frame.height), longest_side)
    # Unlike a size, a colour matrix cannot be changed without rounding every pixel.
    bt709 = frame.colorspace not in _BT601 and not (
        frame.colorspace == _UNTAGGED and not is_untagged_hd(frame)
    )
    stored = (frame.width, frame.height)
    return Canvas(even_side(width), even_side(height), shape, stored, bt709)


def even_side(side: int) -> int:
    """Return the side as H.264 takes it, px: even and at least 16."""
    return max(_SMALLEST_SIDE, side + side % 2)


def _video_stream(
    output: OutputContainer, canvas: Canvas, base: Fraction, table: FrameTable, crf: int
) -> VideoStream:
    options = {
        "preset": "veryfast",
        "crf": str(crf),
        "bf": "0",
        "g": str(KEYFRAME_EVERY),
        "x264-params": "log-level=none",
    }
    rate = (table.n / Fraction(table.duration_s or 1)).limit_denominator(1000)
    video = add_video(output, "libx264", rate, options)
    video.width, video.height, video.pix_fmt = canvas.width, canvas.height, "yuv420p"
    context = video.codec_context
    context.time_base = base
    context.thread_count = 2
    context.color_range = ColorRange.MPEG
    context.colorspace = _BT709 if canvas.bt709 else _SMPTE170M
    context.color_primaries = context.color_trc = context.colorspace
    return video


def _encoded_video(
    source: str | Path,
    video: VideoStream,
    table: FrameTable,
    canvas: Canvas,
    base: Fraction,
    times: Sequence[int],
) -> "list[Packet[Any]]":
    packets: list[Packet[Any]] = []
    for index, frame in _all_frames(source, table, canvas):
        frame.pts, frame.time_base = times[index], base
        frame.pict_type = 0
        packets += encode(video, frame)
    packets += encode(video, None)
    length = {time: after - time for time, after in pairwise(times)}
    for packet in packets:
        if packet.pts is not None:
            packet.duration = length.get(packet.pts, 1)
    return packets


def _encoded_audio(source: str | Path, audio: Any, table: FrameTable) -> "list[Packet[Any]]":
    try:
        return encoded_sound(source, audio, table.start_s, table.duration_s)
    except FFmpegError:
        return []


def _all_frames(
    source: str | Path, table: FrameTable, canvas: Canvas
) -> Iterator[tuple[int, VideoFrame]]:
    """Every frame of the table in order, on the canvas; placards for those that do not decode."""
    index_of = {number: index for index, number in enumerate(table.packets)}
    expected = 0
    with open_video(source) as (container, stream):
        shapes = ShapeReader(stream.sample_aspect_ratio)
        for frame in _decoded(Decoder(stream, skip_unreferenced=False), container, stream):
            index = index_of.get(-1 if frame.pts is None else frame.pts, -1)
            if index < expected:
                continue
            for lost in range(expected, index):
                yield lost, missing_frame(lost, canvas)
            expected = index + 1
            yield index, drawn(frame, shapes(frame), canvas)
    if expected == 0:
        raise VideoError(NO_FRAME, Path(source).name)
    for lost in range(expected, table.n):
        yield lost, missing_frame(lost, canvas)


def _decoded(decoder: Decoder, container: Any, stream: VideoStream) -> Iterator[VideoFrame]:
    for number, packet in numbered_packets(container, stream):
        yield from decoder.feed(number, packet, True)
    yield from decoder.finish()


def drawn(frame: VideoFrame, shape: Shape, canvas: Canvas) -> VideoFrame:
    """Return the frame as the encoder takes it: upright, in the canvas' size and colours."""
    usual = shape == canvas.shape and (frame.width, frame.height) == canvas.stored
    if usual and not shape.turned and not frame.format.is_rgb:
        return frame.reformat(
            width=canvas.width,
            height=canvas.height,
            format="yuv420p",
            src_colorspace=Colorspace.ITU709 if is_untagged_hd(frame) else None,
            dst_colorspace=canvas.matrix,
            dst_color_range=ColorRange.MPEG,
            interpolation=Interpolation.BICUBIC,
            threads=1,
        )
    image = picture(frame, shape, max(canvas.width, canvas.height))
    return frame_from_rgb(letterboxed(image, canvas.width, canvas.height), canvas)


def missing_frame(index: int, canvas: Canvas) -> VideoFrame:
    """Return a grey frame that says which one is missing."""
    return frame_from_rgb(placard(f"frame {index} missing", canvas.width, canvas.height), canvas)


def frame_from_rgb(image: Image, canvas: Canvas) -> VideoFrame:
    """Return an RGB picture of the canvas' size as the encoder takes it."""
    return VideoFrame.from_ndarray(image, format="rgb24").reformat(
        format="yuv420p",
        dst_colorspace=canvas.matrix,
        dst_color_range=ColorRange.MPEG,
        threads=1,
    )
