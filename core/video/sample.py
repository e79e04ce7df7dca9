"""Frames of a video by index: exact, or marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from core.video.decode import Decoder, decode_stretch
from core.video.decord_backend import decord_frames
from core.video.geometry import Image, ShapeReader, picture
from core.video.runs import Run, decodable, needed_runs
from core.video.source import numbered_packets, open_video
from core.video.table import FrameTable, read_table

Status = Literal["exact", "corrupt", "missing"]
Backend = Literal["pyav", "decord"]
Found = dict[int, tuple[Status, Image | None]]


@dataclass(frozen=True)
class SampledFrame:
    """One frame that was asked for.

    Attributes:
        index: position in the video, from 0.
        time_s: when it is shown, in seconds after the first frame.
        status: "exact"; "corrupt" when it, or a frame it hangs on, was damaged: the picture may be
            wrong; "missing" when it could not be decoded.
        image: RGB (H, W, 3) uint8, upright and with square pixels; None when missing.
    """

    index: int
    time_s: float
    status: Status
    image: Image | None


def sample_frames(
    path: str | Path,
    indices: Sequence[int],
    *,
    longest_side: int | None = None,
    table: FrameTable | None = None,
    backend: Backend = "pyav",
) -> list[SampledFrame]:
    """The frames at these indices, in this order; a frame is exact or marked, never a neighbour.

    Decodes only from the keyframes that are needed, in this process: call it through
    ``core.process.processes`` where a file is not trusted not to hang a decoder.

    Args:
        path: the video file.
        indices: frame indices in 0..n-1, in any order, repeats allowed.
        longest_side: larger frames are scaled down to it, in px; None keeps the size.
        table: the file's frame table; read from the file when None.
        backend: "pyav", or "decord", which runs in a process of its own and refuses files on
            which it is known to give other frames.

    Raises:
        VideoError: if the file is no readable video, or the backend refuses it.
        IndexError: if an index is outside the video.
    """
    table = table or read_table(path)
    for index in indices:
        if not 0 <= index < table.n:
            raise IndexError(
                f"No frame {index} in {Path(path).name}: it has {table.n} frames, "
                f"so an index must be in 0..{table.n - 1}. Sample with core.video.plans."
            )
    if backend == "decord":
        images = decord_frames(path, sorted(set(indices)), table, longest_side)
        by_index: Found = {index: ("exact", image) for index, image in images.items()}
    else:
        by_index = _pyav_frames(path, indices, table, longest_side)
    missing: tuple[Status, None] = ("missing", None)
    frames: list[SampledFrame] = []
    for index in indices:
        status, image = by_index.get(index, missing)
        frames.append(SampledFrame(index, table.times[index], status, image))
    return frames


def _pyav_frames(
    path: str | Path, indices: Sequence[int], table: FrameTable, longest_side: int | None
) -> Found:
    runs = needed_runs(table, indices)
    with open_video(path) as (container, stream):
        frames = _decode(container, stream, runs, table, longest_side, True)
    lost = [i for i in set(indices) if i not in frames]
    if lost:
        # A second look from the very start, skipping nothing.
        merged = needed_runs(table, lost)
        whole = Run(
            0,
            merged[-1].stop,
            {number: i for run in merged for number, i in run.frames.items()},
            {number: o for run in merged for number, o in run.origins.items()},
        )
        with open_video(path) as (container, stream):
            frames |= _decode(container, stream, [whole], table, longest_side, False)
    return frames


def _decode(
    container: InputContainer,
    stream: VideoStream,
    runs: Sequence[Run],
    table: FrameTable,
    longest_side: int | None,
    skip: bool,
) -> Found:
    shapes = ShapeReader(stream.sample_aspect_ratio)
    decoder = Decoder(stream, skip_unreferenced=skip)
    decoder.damaged |= set(table.damaged)
    packets = numbered_packets(container, stream)

    def take(frame: VideoFrame) -> Image:
        return picture(frame, shapes(frame), longest_side)

    frames: Found = {}
    for run in runs:
        images = decode_stretch(decoder, packets, run.start, run.stop, run.frames, take)
        if not decoder.skips:
            # A packet that gave nothing was lost, and with it what hangs on it.
            decoder.damaged |= set(decodable(table, run.start, run.stop)) - decoder.given
        for number, image in images.items():
            origin = run.origins[number]
            clean = not any(origin <= d <= number for d in decoder.damaged)
            frames[run.frames[number]] = ("exact" if clean else "corrupt", image)
    return frames
