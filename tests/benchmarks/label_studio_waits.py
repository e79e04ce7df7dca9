"""Label Studio on the same sheets, for the comparison in next_item.py.

It is installed from packages into a virtual environment of its own and served on this machine.
"""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Page

EMAIL, PASSWORD = "somebody@example.org", "a long password 1"
CONFIG = """<View><Image name="sheet" value="$image"/><Choices name="answer" toName="sheet"
 choice="single" showInLine="false"><Choice value="A" hotkey="a"/><Choice value="B" hotkey="b"/>
<Choice value="C" hotkey="c"/><Choice value="D" hotkey="d"/></Choices></View>"""
STARTS_WITHIN_S = 1200

# The next task is on screen once its number stands there and its picture is complete with a size.
WATCH = """
() => {
  window.waits = [];
  const task = () => document.querySelector('[class*="current-task__task-id"]')?.textContent
    ?? new URLSearchParams(location.search).get("task");
  const drawn = () => [...document.querySelectorAll("img")].some(
    (one) => one.complete && one.naturalWidth > 300 && one.getClientRects().length);
  window.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.ctrlKey) return;
    const [begin, before] = [event.timeStamp, task()];
    const look = () => {
      if (task() === before || !drawn()) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.waits.push(performance.now() - begin);
      channel.port2.postMessage(0);
    };
    requestAnimationFrame(look);
  }, true);
}
"""


class LabelStudio:
    """A server of Label Studio with one person, until the block is left."""

    def __init__(self, environment: Path, folder: Path):
        """Serve it.

        Args:
            environment: a virtual environment that has it, and its database; made where there is
                none, which takes minutes.
            folder: for what it prints.
        """
        program = installed(environment)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        switches = {"COLLECT_ANALYTICS": "false", "LATEST_VERSION_CHECK": "false",
                    "DJANGO_DB": "sqlite", "SENTRY_DSN": "", "FRONTEND_SENTRY_DSN": ""}  # fmt: skip
        self.log = (folder / "label-studio.log").open("w", encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "start", "--no-browser", "--username", EMAIL, "--password", PASSWORD,
             "--port", str(self.port), "--data-dir", environment / "data"],
            stdout=self.log, stderr=self.log, env={**os.environ, **switches, "PYTHONPATH": ""},
        )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + STARTS_WITHIN_S
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise SystemExit(f"Label Studio ended at once: {Path(self.log.name).read_text()}")
            try:
                urllib.request.urlopen(f"{self.url}/health", timeout=2).close()
            except (OSError, urllib.error.URLError):
                time.sleep(0.5)
            else:
                return
        raise SystemExit(f"Label Studio did not start within {STARTS_WITHIN_S} s.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *of_an_error: object) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()


def installed(environment: Path) -> Path:
    """The program in a virtual environment, which is made and filled where it is absent."""
    program = environment / "bin" / "label-studio"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        pip = [environment / "bin" / "pip", "install", "-q", "label-studio"]
        subprocess.run(pip, check=True)
    return program


def waits_in_label_studio(
    page: Page, server: LabelStudio, sheets: list[Path], items: int
) -> list[float]:
    """Waits in ms from the key that submits to the next sheet on screen."""
    page.add_init_script(f"({WATCH})()")
    page.goto(f"{server.url}/user/login/")
    page.fill("input[name=email]", EMAIL)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(re.compile("/(projects|$)"), timeout=60_000)
    project = project_with(page, server, sheets, items)
    page.goto(f"{server.url}/projects/{project}/data?labeling=1")
    drawn(page)
    time.sleep(5)
    page.evaluate("window.waits.length = 0")
    for count in range(items):
        page.keyboard.press("a")
        time.sleep(0.3)
        page.keyboard.press("Control+Enter")
        page.wait_for_function("count => window.waits.length > count", arg=count, timeout=60_000)
        time.sleep(1.0)
    return page.evaluate("window.waits")


def drawn(page: Page) -> None:
    """Wait until a sheet is on screen."""
    page.wait_for_function(
        "() => [...document.querySelectorAll('img')].some("
        "(one) => one.complete && one.naturalWidth > 300 && one.getClientRects().length)",
        timeout=120_000,
    )


def project_with(page: Page, server: LabelStudio, sheets: list[Path], items: int) -> int:
    """The id of a new project whose tasks show the sheets, one after the other, again and again."""
    made = _asked(page, server, "/api/projects", {"title": "sheets", "label_config": CONFIG})
    project: int = made["id"]
    for sheet in sheets:
        reply = page.request.post(
            f"{server.url}/api/projects/{project}/import",
            headers=_token(page),
            multipart={"file": {"name": sheet.name, "mimeType": "image/jpeg",
                                "buffer": sheet.read_bytes()}},
        )  # fmt: skip
        assert reply.ok, reply.text()
    uploaded = page.request.get(f"{server.url}/api/tasks?project={project}&page_size=500").json()
    addresses = [task["data"]["image"] for task in uploaded["tasks"]]
    more = [{"image": addresses[i % len(addresses)]} for i in range(items + 5)]
    _asked(page, server, f"/api/projects/{project}/import", more)
    return project


def _token(page: Page) -> dict[str, str]:
    cookies = {cookie.get("name"): cookie.get("value", "") for cookie in page.context.cookies()}
    return {"X-CSRFToken": cookies.get("csrftoken", ""), "Referer": page.url}


def _asked(page: Page, server: LabelStudio, path: str, body: Any) -> Any:
    reply = page.request.post(f"{server.url}{path}", headers=_token(page), data=body)
    assert reply.ok, reply.text()
    return reply.json()
