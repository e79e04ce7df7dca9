"""Strangers in Chromium, beside pages that play the part of the sites, from another host."""

import json
import re
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from waiting import wait_until

from annotations.recruiting.onboarding import Onboarding, set_onboarding
from annotations.recruiting.payment_files import payment_files
from annotations.recruiting.payments import APPROVE, payments
from annotations.recruiting.recruitment import make_recruitment
from annotations.recruiting.site_files import Claim
from ui.survey_links import survey_link

pytestmark = pytest.mark.browser

HIT = """<!doctype html><title>HIT</title><h1>A job</h1>
<iframe src="{src}" width=900 height=500
 sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-same-origin">
</iframe>"""


class Site:
    """Plays both sites: shows a HIT with a frame, and takes codes."""

    def __init__(self):
        self.frame, self.codes, self.ends = "", [], []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urlsplit(self.path)
                if parts.path == "/submissions/complete":
                    site.ends.append(parse_qs(parts.query))
                    self.say("<h1>Back on Prolific</h1>")
                else:
                    self.say(HIT.format(src=f"{site.frame}?{parts.query}".replace("&", "&amp;")))

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                site.codes.append((urlsplit(self.path).path, parse_qs(body)))
                self.say("<h1>Handed in</h1>")

            def say(self, html):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(html.encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # Another host than ours: a cookie that is Lax is not sent in its frames.
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def site() -> Generator[Site]:
    opened = Site()
    yield opened
    opened.server.shutdown()


@pytest.fixture
def browsers(chromium: Browser) -> Generator[Callable[[], Page]]:
    """Opens browsers of their own, in which nobody is signed in."""
    contexts = []

    def open_one() -> Page:
        contexts.append(chromium.new_context(viewport={"width": 1280, "height": 720}))
        return contexts[-1].new_page()

    yield open_one
    for context in contexts:
        context.close()


class Recruited:
    """The demo, served beside a site, with a task of two practice items for strangers."""

    def __init__(self, demo, site):
        demo.kill()
        settings = demo.root / "rushes.toml"
        settings.write_text(
            settings.read_text()
            + f'\n[recruiting]\nturk_sites = ["{site.url}"]\n'
            + f'prolific_complete = "{site.url}/submissions/complete"\n'
        )
        self.served, self.site = demo.start(), site
        self.workspace = demo.workspace()
        [row] = self.workspace.store.rows(
            "SELECT id FROM task WHERE kind = 'human_evaluation' AND name LIKE '%16 frames'"
            " ORDER BY id LIMIT 1"
        )
        self.task = row["id"]
        self.keys = {
            row["id"]: row["key"]
            for row in self.workspace.store.rows(
                "SELECT i.id, q.key FROM item i JOIN current_question q"
                " ON q.question_id = i.question_id WHERE i.task_id = ? ORDER BY i.id", [self.task],
            )
        }  # fmt: skip
        with self.workspace.store.write() as database:
            database.conn.execute(
                "UPDATE task SET overlap = 1000, status = 'open' WHERE id = ?", [self.task]
            )
            database.conn.execute(
                "UPDATE item SET role = 'work', expected = NULL WHERE task_id = ?", [self.task]
            )
            for item in list(self.keys)[:2]:
                database.conn.execute(
                    "UPDATE item SET role = 'practice', expected = ? WHERE id = ?",
                    [json.dumps({"choice": self.keys[item]}), item],
                )
        set_onboarding(self.workspace, self.task, Onboarding(pass_mark=1.0))

    def link(self, site, **more):
        made = make_recruitment(
            self.workspace, name=site, site=site, task_id=self.task, items=3, places=50,
            reward=0.5, consent="We keep your answers, and nothing else.", **more,
        )  # fmt: skip
        return made, survey_link(self.workspace, made)

    def turk(self, page: Page, number: int) -> Page:
        """Open the HIT and go to the work by the link in its frame."""
        query = urlencode({
            "assignmentId": f"3{number:029}", "hitId": f"3{0:029}",
            "workerId": f"A{number:013}", "turkSubmitTo": self.site.url,
        })  # fmt: skip
        page.goto(f"{self.site.url}/hit?{query}")
        with page.context.expect_page() as opened:
            page.frame_locator("iframe").get_by_role("link", name="Open the work").click()
        return opened.value

    def agree(self, page: Page) -> None:
        page.get_by_label("I have read this and agree").check()
        page.get_by_role("button", name="Begin").click()

    def work(self, page: Page, *, right: bool = True) -> None:
        """Answer until the desk has nothing more, by keys alone."""
        page.get_by_role("link", name=re.compile("Begin|Go on")).click()
        desk = page.locator(".desk")
        expect(desk).to_have_attribute("data-ready", "1", timeout=60_000)
        if desk.locator("dialog").count():
            page.keyboard.press("Enter")
            expect(desk.locator("dialog")).to_have_count(0)
        ending = self.ending(page)
        item = desk.locator(".option").first
        while True:
            wait_until(lambda: item.is_visible() or ending.is_visible(), "something to do", 60)
            if ending.is_visible():
                break
            self.answer(page, right)
        ending.click()

    def ending(self, page: Page):
        """Return the link to the code where the desk says that all is done, or why it is not."""
        screens = page.locator('.desk [data-screen="complete"], .desk [data-screen="failed"]')
        return screens.get_by_role("link", name="How far you are, and your code")

    def answer(self, page: Page, right: bool) -> None:
        desk = page.locator(".desk")
        expect(desk).to_have_attribute("data-ready", "1", timeout=60_000)
        number = int(desk.get_attribute("data-item") or 0)
        # The newest lease of the item: strangers come one after the other here.
        [row] = self.workspace.store.rows(
            "SELECT shown FROM lease WHERE item_id = ? ORDER BY id DESC LIMIT 1", [number]
        )
        order = json.loads(row["shown"])["option_order"]
        place = order.index(self.keys[number])
        wanted = place if right else (place + 1) % len(order)
        page.keyboard.press("abcdefgh"[wanted])
        page.keyboard.press("Enter")
        [row] = self.workspace.store.rows("SELECT role FROM item WHERE id = ?", [number])
        if row["role"] == "practice":
            expect(desk.locator(".feedback")).to_be_visible(timeout=60_000)
            page.keyboard.press("Enter")
        wait_until(
            lambda: (
                desk.get_attribute("data-item") != str(number) or self.ending(page).is_visible()
            ),
            "the next item or the end", 60,
        )  # fmt: skip


@pytest.fixture
def recruited(demo, site):
    return Recruited(demo, site)


def test_strangers_of_both_sites(recruited: Recruited, site: Site, browsers):
    made, site.frame = recruited.link("mturk")
    codes = {}
    for number in (1, 2):
        hit = browsers()
        work = recruited.turk(hit, number)
        expect(work.get_by_text("This job asks for 3 answers and pays 0.50")).to_be_visible()
        recruited.agree(work)
        recruited.work(work)
        expect(work.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
        expect(work.get_by_text("3 of 3 answers")).to_be_visible()
        codes[number] = work.locator(".code code").inner_text()
        # Coming again, in the same browser: the same work, the same code.
        again = recruited.turk(hit, number)
        recruited.agree(again)
        expect(again.locator(".code code")).to_have_text(codes[number])
        # The code goes back through the frame of the site.
        frame = hit.frame_locator("iframe")
        frame.get_by_label("The code that you get at the end").fill(codes[number])
        frame.get_by_role("button", name="Submit").click()
        expect(hit.frame_locator("iframe").get_by_text("Handed in")).to_be_visible()
    assert codes[1] != codes[2]
    assert site.codes == [
        ("/mturk/externalSubmit", {"assignmentId": [f"3{n:029}"], "surveycode": [codes[n]]})
        for n in (1, 2)
    ]

    # A third browser names the first worker: words, and nothing of the first one's.
    forger = recruited.turk(browsers(), 1)
    recruited.agree(forger)
    expect(forger.get_by_text("was begun in another browser")).to_be_visible()
    assert codes[1] not in forger.content()

    # Who fails practice is told so and gets no code.
    failing = recruited.turk(browsers(), 3)
    recruited.agree(failing)
    recruited.work(failing, right=False)
    expect(failing.get_by_role("heading", name="Practice not passed")).to_be_visible()
    expect(failing.locator(".code")).to_have_count(0)

    # What is paid, by what the site has taken: two approved, counted by hand.
    claims = [
        Claim(f"A{n:013}", taken["assignmentId"][0], taken["surveycode"][0], "Submitted")
        for n, (_, taken) in zip((1, 2), site.codes, strict=True)
    ]
    found = payments(recruited.workspace, made, claims)
    assert [(p.items, p.outcome) for p in found] == [
        (3, "finished"),
        (3, "finished"),
        (0, "failed"),
    ]
    assert [p.suggestion for p in found[:2]] == [APPROVE, APPROVE]
    files = payment_files(recruited.workspace, made, found)
    assert files["mturk_batch.csv"].decode().count(",x,") == 2


def test_a_stranger_of_prolific_comes_back_to_their_work_and_goes_back_to_the_site(
    recruited: Recruited, site: Site, browsers
):
    _, link = recruited.link("prolific", codes={"finished": "CDONE1"})
    for name, value in (("PROLIFIC_PID", f"{1:024x}"), ("STUDY_ID", f"{2:024x}"),
                        ("SESSION_ID", f"{3:024x}")):  # fmt: skip
        link = link.replace(f"{{{{%{name}%}}}}", value)
    page = browsers()
    page.goto(link)
    recruited.agree(page)
    page.get_by_role("link", name="Begin").click()
    desk = page.locator(".desk")
    expect(desk).to_have_attribute("data-ready", "1", timeout=60_000)
    page.keyboard.press("Enter")
    expect(desk.locator("dialog")).to_have_count(0)
    for _ in range(3):  # two of practice and one of work
        recruited.answer(page, right=True)
    expect(desk).to_have_attribute("data-pending", "0", timeout=60_000)
    # The tab is closed; later they open the link of the site again.
    later = page.context.new_page()
    page.close()
    later.goto(link)
    recruited.agree(later)
    expect(later.get_by_text("1 of 3 answers")).to_be_visible()
    recruited.work(later)
    expect(later.get_by_text("3 of 3 answers")).to_be_visible()
    later.get_by_role("link", name="Finish on Prolific").click()
    expect(later.get_by_role("heading", name="Back on Prolific")).to_be_visible()
    assert site.ends == [{"cc": ["CDONE1"]}]
