"""Which packets must be decoded to see the wanted frames, and nothing more."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from core.video.table import FrameTable


@dataclass(frozen=True)
class Run:
    """A stretch of packets from a keyframe to the last wanted frame.

    Attributes:
        start: number of the first packet.
        stop: number of the last packet.
        frames: wanted packet number to frame index.
        origins: wanted packet number to the number of the keyframe that its frame hangs on.
    """

    start: int
    stop: int
    frames: dict[int, int]
    origins: dict[int, int]


def origin(table: FrameTable, index: int) -> int:
    """Number of the packet from which frame ``index`` can be decoded.

    It is the last keyframe before the frame both in the file and on screen: a frame that stands
    after a keyframe but is shown before it (open GOP) may refer to the group before.
    """
    number = table.packets[index]
    at = bisect_right(table.keys, number, key=lambda key: key[0])
    for key_number, key_rank in reversed(table.keys[:at]):
        if key_rank <= index:
            return key_number
    return 0


def decodable(table: FrameTable, start: int, stop: int) -> Iterator[int]:
    """Numbers of the packets start..stop whose frames can be decoded when starting at ``start``."""
    for index, number in enumerate(table.packets):
        if start <= number <= stop and origin(table, index) >= start:
            yield number


def hanging_on(table: FrameTable, damaged: Collection[int]) -> set[int]:
    """Indices of the frames whose packet, or one between it and its keyframe, is damaged."""
    bad = sorted(damaged)
    return {
        index
        for index, number in enumerate(table.packets if bad else ())
        if bisect_left(bad, origin(table, index)) < bisect_right(bad, number)
    }


def needed_runs(table: FrameTable, indices: Iterable[int]) -> list[Run]:
    """The stretches to decode for these frames, in the order of the file, none overlapping."""
    spans = sorted((origin(table, i), table.packets[i], i) for i in set(indices))
    runs: list[Run] = []
    for start, number, index in spans:
        if runs and start <= runs[-1].stop + 1:
            previous = runs.pop()
            runs.append(
                Run(
                    previous.start,
                    max(previous.stop, number),
                    previous.frames | {number: index},
                    previous.origins | {number: start},
                )
            )
        else:
            runs.append(Run(start, number, {number: index}, {number: start}))
    return runs
