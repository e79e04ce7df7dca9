"""Workers of a run on this machine: one process for each GPU."""

import math
import multiprocessing
import queue
from collections.abc import Iterator
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Any

from annotations.annotator import Ask, Setup
from annotations.engine.engine_worker import DECODERS, here, most_items
from annotations.engine.worker_pool import DIED, Message, WorkerDied
from core.model import ModelError
from core.model_loading import SCHEMES
from core.process.process_start import spawn_context


def gpus() -> tuple[str, ...]:
    """Names of the GPUs of this machine; () where torch is not installed."""
    try:
        torch: Any = import_module("torch")
    except ImportError:
        return ()
    return tuple(f"cuda:{number}" for number in range(torch.cuda.device_count()))


def spread(setup: Setup, items: int) -> tuple[str, ...]:
    """The GPUs of this machine for a run that names no device, no more than have a batch each.

    () where there are not several, or where the model is none that is loaded here.
    """
    elsewhere = setup.model.partition(":")[0] in SCHEMES
    if elsewhere or setup.options.get("device", "auto") != "auto":
        return ()
    devices = gpus()
    return devices[: max(1, math.ceil(items / most_items(setup)))] if len(devices) > 1 else ()


class Processes:
    """One process for each device; each decodes with processes of its own."""

    def __init__(self, setup: Setup, devices: list[str], decoders: int = DECODERS, items: int = 0):
        """Starts nothing yet.

        Args:
            devices: such as ["cuda:0", "cuda:1"].
            decoders: processes that decode for each of them.
            items: that each of them will get, as far as is known.
        """
        self.count = len(devices)
        self._setup, self._devices, self._decoders = setup, devices, decoders
        self._items = items
        self._context = spawn_context()
        self._processes: list[Any] = [None] * self.count
        self._asks: list[Any] = [None] * self.count
        self._said: list[Connection | None] = [None] * self.count
        self._told = [False] * self.count

    def start(self, worker: int) -> None:
        """Start a worker's process."""
        self._asks[worker] = self._context.Queue()
        self._told[worker] = False
        receiver, sender = self._context.Pipe(duplex=False)
        self._said[worker] = receiver
        self._processes[worker] = self._context.Process(
            target=serve,
            args=(
                self._setup,
                self._devices[worker],
                self._decoders,
                self._items,
                self._asks[worker],
                sender,
            ),
        )
        self._processes[worker].start()
        sender.close()

    def give(self, worker: int, ask: Ask | None) -> None:
        """Hand an item to a worker; None: that was the last."""
        self._told[worker] = ask is None
        self._asks[worker].put(ask)

    def heard(self, timeout_s: float) -> list[tuple[int, Message]]:
        """What workers said since."""
        messages: list[tuple[int, Message]] = []
        worker_of = {
            id(connection): number
            for number, connection in enumerate(self._said)
            if connection is not None
        }
        for connection in wait(
            [connection for connection in self._said if connection is not None], timeout_s
        ):
            worker = worker_of[id(connection)]
            try:
                messages.append((worker, connection.recv()))  # pyright: ignore
            except (EOFError, OSError):
                self._said[worker] = None
                self._processes[worker].join()
                code = self._processes[worker].exitcode
                messages.append((worker, WorkerDied(f"{DIED} with exit code {code}")))
        return messages

    def close(self) -> None:
        """End the processes; those that know that nothing more comes end by themselves."""
        for process, knows_end in zip(self._processes, self._told, strict=True):
            if process is not None and knows_end:
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


def serve(setup: Setup, device: str, decoders: int, items: int, asks: Any, say: Connection) -> None:
    """Answer items from a queue until it ends, or the process that fills it does."""
    try:
        for message in here(setup, _taken(asks), device, decoders, items):
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
        if ask is None:
            return
        yield ask
