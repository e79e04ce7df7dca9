"""Decoding stretches of packets, each frame known by the number of its packet."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TypeVar

from av.error import FFmpegError
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from core.video.errors import NO_FRAME, VideoError
from core.video.pyav import VideoPacket, decode, filtered
from core.video.source import numbered_packets, open_video, unpacker

T = TypeVar("T")
Numbered = tuple[int, VideoPacket]

_DROPS_UNREFERENCED = {"h264", "mpeg4", "mpeg2video", "mpeg1video"}
_PROGRESSIVE = (0, 1)


class Decoder:
    """One video stream's decoder, fed packets by number.

    Attributes:
        damaged: numbers of the packets known to be damaged: flagged by the demuxer, refused by the
            decoder, or decoded to a frame that the decoder calls corrupt.
        given: numbers of the frames that came out.
        skips: whether frames that are not wanted may be passed over.
    """

    def __init__(self, stream: VideoStream, skip_unreferenced: bool = True):
        self._context = stream.codec_context
        self._context.thread_count = 1
        self._filter = unpacker(stream)
        self.skips = skip_unreferenced and can_skip_unreferenced(stream)
        self.damaged: set[int] = set()
        self.given: set[int] = set()

    def feed(self, number: int, packet: VideoPacket, wanted: bool) -> Iterator[VideoFrame]:
        """Frames that came out on this packet; their ``pts`` are packet numbers.

        A packet that is not wanted may be passed over when no other frame refers to it.
        """
        if packet.is_corrupt:
            self.damaged.add(number)
        packet.pts = number
        packet.dts = number
        if self.skips:
            self._context.skip_frame = "DEFAULT" if wanted else "NONREF"
        for part in filtered(self._filter, packet) if self._filter else (packet,):
            yield from self._out(part, number)

    def finish(self) -> Iterator[VideoFrame]:
        """Frames still inside the decoder; it is then ready for another stretch."""
        if self._filter:
            self._filter.flush()
        yield from self._out(None, None)
        self._context.flush_buffers()

    def _out(self, packet: "VideoPacket | None", number: int | None) -> Iterator[VideoFrame]:
        try:
            frames = decode(self._context, packet)
        except FFmpegError:
            if number is not None:
                self.damaged.add(number)
            return
        for frame in frames:
            if frame.pts is not None:
                self.given.add(frame.pts)
                if frame.is_corrupt:
                    self.damaged.add(frame.pts)
            yield frame


def can_skip_unreferenced(stream: VideoStream) -> bool:
    """Whether frames that nothing refers to may be left undecoded without changing any other.

    True for codecs whose bitstream marks such frames. Not for interlaced streams, where the mark
    belongs to a field, nor for HEVC with temporal layers, where it only holds within a layer
    (ITU-T H.265, 7.4.2.2).
    """
    context = stream.codec_context
    if context.field_order not in _PROGRESSIVE:
        return False
    if context.name == "hevc":
        return _hevc_has_one_layer(context.extradata or b"")
    return context.name in _DROPS_UNREFERENCED


def _hevc_has_one_layer(extradata: bytes) -> bool:
    if len(extradata) > 22 and extradata[0] == 1:
        return (extradata[21] >> 3) & 7 == 1
    at = extradata.find(b"\x00\x00\x01\x42\x01")
    return at >= 0 and at + 5 < len(extradata) and (extradata[at + 5] >> 1) & 7 == 0


def decode_stretch(
    decoder: Decoder,
    packets: Iterator[Numbered],
    start: int,
    stop: int,
    wanted: Collection[int],
    take: Callable[[VideoFrame], T],
) -> dict[int, T]:
    """What ``take`` made of each wanted frame, by packet number, decoding packets start..stop.

    Args:
        decoder: a decoder at rest.
        packets: numbered packets, read on from where they are; not beyond ``stop``.
        start: the first packet to decode, a keyframe.
        stop: the last packet to decode.
        wanted: numbers of the frames to take.
        take: called once for each wanted frame, in display order.
    """
    taken: dict[int, T] = {}

    def keep(frames: Iterator[VideoFrame]) -> None:
        for frame in frames:
            number = frame.pts
            if number is not None and number in wanted and number not in taken:
                taken[number] = take(frame)

    for number, packet in packets:
        if number >= start:
            keep(decoder.feed(number, packet, number in wanted))
        if number >= stop:
            break
    keep(decoder.finish())
    return taken


def first_frame(path: str | Path) -> VideoFrame:
    """The first frame of a file that decodes; its ``pts`` is its packet number.

    Raises:
        VideoError: if none does.
    """
    with open_video(path) as (container, stream):
        decoder = Decoder(stream, skip_unreferenced=False)
        for number, packet in numbered_packets(container, stream):
            for frame in decoder.feed(number, packet, True):
                return frame
        for frame in decoder.finish():
            return frame
    raise VideoError(NO_FRAME, f"{Path(path).name}: every packet was refused by the decoder")
