"""How long from the key that submits to the next item on screen, in real Chromium.

Run by hand: `python tests/benchmarks/next_item.py`. Five people are active: one in the browser,
four who answer over HTTP. Measured in the page: from the Enter key's own time stamp to the frame
after the next grid is drawn, or the next video's first frame is presented.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
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
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        demo = Path(scratch) / "demo"
        make_demo(demo, lambda words: None).close()
        server = Server(demo, Path(scratch), copies=20)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        try:
            for condition, what in (("16 frames", "4x4 grid drawn"), ("full video", "first frame")):
                task = server.task(condition)
                others = [
                    Worker(server, f"{condition} {n}", task, 3.0, given.items) for n in range(4)
                ]
                for other in others:
                    other.start()
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                waits = measured(page, server, task, given.items)
                print(f"Enter to {what}, 5 people active, {len(waits)} items: "
                      f"p50 {percentile(waits, 0.5):.0f} ms, p95 {percentile(waits, 0.95):.0f} ms, "
                      f"max {max(waits):.0f} ms")  # fmt: skip
                page.context.clear_cookies()
                page.close()
        finally:
            browser.close()
            server.stop()


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
