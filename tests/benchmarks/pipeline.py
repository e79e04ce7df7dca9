"""Pipeline and Filters with 50,000 candidate clips, three filters over them and one at work.

Run by hand: `python tests/benchmarks/pipeline.py`. Two parts:

- in this process: reading a filter, after a person's answer too, which items of a run are left,
  what the model is asked about the first 256, how many results a second the engine stores (a stub
  that answers at once, nothing decoded), memory;
- in real Chromium, the app served: from the press on a page's name, a button or the slider to the
  frame after what it asks for is drawn; and of each live refresh how long the server worked at it,
  from the message that it begins to the one that it has ended.

The workspace takes a minute to make; `--workspace` keeps it for another time.
"""

import argparse
import itertools
import json
import shutil
import tempfile
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from many_clips import CLIPS, make_many_clips, said
from playwright.sync_api import CDPSession, Page, sync_playwright
from served import Served, percentile
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from annotations.engine import background, engine_items
from annotations.engine.engine import work
from annotations.engine.engine_hold import progress, request_stop
from annotations.engine.run_results import newest_results
from annotations.filter.filter_table import filtered
from annotations.people import invite
from annotations.run import run_plan
from annotations.run.runs import all_runs
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace

ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"]
SCORED = 3
LONGEST_MS = 30_000

# What has to be on screen, by name. Text that changes is compared with what stood there before.
WATCH = """
() => {
  window.waits = [];
  let wanted = null;
  const app = () => document.querySelector('[data-testid="stApp"]');
  const text = () => document.querySelector('[data-testid="stMain"]')?.innerText ?? "";
  const part = (pattern) => (text().match(pattern) ?? [""])[0];
  function deep(selector, root = document) {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const one of root.querySelectorAll("*")) {
      const inside = one.shadowRoot && deep(selector, one.shadowRoot);
      if (inside) return inside;
    }
    return null;
  }
  const signatures = {
    plan: () => part(/[\\d,]+ of [\\d,]+ videos would go/),
    audit: () => part(/Recall of rejections[^]*?that people reject/),
    found: () => part(/Threshold [^]*? scored videos/),
    sent: () => part(/[\\d,]+ videos are work for people/),
  };
  const titles = { pipeline: "Pipeline", filters: "Filters", working: "Pipeline" };
  const slider = () => deep(".threshold[data-kept]");
  const drawn = {
    pipeline: () => text().includes("would go to people") && slider(),
    filters: () => text().includes("Where filter and people differ") && slider(),
    working: () => text().includes("running") && deep(".gallery"),
  };
  window.arm = (name, event) => {
    const before = signatures[name]?.();
    const done = () => name in drawn
      ? document.querySelector("h1")?.innerText === titles[name] && drawn[name]()
      : signatures[name]() !== before && signatures[name]() !== "";
    wanted = { event, done };
  };
  for (const name of ["pointerdown", "pointerup"]) {
    window.addEventListener(name, (event) => {
      if (wanted?.event !== name) return;
      const { done } = wanted;
      wanted = null;
      look(done, event.timeStamp);
    }, true);
  }
  function look(done, begun) {
    if (app()?.dataset.testScriptState !== "notRunning" || !done()) {
      return requestAnimationFrame(() => look(done, begun));
    }
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { window.waits.push(performance.now() - begun); };
    channel.port2.postMessage(0);
  }
}
"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=CLIPS)
    parser.add_argument("--workspace", type=Path, help="one made before, to be used again")
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--only", choices=("process", "browser"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        made = given.workspace or Path(scratch) / "many"
        if not made.exists():
            make_many_clips(made, given.clips, given.clips // 20).close()
        for part, measure in (("process", in_process), ("browser", in_browser)):
            if given.only in (None, part):
                with copied(made, Path(scratch) / part) as root:
                    measure(root, given.visits)


@contextmanager
def copied(made: Path, root: Path) -> Iterator[Path]:
    """A copy with the same media, so that what is measured changes nothing for the next time."""
    shutil.copytree(made, root, ignore=lambda _, names: {"media"} & set(names))
    (root / "media").symlink_to((made / "media").resolve())
    yield root
    shutil.rmtree(root)


def in_process(root: Path, visits: int) -> None:
    """What the engine and the tables cost here."""
    workspace = Workspace.open(root)
    say("every run", timed(lambda: all_runs(workspace), visits))
    say("the newest twenty results", timed(lambda: newest_results(workspace, SCORED), visits))
    before = memory_mb()
    for run in (1, 2, SCORED):
        say(f"read filter {run}, cold", timed(lambda run=run: filtered(take(workspace), run), 1))
    print(f"{'memory of the three':<46} {memory_mb() - before:8.0f} MB")
    say("nothing has changed", timed(lambda: filtered(take(workspace), SCORED), visits))
    after: list[float] = []
    for _ in range(visits):
        _answer(workspace)
        after += timed(lambda: filtered(take(workspace), SCORED), 1)
    say("a person has answered", after)
    run = engine_items.planned_run(workspace, by_title(workspace, "stub:quick"))
    say("which items are left", timed(lambda: engine_items.remaining_items(workspace, run), visits))
    done = engine_items.planned_run(workspace, SCORED)
    say(
        "the same of a run that is done",
        timed(lambda: engine_items.remaining_items(workspace, done), visits),
    )
    items = engine_items.remaining_items(workspace, run).items
    setup = run_plan.setup_of(run.method, run.facts)
    asks = lambda: list(itertools.islice(  # noqa: E731
        engine_items.asks(workspace, run, setup, items, print), 256))  # fmt: skip
    say("the first 256 asks", timed(asks, visits))
    rates: list[float] = []
    for count in (2_000, 4_000, 6_000):
        begun = time.perf_counter()
        ended = work(workspace, run.id, only=items[:count])
        rates.append(ended.new / (time.perf_counter() - begun))
    print(f"{'results a second that the engine stores':<46} {percentile(rates, 0.5):8.0f}"
          f"   ({min(rates):.0f} to {max(rates):.0f})")  # fmt: skip
    workspace.close()


def in_browser(root: Path, visits: int) -> None:
    """What somebody waits for, in a server that has only just come up and in one that is warm."""
    workspace = Workspace.open(root)
    token = invite(workspace, "bench", "author")
    names = ("Pipeline", "Filters")
    cold: dict[str, list[float]] = {name: [] for name in names}
    warm: dict[str, list[float]] = {name: [] for name in names}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        try:
            for visit, name in itertools.product(range(visits), names):
                with Served(root) as server:
                    page = signed_in(browser, server, token)
                    cold[name].append(opened(page, name))
                    for other in (*names, *names):
                        warm[other].append(opened(page, other))
                    if visit == visits - 1 and name == names[-1]:
                        for each in names:
                            say(f"{each} opened, server just come up", cold[each])
                            say(f"{each} opened, warm", warm[each])
                        _by_hand(page, visits)
                        print(f"{'server memory':<46} {server.memory_mb():8.0f} MB", flush=True)
                        _at_work(workspace, page, server, visits)
                    page.context.close()
        finally:
            browser.close()
    workspace.close()


def _by_hand(page: Page, visits: int) -> None:
    """The slider on both pages, a threshold that is found, and what is sent."""
    for name, signature in (("Filters", "audit"), ("Pipeline", "plan")):
        opened(page, name)
        say(f"slider let go to {name} drawn", [
            dragged(page, signature, 0.4 + 0.3 * (turn % 2) + 0.01 * turn)
            for turn in range(2 * visits)
        ])  # fmt: skip
    plans = ("A random sample", "At or above the threshold")
    choices = [page.get_by_text(plan, exact=True) for plan in plans]
    say("another plan of what to send",
        [pressed(page, "plan", choices[turn % 2].click) for turn in range(2 * visits)])  # fmt: skip
    found: list[float] = []
    for turn in range(visits):
        field = page.get_by_label("Keep of what people accept, %")
        field.fill(str(80 + turn))
        field.press("Enter")
        settled(page)
        find = page.get_by_role("button", name="Find")
        found.append(pressed(page, "found", find.click))
    say("a threshold found", found)
    page.get_by_text(plans[0], exact=True).click()
    settled(page)
    send = page.get_by_role("button", name="Send 100 to people")
    say("100 clips sent", [pressed(page, "sent", send.click)])


def _at_work(workspace: Workspace, page: Page, server: Served, visits: int) -> None:
    """The page of a run that is at work, and the other pages beside it."""
    run = by_title(workspace, "stub:slow", batch=4)
    background.start(workspace, run)
    try:
        while not progress(workspace, run).done:
            time.sleep(0.2)
        opened(page, "Filters")
        say("Pipeline of a run at work opened", [
            opened(page, "Pipeline", "working") for _ in range(visits) if opened(page, "Filters")
        ])  # fmt: skip
        refreshes = Refreshes(page.context.new_cdp_session(page))
        cpu, begun = server.cpu_s(), time.monotonic()
        page.wait_for_timeout(30_000)
        say("a live refresh, time of the server", refreshes.waits)
        print(f"{'share of a processor while it refreshes':<46} "
              f"{100 * (server.cpu_s() - cpu) / (time.monotonic() - begun):8.1f} %")  # fmt: skip
    finally:
        request_stop(workspace, run)
        while progress(workspace, run).status == "running":
            time.sleep(0.2)


def by_title(workspace: Workspace, model: str, **options: Any) -> int:
    """A new run over the titles of all clips, which need no decoding."""
    return run_plan.plan_run(
        workspace, "title_filter", model, settings={"text": "a sport"}, options=options
    )


class Refreshes:
    """How long the server takes for each rerun of a part of the page, ms, by its messages."""

    def __init__(self, session: CDPSession):
        """Listens."""
        self.waits: list[float] = []
        self._begun: float | None = None
        session.on("Network.webSocketFrameReceived", self._heard)
        session.send("Network.enable")

    def _heard(self, event: dict[str, Any]) -> None:
        message = ForwardMsg()
        message.ParseFromString(b64decode(event["response"]["payloadData"]))
        what = message.WhichOneof("type")
        if what == "new_session":
            self._begun = event["timestamp"]
        elif what == "script_finished" and self._begun is not None:
            self.waits.append(1000 * (event["timestamp"] - self._begun))
            self._begun = None


def signed_in(browser: Any, server: Served, token: str) -> Page:
    """A page on which somebody has just arrived."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(f"({WATCH})()")
    page.goto(f"http://localhost:{server.port}/join/{token}")
    page.wait_for_selector("h1", timeout=60_000)
    settled(page)
    time.sleep(1.0)
    return page


def opened(page: Page, name: str, drawn: str = "") -> float:
    """Wait in ms from the press on a page's name to all of it; from another page."""
    if page.locator("h1").first.inner_text() == name:
        page.get_by_role("link", name="Start").first.click()
        page.wait_for_function(f"document.querySelector('h1')?.innerText !== '{name}'")
        settled(page)
    page.get_by_role("button", name="Models").first.click()
    link = page.locator(f'a[href$="/{name.lower()}"]').first
    link.wait_for()
    return pressed(page, drawn or name.lower(), link.click)


def dragged(page: Page, signature: str, share: float) -> float:
    """Wait in ms from letting the slider go, so far from its left end, to what hangs on it."""
    plot = page.locator(".threshold .plot")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + share * box["width"], box["y"] + 20)
    return pressed(page, signature, page.mouse.up, "pointerup")


def pressed(
    page: Page, drawn: str, press: Callable[[], object], event: str = "pointerdown"
) -> float:
    """Wait in ms from a press to what it asks for."""
    page.evaluate(f"window.waits.length = 0; window.arm('{drawn}', '{event}')")
    press()
    page.wait_for_function("window.waits.length > 0", timeout=LONGEST_MS)
    page.wait_for_timeout(500)
    return page.evaluate("window.waits")[0]


def settled(page: Page) -> None:
    """Wait until the server has nothing more to draw."""
    page.wait_for_timeout(300)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]',
                           timeout=LONGEST_MS)  # fmt: skip


def _answer(workspace: Workspace) -> None:
    """One more answer of a person, put straight into the database."""
    with workspace.store.write() as database:
        item = database.conn.execute(
            "SELECT id FROM item i WHERE answers = 0 ORDER BY id LIMIT 1"
        ).fetchone()[0]
        database.conn.execute(
            "INSERT INTO annotation (uid, item_id, annotator_id, revision, task_kind,"
            " schema_version, response, shown, counted, active_s, answered_at, stored_at)"
            " VALUES (?, ?, 1, 1, 'screening', 1, ?, '{}', 1, 6, 0, 0)",
            [uuid4().hex, item, json.dumps(said(True))],
        )
        database.conn.execute("UPDATE item SET answers = 1 WHERE id = ?", [item])


def timed(what: Callable[[], object], times: int) -> list[float]:
    """How long each of some calls takes, ms."""
    found: list[float] = []
    for _ in range(times):
        begun = time.perf_counter()
        what()
        found.append(1000 * (time.perf_counter() - begun))
    return found


def memory_mb() -> float:
    """Resident memory of this process, MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def say(what: str, waits: list[float]) -> None:
    """One line of the table."""
    print(f"{what:<46} {percentile(waits, 0.5):8.1f} ms   p95 {percentile(waits, 0.95):.1f}, least "
          f"{min(waits):.1f}, {len(waits)} times", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
