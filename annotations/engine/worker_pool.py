"""Distribute the items of a run to workers, on this machine or on others.

A worker gets items and gives results; only the process that shares them out touches the database.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Protocol

from annotations.annotator import Ask
from annotations.engine.engine_worker import Loaded, Result
from core.model import ItemError

Message = Loaded | Result | Exception
MOST_TRIES = 2
DIED = "its process ended"


class WorkerPool(Protocol):
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


def shared_out(workers: WorkerPool, asks: Iterable[Ask], ahead: int) -> Iterator[Loaded | Result]:
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
    sharing = _Sharing(workers, iter(asks), ahead)
    for worker in range(workers.count):
        workers.start(worker)
    while True:
        sharing.fill()
        if not any(sharing.holds):
            return
        for worker, message in workers.heard(1.0):
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

    def __init__(self, workers: WorkerPool, waiting: Iterator[Ask], ahead: int):
        self.holds: list[dict[int, Ask]] = [{} for _ in range(workers.count)]
        self.ready: set[int] = set()
        self._places, self._waiting, self._ahead = workers, waiting, ahead
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
                    self._places.give(worker, None)
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
