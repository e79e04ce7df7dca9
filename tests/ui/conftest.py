import json
import shutil
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import component_packages
import pytest
from browsing import Contexts
from firefox import Firefox
from killing import Nursery
from once import made_once
from playwright.sync_api import Browser, Page, expect, sync_playwright
from rushes_server import Served

from annotations.demo import setup
from annotations.people import Person
from annotations.record.shown import Shown
from annotations.shown_places import response_from_desk
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from core import plugins
from ui import access, serving

__all__ = ["component_packages"]  # imported for what it does

# The one without windows does the same pages with two thirds of the work.
CHROMIUMS = ("chromium-headless-shell", "chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--autoplay-policy=no-user-gesture-required",
    # Drawing by a processor that plays a graphics card costs a tenth of a browser's time.
    "--disable-gpu",
    # Pages of one context come into a process that has compiled the scripts of the one before.
    "--renderer-process-limit=1",
]


# A busy machine is slow, not wrong.
expect.set_options(timeout=20_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try a browser test that failed twice more: a slow machine is not a fault of the page."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2))


# What a form holds, as far as it is seen. Of an item that nobody has begun everything is empty.
GIVEN = """desk => {
  const all = (selector) => [...desk.querySelectorAll(selector)];
  const seen = (selector) => all(selector).filter((one) => one.getClientRects().length > 0);
  return {
    chosen: all('.option').flatMap((one, i) => (one.ariaChecked === 'true' ? [i] : [])),
    kept: all('.option.edited.kept').map((one) => one.dataset.id),
    texts: seen('.panel textarea').map((one) => one.value).filter(Boolean),
    edges: all('.edge-time').map((one) => one.textContent).filter((words) => words !== 'not set'),
    spans: all('.bars .span').length,
    picked: all('.picked.given').map((one) => one.textContent),
    enlarged: seen('.enlarged').length,
  };
}"""


def holds(given: Any, part: Any) -> bool:
    """Whether a response has at least what a part of one has; times within 1 ms."""
    if isinstance(part, dict):
        return isinstance(given, dict) and all(holds(given.get(k), v) for k, v in part.items())
    if isinstance(part, list) and part and isinstance(part[0], dict):
        return len(given or []) == len(part) and all(map(holds, given, part))
    return abs(given - part) < 0.001 if isinstance(part, float) and given else given == part


class AtWork:
    """A new person at one task, the instructions read."""

    def __init__(self, page: Page, served: Served, name: str, task: str):
        self.page, self.name, self.workspace = page, name, served.workspace()
        [row] = self.workspace.store.rows("SELECT id FROM task WHERE name LIKE ? || '%'", [task])
        self.task = row["id"]
        page.goto(f"{served.url}/annotate?task={self.task}")
        self.root = page.locator(".desk")
        self.ready()
        expect(self.root.locator("dialog")).to_be_visible()
        self.press("Enter")
        expect(self.root.locator("dialog")).to_have_count(0)

    def ready(self) -> None:
        expect(self.root).to_have_attribute("data-ready", "1", timeout=30_000)

    def press(self, *keys: str) -> None:
        """Press keys in turn; what comes after Enter is for the next item and waits for it."""
        for before, key in zip(("", *keys), keys, strict=False):
            if before == "Enter" and self.root.get_attribute("data-item"):
                self.ready()
            self.page.keyboard.press(key)

    def write(self, words: str) -> None:
        self.page.keyboard.type(words)

    def item(self) -> int:
        return int(self.root.get_attribute("data-item") or 0)

    def given(self) -> dict[str, Any]:
        return self.root.evaluate(GIVEN)

    def texts(self, selector: str) -> list[str]:
        return self.root.locator(selector).all_inner_texts()

    def values(self, selector: str = ".option") -> list[Any]:
        """The options on screen, as responses name them where they are stored."""
        found = self.root.locator(selector)
        sent = found.evaluate_all("all => all.map((one) => JSON.parse(one.dataset.value))")
        return [self.as_stored({"choice": value})["choice"] for value in sent]

    def as_stored(self, response: dict[str, Any]) -> dict[str, Any]:
        """A response as the desk sends it, options named as they are stored."""
        [row] = self.workspace.store.rows(
            "SELECT t.kind, l.shown, l.question_revision_id FROM lease l"
            " JOIN item i ON i.id = l.item_id JOIN task t ON t.id = i.task_id"
            " WHERE l.item_id = ? AND l.annotator_id = (SELECT id FROM annotator WHERE name = ?)"
            " ORDER BY l.id DESC LIMIT 1",
            [self.item(), self.name],
        )
        return response_from_desk(row["kind"], response, Shown.from_row(row))

    def submit(self) -> None:
        """Enter, and on from what is said about a practice item."""
        before = self.item()
        [row] = self.workspace.store.rows("SELECT role FROM item WHERE id = ?", [before])
        self.press("Enter")
        if row["role"] == "practice":
            expect(self.root.locator(".feedback")).to_be_visible(timeout=30_000)
            self.press("Enter")
            expect(self.root.locator(".feedback")).to_have_count(0)
        expect(self.root).not_to_have_attribute("data-item", str(before))
        expect(self.root).to_have_attribute("data-pending", "0", timeout=30_000)

    def stored(self, item: int) -> tuple[int, dict[str, Any]]:
        """Revision and response of the current answer to an item, which is this person's only."""
        [row] = self.workspace.store.rows(
            "SELECT a.revision, a.response FROM current_annotation a JOIN annotator p"
            " ON p.id = a.annotator_id WHERE a.item_id = ? AND p.name = ?",
            [item, self.name],
        )
        return row["revision"], json.loads(row["response"])

    def draft(self) -> dict[str, Any]:
        """What the server keeps of the item on screen."""
        rows = self.workspace.store.rows(
            "SELECT d.body FROM draft d JOIN annotator p ON p.id = d.annotator_id"
            " WHERE d.item_id = ? AND p.name = ?",
            [self.item(), self.name],
        )
        return self.as_stored(json.loads(rows[0]["body"])) if rows else {}

    def server_keeps(self, half: dict[str, Any]) -> None:
        """Waits until the server's draft holds at least this."""
        deadline = time.monotonic() + 20
        while not holds(self.draft(), half):
            assert time.monotonic() < deadline, f"{self.draft()} instead of {half}"
            time.sleep(0.1)

    def video(self) -> str:
        """Content hash of the video that was shown of the item on screen."""
        [row] = self.workspace.store.rows(
            "SELECT shown FROM lease WHERE item_id = ? ORDER BY id DESC LIMIT 1", [self.item()]
        )
        facts = json.loads(row["shown"])
        return facts["clips"][0]["video"] if "clips" in facts else facts["video"]

    def frame(self) -> tuple[int, float]:
        """Index of the presented frame by what the desk says, and its time stamp in the file, s."""
        words = self.root.locator(".frame-number").inner_text()
        index = int(words.split()[1]) - 1
        return index, round(self.workspace.media.frame_table(self.video()).times[index], 6)

    def go(self, steps: int, to: int) -> None:
        """So many frames on from the playhead, to this frame, and wait until it is presented."""
        self.press(*["."] * steps)
        expect(self.root.locator(".player-stage")).to_have_attribute("data-frame", str(to))


@pytest.fixture(scope="module")
def chromium() -> Generator[Browser]:
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if not path:
        pytest.skip("no Chromium on this machine: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def contexts_of_module(chromium: Browser) -> Contexts:
    return Contexts(chromium)


@pytest.fixture
def contexts(contexts_of_module: Contexts) -> Generator[Contexts]:
    """Contexts to take; they are given back after the test."""
    yield contexts_of_module
    contexts_of_module.give_back()


@pytest.fixture(autouse=True)
def administrator_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that are drawn in this process have no cookie: an administrator looks at them."""
    monkeypatch.setattr(access, "person_here", lambda: Person(0, "Test", "admin"))


@pytest.fixture
def served(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Generator[Workspace]:
    """The workspace, found by pages that are drawn in this process."""
    monkeypatch.setenv(serving.WORKSPACE_VARIABLE, str(workspace.root))
    serving.workspace.cache_clear()
    serving.preparer.cache_clear()
    yield workspace
    if serving.preparer.cache_info().currsize:
        serving.preparer().stop()
    if serving.workspace.cache_info().currsize:
        serving.workspace().close()
    serving.workspace.cache_clear()
    serving.preparer.cache_clear()


@pytest.fixture(scope="session")
def demo_original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo workspace, made once for all processes of the tests; copy it before use."""

    def copy_clips(folder: Path) -> None:
        shutil.copytree(request.getfixturevalue("demo_footage"), folder)

    def make(root: Path) -> None:
        # The clips are those that were drawn for all tests: drawing them is most of the work.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(setup, "write_clips", copy_clips)
            workspace = setup.make_demo(root, print)
            # Every server of a copy would make the same pictures of the items that are open.
            preparer = Preparer(workspace)
            preparer.make_open()
            preparer.stop()
            workspace.close()

    return made_once(tmp_path_factory, "demo of all", make)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Generator[Firefox]:
    """The Firefox of this machine, without a window."""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if not path:
        pytest.skip("no Firefox on this machine: apt-get install firefox-esr")
    browser = Firefox(path, tmp_path_factory.mktemp("firefox"))
    yield browser
    browser.close()


@pytest.fixture
def in_firefox(firefox: Firefox) -> Callable[..., int]:
    """Brings a new person to the desk of a task in Firefox; gives the task's id."""

    def come(served: Served, task: str, name: str) -> int:
        open_for_all(served, task)
        [row] = served.workspace().store.rows(
            "SELECT id FROM task WHERE name LIKE ? || '%'", [task]
        )
        firefox.go(served.invite(name))
        firefox.go(f"{served.url}/annotate?task={row['id']}")
        return row["id"]

    return come


@pytest.fixture(scope="session")
def nursery() -> Generator[Nursery]:
    """A process that has read the server and its pages, 5 s of work, and begins servers at once."""
    pages = [f"ui.pages.{name}" for name in plugins.names("ui.pages")]
    with Nursery("ui.cli", "ui.commands.serve", "ui.shell.serve", "ui.shell.app", *pages) as begun:
        yield begun


@pytest.fixture
def serve_workspace(nursery: Nursery) -> Generator[Callable[[Path], Served]]:
    """Makes servers of workspaces, to be started; they are killed in the end."""
    servers: list[Served] = []

    def make(root: Path) -> Served:
        servers.append(Served(root, nursery))
        return servers[-1]

    yield make
    for served in servers:
        served.kill()


@pytest.fixture
def demo(
    demo_original: Path, nursery: Nursery, tmp_path: Path, request: pytest.FixtureRequest
) -> Generator[Served]:
    """A served copy of the demo of one's own; a parameter is added to its rushes.toml."""
    shutil.copytree(demo_original, tmp_path / "demo")
    with (tmp_path / "demo" / "rushes.toml").open("a", encoding="utf-8") as settings:
        settings.write(getattr(request, "param", ""))
    served = Served(tmp_path / "demo", nursery).start()
    yield served
    served.kill()


@pytest.fixture(scope="module")
def standing_demo(
    demo_original: Path, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Served]:
    """A served copy of the demo for all tests of a file, each under names of its own."""
    root = tmp_path_factory.mktemp("standing") / "demo"
    shutil.copytree(demo_original, root)
    served = Served(root, nursery).start()
    yield served
    served.kill()


@pytest.fixture
def person(contexts: Contexts) -> Generator[Callable[..., Page]]:
    """An empty page in a browser of one's own, signed in; script errors fail the test."""
    errors: list[str] = []

    def sign_in(served: Served, name: str, role: str = "annotator", **options: Any) -> Page:
        context = contexts.take(**options)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        assert context.request.get(served.invite(name, role)).ok
        return page

    yield sign_in
    assert not errors


def open_for_all(served: Served, task: str) -> None:
    """Open a task, given by how its name begins, to any number of people."""
    with served.workspace().store.write() as database:
        database.conn.execute("UPDATE task SET overlap = 1000 WHERE name LIKE ? || '%'", [task])
        # Keys are shown to nobody who may still be asked: one of both kinds of task is open.
        database.conn.execute(
            "UPDATE task SET status = iif(name LIKE ? || '%', 'open', 'closed')"
            " WHERE kind = 'human_evaluation' AND status <> iif(name LIKE ? || '%', 'open',"
            " 'closed')",
            [task, task],
        )


@pytest.fixture
def sit_down(person: Callable[..., Page]) -> Callable[..., AtWork]:
    """Brings a new person to the desk of a task that is given by how its name begins.

    They find every item there, whatever people of other tests answered or still hold, unless the
    task is to stay as it is: then an item is decided once it has the answers that it asks for.
    """

    def come(served: Served, task: str, name: str, *, as_it_is: bool = False) -> AtWork:
        name = f"{name} at {task}"
        if not as_it_is:
            open_for_all(served, task)
        return AtWork(person(served, name), served, name, task)

    return come
