"""The frames of one video in the order in which an edit needs them, in bounded memory."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from av.container import InputContainer
from av.error import FFmpegError
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from core.video.decode import Decoder, Numbered, decode_stretch
from core.video.errors import VideoError
from core.video.pyav import VideoPacket
from core.video.runs import needed_runs, origin
from core.video.source import numbered_packets, open_video
from core.video.table import FrameTable

CHUNK_BYTES = 150_000_000
SMALLEST_CHUNK, LARGEST_CHUNK = 4, 256

Decoded = tuple[int, VideoFrame | None]


class FrameReader:
    """Reads frames of one video, forwards in one pass and backwards a chunk at a time.

    Use it as a context manager; frames are only good until the next one is asked for.
    """

    def __init__(self, path: str | Path, table: FrameTable, *, marks_damage: bool = False):
        """Opens nothing yet.

        Args:
            path: the video file.
            table: its frame table.
            marks_damage: give None for frames that do not decode cleanly, instead of refusing.
        """
        self.path = Path(path)
        self.table = table
        self._marks_damage = marks_damage
        self._index_of = {number: index for index, number in enumerate(table.packets)}
        self._stack = ExitStack()
        self._container: InputContainer | None = None
        self._stream: VideoStream | None = None
        self._decoder: Decoder | None = None
        self._mode = False
        self._key_places: dict[int, tuple[int, int]] | None = None

    def __enter__(self) -> "FrameReader":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def frames(self, indices: Sequence[int]) -> Iterator[Decoded]:
        """Each index with its frame as it is stored, in this order.

        Raises:
            VideoError: for a frame that is damaged or does not decode, unless damage is marked;
                then None stands for it.
        """
        for ascending, stretch in _stretches(indices):
            if ascending:
                yield from self._forwards(stretch)
            else:
                yield from self._backwards(stretch)

    def _forwards(self, wanted: Sequence[int]) -> Iterator[Decoded]:
        """One pass from the keyframe before the first of rising indices."""
        start = origin(self.table, wanted[0])
        stop = max(self.table.packets[index] for index in wanted)
        packets, decoder = self._begin(start, skip=False)
        waiting = iter(wanted)
        expected = next(waiting, None)
        for frame in _decoded(packets, decoder, start, stop):
            index = self._index_of.get(-1 if frame.pts is None else frame.pts, -1)
            while expected is not None and expected < index:
                yield expected, self._damaged(expected)
                expected = next(waiting, None)
            if expected is not None and index == expected:
                yield expected, self._checked(decoder, expected, frame)
                expected = next(waiting, None)
        while expected is not None:
            yield expected, self._damaged(expected)
            expected = next(waiting, None)

    def _backwards(self, wanted: Sequence[int]) -> Iterator[Decoded]:
        """Chunks of falling indices, each decoded from its keyframe and given in reverse."""
        size, at = SMALLEST_CHUNK, 0
        while at < len(wanted):
            chunk = wanted[at : at + size]
            runs = needed_runs(self.table, chunk)
            start, stop = runs[0].start, max(run.stop for run in runs)
            numbers = {self.table.packets[index] for index in chunk}
            packets, decoder = self._begin(start, skip=True)
            taken = decode_stretch(decoder, packets, start, stop, numbers, _as_it_is)
            size = _chunk_size(next(iter(taken.values()), None))
            for index in chunk:
                yield (
                    index,
                    self._checked(decoder, index, taken.pop(self.table.packets[index], None)),
                )
            at += len(chunk)

    def _checked(self, decoder: Decoder, index: int, frame: VideoFrame | None) -> VideoFrame | None:
        """The frame, if neither it nor what it hangs on is damaged."""
        if frame is None:
            return self._damaged(index)
        if decoder.damaged:
            keyframe, number = origin(self.table, index), self.table.packets[index]
            if any(keyframe <= damaged <= number for damaged in decoder.damaged):
                return self._damaged(index)
        return frame

    def _damaged(self, index: int) -> None:
        if not self._marks_damage:
            raise VideoError(
                f"frame {index} of {self.path.name} is damaged",
                "an edit needs every frame; let damaged frames be marked, or trim them off",
            )

    def _begin(self, start: int, *, skip: bool) -> tuple[Iterator[Numbered], Decoder]:
        """Packets from keyframe ``start`` on, or from before it, and a decoder at rest."""
        if self._key_places is None and start:
            self._key_places = self._read_key_places()
        if start and self._decoder is not None and self._mode == skip:
            packets = self._sought(start)
            if packets is not None:
                return packets, self._decoder
        container, stream = self._reopened()
        self._decoder, self._mode = Decoder(stream, skip_unreferenced=skip), skip
        self._decoder.damaged |= set(self.table.damaged)
        packets = self._sought(start) if start else None
        if packets is None:
            container, stream = self._reopened()
            self._decoder = Decoder(stream, skip_unreferenced=skip)
            self._decoder.damaged |= set(self.table.damaged)
            packets = numbered_packets(container, stream)
        return packets, self._decoder

    def _sought(self, start: int) -> Iterator[Numbered] | None:
        """Packets from keyframe ``start`` on; None where the container cannot go there."""
        key_position = (self._key_places or {}).get(start)
        if key_position is None or self._container is None or self._stream is None:
            return None
        time, position = key_position
        try:
            self._container.seek(time, stream=self._stream, backward=True)
            packets = self._container.demux(self._stream)
            packet = next(packets)
        except (FFmpegError, OSError, StopIteration):
            return None
        if packet.pos != position or not packet.size:
            return None
        return _numbered_on(start, packet, packets)

    def _read_key_places(self) -> dict[int, tuple[int, int]]:
        """Time stamp and place in the file of each keyframe packet by its number."""
        keys = {number for number, _ in self.table.keys}
        positions: dict[int, tuple[int, int]] = {}
        for number, packet in numbered_packets(*self._reopened()):
            stamp = packet.pts if packet.dts is None else packet.dts
            if number in keys and stamp is not None and packet.pos is not None:
                positions[number] = (stamp, packet.pos)
        return positions

    def _reopened(self) -> tuple[InputContainer, VideoStream]:
        self._stack.close()
        self._decoder = None
        self._container, self._stream = self._stack.enter_context(open_video(self.path))
        return self._container, self._stream


def _decoded(
    packets: Iterator[Numbered], decoder: Decoder, start: int, stop: int
) -> Iterator[VideoFrame]:
    for number, packet in packets:
        if number >= start:
            yield from decoder.feed(number, packet, True)
        if number >= stop:
            break
    yield from decoder.finish()


def _as_it_is(frame: VideoFrame) -> VideoFrame:
    return frame


def _numbered_on(
    number: int, first_packet: VideoPacket, rest: Iterator[VideoPacket]
) -> Iterator[Numbered]:
    yield number, first_packet
    while True:
        try:
            packet = next(rest)
        except (StopIteration, FFmpegError, OSError):
            return
        if packet.size:
            number += 1
            yield number, packet


def _stretches(indices: Sequence[int]) -> Iterator[tuple[bool, Sequence[int]]]:
    """Parts of the indices that rise (True) or fall (False) all the way, in order."""
    at = 0
    while at < len(indices):
        end = at + 1
        ascending = end >= len(indices) or indices[end] > indices[at]
        while end < len(indices) and (
            indices[end] > indices[end - 1] if ascending else indices[end] < indices[end - 1]
        ):
            end += 1
        yield ascending, indices[at:end]
        at = end


def _chunk_size(frame: VideoFrame | None) -> int:
    """How many frames may be held at once: about 150 MB of them."""
    if frame is None:
        return SMALLEST_CHUNK
    size = sum(plane.buffer_size for plane in frame.planes) or 1
    return max(SMALLEST_CHUNK, min(LARGEST_CHUNK, CHUNK_BYTES // size))
