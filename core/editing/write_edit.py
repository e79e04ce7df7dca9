"""Writes an edited video: frames from their sources, pictures changed, times exact, sound made."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from math import lcm
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange
from av.video.stream import VideoStream

from core.edit import EditedFrame, Timeline
from core.editing.edit_sound import RawSound, raw_sound
from core.editing.frame_reader import FrameReader
from core.half_made import whole
from core.video.geometry import Image, Shape, ShapeReader, picture
from core.video.player import (
    FALLBACK_BASE,
    FINEST_BASE,
    KEYFRAME_EVERY,
    Canvas,
    canvas_of,
    drawn,
    frame_from_rgb,
    missing_frame,
)
from core.video.pyav import add_audio, add_video, encode, mux
from core.video.sound import RATE
from core.video.source import open_video
from core.video.table import FrameTable

CRF = 14
LONGEST_SIDE = 16384
AUDIO_BLOCK = 1024
TELL_EVERY = 8
_BT709, _SMPTE170M = 1, 6

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class SourceVideo:
    """One video that goes into an edit."""

    path: Path
    table: FrameTable


def write_edit(
    sources: Sequence[SourceVideo],
    timeline: Timeline,
    target: Path,
    *,
    sound: bool = True,
    marks_damage: bool = False,
    crf: int = CRF,
    tell: Tell | None = None,
) -> None:
    """Writes the timeline as an MP4 that browsers play and every decoder seeks in.

    H.264, 8 bit 4:2:0, upright, square pixels, a keyframe at least every 12 frames, no B-frames;
    an odd side gets one more column or row like its last. Frame i begins at its time in the
    timeline, exactly where MP4 can say it, and the last one ends at the timeline's end. Memory is
    bounded whatever the length: about 150 MB of frames are held. The same timeline gives the same
    bytes with the same libraries. The file appears under its name only when it is complete.

    Args:
        sources: the videos that the timeline's frames come from.
        timeline: what is to be seen and heard.
        target: where the file goes; its folder must exist, an older file is replaced.
        sound: whether it is written, where the timeline has any.
        marks_damage: a frame that does not decode becomes a grey picture; else it is refused.
        crf: x264's constant quality, 0 (lossless) to 51.
        tell: called with (frames written, frames in all) now and then.

    Raises:
        VideoError: if a source cannot be read, or a frame of it is damaged and not to be marked.
        ValueError: for a timeline without frames.
        OSError: if the target cannot be written.
    """
    if not timeline.frames:
        raise ValueError("The edited video has no frames. Keep at least one.")
    with whole(target) as part, ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=target.parent)))
        raw = None
        if sound and timeline.sound is not None:
            files = [(source.path, source.table) for source in sources]
            raw = raw_sound(timeline.sound, files, folder)
        output = stack.enter_context(
            av.open(f"file:{part}", "w", "mp4", options={"movflags": "+faststart"})
        )
        readers = [
            stack.enter_context(FrameReader(source.path, source.table, marks_damage=marks_damage))
            for source in sources
        ]
        _Writing(output, sources, readers, timeline, raw, crf).run(tell)


class _Writing:
    """One video being written."""

    def __init__(
        self,
        output: OutputContainer,
        sources: Sequence[SourceVideo],
        readers: Sequence[FrameReader],
        timeline: Timeline,
        raw: RawSound | None,
        crf: int,
    ):
        self.output, self.readers, self.timeline = output, readers, timeline
        self.shapes = [_shapes(source.path) for source in sources]
        with open_video(sources[0].path) as (_, stream):
            colours = canvas_of(sources[0].path, stream, LONGEST_SIDE)
        width, height = timeline.width, timeline.height
        self.canvas = Canvas(
            width + width % 2, height + height % 2, colours.shape, colours.stored, colours.bt709
        )
        self.base, self.times = _whole_times(timeline)
        self.lengths = {time: after - time for time, after in pairwise(self.times)}
        self.video = self._video_stream(crf)
        self.sound = None if raw is None else _SoundTrack(output, raw)

    def _video_stream(self, crf: int) -> VideoStream:
        options = {
            "preset": "veryfast",
            "crf": str(crf),
            "bf": "0",
            "g": str(KEYFRAME_EVERY),
            "x264-params": "log-level=none:rc-lookahead=12",
        }
        rate = (len(self.timeline.frames) / self.timeline.end).limit_denominator(1000)
        video = add_video(self.output, "libx264", rate, options)
        video.width, video.height, video.pix_fmt = self.canvas.width, self.canvas.height, "yuv420p"
        context = video.codec_context
        context.time_base = self.base
        # One thread: the bytes do not depend on the machine.
        context.thread_count = 1
        context.color_range = ColorRange.MPEG
        context.colorspace = _BT709 if self.canvas.bt709 else _SMPTE170M
        context.color_primaries = context.color_trc = context.colorspace
        return video

    def run(self, tell: Tell | None) -> None:
        """Write every frame, with the sound that belongs to it."""
        total = len(self.timeline.frames)
        for number, frame in enumerate(self._frames()):
            frame.pts, frame.time_base = self.times[number], self.base
            frame.pict_type = 0
            self._mux(encode(self.video, frame))
            if self.sound is not None:
                self.sound.write_until(self.times[number] * self.base)
            if tell is not None and number % TELL_EVERY == 0:
                tell(number, total)
        self._mux(encode(self.video, None))
        if self.sound is not None:
            self.sound.finish()
        if tell is not None:
            tell(total, total)

    def _mux(self, packets: "Sequence[Packet[Any]]") -> None:
        for packet in packets:
            if packet.pts is not None:
                packet.duration = self.lengths.get(packet.pts, 1)
        mux(self.output, packets)

    def _frames(self) -> Iterator[VideoFrame]:
        for source, group in groupby(self.timeline.frames, key=lambda frame: frame.source):
            frames = list(group)
            decoded = self.readers[source].frames([frame.index for frame in frames])
            for edited, (index, stored) in zip(frames, decoded, strict=True):
                if stored is None:
                    yield missing_frame(index, self.canvas)
                else:
                    yield self._drawn(edited, stored)

    def _drawn(self, edited: EditedFrame, stored: VideoFrame) -> VideoFrame:
        shape = self.shapes[edited.source](stored)
        if not edited.changes and edited.source == 0 and self._passes(stored, shape):
            return drawn(stored, shape, self.canvas)
        image = picture(stored, shape)
        for change in edited.changes:
            image = change(image)
        return frame_from_rgb(_on_canvas(image, self.canvas), self.canvas)

    def _passes(self, stored: VideoFrame, shape: Shape) -> bool:
        """Whether its pixels can go to the encoder without becoming RGB between."""
        size = (stored.width, stored.height)
        return (
            size == (self.canvas.width, self.canvas.height) == self.canvas.stored
            and shape == self.canvas.shape
            and not shape.turned
            and not stored.format.is_rgb
        )


class _SoundTrack:
    """The sound stream of the output, written along with the picture."""

    def __init__(self, output: OutputContainer, raw: RawSound):
        self.output, self.raw, self.written = output, raw, 0
        self.stream: AudioStream = add_audio(output, "aac", RATE)
        self.stream.codec_context.layout = "stereo"

    def write_until(self, moment: Fraction) -> None:
        """Write what is heard before a moment, s."""
        while self.written < self.raw.samples and Fraction(self.written, RATE) < moment:
            stop = min(self.raw.samples, self.written + AUDIO_BLOCK)
            block = self.raw.read(self.written, stop).T.astype(np.float32) / 32768
            frame = AudioFrame.from_ndarray(
                np.ascontiguousarray(block), format="fltp", layout="stereo"
            )
            frame.sample_rate, frame.pts, frame.time_base = RATE, self.written, Fraction(1, RATE)
            self.written = stop
            mux(self.output, encode(self.stream, frame))

    def finish(self) -> None:
        """Write the rest."""
        self.write_until(Fraction(self.raw.samples + 1, RATE))
        mux(self.output, encode(self.stream, None))


def _shapes(path: Path) -> ShapeReader:
    with open_video(path) as (_, stream):
        return ShapeReader(stream.sample_aspect_ratio)


def _on_canvas(image: Image, canvas: Canvas) -> Image:
    """The picture with its last column and row doubled where the canvas is one larger."""
    high, wide = image.shape[:2]
    beside, below = canvas.width - wide, canvas.height - high
    if not beside and not below:
        return image
    if not 0 <= beside <= 1 or not 0 <= below <= 1:
        raise ValueError(
            f"A picture of {wide} × {high} px came for a video of {canvas.width} × {canvas.height}."
        )
    return np.pad(image, ((0, below), (0, beside), (0, 0)), mode="edge")


def _whole_times(timeline: Timeline) -> tuple[Fraction, tuple[int, ...]]:
    """A time base that says every time exactly, 1 over a whole number, and the times in it.

    Where it would have to be finer than MP4 can say, times are rounded to 1/90,000 s.
    """
    moments = [*(frame.time for frame in timeline.frames), timeline.end]
    denominator = 1
    for moment in moments:
        denominator = lcm(denominator, moment.denominator)
        if denominator > FINEST_BASE:
            break
    # Players and muxers are used to fine time bases; a multiple says the same times.
    base = Fraction(1, denominator * max(1, -(-1000 // denominator)))
    if denominator > FINEST_BASE:
        base = FALLBACK_BASE
    times: list[int] = []
    for moment in moments:
        time = round(moment / base)
        times.append(max(time, times[-1] + 1) if times else time)
    return base, tuple(times)
