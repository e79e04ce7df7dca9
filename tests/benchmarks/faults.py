"""A full disk, a read-only one, a locked database, a damaged page, a lost video: said, and no loss.

Run by hand as root: `python tests/benchmarks/faults.py`. A small disk in memory is mounted for the
first two; where that is not allowed they are left out, which is said. Ends with status 1 if
something acknowledged is lost, or nobody is told what to do.
"""

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from served import Server, Worker, say

from annotations.demo.setup import make_demo
from annotations.people import invite
from annotations.workspace import Workspace

RUSHES = Path(sys.executable).parent / "rushes"
CONDITION = "16 frames"
faults: list[str] = []


def main() -> None:
    """Try each; print what was said."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_demo(folder / "demo", lambda words: None).close()
        disk = folder / "disk"
        disk.mkdir()
        size = sum(path.stat().st_size for path in (folder / "demo").rglob("*") if path.is_file())
        if mounted(disk, size + 60_000_000):
            try:
                full_and_read_only(folder / "demo", disk)
            finally:
                subprocess.run(["umount", "-l", disk], check=False)
        else:
            say("full and read-only disk: NOT TRIED, no disk in memory may be mounted here")
        locked(folder / "demo", folder / "locked")
        damaged(folder / "demo", folder / "damaged")
        video_lost(folder / "demo", folder / "lost")
    say("\n".join(faults) if faults else "Nothing was lost, and everything was said.")
    sys.exit(1 if faults else 0)


def mounted(disk: Path, size: int) -> bool:
    """Whether a disk in memory of so many bytes is there now."""
    line = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk]
    return subprocess.run(line, capture_output=True, check=False).returncode == 0


def expect(what: str, text: str, *wanted: str) -> None:
    """Print what was said; a fault if words are missing in it."""
    line = " ".join(text.split())[:300]
    say(f"  {what}: {line}")
    faults.extend(
        f"{what}: nothing of {words!r} in: {line}" for words in wanted if words not in text
    )


def command(*line: object) -> str:
    """What a `rushes` command that fails says; a fault for a traceback or more than one line."""
    done = subprocess.run(
        [str(RUSHES), *map(str, line)], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        faults.append(f"rushes {line[0]}: it ended with 0")
    if "Traceback" in done.stderr:
        faults.append(f"rushes {line[0]}: {done.stderr[-300:]}")
    return done.stderr or done.stdout


def page(server: Server, link: str, name: str, *wanted: str) -> str:
    """What a page says to whom a link signs in; it is waited for until it says what is wanted."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        opened = browser.new_page()
        address = f"http://localhost:{server.port}"
        opened.goto(f"{address}/join/{link}")
        opened.goto(f"{address}/{name}")
        if name == "annotate":  # past the instructions, and an answer
            opened.wait_for_selector(".desk dialog")
            opened.keyboard.press("Enter")
            opened.wait_for_selector(".desk[data-ready='1']:not(:has(dialog[open]))")
            for key in ("a", "Enter"):
                opened.keyboard.press(key)
        return seen(opened, wanted)


def seen(opened: Page, wanted: tuple[str, ...]) -> str:
    """What a page says once it says what is wanted, or after a minute."""
    until = time.monotonic() + 60.0
    while True:
        # A desk stands in a tree of its own, which the text of the page leaves out.
        text = " ".join([opened.inner_text("body"), *opened.locator(".desk").all_inner_texts()])
        if all(words in text for words in wanted) or time.monotonic() > until:
            return text
        time.sleep(0.5)


def people(server: Server, count: int, answers: int) -> list[Worker]:
    """People who answer twice a second and send again for two minutes."""
    task = server.task(CONDITION)
    workers = [Worker(server, f"p{n}", task, 0.5, answers, patience_s=120.0) for n in range(count)]
    for worker in workers:
        worker.start()
    return workers


def ended(server: Server, workers: list[Worker], *wanted: str) -> None:
    """Wait for people, and hold what they were told and what is stored against each other."""
    for worker in workers:
        worker.join()
    acknowledged = {uid for worker in workers for uid in worker.acknowledged}
    stored = [row["uid"] for row in server.workspace.store.rows("SELECT uid FROM annotation")]
    said = [words for worker in workers for words in worker.refusals]
    expect(f"desk, {len(said)} times", said[0] if said else "", *wanted)
    faults.extend(f"acknowledged and not stored: {uid}" for uid in acknowledged - set(stored))
    faults.extend(words for worker in workers for words in worker.failures)
    if len(stored) != len(set(stored)):
        faults.append("an answer is stored twice")
    say(f"  {len(acknowledged)} answers acknowledged, {len(acknowledged - set(stored))} lost")


def full_and_read_only(demo: Path, disk: Path) -> None:
    """The disk is full for some seconds while people answer; then it is read-only."""
    say("full disk")
    server = Server(demo, disk, copies=5, console=demo.parent / "console.txt")
    author = invite(server.workspace, "Clara", "author")
    workers = people(server, 10, 40)
    time.sleep(4)
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(65_536))
        except OSError:
            pass
    time.sleep(6)
    expect(
        "command line",
        command("invite", "Zoe", "--role", "annotator", "--workspace", server.root),
        "The disk is full",
    )
    expect("page Start", page(server, author, "", "Make room"), "Make room")
    filler.unlink()
    ended(server, workers, "The disk is full", "kept and sent again")
    server.stop()
    server.workspace.close()
    say("read-only disk")
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    looked = subprocess.run(
        [str(RUSHES), "status", "--workspace", str(server.root)], capture_output=True, check=False
    )
    if looked.returncode:
        faults.append("rushes status cannot look at a read-only workspace")
    line = ("--workspace", server.root)
    zoe = ("invite", "Zoe", "--role", "annotator")
    expect("command line", command(*zoe, *line), "read-only")
    expect("rushes serve", command("serve", "--port", "1", *line), "cannot be written")
    subprocess.run(["mount", "-o", "remount,rw", disk], check=True)


def locked(demo: Path, folder: Path) -> None:
    """Another process writes for 14 s while people answer."""
    say("locked database")
    folder.mkdir()
    with Server(demo, folder, copies=5, console=folder / "console.txt") as server:
        workers = people(server, 50, 40)
        time.sleep(3)
        path = server.root / "rushes.db"
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            begin = time.monotonic()
            urllib.request.urlopen(f"http://localhost:{server.port}/_stcore/health").close()
            waited = time.monotonic() - begin
            text = command("invite", "Zoe", "--role", "annotator", "--workspace", server.root)
            time.sleep(max(0.0, begin + 14 - time.monotonic()))
            other.execute("ROLLBACK")
        say(f"  an address beside the desks answered in {1000 * waited:.0f} ms meanwhile")
        expect("command line", text, "Another process has been writing")
        ended(server, workers, "busy", "kept and sent again")


def damaged(demo: Path, folder: Path) -> None:
    """A page of the answers is overwritten."""
    say("damaged page")
    folder.mkdir()
    server = Server(demo, folder, console=folder / "console.txt")
    author = invite(server.workspace, "Clara", "author")
    [root] = server.workspace.store.rows(
        "SELECT rootpage FROM sqlite_master WHERE name = 'annotation' AND type = 'table'"
    )
    server.stop()
    server.workspace.close()
    with (server.root / "rushes.db").open("r+b") as file:
        file.seek(4096 * (root["rootpage"] - 1))
        file.write(b"\xff" * 4096)
    server.start()
    way_out = ("is damaged", "restore")
    expect("command line", command("status", "--workspace", server.root), *way_out)
    expect("rushes check", command("check", server.root, "--quick"), "restore the newest backup")
    expect("page Metrics", page(server, author, "metrics", *way_out), *way_out)
    expect("desk", page(server, author, "annotate", "damaged"), "damaged")
    server.stop()


def video_lost(demo: Path, folder: Path) -> None:
    """The folder of one video is gone."""
    say("lost video")
    folder.mkdir()
    server = Server(demo, folder, copies=2, console=folder / "console.txt")
    workspace = Workspace.open(server.root)
    [row] = workspace.store.rows(
        "SELECT v.sha256, v.name FROM item i JOIN video v ON v.id = i.video_id WHERE i.task_id = ?"
        " GROUP BY v.id ORDER BY count(*) LIMIT 1",
        [server.task(CONDITION)],
    )
    server.stop()
    shutil.rmtree(workspace.media.folder(row["sha256"]))
    server.start()
    workers = people(server, 3, 10)
    for worker in workers:
        worker.join()
    done = [len(worker.acknowledged) for worker in workers]
    say(f"  answers of three people to the other videos: {done}")
    if min(done) < 10:
        faults.append(f"a lost video keeps people from the others: {done}")
    expect("rushes check", command("check", server.root), row["name"], "file is gone")
    server.stop()


if __name__ == "__main__":
    main()
