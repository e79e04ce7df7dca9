"""Where models of a run work: in this process, in one process for each GPU, or on Ray.

Wherever it is, a worker gets items and gives results; only the process that shares them out touches
the database.
"""

import multiprocessing
import queue
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from annotations.annotator import Ask, Setup, annotator
from annotations.engine_media import Fetching
from annotations.engine_worker import DECODERS, Loaded, ModelAtWork, Result, most_items
from core.model import ItemError, ModelError
from core.processes import Workers

Message = Loaded | Result | Exception
MOST_TRIES = 2
DIED = "its process ended"
_END = None


class Places(Protocol):
    """Workers by number, from 0."""

    count: int

    def give(self, worker: int, ask: Ask | None) -> None:
        """Hand an item to a worker; None: that was the last."""
        ...

    def heard(self, timeout_s: float) -> list[tuple[int, Message]]:
        """What workers said since; an error of the kind ProcessDied means that one has ended."""
        ...

    def start(self, worker: int) -> None:
        """Start a worker, or start it again."""
        ...

    def close(self) -> None:
        """End them all."""
        ...


class WorkerDied(RuntimeError):  # noqa: N818 - it reads as what happened
    """A worker ended without having been asked to."""


def gpus() -> tuple[str, ...]:
    """Names of the GPUs of this machine; () where torch is not installed."""
    try:
        torch: Any = import_module("torch")
    except ImportError:
        return ()
    return tuple(f"cuda:{number}" for number in range(torch.cuda.device_count()))


def here(
    setup: Setup, asks: Iterable[Ask], device: str = "", decoders: int = DECODERS
) -> Iterator[Loaded | Result]:
    """What one model in this process says; without any items it is not even loaded.

    Decoding begins before it loads, so that it need not wait when it has.

    Raises:
        ModelError: if the model cannot be had or cannot do it.
    """
    frames = annotator(setup.annotator).FRAMES
    with (
        Workers(decoders) as workers,
        Fetching(asks, most_items(setup), frames, workers) as fetching,
    ):
        if fetching.empty:
            return
        work = ModelAtWork(setup, device)
        yield work.loaded
        yield from work.results(fetching)


def shared_out(places: Places, asks: Iterable[Ask], ahead: int) -> Iterator[Loaded | Result]:
    """What several workers say, each given items as it gets through them.

    A worker that dies is started again with what it had; an item that was with one that died
    twice costs itself.

    Args:
        asks: taken as there is room.
        ahead: items that a worker holds; at least a batch.

    Raises:
        ModelError: if a worker says that the model cannot be had or cannot do it.
        WorkerDied: if workers die before they have loaded the model.
    """
    sharing = _Sharing(places, iter(asks), ahead)
    for worker in range(places.count):
        places.start(worker)
    while True:
        sharing.fill()
        if not any(sharing.holds):
            return
        for worker, message in places.heard(1.0):
            if isinstance(message, Result):
                if sharing.holds[worker].pop(message.ask.item_id, None) is not None:
                    yield message
            elif isinstance(message, Loaded):
                sharing.ready.add(worker)
                yield message
            elif isinstance(message, WorkerDied):
                yield from sharing.died(worker, message)
            else:
                raise message


class _Sharing:
    """Which worker has which items."""

    def __init__(self, places: Places, waiting: Iterator[Ask], ahead: int):
        self.holds: list[dict[int, Ask]] = [{} for _ in range(places.count)]
        self.ready: set[int] = set()
        self._places, self._waiting, self._ahead = places, waiting, ahead
        self._more = True
        self._again: deque[Ask] = deque()
        self._tries: dict[int, int] = {}
        self._ended: set[int] = set()

    def fill(self) -> None:
        """Give everybody something to do; when nothing is left, tell them that that was all."""
        for worker, held in enumerate(self.holds):
            while worker not in self._ended and len(held) < self._ahead:
                ask = self._next()
                if ask is None:
                    self._places.give(worker, _END)
                    self._ended.add(worker)
                    break
                held[ask.item_id] = ask
                self._places.give(worker, ask)

    def _next(self) -> Ask | None:
        if self._again:
            return self._again.popleft()
        ask = next(self._waiting, None) if self._more else None
        self._more = ask is not None
        return ask

    def died(self, worker: int, why: WorkerDied) -> Iterator[Result]:
        """Start a worker again where there is something to do; results of items given up."""
        held, self.holds[worker] = self.holds[worker], {}
        if not held and worker in self._ended:
            return
        if worker not in self.ready:
            raise why
        for number, ask in held.items():
            self._tries[number] = self._tries.get(number, 0) + 1
            if self._tries[number] < MOST_TRIES:
                self._again.append(ask)
            else:
                yield Result(ask, ItemError(DIED, f"{why}, twice while it had this item"))
        self.ready.discard(worker)
        self._ended.discard(worker)
        self._places.start(worker)


class Processes:
    """One process for each device; each decodes with processes of its own."""

    def __init__(self, setup: Setup, devices: list[str], decoders: int = DECODERS):
        """Starts nothing yet.

        Args:
            devices: such as ["cuda:0", "cuda:1"].
            decoders: processes that decode for each of them.
        """
        self.count = len(devices)
        self._setup, self._devices, self._decoders = setup, devices, decoders
        self._context = multiprocessing.get_context("spawn")
        self._processes: list[Any] = [None] * self.count
        self._asks: list[Any] = [None] * self.count
        self._said: list[Connection | None] = [None] * self.count
        self._told = [False] * self.count

    def start(self, worker: int) -> None:
        """Start a worker's process."""
        self._asks[worker] = self._context.Queue()
        self._told[worker] = False
        said, say = self._context.Pipe(duplex=False)
        self._said[worker] = said
        self._processes[worker] = self._context.Process(
            target=serve,
            args=(self._setup, self._devices[worker], self._decoders, self._asks[worker], say),
        )
        self._processes[worker].start()
        say.close()

    def give(self, worker: int, ask: Ask | None) -> None:
        """Hand an item to a worker; None: that was the last."""
        self._told[worker] = ask is _END
        self._asks[worker].put(ask)

    def heard(self, timeout_s: float) -> list[tuple[int, Message]]:
        """What workers said since."""
        found: list[tuple[int, Message]] = []
        said = {id(one): number for number, one in enumerate(self._said) if one is not None}
        for one in wait([one for one in self._said if one is not None], timeout_s):
            worker = said[id(one)]
            try:
                found.append((worker, one.recv()))  # pyright: ignore
            except (EOFError, OSError):
                self._said[worker] = None
                self._processes[worker].join()
                code = self._processes[worker].exitcode
                found.append((worker, WorkerDied(f"{DIED} with exit code {code}")))
        return found

    def close(self) -> None:
        """End the processes; those that know that nothing more comes end by themselves."""
        for process, told in zip(self._processes, self._told, strict=True):
            if process is not None and told:
                process.join(timeout=10)
            if process is not None and process.is_alive():
                process.terminate()
                process.join(timeout=10)
            if process is not None and process.is_alive():
                process.kill()
                process.join()
        for asks in self._asks:
            if asks is not None:
                asks.cancel_join_thread()
                asks.close()


def serve(setup: Setup, device: str, decoders: int, asks: Any, say: Connection) -> None:
    """Answer items from a queue until it ends, or the process that fills it does."""
    try:
        for message in here(setup, _taken(asks), device, decoders):
            say.send(message)
    except ModelError as error:
        say.send(error)
    except (BrokenPipeError, KeyboardInterrupt):
        return


def _taken(asks: Any) -> Iterator[Ask]:
    parent = multiprocessing.parent_process()
    while True:
        try:
            ask = asks.get(timeout=2.0)
        except queue.Empty:
            if parent is not None and not parent.is_alive():
                return
            continue
        if ask is _END:
            return
        yield ask


class Lane:
    """A model at work behind a queue, for an actor: items go in, what it says is asked for.

    Calls of an actor that serves several at once may overtake each other, so the end is a number
    of items, not a place in the queue.
    """

    def __init__(self, setup: Setup, decoders: int = DECODERS):
        """Starts it in a thread."""
        self._asks: queue.Queue[Ask | None] = queue.Queue()
        self._said: queue.Queue[Message] = queue.Queue()
        self._total: int | None = None
        thread = threading.Thread(target=self._work, args=(setup, decoders), daemon=True)
        thread.start()

    def _work(self, setup: Setup, decoders: int) -> None:
        try:
            for message in here(setup, self._taken(), "", decoders):
                self._said.put(message)
        except Exception as error:
            self._said.put(error if isinstance(error, ModelError) else WorkerDied(repr(error)))

    def _taken(self) -> Iterator[Ask]:
        count = 0
        while self._total is None or count < self._total:
            ask = self._asks.get()
            if ask is not None:
                count += 1
                yield ask

    def give(self, ask: Ask) -> None:
        """An item to work on."""
        self._asks.put(ask)

    def end(self, total: int) -> None:
        """That so many items are all."""
        self._total = total
        self._asks.put(None)

    def heard(self, timeout_s: float) -> list[Message]:
        """What it said since; waits for the first word."""
        found: list[Message] = []
        try:
            found.append(self._said.get(timeout=timeout_s))
            while True:
                found.append(self._said.get_nowait())
        except queue.Empty:
            return found
