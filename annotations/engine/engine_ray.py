"""Workers of a run on a Ray cluster: one actor for each GPU, or for each machine without one.

The workspace's media folder has to be reachable under the same path on every machine. Only the
process that shares the items out touches the database.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from annotations.annotator import Ask, Setup
from annotations.engine.engine_worker import DECODERS, here
from annotations.engine.worker_pool import Message, WorkerDied
from core.model import ModelError, NotInstalled

INSTALL = "pip install -e '.[ray]'"


class RayWorkers:
    """Actors on the cluster that this process is connected to, or a local one that it starts."""

    def __init__(
        self, setup: Setup, count: int | None = None, address: str = "",
        decoders: int = DECODERS, items: int = 0,
    ):  # fmt: skip
        """Connects.

        Args:
            count: actors; None for one a GPU, or one a machine where there is none.
            address: of the cluster; '' for the one that Ray finds, or a local one.
            items: of the whole run.

        Raises:
            NotInstalled: without Ray.
        """
        try:
            ray: Any = import_module("ray")
        except ImportError:
            raise NotInstalled(f"Ray is not installed: {INSTALL}") from None
        self._ray = ray
        if not ray.is_initialized():
            ray.init(address=address or None, log_to_driver=False)
        gpus = int(ray.cluster_resources().get("GPU", 0))
        self.count = count or gpus or max(1, len(ray.nodes()))
        needs = {"num_gpus": 1} if gpus else {"num_cpus": 1}
        self._kind = ray.remote(Lane).options(max_concurrency=4, max_restarts=0, **needs)
        self._setup, self._decoders = setup, decoders
        self._items = items // self.count
        self._actors: list[Any] = [None] * self.count
        self._given = [0] * self.count
        self._asked: dict[int, Any] = {}

    def start(self, worker: int) -> None:
        """Start an actor."""
        self._actors[worker] = self._kind.remote(self._setup, self._decoders, self._items)
        self._asked.pop(worker, None)
        self._given[worker] = 0

    def give(self, worker: int, ask: Ask | None) -> None:
        """Hand an item to an actor; None: that was the last."""
        if ask is None:
            self._actors[worker].end.remote(self._given[worker])
            return
        self._given[worker] += 1
        self._actors[worker].give.remote(ask)

    def heard(self, timeout_s: float) -> list[tuple[int, Message]]:
        """What actors said since."""
        for worker, actor in enumerate(self._actors):
            if actor is not None and worker not in self._asked:
                self._asked[worker] = actor.heard.remote(timeout_s)
        waiting = {reference: worker for worker, reference in self._asked.items()}
        if not waiting:
            time.sleep(timeout_s)
            return []
        answered, _ = self._ray.wait(list(waiting), num_returns=1, timeout=timeout_s)
        messages: list[tuple[int, Message]] = []
        for reference in answered:
            worker = waiting[reference]
            del self._asked[worker]
            try:
                messages += [(worker, message) for message in self._ray.get(reference)]
            except self._ray.exceptions.RayActorError as error:
                self._actors[worker] = None
                messages.append((worker, WorkerDied(f"its actor ended: {error}"[:300])))
        return messages

    def close(self) -> None:
        """End the actors."""
        for actor in self._actors:
            if actor is not None:
                with contextlib.suppress(Exception):
                    self._ray.kill(actor)


class Lane:
    """A model at work behind a queue, for an actor: items go in, what it says is asked for.

    Calls of an actor that serves several at once may overtake each other, so the end is a number
    of items, not a place in the queue.
    """

    def __init__(self, setup: Setup, decoders: int = DECODERS, items: int = 0):
        """Starts it in a thread."""
        self._asks: queue.Queue[Ask | None] = queue.Queue()
        self._said: queue.Queue[Message] = queue.Queue()
        self._total: int | None = None
        thread = threading.Thread(target=self._work, args=(setup, decoders, items), daemon=True)
        thread.start()

    def _work(self, setup: Setup, decoders: int, items: int) -> None:
        try:
            for message in here(setup, self._taken(), "", decoders, items):
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
        messages: list[Message] = []
        try:
            messages.append(self._said.get(timeout=timeout_s))
            while True:
                messages.append(self._said.get_nowait())
        except queue.Empty:
            return messages
