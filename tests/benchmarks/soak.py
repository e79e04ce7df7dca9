"""Fifty people answer, three authors go through every page, an import and a run are at work.

Run by hand: `python tests/benchmarks/soak.py --minutes 10`. Afterwards it says how many answers
were acknowledged and which of them are not stored (none may be), what pages and the log complain
of, what `rushes check` finds, and whether Metrics shows what a fresh process computes.
"""

import argparse
import csv
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright
from served import Server, Worker, percentile, say

from annotations.demo.setup import make_demo
from annotations.people import invite
from ui.shell.app_pages import PAGES

RUSHES = Path(sys.executable).parent / "rushes"


def main() -> None:
    """Print the figures; exit status 1 if anything was lost or went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--every", type=float, default=3.0, help="s between one person's answers")
    parser.add_argument("--authors", type=int, default=3, help="each with a browser, on every page")
    parser.add_argument("--questions", type=int, default=20_000, help="that are imported meanwhile")
    parser.add_argument("--keep", type=Path, help="a new folder for the workspace, logs too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        demo = Path(scratch) / "demo"
        make_demo(demo, lambda words: None).close()
        server = Server(demo, Path(scratch), copies=60)
        try:
            faults = soak(server, Path(scratch), arguments)
        finally:
            server.stop()
        if arguments.keep:
            shutil.copytree(server.root, arguments.keep)
    say("\n".join(faults) if faults else "Nothing was lost and nothing went wrong.")
    sys.exit(1 if faults else 0)


def soak(server: Server, scratch: Path, arguments: argparse.Namespace) -> list[str]:
    """Everything at once; what went wrong, in lines."""
    tasks = [server.task("16 frames"), server.task("full video")]
    answers = int(60 * arguments.minutes / arguments.every)
    workers = [
        Worker(server, f"p{n}", tasks[n % 2], arguments.every, answers, patience_s=60.0)
        for n in range(arguments.people)
    ]
    at_work = [
        command("import", questions_file(server, scratch, arguments.questions), "--yes", server),
        command(
            "run", "multiple_choice", "--condition", "8 frames", "--model", "stub:fair", server
        ),
    ]
    stop, complaints = threading.Event(), list[str]()
    authors = [Author(server, f"author {n}", stop, complaints) for n in range(arguments.authors)]
    for thread in [*workers, *authors]:
        thread.start()
    for worker in workers:
        worker.join()
    stop.set()
    for author in authors:
        author.join()
    ended = [process.wait() for process in at_work]
    waits = [wait for worker in workers for wait in worker.waits_ms]
    p50, p95 = (percentile(waits, share) for share in (0.5, 0.95))
    say(f"{len(waits)} answers acknowledged: p50 {p50:.0f} ms, p95 {p95:.0f} ms, "
          f"server {server.memory_mb():.0f} MB")  # fmt: skip
    for words, count in sum((worker.refusals for worker in workers), Counter()).most_common(5):
        say(f"{count} times asked again after: {words[:300]}")
    for author in authors:
        slowest = sorted(author.slowest.items(), key=lambda one: -one[1])
        say(f"{author.name}: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in slowest))
    say(f"{sum(author.pages for author in authors)} pages drawn for authors")
    failures = [words for worker in workers for words in worker.failures]
    if any(ended):
        complaints.append(f"the import and the run ended with {ended}")
    return [*complaints, *failures, *lost(server, workers), *log_faults(server), *checked(server)]


def command(*words: object) -> subprocess.Popen[bytes]:
    """A `rushes` command at work beside the server, whose workspace comes last."""
    *arguments, server = words
    assert isinstance(server, Server)
    line = [str(RUSHES), *map(str, arguments), "--workspace", str(server.root)]
    return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def questions_file(server: Server, scratch: Path, count: int) -> Path:
    """A CSV of new questions over the videos that are there."""
    videos = [row["name"] for row in server.workspace.store.rows(
        "SELECT name FROM video WHERE status = 'usable' ORDER BY id")]  # fmt: skip
    path = scratch / "more questions.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "video", "question", "option_a", "option_b", "answer"])
        for number in range(count):
            video = videos[number % len(videos)]
            writer.writerow([f"soak/{number}", video, f"What is {number}?", "a", "b", "A"])
    return path


class Author(threading.Thread):
    """An author who opens every page in turn and notes whatever a page complains of."""

    def __init__(self, server: Server, name: str, stop: threading.Event, complaints: list[str]):
        super().__init__(daemon=True, name=name)
        self.server, self.stop_event, self.complaints = server, stop, complaints
        self.link = f"/join/{invite(server.workspace, name, 'author')}"
        self.pages = 0
        self.slowest = dict[str, float]()  # s until each page was drawn

    def run(self) -> None:
        """Go round until told to stop."""
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
            )
            self.go_round(browser)

    def go_round(self, browser: Browser) -> None:
        """Open page after page, each until Streamlit has drawn it."""
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        address = f"http://localhost:{self.server.port}"
        page.goto(address + self.link)
        while not self.stop_event.is_set():
            for name in PAGES:
                if self.stop_event.is_set():
                    break
                begin = time.monotonic()
                try:
                    page.goto(f"{address}/{'' if name == 'start' else name}")
                    page.wait_for_selector('[data-test-script-state="notRunning"]')
                except TimeoutError:
                    self.complaints.append(f"page {name}: not drawn within two minutes")
                    continue
                self.slowest[name] = max(self.slowest.get(name, 0.0), time.monotonic() - begin)
                for exception in page.locator('[data-testid="stException"]').all_inner_texts():
                    self.complaints.append(f"page {name}: {exception[:300]}")
                self.pages += 1


def lost(server: Server, workers: list[Worker]) -> list[str]:
    """Answers that were acknowledged and are not stored."""
    stored = {row["uid"] for row in server.workspace.store.rows("SELECT uid FROM annotation")}
    absent = [uid for worker in workers for uid in worker.acknowledged if uid not in stored]
    return [f"acknowledged and not stored: {uid}" for uid in absent]


def log_faults(server: Server) -> list[str]:
    """Tracebacks in the server's logs."""
    logs = sorted(server.root.glob("rushes.log*"))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in logs]
    return [
        f"log: {text[text.index('Traceback') :][:600]}" for text in texts if "Traceback" in text
    ]


def checked(server: Server) -> list[str]:
    """What `rushes check` finds, and whether a fresh process computes what the server's does."""
    line = [str(RUSHES), "check", str(server.root), "--quick", "--json"]
    told = json.loads(subprocess.run(line, capture_output=True, check=False).stdout)
    faults = [f"check: {fault['where']}: {fault['what']}" for fault in told["faults"]]
    line = [str(RUSHES), "metrics", "--json", "--workspace", str(server.root)]
    metrics = json.loads(subprocess.run(line, capture_output=True, check=True).stdout)
    # The page has a card for each condition; what all conditions give together is on no card.
    wanted = {
        row["condition"][:1].upper() + row["condition"][1:]: f"{100 * row['value']:.1f} %"
        for row in metrics["conditions"]
        if row["value"] is not None
    }
    say(f"a recount gives {wanted}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.set_default_timeout(120_000)
        address = f"http://localhost:{server.port}"
        page.goto(f"{address}/join/{invite(server.workspace, 'recount', 'author')}")
        page.goto(f"{address}/metrics")
        page.wait_for_selector(".rushes-card")
        shown, until = cards(page), time.monotonic() + 120.0
        while not wanted.items() <= shown.items() and time.monotonic() < until:
            time.sleep(1.0)  # the page follows new answers every two seconds
            shown = cards(page)
    return faults + [
        f"Metrics shows {shown.get(condition)} for {condition}, and a recount gives {share}"
        for condition, share in wanted.items()
        if shown.get(condition) != share
    ]


def cards(page: Page) -> dict[str, str]:
    """The headline number of each card on Metrics, by the condition that it is about."""
    found = page.locator(".rushes-card").evaluate_all(
        "all => all.map((card) => [card.querySelector('h4')?.textContent ?? '',"
        " card.querySelector('.rushes-value')?.firstChild?.textContent?.trim() ?? ''])"
    )
    return dict(found)


if __name__ == "__main__":
    main()
