"""How long from the key that submits to the next item on screen, in real Chromium.

Run by hand: `python tests/benchmarks/next_item.py`. Five people are active: one in the browser,
four who answer over HTTP. Measured in the page: from the Enter key's own time stamp to the frame
after the next grid is drawn, or the next video's first frame is presented. Then Label Studio shows
the same sheets in the same browser to one person, and the ratio of the two medians is printed.
`--label-studio FOLDER` names a virtual environment that has it; else it is installed into one for
this run. `--without-label-studio` leaves it out.
"""

import argparse
import re
import shutil
import tempfile
import time
from pathlib import Path

from label_studio_waits import LabelStudio, waits_in_label_studio
from playwright.sync_api import Browser, Page, sync_playwright
from served import Server, Worker, percentile

from annotations.demo.setup import make_demo
from annotations.people import invite

ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage",
             "--autoplay-policy=no-user-gesture-required"]  # fmt: skip

# The desk says 'desk-ready' once the stage is painted; one animation frame later it is on screen.
WATCH = """
() => {
  window.waits = [];
  let pressed = null;
  window.addEventListener("keydown", (event) => {
    if (event.key === "Enter") pressed = event.timeStamp;
  }, true);
  window.addEventListener("desk-ready", () => {
    const begin = pressed;
    if (begin === null) return;
    pressed = null;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.waits.push(performance.now() - begin);
      channel.port2.postMessage(0);
    });
  }, true);
}
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=60)
    parser.add_argument("--label-studio", type=Path, help="a virtual environment that has it")
    parser.add_argument("--without-label-studio", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        demo = Path(scratch) / "demo"
        make_demo(demo, lambda words: None).close()
        server = Server(demo, Path(scratch), copies=20)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        try:
            sheets: list[Path] = []
            waits = ours(browser, server, "16 frames", "4x4 grid drawn", given.items, sheets)
            ours(browser, server, "full video", "first frame", given.items, [])
        finally:
            server.stop()
        try:
            if not given.without_label_studio:
                environment = given.label_studio or Path(scratch) / "environment"
                compare(browser, waits, environment, Path(scratch), sheets, given.items)
        finally:
            browser.close()


def ours(
    browser: Browser, server: Server, condition: str, what: str, items: int, sheets: list[Path]
) -> list[float]:
    """Waits in ms under a condition, printed; the files of the sheets shown are added to a list."""
    task = server.task(condition)
    with server.workspace.store.write() as database:
        database.conn.execute("UPDATE task SET status = 'open' WHERE id = ?", [task])
    others = [Worker(server, f"{condition} {n}", task, 3.0, items) for n in range(4)]
    for other in others:
        other.start()
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    names = set[str]()
    page.on("request", lambda request: names.update(re.findall(r"sheets/(\w+\.jpg)", request.url)))
    waits = measured(page, server, task, items)
    print(f"Enter to {what}, 5 people active, {len(waits)} items: {in_words(waits)}", flush=True)
    sheets += [path for path in sorted(server.root.rglob("sheets/*.jpg")) if path.name in names]
    page.context.clear_cookies()
    page.close()
    return waits


def compare(
    browser: Browser,
    waits: list[float],
    environment: Path,
    folder: Path,
    sheets: list[Path],
    items: int,
) -> None:
    """Print the waits in Label Studio on the same sheets, and how many times ours they are."""
    with LabelStudio(environment, folder) as server:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        theirs = waits_in_label_studio(page, server, sheets, items)
        page.close()
    print(f"Label Studio, submit to the next of {len(sheets)} sheets drawn, 1 person, "
          f"{len(theirs)} items: {in_words(theirs)}")  # fmt: skip
    ratio = percentile(theirs, 0.5) / percentile(waits, 0.5)
    print(f"The median there is {ratio:.1f} times the median here.")


def in_words(waits: list[float]) -> str:
    """Median, 95th percentile and largest of some waits."""
    middle, high = percentile(waits, 0.5), percentile(waits, 0.95)
    return f"p50 {middle:.0f} ms, p95 {high:.0f} ms, max {max(waits):.0f} ms"


def measured(page: Page, server: Server, task: int, items: int) -> list[float]:
    """Waits in ms of somebody who looks for a second and answers with A."""
    base = f"http://localhost:{server.port}"
    page.add_init_script(f"({WATCH})()")  # before the desk, which keeps keys to itself
    page.goto(f"{base}/join/{invite(server.workspace, f'browser {task}', 'annotator')}")
    page.wait_for_selector("h1")
    page.goto(f"{base}/annotate?task={task}")
    ready = page.locator('.desk[data-ready="1"]')
    ready.wait_for()
    page.keyboard.press("Enter")  # closes the instructions of a first visit
    time.sleep(3)
    page.evaluate("window.waits.length = 0")
    for _ in range(items):
        time.sleep(1.0)
        ready.wait_for()
        page.keyboard.press("A")
        page.keyboard.press("Enter")
    ready.wait_for()
    time.sleep(1.0)
    return page.evaluate("window.waits")


if __name__ == "__main__":
    main()
