"""How long until 50,000 videos or questions are on screen, in real Chromium.

Run by hand: `python tests/benchmarks/material.py`. The demo's clips stand under 50,000 names, and
50,000 questions ask about them. Measured in the warm server, from the click on *Videos* or
*Questions* in the navigation, from *Next*, and from Enter in the search field, until the gallery
with all its pictures is painted; the browser's memory over many pages; and the queries alone.
"""

import argparse
import json
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from served import Served, percentile

from annotations.demo.setup import make_demo
from annotations.material.question_list import QuestionFilter, count_questions, list_questions
from annotations.material.video_list import VideoFilter, count_videos, list_videos
from annotations.people import invite, now_text
from annotations.workspace import Workspace

PAINTED = """
async () => {
  const find = (root, least) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.classList?.contains("gallery") && one.children.length >= least) return one;
      const inside = one.shadowRoot && find(one.shadowRoot, least);
      if (inside) return inside;
    }
    return null;
  };
  for (;;) {
    const gallery = find(document, 1);
    const seen = gallery && [...gallery.querySelectorAll("img")].filter((image) =>
      image.getBoundingClientRect().top < innerHeight);
    const stale = document.querySelector('[data-stale="true"]');
    if (seen?.length && !stale && window.wanted(gallery) && seen.every((image) => image.complete))
      break;
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
  return performance.now() - window.begun;
}
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--visits", type=int, default=8)
    parser.add_argument("--pages", type=int, default=40, help="turned to, one after the other")
    parser.add_argument("--workspace", type=Path, help="one made before, to be used again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        root = given.workspace or Path(scratch) / "many"
        if root.exists():
            workspace = Workspace.open(root)
        else:
            workspace = make_demo(root, lambda words: None)
            _fill(workspace, given.rows)
        _queries(workspace)
        token = invite(workspace, "bench", "author")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-dev-shm-usage"],
        )
        try:
            with Served(workspace.root) as server:
                page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
                page.goto(f"http://localhost:{server.port}/join/{token}")
                page.wait_for_selector("h1", timeout=60_000)
                for menu, name in (("Workspace", "Videos"), ("Questions", "Questions")):
                    _say(f"{name} opened", _opened(page, menu, name, given.visits))
                    _turn(page, name, given.pages)
                _say("Questions searched", _searched(page, given.visits))
        finally:
            browser.close()


def _fill(workspace: Workspace, wanted: int) -> None:
    with workspace.store.write() as database:
        execute = database.conn.execute
        clips = execute(
            "SELECT sha256, facts FROM video WHERE status = 'usable' ORDER BY id"
        ).fetchall()
        for number in range(wanted):
            sha256, facts = clips[number % len(clips)]
            row = execute(
                "INSERT INTO video (name, sha256, status, facts, created_at)"
                " VALUES (?, ?, 'usable', ?, ?)",
                [f"made/{number:06}.mp4", sha256,
                 json.dumps(json.loads(facts) | {"title": f"Match {number} of the cup"}),
                 now_text()],
            )  # fmt: skip
            clip = execute("INSERT INTO clip (video_id) VALUES (?)", [row.lastrowid]).lastrowid
            question = execute(
                "INSERT INTO question (uid, source, created_at) VALUES (?, 'made', ?)",
                [f"made/{number:06}", now_text()],
            ).lastrowid
            execute(
                "INSERT INTO question_revision (question_id, revision, clip_id, text, options, key,"
                " category, created_at) VALUES (?, 1, ?, ?, ?, 0, ?, ?)",
                [question, clip, f"How often does player {number} turn?",
                 json.dumps(["once", "twice", "never"]), f"kind {number % 7}", now_text()],
            )  # fmt: skip


def _queries(workspace: Workspace) -> None:
    for name, filters in (
        ("videos", [VideoFilter(), VideoFilter(text="match 4711"), VideoFilter(category="kind 3"),
                    VideoFilter(duplicates="same"), VideoFilter(questions="no")]),
        ("questions", [QuestionFilter(), QuestionFilter(text="player 4711"),
                       QuestionFilter(category="kind 3"), QuestionFilter(state="no key"),
                       QuestionFilter(answers="people")]),
    ):  # fmt: skip
        for wanted in filters:
            begun = time.perf_counter()
            with workspace.store.read() as database:
                if isinstance(wanted, VideoFilter):
                    total = count_videos(database, wanted)
                    list_videos(database, wanted, 0, 48)
                else:
                    total = count_questions(database, wanted)
                    list_questions(database, wanted, 0, 48)
            took = 1000 * (time.perf_counter() - begun)
            given = {key: value for key, value in vars(wanted).items() if value}
            print(f"query of {name} {given}: {total:,} in {took:.0f} ms")


def _opened(page: Page, menu: str, name: str, visits: int) -> list[float]:
    waits: list[float] = []
    for _ in range(visits + 2):  # the first two make the pictures
        page.get_by_role("link", name="Start").first.click()
        page.wait_for_selector("h1", timeout=60_000)
        time.sleep(1.0)
        page.get_by_role("button", name=menu).first.click()
        # Start links to the same pages, which loads them anew: the navigation is meant.
        link = page.locator(f'a[href$="/{name.lower()}"]:not(.funnel a)').first
        link.wait_for()
        page.evaluate("window.wanted = () => true; window.begun = performance.now()")
        link.click()
        waits.append(page.evaluate(PAINTED))
    return waits[2:]


def _turn(page: Page, name: str, pages: int) -> None:
    """Print how long a page takes from the click on Next, and what the browser holds then."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def held() -> str:
        session.send("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in
                   session.send("Performance.getMetrics")["metrics"]}  # fmt: skip
        return f"{metrics['JSHeapUsedSize'] / 2**20:.0f} MB of heap, {metrics['Nodes']:,.0f} nodes"

    before, waits = held(), list[float]()
    for _ in range(pages):
        first = page.locator(".gallery button .title").first.inner_text()
        page.evaluate(
            "first => { window.wanted = (gallery) => gallery.querySelector('.title').textContent"
            " !== first; }",
            first,
        )
        page.evaluate("window.begun = performance.now()")
        page.get_by_role("button", name="Next").click()
        waits.append(page.evaluate(PAINTED))
    _say(f"{name}, next page", waits)
    print(f"{name}: {before} before, {held()} after {pages} pages", flush=True)


def _searched(page: Page, visits: int) -> list[float]:
    waits: list[float] = []
    for number in range(1000, 1000 + visits):
        field = page.get_by_placeholder("Search names, questions")
        field.fill(f"player {number}")
        page.evaluate(
            "name => { window.begun = performance.now();"
            " window.wanted = (gallery) => gallery.textContent.includes(name); }",
            f"player {number} turn",
        )
        field.press("Enter")
        waits.append(page.evaluate(PAINTED))
    return waits


def _say(what: str, waits: list[float]) -> None:
    print(f"{what}, {len(waits)} times: p50 {percentile(waits, 0.5):.0f} ms, "
          f"p95 {percentile(waits, 0.95):.0f} ms, max {max(waits):.0f} ms", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
