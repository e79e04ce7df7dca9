import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
import uuid
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from browsing import Contexts
from playwright.sync_api import Locator, Page, expect
from waiting import free_port, wait_until

STUB = Path(__file__).parent / "stub_server.py"


def read_instructions(page: Page, place: str) -> None:
    """Lets the browser remember that they were closed before; `about:blank` remembers nothing."""
    script = f"localStorage.setItem('{place}/instructions-read', 'true')"
    page.add_init_script(f"try {{ {script} }} catch {{}}")


class Stub:
    """The stub server as a process that can be killed and started again on its port."""

    wait_until = staticmethod(wait_until)

    def __init__(self, folder: Path, script: Path = STUB):
        self.script = script
        self.state_file = folder / "state.json"
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, str(self.script), "--port", str(self.port)]
        self.process = subprocess.Popen([*command, "--state", str(self.state_file)])
        wait_until(self.answers_at_all, "the stub server", 60)

    def kill(self) -> None:
        if self.process:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def answers_at_all(self) -> bool:
        ended = not self.process or self.process.poll() is not None
        assert not ended, "the stub server has ended"
        try:
            return bool(self.state())
        except OSError:
            return False

    def state(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/stub/state", timeout=5) as reply:
            return json.load(reply)

    def set(self, **levers: Any) -> None:
        body = json.dumps(levers).encode()
        request = urllib.request.Request(f"{self.url}/stub/set", body, method="POST")
        urllib.request.urlopen(request, timeout=5).close()


class Desk:
    """One person's desk in one tab."""

    def __init__(self, page: Page, stub: Stub, person: str, task: int):
        self.page, self.stub, self.person, self.task = page, stub, person, task
        self.root = page.locator(".desk")

    def open(self, theme: str = "light", *, first_visit: bool = False) -> "Desk":
        if not first_visit:  # or the instructions would open by themselves
            read_instructions(self.page, f"rushes/{self.person}/{self.task}")
        self.page.goto(
            f"{self.stub.url}/?task={self.task}&person={self.person}&theme={theme}",
            wait_until="domcontentloaded",
        )
        return self

    def ready(self) -> "Desk":
        expect(self.root).to_have_attribute("data-ready", "1")
        expect(self.root).to_be_visible()
        return self

    def shows(self, k: int) -> "Desk":
        expect(self.root).to_have_attribute("data-item", str(self.task * 1000 + k))
        return self

    def press(self, *keys: str) -> "Desk":
        """Press keys in turn; what comes after one that opens another item waits for that."""
        for before, key in zip(("", *keys), keys, strict=False):
            if before in ("Enter", "u", "Backspace"):
                expect(self.root).to_have_attribute("data-ready", "1", timeout=20_000)
            self.page.keyboard.press(key)
        return self

    def press_at_once(self, *keys: str) -> "Desk":
        """Press keys in turn, whatever is on the screen."""
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def find(self, selector: str, **options: Any) -> Locator:
        return self.root.locator(selector, **options)

    @property
    def checked(self) -> Locator:
        return self.find('.option[aria-checked="true"]')

    @property
    def submit(self) -> Locator:
        return self.find(".submit")

    def answers(self) -> list[dict[str, Any]]:
        everything = self.stub.state()["answers"]
        return [one for one in everything if one["person"] == self.person]

    def given(self) -> list[tuple[int, Any]]:
        """(number of the item, chosen value or None) in the order stored."""
        return [
            (one["item"] % 1000, one["response"] and one["response"].get("choice"))
            for one in self.answers()
        ]

    def stored(self, count: int) -> list[dict[str, Any]]:
        """All answers, once `count` are stored and acknowledged."""
        expect(self.root).to_have_attribute("data-pending", "0", timeout=20_000)
        wait_until(lambda: len(self.answers()) >= count, f"{count} stored answers")
        return self.answers()


@pytest.fixture(scope="session")
def stub_process(tmp_path_factory: pytest.TempPathFactory) -> Generator[Stub]:
    server = Stub(tmp_path_factory.mktemp("stub"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def stub(stub_process: Stub) -> Generator[Stub]:
    """The shared stub server; a test's levers are turned back after it."""
    yield stub_process
    stub_process.set(fail=None, delay_s=0, refuse={}, taken=[])


@pytest.fixture
def own_stub(stub_process: Stub, tmp_path: Path) -> Generator[Stub]:
    """A stub server of one's own, to kill."""
    shutil.copytree(stub_process.state_file.parent / "clips", tmp_path / "clips")
    server = Stub(tmp_path)
    server.start()
    yield server
    server.kill()


OpenDesk = Callable[..., Desk]


@pytest.fixture
def open_desk(contexts: Contexts, stub: Stub) -> Generator[OpenDesk]:
    """Opens desks: a new person each, unless told who; a script error fails the test."""
    errors: list[str] = []

    def start(task: int = 1, person: str = "", server: Stub = stub, page: Page | None = None):
        if page is None:
            page = contexts.take().new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return Desk(page, server, person or uuid.uuid4().hex[:8], task).open()

    yield start
    assert not errors


@pytest.fixture
def value() -> Callable[[int, str], int]:
    """The value behind a letter at item `k`: the stub shows 3 + k mod 5 options, turned by k."""
    return lambda k, letter: ("ABCDEFG".index(letter) + k) % (3 + k % 5)
