"""Pictures of every page, every task and every kind of disagreement, to be looked at by a person.

Run by hand: `python tests/benchmarks/screenshots.py FOLDER`. Both themes, three sizes of screen;
`--only` and `--sizes` take fewer. Lists at the end what lies outside the screen to the right.
"""

import argparse
import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

from annotations.agreement.disagreements import disagreements
from annotations.demo.setup import make_demo
from annotations.people import invite
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from ui.ports import is_free
from ui.shell.app_pages import PAGES

SIZES = {"1440x900": (1440, 900), "1280x720": (1280, 720), "390x844": (390, 844)}
THEMES = "light", "dark"
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage",
             "--autoplay-policy=no-user-gesture-required"]  # fmt: skip
PATIENCE_MS = 30_000


def main() -> None:
    """Make the pictures and say how many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="outside the project")
    parser.add_argument("--workspace", type=Path, help="a copy of it is shown, not a demo")
    parser.add_argument("--only", default="", help="part of a picture's name")
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--themes", nargs="*", default=list(THEMES), choices=THEMES)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        root = Path(scratch) / "demo"
        if arguments.workspace:
            shutil.copytree(arguments.workspace, root)
        else:
            make_demo(root, lambda words: None).close()
        server, url = served(root)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        try:
            taken = wide = 0
            for size in arguments.sizes:
                for theme in arguments.themes:
                    for name, page in screens(browser, root, url, size, theme, arguments.only):
                        page.screenshot(path=arguments.folder / f"{name}-{size}-{theme}.png")
                        taken += 1
                        overhang = page.evaluate(
                            "() => document.documentElement.scrollWidth - window.innerWidth"
                        )
                        if overhang > 0:
                            wide += 1
                            print(f"{name} {size} {theme}: {overhang} px outside to the right")
            print(f"{taken} pictures in {arguments.folder}, {wide} wider than the screen")
        finally:
            browser.close()
            server.terminate()
            server.wait()


def served(root: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A server on a workspace, up, and its address."""
    port = next(port for port in range(8700, 8800) if is_free("127.0.0.1", port))
    command = [Path(sys.executable).parent / "rushes", "serve", "--workspace", root]
    server = subprocess.Popen([*command, "--port", str(port)])
    url = f"http://localhost:{port}"
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return server, url
    raise SystemExit("The server did not come up within a minute.")


def screens(
    browser: Browser, root: Path, url: str, size: str, theme: Any, only: str
) -> Iterator[tuple[str, Page]]:
    """Every screen drawn, with its name."""
    workspace = Workspace.open(root)
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
    page = context.new_page()
    page.goto(f"{url}/join/{invite(workspace, 'Clara', 'author')}")
    drawn(page)
    for name, address in addresses(workspace):
        if only not in name:
            continue
        page.goto(f"{url}/{address}")
        drawn(page)
        if address.startswith("annotate"):
            yield f"{name}-instructions", page
            page.keyboard.press("Escape")
            page.wait_for_timeout(400)
        yield name, page
    context.close()


def addresses(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """The name and the address of every screen: pages, tasks, and a disagreement of each kind."""
    for name in PAGES:
        if name != "annotate":
            yield f"page-{name}", "" if name == "start" else name
    for row in workspace.store.rows("SELECT id, name, status FROM task ORDER BY id"):
        label = "".join(c if c.isalnum() else "-" for c in row["name"].lower())
        # A closed task hands out nothing; its items are seen as its author looks at them.
        preview = "" if row["status"] == "open" else "&preview=1"
        yield f"task-{row['id']:02}-{label}", f"annotate?task={row['id']}{preview}"
        worst = disagreements(take(workspace), [row["id"]], limit=1).rows
        if worst:
            yield f"settle-{row['id']:02}-{label}", f"disagreements?item={worst[0].item_id}"


def drawn(page: Page) -> None:
    """Wait until the page stands: Streamlit is done, and a desk or viewer has its picture."""
    app = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    app.wait_for(timeout=PATIENCE_MS)
    stage = page.locator('.desk[data-ready="1"], .desk[data-state="finished"]').first
    with contextlib.suppress(Error):  # a page without a stage
        stage.wait_for(timeout=4000)
    page.wait_for_timeout(600)


if __name__ == "__main__":
    main()
