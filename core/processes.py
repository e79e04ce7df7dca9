"""Work in processes that can be killed: native code that hangs cannot be stopped from inside."""

import atexit
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import cache
from multiprocessing import spawn
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread, local
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from pebble import ProcessExpired, ProcessPool

P = ParamSpec("P")
Job = TypeVar("Job")
Result = TypeVar("Result")

MEMORY_LIMIT = 4 * 2**30
_CALLS_PER_PROCESS = 200
_PARENT_S = 2.0


class TookTooLong(TimeoutError):  # noqa: N818 - it reads as what happened
    """A call was stopped at its time limit."""


class ProcessDied(RuntimeError):  # noqa: N818
    """A call took its process with it, by a crash or by asking for too much memory."""


class Workers:
    """A pool of processes, each killed and replaced when a call hangs or crashes it.

    Functions, arguments and results are pickled, so functions stand at the top level of a module.
    Processes start on the first call, and are renewed after 200 calls against leaks in native
    code.
    """

    def __init__(self, count: int | None = None, memory_limit: int = MEMORY_LIMIT):
        """Makes the pool.

        Args:
            count: number of processes; as many as there are processors when None.
            memory_limit: address space that one process may use, in bytes.
        """
        self.count = count or os.cpu_count() or 1
        self._pool = ProcessPool(
            max_workers=self.count,
            max_tasks=_CALLS_PER_PROCESS,
            initializer=_begin,
            initargs=(memory_limit,),
            context=_context(),
        )

    def call(
        self,
        function: Callable[..., Result],
        *arguments: Any,
        timeout_s: float,
        **keywords: Any,
    ) -> Result:
        """What the function returned, or the error it raised.

        Raises:
            TookTooLong: if it ran longer than ``timeout_s`` and was killed.
            ProcessDied: if its process ended under it.
        """
        _importable(function)
        future = self._pool.schedule(
            function, args=list(arguments), kwargs=keywords, timeout=timeout_s
        )
        return _outcome(future, timeout_s)

    def start(self, function: Callable[..., object], *arguments: Any) -> None:
        """Has the function called some time, without waiting for what comes of it."""
        _importable(function)
        self._pool.schedule(function, args=list(arguments))

    def map(
        self, function: Callable[[Job], Result], jobs: Iterable[Job], timeout_s: float
    ) -> Generator[tuple[Job, Result | Exception]]:
        """Pairs of job and result as they finish, in any order; a failed job has its error instead.

        Jobs are taken from the iterable as processes become free, so it may be long.
        """
        _importable(function)
        waiting: dict[Future[Result], Job] = {}
        left = iter(jobs)
        more = True
        try:
            while more or waiting:
                while more and len(waiting) < 2 * self.count:
                    try:
                        job = next(left)
                    except StopIteration:
                        more = False
                        break
                    waiting[self._pool.schedule(function, args=[job], timeout=timeout_s)] = job
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    job = waiting.pop(future)
                    try:
                        yield job, _outcome(future, timeout_s)
                    except Exception as error:
                        yield job, error
        finally:
            # Whoever stops listening wants nothing more of what is under way.
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """Kills the processes and whatever they were doing."""
        self._pool.stop()
        self._pool.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def call(
    function: Callable[..., Result], *arguments: Any, timeout_s: float, **keywords: Any
) -> Result:
    """What the function returned, run in a process that is killed at its time limit.

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


def _outcome(future: "Future[Result]", timeout_s: float) -> Result:
    try:
        return future.result()
    except ProcessExpired as error:
        raise ProcessDied(f"The process ended with exit code {error.exitcode}.") from None
    except MemoryError:
        raise ProcessDied("The process asked for more memory than it may use.") from None
    except TimeoutError:
        raise TookTooLong(f"Stopped after {timeout_s:g} s.") from None


def _begin(limit: int) -> None:
    """Set up a new process of the pool."""
    _limit_memory(limit)
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """End when the parent does: one that is killed has no chance to say so."""
    while os.getppid() == parent:
        time.sleep(_PARENT_S)
    os._exit(1)


def _limit_memory(limit: int) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


# A spawned process first runs the main module again under another name, so that functions defined
# there can be found. Under Streamlit that module is a page. Ours never live there.
_hidden = local()
_preparation = spawn.get_preparation_data


def _without_main(name: str) -> dict[str, object]:
    data = _preparation(name)
    if getattr(_hidden, "main", False):
        data.pop("init_main_from_name", None)
        data.pop("init_main_from_path", None)
    return data


class _Process(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - the hook's name in multiprocessing
        spawn.get_preparation_data = _without_main
        _hidden.main = True
        try:
            return SpawnProcess._Popen(process_obj)  # pyright: ignore
        finally:
            _hidden.main = False


def _context() -> SpawnContext:
    context = SpawnContext()
    context.Process = _Process  # pyright: ignore[reportAttributeAccessIssue]
    return context
