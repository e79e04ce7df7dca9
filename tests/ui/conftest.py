import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from annotations.demo.setup import make_demo
from annotations.people import invite
from annotations.workspace import Workspace

ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--autoplay-policy=no-user-gesture-required",
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(true: Callable[[], Any], what: str, patience_s: float = 30) -> Any:
    """What `true` gives once it gives something."""
    limit = time.monotonic() + patience_s
    while time.monotonic() < limit:
        found = true()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {patience_s} s in vain for: {what}")


class Served:
    """`rushes serve` on a workspace, as a process that can be killed and started again."""

    def __init__(self, root: Path):
        self.root = root
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Served":
        command = [Path(sys.executable).parent / "rushes", "serve", "--workspace", self.root]
        self.process = subprocess.Popen([*command, "--port", str(self.port)])
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
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def workspace(self) -> Workspace:
        return Workspace.open(self.root)

    def invite(self, name: str, role: str = "annotator") -> str:
        return f"{self.url}/join/{invite(self.workspace(), name, role)}"


def settled(page: Page) -> None:
    """Wait until Streamlit has drawn the page."""
    app = page.locator('[data-testid="stApp"]')
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=30_000)


@pytest.fixture(scope="module")
def chromium() -> Generator[Browser]:
    path = shutil.which("chromium")
    if not path:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def demo_original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo workspace, made once; copy it before use."""
    root = tmp_path_factory.mktemp("demo") / "demo"
    make_demo(root, print).close()
    return root


@pytest.fixture
def demo(demo_original: Path, tmp_path: Path) -> Generator[Served]:
    """A served copy of the demo of one's own."""
    shutil.copytree(demo_original, tmp_path / "demo")
    served = Served(tmp_path / "demo").start()
    yield served
    served.kill()


@pytest.fixture
def person(chromium: Browser) -> Generator[Callable[..., Page]]:
    """Opens a browser of one's own, signed in by an invite link; script errors fail the test."""
    contexts = []
    errors: list[str] = []

    def sign_in(served: Served, name: str, role: str = "annotator", **options: Any) -> Page:
        size = {"width": 1440, "height": 900}
        context = chromium.new_context(**{"viewport": size, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(served.invite(name, role))
        settled(page)
        return page

    yield sign_in
    for context in contexts:
        context.close()
    assert not errors
