"""One clip decoded by a worker process, into memory that it shares with the reader."""

import mmap
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from core.decoding.shared_frames import Frames
from core.video.errors import NO_FRAME, VideoError
from core.video.plans import uniform
from core.video.sample import SampledFrame, Status, sample_frames
from core.video.table import FrameTable, read_table

_NICE = 5


@dataclass(frozen=True)
class DecodeTask:
    """A clip to decode, and the slot of shared memory that it is written to."""

    number: int
    path: str
    indices: tuple[int, ...] | int
    table: FrameTable | None
    longest_side: int | None
    slot: int
    offset: int
    size: int
    arena: str
    inode: int


@dataclass(frozen=True)
class Decoded:
    """What was decoded; `frames` only where the slot was too small for them.

    `missing` are the indices that were wanted and could not be decoded; the rest is without them.
    """

    shape: tuple[int, ...]
    frames: Frames | None
    indices: tuple[int, ...]
    times: tuple[float, ...]
    statuses: tuple[Status, ...]
    missing: tuple[int, ...]


def decode_into(task: DecodeTask) -> Decoded:
    """A job's frames, those that can be had, written to its slot; runs in a worker.

    Raises:
        VideoError: if the file is no readable video, or none of the frames could be decoded.
        IndexError: if an index is outside the video.
    """
    step_back()
    table = task.table or read_table(task.path)
    asked = task.indices
    indices = uniform(table.n, asked) if isinstance(asked, int) else asked
    wanted = sample_frames(task.path, indices, longest_side=task.longest_side, table=table)
    sampled = [frame for frame in wanted if frame.image is not None]
    shape = _shape(sampled, len(wanted))
    decoded = Decoded(
        shape,
        None,
        tuple(s.index for s in sampled),
        tuple(s.time_s for s in sampled),
        tuple(s.status for s in sampled),
        tuple(s.index for s in wanted if s.image is None),
    )
    if int(np.prod(shape)) > task.size:
        return replace(decoded, frames=_stack(sampled, np.empty(shape, np.uint8)))
    file = os.open(task.arena, os.O_RDWR)
    try:
        if os.fstat(file).st_ino != task.inode:
            # The reader is gone, and its number stands for another file by now.
            return decoded
        with mmap.mmap(file, task.size, offset=task.offset) as slot:
            whole = np.frombuffer(slot, np.uint8, int(np.prod(shape)))
            _stack(sampled, whole.reshape(shape))
            del whole
    finally:
        os.close(file)
    return decoded


@cache
def step_back() -> None:
    """Lets the process that drives the model go first: it must never wait for a processor."""
    cv2.setNumThreads(1)
    if hasattr(os, "nice"):
        os.nice(_NICE)


def _shape(sampled: Sequence[SampledFrame], wanted: int) -> tuple[int, int, int, int]:
    picture = sampled[0].image if sampled else None
    if picture is None:
        raise VideoError(NO_FRAME, f"of the {wanted} that were wanted")
    return len(sampled), picture.shape[0], picture.shape[1], 3


def _stack(sampled: Sequence[SampledFrame], out: Frames) -> Frames:
    for position, frame in enumerate(sampled):
        image = frame.image
        if image is None:
            continue
        if image.shape != out.shape[1:]:
            # The size changed in mid-stream: a clip's frames have one size, that of the first.
            image = cv2.resize(image, (out.shape[2], out.shape[1]), interpolation=cv2.INTER_AREA)
        out[position] = image
    return out
