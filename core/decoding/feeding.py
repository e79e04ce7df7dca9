"""Frames decoded ahead of the model: it never waits for them, and a bad file costs only itself.

Worker processes decode exact frames (`core.video`) straight into memory that they share with this
process, which a GPU can read from while they go on. What is handed out is a view of that memory:
it holds until the next batch is asked for.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, Self

import numpy as np

from core.decoding.shared_decoding import Decoded, DecodeTask, decode_into
from core.decoding.shared_frames import Arena, Frames, slot_size
from core.process.processes import Workers
from core.video.sample import Status
from core.video.table import FrameTable

Pin = Callable[[memoryview], Callable[[], None]]

_AHEAD = 2
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
        frames: uint8 (T, H, W, 3) RGB, in the order asked for; T is less than asked where the video
            has fewer, or some could not be decoded.
        indices: index of each frame in the video.
        times: seconds of each frame after the first of the video.
        statuses: "exact", or "corrupt" where the picture may be wrong.
        missing: indices that were asked for and could not be decoded.
    """

    id: Any
    frames: Frames
    indices: tuple[int, ...]
    times: tuple[float, ...]
    statuses: tuple[Status, ...]
    missing: tuple[int, ...] = ()


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


class Feed:
    """A stream of decoded clips; decoding begins at once, before the first batch is asked for.

    A thread keeps the workers busy and makes batches of what they give. To be closed.
    """

    def __init__(
        self,
        jobs: Iterable[Job],
        *,
        batch: int = 8,
        workers: int | Workers | None = None,
        longest_side: int | None = _DEFAULT_SIDE,
        frames: int = _DEFAULT_FRAMES,
        timeout_s: float = 120.0,
    ):
        """Start to decode.

        Args:
            jobs: taken one by one as there is room, so there may be very many.
            batch: clips of one batch; the last may have fewer.
            workers: decoding processes, or how many; as many as there are processors when None.
                Those given are left running.
            longest_side: frames are scaled down to it, in px; None keeps their size.
            frames: the most frames that a job asks for as a rule. It only sizes the shared memory:
                a clip that does not fit comes by a slower road.
            timeout_s: for one job; the process is killed then.
        """
        self._jobs = jobs
        self._shared = workers if isinstance(workers, Workers) else None
        process_count = None if isinstance(workers, Workers) else workers
        self._count = self._shared.count if self._shared else process_count or os.cpu_count() or 1
        self._batch = batch
        self._side = longest_side
        self._timeout_s = timeout_s
        # Decoding, in a batch being made, in batches made, and in the one handed out.
        slots = 2 * self._count + batch * (_AHEAD + 2)
        self._arena = Arena(slots, slot_size(longest_side, frames))
        self._ids: dict[int, Any] = {}
        self._ready: Queue[tuple[Batch, list[int]] | Failed | Exception | None] = Queue(_AHEAD)
        self._stopped = Event()
        self._pinning = ThreadPoolExecutor(1, "pinning")
        self._unpin: Future[Callable[[], None]] | None = None
        self._thread = Thread(target=self._run, name="feeding", daemon=True)
        self._thread.start()

    def batches(self, pin: Pin | None = None) -> Iterator[Batch | Failed]:
        """Yield batches of decoded clips as they get ready, in any order, and jobs that failed.

        Args:
            pin: called with the shared memory, to make it readable for a GPU; what it returns is
                called at the end. See `pinned`. Pinning gigabytes takes seconds, so it goes on
                beside the first batches.
        """
        if pin is not None:
            self._unpin = self._pinning.submit(pin, self._arena.memory)
        while True:
            item = self._ready.get()
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            if isinstance(item, Failed):
                yield item
                continue
            clips, slots = item
            yield clips
            self._arena.give_back(slots)

    def close(self) -> None:
        """Stop decoding; clips that are not finished are given up."""
        self._stopped.set()
        self._arena.close_free()
        while self._thread.is_alive():
            with contextlib.suppress(Empty):
                self._ready.get(timeout=0.05)
        self._pinning.shutdown()
        if self._unpin is not None:
            self._unpin.result()()
        self._arena.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        failure: Exception | None = None
        try:
            if self._shared is not None:
                self._pump(self._shared)
            else:
                with Workers(self._count) as workers:
                    self._pump(workers)
        except Exception as error:
            failure = error
        self._put(failure)

    def _pump(self, workers: Workers) -> None:
        clips: list[tuple[Clip, int]] = []
        results = workers.map(decode_into, self._tasks(), self._timeout_s)
        for task, result in results:
            if self._stopped.is_set():
                results.close()
                return
            job_id = self._ids.pop(task.number)
            if isinstance(result, Exception):
                self._arena.give_back([task.slot])
                self._put(Failed(job_id, result))
                continue
            clips.append((self._clip(job_id, task, result), task.slot))
            if len(clips) == self._batch:
                self._send(clips)
                clips = []
        if clips:
            self._send(clips)

    def _tasks(self) -> Iterator[DecodeTask]:
        for number, job in enumerate(self._jobs):
            slot = self._arena.take()
            if slot is None or self._stopped.is_set():
                return
            self._ids[number] = job.id
            yield DecodeTask(
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

    def _clip(self, job_id: Any, task: DecodeTask, decoded: Decoded) -> Clip:
        frames = decoded.frames
        if frames is None:
            frames = self._arena.view(task.offset, decoded.shape)
        return Clip(
            job_id, frames, decoded.indices, decoded.times, decoded.statuses, decoded.missing
        )

    def _send(self, clips: Sequence[tuple[Clip, int]]) -> None:
        self._put((Batch(tuple(c for c, _ in clips)), [slot for _, slot in clips]))

    def _put(self, item: Any) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(Full):
                self._ready.put(item, timeout=0.2)
                return


def pinned(device: Any) -> Pin | None:
    """Return a function for ``pin`` of `Feed.batches`: it lets a torch device read the memory.

    None where the device is no GPU. Memory that cannot be pinned is read in the usual, slower way.
    """
    if getattr(device, "type", "") != "cuda":
        return None

    def register(memory: memoryview) -> Callable[[], None]:
        from core.device import torch

        cuda = torch().cuda
        whole = np.frombuffer(memory, np.uint8)
        address, size = whole.ctypes.data, whole.nbytes
        # A thread that names no device would pin the memory for the first GPU.
        with contextlib.suppress(Exception), cuda.device(device):
            cuda.cudart().cudaHostRegister(address, size, 0)

        def release() -> None:
            with contextlib.suppress(Exception), cuda.device(device):
                cuda.cudart().cudaHostUnregister(address)

        return release

    return register
