"""How long until failures are on screen among 100,000 stored predictions, in real Chromium.

Run by hand: `python tests/benchmarks/failures.py`. 12 models in 5 conditions answer 1,700 questions
each, put straight into a workspace that is served afresh for each cold visit. Measured in the page:

- first cards: from a click on Failures in the navigation, in a server that has only just come up,
  to the wall with the first picture on screen; the same again in the warm server;
- the wall: forty questions and more in a large window, from the server's answer (and from
  the click) until every card with its contact sheet is painted, sheets made before; then the
  browser's memory and elements while somebody scrolls through all of it;
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
    const wall = found?.dataset.view === "wall" && found.querySelector(".wall-card img");
    const drawn = found && !found.hidden && (wall ? wall.complete
      : shown && shown === found.dataset.card && shown !== from);
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
                        _wall(browser, server, token, given.visits)
                    page.context.close()
        finally:
            browser.close()


def _turn(page: Page, server: Served, presses: int) -> None:
    """Say how long pages and cards take, those with sixteen frames each among them."""
    address = f"http://localhost:{server.port}/failures?view=cards"
    page.goto(address)
    page.evaluate("window.begin()")
    page.wait_for_function("window.waits.length > 0", timeout=60_000)
    _say("next page", _keys(page, "n", presses))
    _say("next card", _keys(page, "j", presses))
    page.goto(f"{address}&condition=16+shuffled+frames&order=hard")
    page.evaluate("window.begin()")
    page.wait_for_function("window.waits.length > 0", timeout=60_000)
    _say("next page, 16 shuffled frames each", _keys(page, "n", presses))
    print(f"server memory {server.memory_mb():.0f} MB")


# Waits until so many cards are painted, those below what is seen among them. Gives ms from the
# click, then from the server's first answer, how long that took, and from it until all that is seen
# is painted.
WALL = """
async ([least]) => {
  const room = () => window.theRoom ??= (function find(root) {
    for (const one of root.querySelectorAll("*")) {
      if (one.classList?.contains("failures")) return one;
      const inside = one.shadowRoot && find(one.shadowRoot);
      if (inside) return inside;
    }
    return null;
  })(document);
  if (window.theRoom && !window.theRoom.isConnected) window.theRoom = null;
  const painted = (card) => {
    const image = card.querySelector("img");
    return !image || (image.complete && image.naturalWidth);
  };
  const isSeen = (card) => card.getBoundingClientRect().top < innerHeight;
  let seenAt = 0;
  for (;;) {
    const cards = [...(room()?.querySelectorAll(".wall-card") ?? [])];
    const ready = cards.length > 0 && cards.filter(isSeen).every(painted);
    const all = cards.length >= least && cards.every(painted);
    await new Promise(requestAnimationFrame);
    if (ready) seenAt ||= performance.now();
    if (all) break;
  }
  const now = performance.now();
  const requests = performance.getEntriesByType("resource");
  const answer = requests.find((one) => one.name.endsWith("/wall"));
  const from = answer.responseEnd;
  return [now - window.clicked, now - from, answer.duration, seenAt - from];
}
"""


def _wall(browser: Any, server: Served, token: str, visits: int) -> None:
    page = _signed_in(browser, server, token, {"width": 1920, "height": 1200})
    times: list[list[float]] = []
    for _ in range(visits + 2):  # the first two make the sheets
        page.get_by_role("link", name="Start").first.click()
        page.wait_for_selector("h1", timeout=60_000)
        time.sleep(1.0)
        page.evaluate("performance.clearResourceTimings(); window.clicked = performance.now()")
        page.get_by_role("link", name="Failures").first.click()
        times.append(page.evaluate(WALL, [40]))
    _say("the wall of forty, from the click", [one[0] for one in times[2:]])
    _say("the wall of forty, from the server's answer", [one[1] for one in times[2:]])
    _say("all that is seen of it, from the server's answer", [one[3] for one in times[2:]])
    _say("the server's answer", [one[2] for one in times[2:]])
    _scroll(page)
    page.context.close()


def _scroll(page: Page) -> None:
    """Print what the browser holds while every question is scrolled through."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def held() -> str:
        session.send("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in
                   session.send("Performance.getMetrics")["metrics"]}  # fmt: skip
        return f"{metrics['JSHeapUsedSize'] / 2**20:.0f} MB of heap, {metrics['Nodes']:,.0f} nodes"

    print(f"before scrolling: {held()}")
    for press in range(1, 101):
        page.keyboard.press("PageDown")
        time.sleep(0.15)
        if press % 25 == 0:
            print(f"after {press} pages: {held()}", flush=True)


def _signed_in(
    browser: Any, server: Served, token: str, size: dict[str, int] | None = None
) -> Page:
    page = browser.new_context(viewport=size or {"width": 1440, "height": 900}).new_page()
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
