"""Frames decoded ahead of the model: it never waits for them, and a bad file costs only itself.

Worker processes decode exact frames (`core.video`) straight into memory that they share with this
process, which a GPU can read from while they go on. What is handed out is a view of that memory:
it holds until the next batch is asked for.
"""

import contextlib
import mmap
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core.processes import Workers
from core.video.errors import VideoError
from core.video.plans import uniform
from core.video.sample import SampledFrame, Status, sample_frames
from core.video.table import FrameTable, read_table

Frames = NDArray[np.uint8]
Pin = Callable[[memoryview], Callable[[], None]]
MISSING = "a frame could not be decoded"

_AHEAD = 2
_NICE = 5
_PAGE = mmap.ALLOCATIONGRANULARITY
_DEFAULT_SIDE = 720
_DEFAULT_FRAMES = 16


@dataclass(frozen=True)
class Job:
    """Frames of one video that a model is to see.

    Attributes:
        id: whatever the caller knows it by; not sent to the workers.
        path: the video file.
        indices: frame indices in the order wanted, or how many to spread over the video.
        table: the file's frame table; read from the file when None.
    """

    id: Any
    path: str | Path
    indices: tuple[int, ...] | int = _DEFAULT_FRAMES
    table: FrameTable | None = None


@dataclass(frozen=True)
class Clip:
    """A job's frames.

    Attributes:
        id: of the job.
        frames: uint8 (T, H, W, 3) RGB; T is less than asked where the video has fewer.
        indices: index of each frame in the video.
        times: seconds of each frame after the first of the video.
        statuses: "exact", or "corrupt" where the picture may be wrong.
    """

    id: Any
    frames: Frames
    indices: tuple[int, ...]
    times: tuple[float, ...]
    statuses: tuple[Status, ...]


@dataclass(frozen=True)
class Failed:
    """A job that gave no frames: its id and why, an error of `core.video` or of the process."""

    id: Any
    error: Exception


@dataclass(frozen=True)
class Batch:
    """Clips that come together; ``frames`` hold until the next one is asked for."""

    clips: tuple[Clip, ...]

    @property
    def ids(self) -> tuple[Any, ...]:
        """Their jobs' ids."""
        return tuple(clip.id for clip in self.clips)

    @property
    def frames(self) -> list[Frames]:
        """Their frames, one stack for each clip."""
        return [clip.frames for clip in self.clips]


@dataclass(frozen=True)
class _Task:
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
class _Done:
    shape: tuple[int, ...]
    frames: Frames | None
    indices: tuple[int, ...]
    times: tuple[float, ...]
    statuses: tuple[Status, ...]


def feed(
    jobs: Iterable[Job],
    *,
    batch: int = 8,
    workers: int | Workers | None = None,
    longest_side: int | None = _DEFAULT_SIDE,
    frames: int = _DEFAULT_FRAMES,
    timeout_s: float = 120.0,
    pin: Pin | None = None,
) -> Iterator[Batch | Failed]:
    """Batches of decoded clips as they get ready, in any order, and jobs that failed.

    Args:
        jobs: taken one by one as there is room, so there may be very many.
        batch: clips of one batch; the last may have fewer.
        workers: decoding processes, or how many; as many as there are processors when None. Those
            given are left running: started before (`warm`), they decode at once.
        longest_side: frames are scaled down to it, in px; None keeps their size.
        frames: the most frames that a job asks for as a rule. It only sizes the shared memory: a
            clip that does not fit comes by a slower road.
        timeout_s: for one job; the process is killed then.
        pin: called with the shared memory, to make it readable for a GPU; what it returns is
            called at the end. See `pinned`.
    """
    shared = workers if isinstance(workers, Workers) else None
    count = workers.count if isinstance(workers, Workers) else workers or os.cpu_count() or 1
    # Decoding, in a batch being made, in batches made, and in the one handed out.
    slots = 2 * count + batch * (_AHEAD + 2)
    with _Arena(slots, _slot_size(longest_side, frames)) as arena:
        unpin = pin(arena.memory) if pin is not None else None
        pump = _Pump(jobs, arena, shared, count, batch, longest_side, timeout_s)
        try:
            yield from pump.batches()
        finally:
            pump.stop()
            if unpin is not None:
                unpin()


def warm(workers: Workers) -> None:
    """Starts the processes and lets them load what decoding needs, without waiting for them."""
    for _ in range(workers.count):
        workers.start(_nothing, 0.3)


def pinned(device: Any) -> Pin | None:
    """For ``pin`` of `feed`: what lets that torch device read the memory directly.

    None where it is no GPU. Memory that cannot be pinned is read in the usual, slower way.
    """
    if getattr(device, "type", "") != "cuda":
        return None

    def register(memory: memoryview) -> Callable[[], None]:
        from core.models._device import torch

        runtime = torch().cuda.cudart()
        whole = np.frombuffer(memory, np.uint8)
        address, size = whole.ctypes.data, whole.nbytes
        with contextlib.suppress(Exception):
            runtime.cudaHostRegister(address, size, 0)

        def release() -> None:
            with contextlib.suppress(Exception):
                runtime.cudaHostUnregister(address)

        return release

    return register


class _Pump:
    """A thread that keeps the workers busy and makes batches of what they give."""

    def __init__(
        self,
        jobs: Iterable[Job],
        arena: "_Arena",
        shared: Workers | None,
        count: int,
        batch: int,
        longest_side: int | None,
        timeout_s: float,
    ):
        self._jobs = jobs
        self._arena = arena
        self._shared = shared
        self._count = count
        self._batch = batch
        self._side = longest_side
        self._timeout_s = timeout_s
        self._ids: dict[int, Any] = {}
        self._ready: Queue[tuple[Batch, list[int]] | Failed | Exception | None] = Queue(_AHEAD)
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="feeding", daemon=True)

    def batches(self) -> Iterator[Batch | Failed]:
        self._thread.start()
        while True:
            item = self._ready.get()
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            if isinstance(item, Failed):
                yield item
                continue
            made, slots = item
            yield made
            self._arena.give_back(slots)

    def stop(self) -> None:
        self._stopped.set()
        self._arena.close_free()
        while self._thread.is_alive():
            with contextlib.suppress(Empty):
                self._ready.get(timeout=0.05)

    def _run(self) -> None:
        last: Exception | None = None
        try:
            if self._shared is not None:
                self._pump(self._shared)
            else:
                with Workers(self._count) as workers:
                    self._pump(workers)
        except Exception as error:
            last = error
        self._put(last)

    def _pump(self, workers: Workers) -> None:
        clips: list[tuple[Clip, int]] = []
        decoded = workers.map(_decode, self._tasks(), self._timeout_s)
        for task, done in decoded:
            if self._stopped.is_set():
                decoded.close()
                return
            own = self._ids.pop(task.number)
            if isinstance(done, Exception):
                self._arena.give_back([task.slot])
                self._put(Failed(own, done))
                continue
            clips.append((self._clip(own, task, done), task.slot))
            if len(clips) == self._batch:
                self._send(clips)
                clips = []
        if clips:
            self._send(clips)

    def _tasks(self) -> Iterator[_Task]:
        for number, job in enumerate(self._jobs):
            slot = self._arena.take()
            if slot is None or self._stopped.is_set():
                return
            self._ids[number] = job.id
            yield _Task(
                number,
                str(Path(job.path).absolute()),
                job.indices,
                job.table,
                self._side,
                slot,
                slot * self._arena.size,
                self._arena.size,
                self._arena.address,
                self._arena.inode,
            )

    def _clip(self, own: Any, task: _Task, done: _Done) -> Clip:
        frames = done.frames
        if frames is None:
            frames = self._arena.view(task.offset, done.shape)
        return Clip(own, frames, done.indices, done.times, done.statuses)

    def _send(self, clips: Sequence[tuple[Clip, int]]) -> None:
        self._put((Batch(tuple(c for c, _ in clips)), [slot for _, slot in clips]))

    def _put(self, item: Any) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(Full):
                self._ready.put(item, timeout=0.2)
                return


class _Arena:
    """Memory in equal slots that worker processes write to and this one reads.

    On Linux it is memory without a name, gone with this process however that ends; elsewhere a
    file in the temporary folder.
    """

    def __init__(self, slots: int, size: int):
        self.size = size
        self._free: Queue[int | None] = Queue()
        for slot in range(slots):
            self._free.put(slot)
        self._path: Path | None = None
        if hasattr(os, "memfd_create"):
            self._file = os.memfd_create("rushes-frames")
            self.address = f"/proc/{os.getpid()}/fd/{self._file}"
        else:
            self._file, name = tempfile.mkstemp(prefix="rushes-frames-")
            self._path, self.address = Path(name), name
        os.ftruncate(self._file, slots * size)
        self.inode = os.fstat(self._file).st_ino
        self._map = mmap.mmap(self._file, slots * size)
        self.memory = memoryview(self._map)

    def take(self) -> int | None:
        """A free slot, waited for; None once there will be none any more."""
        return self._free.get()

    def give_back(self, slots: Sequence[int]) -> None:
        for slot in slots:
            self._free.put(slot)

    def close_free(self) -> None:
        """Wakes whoever waits for a slot."""
        self._free.put(None)

    def view(self, offset: int, shape: tuple[int, ...]) -> Frames:
        count = int(np.prod(shape))
        return np.frombuffer(self.memory, np.uint8, count, offset).reshape(shape)

    def __enter__(self) -> "_Arena":
        return self

    def __exit__(self, *_: object) -> None:
        # Views that were handed out may still be held; the memory goes with the last of them.
        os.close(self._file)
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _slot_size(longest_side: int | None, frames: int) -> int:
    # Three quarters of a square: every usual shape from 4:3 on fits.
    side = longest_side or 1920
    size = frames * side * side * 3 * 3 // 4
    return (size + _PAGE - 1) // _PAGE * _PAGE


def _decode(task: _Task) -> _Done:
    """A job's frames, written to its slot; runs in a worker."""
    _step_back()
    table = task.table or read_table(task.path)
    wanted = task.indices
    indices = uniform(table.n, wanted) if isinstance(wanted, int) else wanted
    sampled = sample_frames(task.path, indices, longest_side=task.longest_side, table=table)
    shape = _shape(sampled, task.path)
    done = _Done(
        shape,
        None,
        tuple(indices),
        tuple(s.time_s for s in sampled),
        tuple(s.status for s in sampled),
    )
    if int(np.prod(shape)) > task.size:
        return _Done(shape, _stack(sampled, np.empty(shape, np.uint8)), *_facts(done))
    file = os.open(task.arena, os.O_RDWR)
    try:
        if os.fstat(file).st_ino != task.inode:
            # The reader is gone, and its number stands for another file by now.
            return done
        with mmap.mmap(file, task.size, offset=task.offset) as slot:
            whole = np.frombuffer(slot, np.uint8, int(np.prod(shape)))
            _stack(sampled, whole.reshape(shape))
            del whole
    finally:
        os.close(file)
    return done


@cache
def _step_back() -> None:
    """Lets the process that drives the model go first: it must never wait for a processor."""
    cv2.setNumThreads(1)
    if hasattr(os, "nice"):
        os.nice(_NICE)


def _nothing(seconds: float) -> None:
    # Long enough that one process does not take two of these.
    time.sleep(seconds)


def _facts(done: _Done) -> tuple[tuple[int, ...], tuple[float, ...], tuple[Status, ...]]:
    return done.indices, done.times, done.statuses


def _shape(sampled: Sequence[SampledFrame], path: str) -> tuple[int, int, int, int]:
    for frame in sampled:
        if frame.image is None:
            raise VideoError(MISSING, f"{Path(path).name}: frame {frame.index}")
    first = sampled[0].image
    if first is None:
        raise VideoError(MISSING, Path(path).name)
    return len(sampled), first.shape[0], first.shape[1], 3


def _stack(sampled: Sequence[SampledFrame], out: Frames) -> Frames:
    for place, frame in enumerate(sampled):
        image = frame.image
        if image is None:
            continue
        if image.shape != out.shape[1:]:
            # The size changed in mid-stream: a clip's frames have one size, that of the first.
            image = cv2.resize(image, (out.shape[2], out.shape[1]), interpolation=cv2.INTER_AREA)
        out[place] = image
    return out
