"""`rushes serve` for tests that look at it from outside, over HTTP or in a browser."""

import http.client
import subprocess
import sys
import urllib.request
from pathlib import Path

from killing import Child, Nursery
from waiting import free_port, wait_until

from annotations.people import invite
from annotations.workspace import Workspace


class Served:
    """`rushes serve` on a workspace, as a process that can be killed and started again."""

    def __init__(self, root: Path, nursery: Nursery):
        self.root, self.nursery = root, nursery
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.process: Child | subprocess.Popen[bytes] | None = None

    def start(self, *, from_its_file: bool = False) -> "Served":
        """Start the server, by a process that has read the program, or the installed command."""
        line = ["serve", "--workspace", str(self.root), "--port", str(self.port)]
        if from_its_file:
            self.process = subprocess.Popen([Path(sys.executable).parent / "rushes", *line])
        else:
            self.process = self.nursery.start("ui.cli", line)
        wait_until(self.is_up, "the server", 60)
        return self

    def is_up(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1).close()
        except (OSError, http.client.HTTPException):
            return False
        return True

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def workspace(self) -> Workspace:
        return Workspace.open(self.root)

    def invite(self, name: str, role: str = "annotator") -> str:
        return f"{self.url}/join/{invite(self.workspace(), name, role)}"
