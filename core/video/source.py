"""Opening a file and reading its packets, with every failure as a VideoError."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import av
from av.bitstream import BitStreamFilterContext
from av.container import InputContainer
from av.error import FFmpegError
from av.stream import Discard, Disposition
from av.video.stream import VideoStream

from core.video.errors import NO_DECODER, NO_VIDEO_STREAM, NOT_A_VIDEO, VideoError, complaint
from core.video.pyav import VideoPacket

# A file may only ever read itself: a playlist could name other files or addresses.
_OPTIONS = {"protocol_whitelist": "file"}
_EBML, _SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"
_NOT_VIDEOS = {"hls", "dash", "concat", "sdp", "image2", "tty", "ffmetadata", "lavfi"}


@contextmanager
def open_video(path: str | Path) -> Generator[tuple[InputContainer, VideoStream]]:
    """An open container and its video stream: the first that is no cover picture, as players do.

    All other streams are set to be discarded while reading.

    Raises:
        VideoError: with the reason, if the file is no video that can be read.
    """
    path = Path(path).absolute()
    if not path.is_file() or path.stat().st_size == 0:
        raise complaint(path)
    try:
        container = av.open(
            f"file:{path}", "r", container_options=_OPTIONS, metadata_errors="ignore"
        )
    except (FFmpegError, OSError, ValueError) as error:
        raise complaint(path, _said(error)) from None
    with container:
        name = container.format.name
        if name in _NOT_VIDEOS or name.endswith("_pipe"):
            still = "a still picture" if name.endswith("_pipe") or name == "image2" else "a list"
            raise VideoError(f"{NOT_A_VIDEO} ({still})", name)
        yield container, _video_stream(container)


def video_streams(container: InputContainer) -> list[VideoStream]:
    """The container's video streams without cover pictures and thumbnails."""
    pictures = Disposition.attached_pic | Disposition.timed_thumbnails
    return [s for s in container.streams.video if not s.disposition & pictures]


def _video_stream(container: InputContainer) -> VideoStream:
    streams = video_streams(container)
    if not streams:
        kinds = sorted({s.type for s in container.streams})
        raise VideoError(NO_VIDEO_STREAM, f"the file holds {', '.join(kinds) or 'nothing'}")
    # PyAV has no codec context where FFmpeg has no decoder.
    if getattr(streams[0], "codec_context", None) is None:
        raise VideoError(NO_DECODER)
    for other_stream in container.streams:
        if other_stream is not streams[0]:
            other_stream.discard = Discard.all
    return streams[0]


def ends_early(path: str | Path) -> bool:
    """Whether a file ends before what it says it holds: half a download of MP4, Matroska or WebM.

    Such a file reads without complaint up to where it was cut, and where no count of frames stands
    in its header, as in fragments and in WebM, nothing else tells.
    """
    path = Path(path)
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(64)
        if start[:4] == _EBML:
            return _segment_end(start) > size
        if start[4:8] != b"ftyp":
            return False
        at = 0
        while at + 16 <= size:
            file.seek(at)
            head = file.read(16)
            length = int.from_bytes(head[:4], "big")
            if length == 1:  # the length follows in eight bytes
                length = int.from_bytes(head[8:], "big")
            if length < 8:  # 0: to the end of the file
                return False
            if at + length > size:
                return head[4:8] in (b"mdat", b"moof")
            at += length
    return False


def _segment_end(start: bytes) -> int:
    """Where the segment of a Matroska file ends, bytes; 0 if that is left open, or not at once."""
    header, width = _ebml_number(start, 4)
    at = 4 + width + header
    if start[at : at + 4] != _SEGMENT or len(start) < at + 12:
        return 0
    length, width = _ebml_number(start, at + 4)
    left_open = length == (1 << 7 * width) - 1
    return 0 if left_open else at + 4 + width + length


def _ebml_number(data: bytes, at: int) -> tuple[int, int]:
    """A number of a width that its first bits tell, and that width in bytes."""
    width = 9 - max(1, data[at].bit_length())
    value = int.from_bytes(data[at : at + width], "big")
    return value & ((1 << 7 * width) - 1), width


def numbered_packets(
    container: InputContainer, stream: VideoStream
) -> Iterator[tuple[int, VideoPacket]]:
    """Packets of the stream with their numbers, in the order of the file.

    A packet's number (0, 1, ... over the packets that carry data) is what the frame table and the
    decoder know a frame by; unlike a time stamp it is always there and never doubled. Reading
    stops quietly where the file does.
    """
    number = 0
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets)
        except (StopIteration, FFmpegError, OSError):
            return
        if packet.size:
            yield number, packet
            number += 1


def unpacker(stream: VideoStream) -> BitStreamFilterContext | None:
    """A filter that gives each frame its own packet, where a codec is known to pack two in one.

    MPEG-4 in AVI often does (DivX "packed bitstream"); None for every other codec.
    """
    if stream.codec_context.name != "mpeg4":
        return None
    return BitStreamFilterContext("mpeg4_unpack_bframes", stream)


def _said(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


@dataclass(frozen=True)
class Entry:
    """What the frame table keeps of one packet; times in units of the stream's time base."""

    number: int
    pts: int | None
    dts: int | None
    duration: int
    key: bool
    shown: bool
    damaged: bool


def packets_after_gaps(entries: Sequence[Entry]) -> set[int]:
    """Packets of a transport stream in front of which others were lost, by their decode times.

    The demuxer drops what it cannot read, and decoders go on with the wrong references.
    """
    timed = [(e.number, e.dts) for e in entries if e.dts is not None]
    gaps = [later - earlier for (_, earlier), (_, later) in pairwise(timed)]
    if len(gaps) < 4:
        return set()
    usual = sorted(gaps)[len(gaps) // 2]
    uneven = sum(gap != usual for gap in gaps) > len(gaps) / 4
    if uneven:
        return set()
    return {number for (number, _), gap in zip(timed[1:], gaps, strict=True) if gap > 1.5 * usual}


def entry_of(number: int, packet: VideoPacket, codec: str) -> Entry:
    """What the table keeps of a packet of a stream with this codec."""
    return Entry(
        number,
        packet.pts,
        packet.dts,
        packet.duration or 0,
        packet.is_keyframe,
        not packet.is_discard and _is_shown(packet, codec),
        packet.is_corrupt,
    )


def _is_shown(packet: VideoPacket, codec: str) -> bool:
    """False for VP8 and VP9 packets that only prepare a reference (RFC 6386, 9.1; VP9, 7.2)."""
    if codec == "vp8":
        return bool(bytes(memoryview(packet)[:1])[0] & 0x10)
    if codec == "vp9":
        head, tail = bytes(memoryview(packet)[:1])[0], bytes(memoryview(packet)[-1:])[0]
        if tail & 0xE0 == 0xC0:  # several frames in one packet, one of them shown
            return True
        bits = head << 1 if head & 0x30 == 0x30 else head
        return bool(bits & 0x08) or bool(bits & 0x02)
    return True
