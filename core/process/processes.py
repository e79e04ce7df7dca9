"""Functions run in processes that can be killed, since native code that hangs cannot be stopped."""

import atexit
import multiprocessing
import os
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from pebble import ProcessExpired, ProcessPool

from core.process.process_start import begin, spawn_context

Job = TypeVar("Job")
Result = TypeVar("Result")

MEMORY_LIMIT = 4 * 2**30
_CALLS_PER_PROCESS = 1_000
_MOST_TRIES = 2
_MOST_BROKEN = 3
_LOOK_S = 2.0


class TookTooLong(TimeoutError):  # noqa: N818 - it reads as what happened
    """A call was stopped at its time limit."""


class ProcessDied(RuntimeError):  # noqa: N818
    """A call took its process with it, by a crash or by asking for too much memory."""


class NoProcesses(OSError):  # noqa: N818
    """Processes end again and again, whatever function they run; a later try may succeed."""


@dataclass(eq=False)
class _Call(Generic[Result]):
    """One function call and the pool that runs it."""

    function: Callable[..., Result]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict[str, Any])
    timeout_s: float | None = None
    pool: ProcessPool | None = None
    future: "Future[Any]" = field(default_factory=Future[Any])
    tries: int = 0

    def is_lost(self) -> bool:
        """Whether the pool broke before the call ended."""
        if self.future.done():
            return not self.future.cancelled() and isinstance(
                self.future.exception(), BrokenProcessPool
            )
        return self.pool is not None and not self.pool.active

    def outcome(self) -> Result:
        """Return what the function returned; raise its error, or what happened to its process."""
        if self.is_lost():
            raise ProcessDied("Its processes ended by themselves, twice.")
        try:
            return self.future.result()
        except ProcessExpired as error:
            raise ProcessDied(f"The process ended with exit code {error.exitcode}.") from None
        except MemoryError:
            raise ProcessDied("The process asked for more memory than it may use.") from None
        except TimeoutError:
            raise TookTooLong(f"Stopped after {self.timeout_s:g} s.") from None


class Workers:
    """A pool of processes, each killed and replaced when a call hangs or crashes it.

    Functions, arguments and results are pickled, so functions stand at the top level of a module.
    Processes start on the first call, and are renewed after 1,000 calls against leaks in native
    code. When one ends between two calls (the system kills processes where memory is short), all
    are started afresh and what was lost is done again, once.
    """

    def __init__(self, count: int | None = None, memory_limit: int = MEMORY_LIMIT):
        """Makes the pool.

        Args:
            count: number of processes; as many as there are processors when None.
            memory_limit: address space that one process may use, in bytes.
        """
        self.count = count or os.cpu_count() or 1
        self._memory_limit = memory_limit
        self._changing = Lock()
        self._closed = False
        self._broken = 0
        self._pool = self._made()

    def call(
        self,
        function: Callable[..., Result],
        *arguments: Any,
        timeout_s: float,
        **keywords: Any,
    ) -> Result:
        """Return what the function returned, or raise its error.

        Raises:
            TookTooLong: if it ran longer than ``timeout_s`` and was killed.
            ProcessDied: if its process ended under it.
            NoProcesses: if processes end again and again before they have done anything.
        """
        _importable(function)
        call = _Call(function, arguments, keywords, timeout_s)
        self._put(call)
        [ended] = self._finished([call])
        return ended.outcome()

    def start(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call the function in a process without waiting for its result."""
        _importable(function)
        self._put(_Call(function, arguments))

    def map(
        self, function: Callable[[Job], Result], jobs: Iterable[Job], timeout_s: float
    ) -> Generator[tuple[Job, Result | Exception]]:
        """Yield (job, result) as jobs finish, in any order; a failed job has its error instead.

        Jobs are taken from the iterable as processes become free, so it may be long.

        Raises:
            NoProcesses: if processes end again and again before they have done anything.
        """
        _importable(function)
        waiting: list[_Call[Result]] = []
        job_iterator = iter(jobs)
        more = True
        try:
            while more or waiting:
                while more and len(waiting) < 2 * self.count:
                    try:
                        job = next(job_iterator)
                    except StopIteration:
                        more = False
                        break
                    call = _Call(function, (job,), timeout_s=timeout_s)
                    waiting.append(call)
                    self._put(call)
                for call in self._finished(waiting) if waiting else ():
                    waiting.remove(call)
                    [job] = call.arguments
                    try:
                        yield job, call.outcome()
                    except Exception as error:
                        yield job, error
        finally:
            # Whoever stops listening wants nothing more of what is under way.
            for call in waiting:
                call.future.cancel()

    def close(self) -> None:
        """Kill the processes and all calls that run."""
        with self._changing:
            self._closed = True
            _end(self._pool)

    def _made(self) -> ProcessPool:
        return ProcessPool(
            max_workers=self.count,
            max_tasks=_CALLS_PER_PROCESS,
            initializer=begin,
            initargs=(self._memory_limit,),
            context=spawn_context(),
        )

    def _put(self, call: _Call[Any]) -> None:
        """Start a call, in a new pool if the old one broke."""
        with self._changing:
            if self._closed:
                raise RuntimeError("These workers are closed.")
            if not self._pool.active:
                self._broken += 1
                if self._broken > _MOST_BROKEN:
                    self._broken = 0
                    raise NoProcesses(
                        f"{self.count} processes cannot be kept up: they end before they have done "
                        "anything. Perhaps this machine's memory does not do for so many."
                    )
                _end(self._pool)
                self._pool = self._made()
            call.tries += 1
            call.pool = self._pool
            call.future = self._pool.schedule(
                call.function, call.arguments, call.keywords, call.timeout_s
            )

    def _finished(self, waiting: Sequence[_Call[Result]]) -> list[_Call[Result]]:
        """Wait for calls and return those that ended; lost calls are started again."""
        while True:
            wait([call.future for call in waiting], _LOOK_S, FIRST_COMPLETED)
            lost = [call for call in waiting if call.is_lost()]
            ended = [call for call in waiting if call.future.done() and call not in lost]
            if ended:
                self._broken = 0
            for call in lost:
                if call.tries < _MOST_TRIES:
                    self._put(call)
                else:
                    ended.append(call)
            if ended:
                return ended

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


_lent: list[Workers] = []


@contextmanager
def lend(workers: Workers) -> Generator[None]:
    """Let `workers_for` give these workers, warm as they are, instead of starting its own."""
    _lent.append(workers)
    try:
        yield
    finally:
        _lent.remove(workers)


@contextmanager
def workers_for(jobs: int, most: int = 8) -> Generator[Workers]:
    """Workers for some jobs, ended afterwards: those that are lent, else as many as can be busy."""
    if _lent:
        yield _lent[-1]
        return
    with Workers(max(1, min(jobs, os.cpu_count() or 1, most))) as workers:
        yield workers


def _end(pool: ProcessPool) -> None:
    pool.stop()
    pool.join()


def call(
    function: Callable[..., Result], *arguments: Any, timeout_s: float, **keywords: Any
) -> Result:
    """Run a function in a process that is killed at its time limit, and return its result.

    The processes are shared by all callers and stay warm. Inside a worker the function simply
    runs: it is in a process that can be killed already.

    Raises:
        TookTooLong: if it ran longer than ``timeout_s``.
        ProcessDied: if its process ended under it.
    """
    if multiprocessing.current_process().daemon:
        return function(*arguments, **keywords)
    return _shared().call(function, *arguments, timeout_s=timeout_s, **keywords)


@cache
def _shared() -> Workers:
    workers = Workers()
    atexit.register(workers.close)
    return workers


def _importable(function: Callable[..., Any]) -> None:
    if getattr(function, "__module__", None) == "__main__":
        raise ValueError(
            f"{function.__name__} is defined in the script that was started; another process "
            "cannot find it there. Move it to a module."
        )
