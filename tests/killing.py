"""Processes that begin at once, to be killed: children of one that has read the program already.

    with Nursery("ui.cli", "annotations.exporting.export") as nursery:
        child = nursery.start("ui.cli", ["export", str(folder), "--workspace", str(root)])
        child.kill()

Each is a process of its own, as `rushes` would be, with the environment that the test has at its
start; only reading the modules, which takes seconds, is not done anew.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

LOOP = """
import json, os, sys
from importlib import import_module

for name in sys.argv[1:]:
    import_module(name)
for line in sys.stdin:
    ask = json.loads(line)
    if "wait" in ask:
        told = os.waitstatus_to_exitcode(os.waitpid(ask["wait"], 0)[1])
    else:
        told = os.fork()
    if told == 0 and "wait" not in ask:
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        if ask["says"]:
            os.dup2(os.open(ask["says"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os.environ.clear()
        os.environ.update(ask["environment"])
        status = 70
        try:
            status = import_module(ask["module"]).main(ask["arguments"])
        finally:
            os._exit(status)
    print(told, flush=True)
"""


@dataclass
class Child:
    """A process at work."""

    nursery: "Nursery"
    pid: int
    status: int | None = None

    def is_alive(self) -> bool:
        """Whether it works still; one that has ended is a zombie until somebody waits for it."""
        if self.status is not None:
            return False
        with open(f"/proc/{self.pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"

    def wait(self) -> int:
        """Its exit status, once it has ended; negative for a signal."""
        if self.status is None:
            self.status = self.nursery.ask({"wait": self.pid})
        return self.status

    def kill(self) -> int:
        """`kill -9`, and its exit status: -9, or another one if it had ended already."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
        return self.wait()


class Nursery:
    """A process that has read some modules, and begins others that have read them too."""

    def __init__(self, *modules: str):
        """Read the modules; returns at once, the first child waits for it."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", LOOP, *modules], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip

    def start(self, module: str, arguments: Sequence[str], says: Path | None = None) -> Child:
        """Begin `main(arguments)` of a module in a process of its own.

        What it says on standard error goes to the file `says`, where one is named.
        """
        asked = {"module": module, "arguments": list(arguments), "environment": dict(os.environ)}
        return Child(self, self.ask({**asked, "says": str(says or "")}))

    def ask(self, what: dict[str, object]) -> int:
        """What the process says to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)  # children that are at work still too
        self._process.wait()
