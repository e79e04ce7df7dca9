"""The frame table: which frames a video has, when each is shown, and where decoding may start."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from statistics import median

from av.video.stream import VideoStream

from core.video.errors import NO_FRAME, VideoError
from core.video.order import shown_order
from core.video.source import (
    Entry,
    ends_early,
    entry_of,
    numbered_packets,
    open_video,
    packets_after_gaps,
    video_streams,
)

NO_TIMES = "no time stamps"
OPEN_GOP = "open GOP"
HIDDEN = "frames hidden by an edit list"
CUT_SHORT = "cut short"
DAMAGED_PACKETS = "damaged packets"
DROPPED_START = "starts within a group of pictures"
SEVERAL_STREAMS = "several video streams, the first is used"
INTERLACED = "interlaced"

_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)")

# Containers that keep no presentation times; what the demuxer makes up is wrong with B-frames.
_TIMELESS = {
    "avi",
    "h264",
    "hevc",
    "m4v",
    "mpegvideo",
    "mjpeg",
    "h263",
    "h261",
    "vc1",
    "av1",
    "obu",
}
_LONGEST_FRAME_S = 24 * 3600
_FALLBACK_RATE = Fraction(25)


@dataclass(frozen=True)
class FrameTable:
    """The frames of one video in the order in which they are shown.

    Attributes:
        pts: time stamp of each frame in units of ``time_base``, never falling.
        time_base: seconds a unit.
        packets: number of the packet that holds each frame, in the order of the file.
        keys: (packet number, display rank) of each keyframe packet, in the order of the file; the
            rank of a keyframe that is itself not shown is that of the first frame after it.
        end: time stamp of the end of the last frame.
        flags: what is unusual, from the constants of this module.
        damaged: numbers of packets that reading found damaged, or in front of which some are lost.
    """

    pts: tuple[int, ...]
    time_base: Fraction
    packets: tuple[int, ...]
    keys: tuple[tuple[int, int], ...]
    end: int
    flags: tuple[str, ...] = ()
    damaged: tuple[int, ...] = ()

    @property
    def n(self) -> int:
        """Number of frames."""
        return len(self.pts)

    @property
    def start_s(self) -> float:
        """Raw time stamp of the first frame in seconds; ``times`` count from it."""
        return float(self.pts[0] * self.time_base)

    @cached_property
    def times(self) -> tuple[float, ...]:
        """When each frame is shown, in seconds after the first frame."""
        start, base = self.pts[0], self.time_base
        return tuple((p - start) * base.numerator / base.denominator for p in self.pts)

    @property
    def duration_s(self) -> float:
        """Seconds from the first frame to the end of the last."""
        return float((self.end - self.pts[0]) * self.time_base)

    @cached_property
    def keyframes(self) -> tuple[int, ...]:
        """Indices of the frames that are keyframes."""
        shown = {number: index for index, number in enumerate(self.packets)}
        return tuple(sorted(shown[number] for number, _ in self.keys if number in shown))

    @property
    def longest_group(self) -> int:
        """The most frames from one shown keyframe to the next, or to the end."""
        edges = [0, *self.keyframes, self.n]
        return max(b - a for a, b in pairwise(edges))

    def index_at(self, time_s: float) -> int:
        """Index of the frame on screen ``time_s`` seconds after the first; clipped to the video."""
        low, high = 0, self.n
        while low < high:
            middle = (low + high) // 2
            if self.times[middle] <= time_s + 1e-9:
                low = middle + 1
            else:
                high = middle
        return max(0, low - 1)

    def to_json(self) -> str:
        """The table as one line of JSON."""
        base = self.time_base
        return json.dumps(
            asdict(self) | {"time_base": [base.numerator, base.denominator]},
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> "FrameTable":
        """The table that ``to_json`` wrote."""
        data = json.loads(text)
        return cls(
            pts=tuple(data["pts"]),
            time_base=Fraction(*data["time_base"]),
            packets=tuple(data["packets"]),
            keys=tuple((number, rank) for number, rank in data["keys"]),
            end=data["end"],
            flags=tuple(data["flags"]),
            damaged=tuple(data.get("damaged", ())),
        )


def read_table(path: str | Path) -> FrameTable:
    """The frame table of a video file, read from its packets without decoding.

    Only where the container keeps no usable time stamps (AVI, raw streams) or the video is
    interlaced, and the codec does not make it plain, the file is decoded once to learn the order
    of its frames.

    Raises:
        VideoError: if the file is no readable video, or holds no frame.
    """
    flags: list[str] = []
    with open_video(path) as (container, stream):
        codec = stream.codec_context.name
        entries = [entry_of(i, p, codec) for i, p in numbered_packets(container, stream)]
        if len(video_streams(container)) > 1:
            flags.append(SEVERAL_STREAMS)
        damaged = {e.number for e in entries if e.damaged}
        if container.format.name == "mpegts":
            damaged |= packets_after_gaps(entries)
        if damaged:
            flags.append(DAMAGED_PACKETS)
        # A damaged packet at the very end is half a frame: the file was cut there.
        while entries and entries[-1].damaged:
            entries.pop()
            flags.append(CUT_SHORT)
        if any(not e.shown for e in entries):
            flags.append(HIDDEN)
        if stream.codec_context.field_order > 1:
            flags.append(INTERLACED)
        times = [e.pts for e in entries if e.shown]
        if container.format.name in _TIMELESS or None in times or len(set(times)) < len(times):
            flags.append(NO_TIMES)
        if 0 < len(entries) < stream.frames or ends_early(path):
            flags.append(CUT_SHORT)
        promised_s = _promised_s(stream)
        if NO_TIMES in flags or INTERLACED in flags:
            table = _in_order(stream, entries, shown_order(path), NO_TIMES not in flags)
        else:
            table = _by_time(stream, entries)
    if promised_s - (table.start_s + table.duration_s) > max(0.5, 0.02 * promised_s):
        flags.append(CUT_SHORT)
    every = tuple(dict.fromkeys((*table.flags, *flags)))
    return replace(table, flags=every, damaged=tuple(sorted(damaged)))


def _promised_s(stream: VideoStream) -> float:
    """Where a Matroska file's own tag says that the stream ends, s; 0 where it does not say.

    Such a file has no count of frames and reads without complaint up to where it was cut.
    """
    match = _CLOCK.fullmatch(stream.metadata.get("DURATION", ""))
    return int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3]) if match else 0.0


def _by_time(stream: VideoStream, entries: Sequence[Entry]) -> FrameTable:
    timed = sorted((e.pts, e.number) for e in entries if e.shown and e.pts is not None)
    first_key = next((e for e in entries if e.key), None)
    flags: list[str] = []
    if first_key is not None and first_key.pts is not None:
        # What comes before the first keyframe, in the file or on screen, refers to frames that
        # are not there.
        kept = [(t, i) for t, i in timed if i >= first_key.number and (t >= first_key.pts)]
        if kept and len(kept) < len(timed):
            flags.append(DROPPED_START)
            timed = kept
    if not timed:
        raise VideoError(NO_FRAME, "the video stream holds no frame")
    numbers = tuple(i for _, i in timed)
    times = [t for t, _ in timed]
    durations = {e.number: e.duration for e in entries}
    keys = _keys(entries, numbers, times)
    if _has_leading(numbers, keys):
        flags.append(OPEN_GOP)
    base = stream.time_base or Fraction(1, 1000)
    end = _end(stream, times, durations[numbers[-1]], base)
    return FrameTable(tuple(times), base, numbers, keys, end, tuple(flags))


def _keys(
    entries: Sequence[Entry], numbers: Sequence[int], times: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    rank = {number: index for index, number in enumerate(numbers)}
    keys: list[tuple[int, int]] = []
    for e in entries:
        if e.key and e.number in rank:
            keys.append((e.number, rank[e.number]))
        elif e.key:
            keys.append((e.number, sum(t < (e.pts or 0) for t in times)))
    return tuple(keys)


def _has_leading(numbers: Sequence[int], keys: Sequence[tuple[int, int]]) -> bool:
    """Whether frames shown before a keyframe stand after it in the file."""
    shown = [rank for number, rank in keys if rank < len(numbers) and numbers[rank] == number]
    return any(max(numbers[:rank], default=-1) > numbers[rank] for rank in shown)


def _in_order(
    stream: VideoStream, entries: Sequence[Entry], order: Sequence[int], timed: bool
) -> FrameTable:
    known = {e.number: e for e in entries}
    numbers = tuple(i for i in order if i in known)
    if not numbers:
        raise VideoError(NO_FRAME, "the decoder gave nothing")
    base = stream.time_base or Fraction(1, 1000)
    times = _times_in_order(stream, [known[i] for i in numbers], timed, base)
    rank = {number: index for index, number in enumerate(numbers)}
    keys = tuple((e.number, rank[e.number]) for e in entries if e.key and e.number in rank)
    flags = (OPEN_GOP,) if _has_leading(numbers, keys) else ()
    end = _end(stream, times, entries[-1].duration, base)
    return FrameTable(tuple(times), base, numbers, keys, end, flags)


def _times_in_order(
    stream: VideoStream, shown: Sequence[Entry], timed: bool, base: Fraction
) -> list[int]:
    """Time stamps of frames whose order is known from decoding, in units of the time base."""
    stamps = [e.pts for e in shown]
    if timed and all(t is not None for t in stamps):
        times = [t for t in stamps if t is not None]
        if all(a < b for a, b in pairwise(times)):
            return times
    # Where only decode times are kept, frames take them in turn: the first shown the earliest.
    turns = {e.dts for e in shown if e.dts is not None}
    if len(turns) == len(shown):
        return sorted(turns)
    step = max(1, round(1 / (_rate(stream) * base)))
    return [i * step for i in range(len(shown))]


def _end(stream: VideoStream, times: Sequence[int], duration: int, base: Fraction) -> int:
    """End of the last frame: its own duration, else the usual gap, else one frame at the rate."""
    if not 0 < duration * base < _LONGEST_FRAME_S:
        gaps = [b - a for a, b in pairwise(times)]
        duration = round(median(gaps)) if gaps else round(1 / (_rate(stream) * base))
    return times[-1] + max(1, duration)


def _rate(stream: VideoStream) -> Fraction:
    for rate in (stream.average_rate, stream.guessed_rate, stream.base_rate):
        if rate and 0 < rate <= 1000:
            return Fraction(rate)
    return _FALLBACK_RATE
