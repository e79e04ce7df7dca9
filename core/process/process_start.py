"""How a process of a pool begins: without the main module, and ending when its parent does."""

import os
import sys
import time
from multiprocessing import spawn
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread, local
from typing import Any

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_PARENT_S = 2.0

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


def spawn_context() -> SpawnContext:
    """Return a context for processes that begin without running the main module."""
    context = SpawnContext()
    context.Process = _Process  # pyright: ignore[reportAttributeAccessIssue]
    return context


def begin(limit: int) -> None:
    """Set up the process that calls this: one thread a library, limited, ending with its parent.

    Args:
        limit: address space that it may use, in bytes.
    """
    # Before numpy is loaded: its libraries reserve memory for a thread on each processor, which on
    # a large machine is more than a process may use.
    for name in _ONE_THREAD:
        os.environ[name] = "1"
    _limit_memory(limit)
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when its parent ends: a parent that is killed cannot say so."""
    while os.getppid() == parent:
        time.sleep(_PARENT_S)
    os._exit(1)


def _limit_memory(limit: int) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
