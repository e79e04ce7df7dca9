"""How long until failures are on screen among 100,000 stored predictions, in real Chromium.

Run by hand: `python tests/benchmarks/failures.py`. 12 models in 5 conditions answer 1,700 questions
each, put straight into a workspace that is served afresh for each cold visit. Measured in the page:

- first cards: from a click on Failures in the navigation, in a server that has only just come up,
  to the list and the first card with its pictures on screen; the same again in the warm server;
- next page, next card: from the key to the frame after list, card and pictures are drawn, a second
  apart, as somebody looks at each.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from many_predictions import make_many
from playwright.sync_api import Page, sync_playwright
from served import Served, percentile

from annotations.people import invite
from annotations.workspace import Workspace

ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage",
             "--autoplay-policy=no-user-gesture-required"]  # fmt: skip

# The room says which card is open and of which the pictures are painted; both and one frame more.
WATCH = """
() => {
  window.waits = [];
  let begun = null, from = null;
  const room = () => window.theRoom ??= (function find(root) {
    for (const one of root.querySelectorAll("*")) {
      if (one.classList?.contains("failures")) return one;
      const inside = one.shadowRoot && find(one.shadowRoot);
      if (inside) return inside;
    }
    return null;
  })(document);
  window.begin = (at) => {
    if (window.theRoom && !window.theRoom.isConnected) window.theRoom = null;
    from = room()?.dataset.shown ?? null;
    begun = at ?? performance.now();
    look();
  };
  function look() {
    const found = room(), shown = found?.dataset.shown;
    const drawn = shown && !found.hidden && shown === found.dataset.card && shown !== from;
    if (!drawn) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { window.waits.push(performance.now() - begun); };
      channel.port2.postMessage(0);
    });
  }
  window.addEventListener("keydown", (event) => {
    if ("nj".includes(event.key)) window.begin(event.timeStamp);
  }, true);
  window.addEventListener("pointerdown", (event) => {
    if (window.armed) window.begin(event.timeStamp);
    window.armed = false;
  }, true);
}
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workspace", type=Path, help="one made before, to be used again")
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--pages", type=int, default=30)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        root = given.workspace or Path(scratch) / "many"
        if not root.exists():
            make_many(root).close()
        workspace = Workspace.open(root)
        [row] = workspace.store.rows("SELECT count(*) AS n FROM prediction")
        print(f"{row['n']:,} predictions")
        token = invite(workspace, "bench", "author")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        cold: list[float] = []
        warm: list[float] = []
        try:
            for visit in range(given.visits):
                with Served(root) as server:
                    page = _signed_in(browser, server, token)
                    cold.append(_visit(page))
                    warm.append(_again(page))
                    if visit == given.visits - 1:
                        _say("first cards, server just come up", cold)
                        _say("first cards, server warm", warm)
                        _turn(page, server, given.pages)
                    page.context.close()
        finally:
            browser.close()


def _turn(page: Page, server: Served, presses: int) -> None:
    """Say how long pages and cards take, those with sixteen frames each among them."""
    _say("next page", _keys(page, "n", presses))
    _say("next card", _keys(page, "j", presses))
    address = f"http://localhost:{server.port}/failures"
    page.goto(f"{address}?condition=16+shuffled+frames&order=hard")
    page.evaluate("window.begin()")
    page.wait_for_function("window.waits.length > 0", timeout=60_000)
    _say("next page, 16 shuffled frames each", _keys(page, "n", presses))
    print(f"server memory {server.memory_mb():.0f} MB")


def _signed_in(browser: Any, server: Served, token: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(f"({WATCH})()")
    page.goto(f"http://localhost:{server.port}/join/{token}")
    page.wait_for_selector("h1", timeout=60_000)
    time.sleep(1.0)
    return page


def _visit(page: Page) -> float:
    """Wait in ms from the click on the page's name to the first card."""
    page.evaluate("window.waits.length = 0; window.armed = true")
    page.get_by_role("link", name="Failures").first.click()
    page.wait_for_function("window.waits.length > 0", timeout=60_000)
    return page.evaluate("window.waits")[0]


def _again(page: Page) -> float:
    page.get_by_role("link", name="Start").first.click()
    page.wait_for_selector("h1", timeout=60_000)
    time.sleep(1.0)
    return _visit(page)


def _keys(page: Page, key: str, presses: int) -> list[float]:
    page.evaluate("window.waits.length = 0")
    for count in range(1, presses + 1):
        time.sleep(1.0)
        page.keyboard.press(key)
        page.wait_for_function(f"window.waits.length >= {count}", timeout=60_000)
    return page.evaluate("window.waits")


def _say(what: str, waits: list[float]) -> None:
    print(f"{what}, {len(waits)} times: p50 {percentile(waits, 0.5):.0f} ms, "
          f"p95 {percentile(waits, 0.95):.0f} ms, max {max(waits):.0f} ms", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
