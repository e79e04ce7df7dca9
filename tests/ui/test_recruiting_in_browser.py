"""Strangers in Chromium, beside pages that play the part of the sites, from another host."""

import csv
import io
import json
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from waiting import wait_until

from annotations.planning.task_store import create_task, grow
from annotations.recruiting.onboarding import Onboarding, set_onboarding
from annotations.recruiting.payment_files import payment_files
from annotations.recruiting.payments import APPROVE, mark_paid, payments
from annotations.recruiting.recruitment import make_recruitment
from annotations.recruiting.site_files import read_site_file
from annotations.recruiting.sites import SITES
from ui.survey_links import survey_link

pytestmark = pytest.mark.browser

KEY = 1  # option B, since options stand in their order here
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
def browsers(chromium: Browser) -> Generator[Callable[..., Page]]:
    """Opens browsers of their own, in which nobody is signed in."""
    contexts = []

    def open_browser(**options) -> Page:
        contexts.append(chromium.new_context(viewport={"width": 1280, "height": 720}, **options))
        return contexts[-1].new_page()

    yield open_browser
    for context in contexts:
        context.close()


# Every screen without an item that the desk shows, one after the other.
SCREENS = """desk => {
  window.screens = [];
  new MutationObserver(() => {
    const screen = desk.querySelector('[data-screen]')?.dataset.screen;
    if (screen && screen !== window.screens.at(-1)) window.screens.push(screen);
  }).observe(desk, {subtree: true, childList: true, attributes: true});
}"""


class Recruited:
    """A served task of two practice items and four of work, and a site."""

    def __init__(self, workspace, served, site):
        self.workspace, self.served, self.site = workspace, served, site
        self.task = create_task(
            workspace, "study", "human_evaluation",
            {"condition": "text only", "shuffle_options": False}, 1000, order="as imported",
        )  # fmt: skip
        grow(workspace, self.task)
        with workspace.store.write() as database:
            database.conn.execute(
                "UPDATE item SET role = 'practice', expected = ? WHERE uid LIKE '%practice%'",
                [json.dumps({"choice": KEY})],
            )
        set_onboarding(workspace, self.task, Onboarding(pass_mark=1.0))
        (workspace.root / "rushes.toml").write_text(
            f'[recruiting]\nturk_sites = ["{site.url}"]\n'
            f'prolific_complete = "{site.url}/submissions/complete"\n'
        )
        served.start()

    def link(self, site, **more):
        made = make_recruitment(
            self.workspace, name=site, site=site, task_id=self.task, items=2, places=50,
            reward=0.5, consent="We keep your answers, and nothing else.", **more,
        )  # fmt: skip
        return made, survey_link(self.workspace, made)

    def turk(self, page: Page, worker: int, assignment: int | None = None) -> Page:
        """Open the HIT and go to the work by the link in its frame."""
        query = urlencode({
            "assignmentId": f"3{assignment or worker:029}", "hitId": f"3{0:029}",
            "workerId": f"A{worker:013}", "turkSubmitTo": self.site.url,
        })  # fmt: skip
        page.goto(f"{self.site.url}/hit?{query}")
        with page.context.expect_page() as opened:
            page.frame_locator("iframe").get_by_role("link", name="Open the work").click()
        return opened.value

    def agree(self, page: Page) -> None:
        page.locator("input[name=agree]").check()
        page.locator("form button").click()

    def begin(self, page: Page) -> None:
        """From the page with one's progress to the desk, the instructions read."""
        page.locator("a.button").click()
        desk = page.locator(".desk")
        expect(desk).to_have_attribute("data-ready", "1", timeout=60_000)
        desk.evaluate(SCREENS)
        if desk.locator("dialog").count():
            page.keyboard.press("Enter")
            expect(desk.locator("dialog")).to_have_count(0)

    def work(self, page: Page, *, right: bool = True, most: int = 4) -> None:
        """Answer by keys alone; four answers are all that there is."""
        for number in range(most if right else 2):
            self.answer(page, "ab"[right], practice=number < 2)
        if most == 4:
            self.end(page)

    def answer(self, page: Page, letter: str, *, practice: bool) -> None:
        desk = page.locator(".desk")
        expect(desk).to_have_attribute("data-ready", "1", timeout=60_000)
        before = desk.get_attribute("data-item")
        page.keyboard.press(letter)
        page.keyboard.press("Enter")
        if practice:
            desk.locator(".feedback").wait_for(timeout=60_000)
            page.keyboard.press("Enter")
        wait_until(lambda: desk.get_attribute("data-item") != before, "what comes next", 60)

    def end(self, page: Page) -> None:
        """From the last screen of the desk to the page with the code."""
        page.locator(".desk .to-code a").click()
        page.locator(".figures").wait_for()


@pytest.fixture
def recruited(workspace, serve_workspace, add_question, site):
    for name in ("practice/1", "practice/2", "q/1", "q/2", "q/3", "q/4"):
        add_question(name, key=KEY)
    return Recruited(workspace, serve_workspace(workspace.root), site)


FAILS, LEAVES, WRONG_CODE, SWAPS = (5, 10, 15), 6, 18, 20


def test_twenty_strangers_of_mechanical_turk_and_a_payment_file_that_agrees_with_a_hand_count(
    recruited: Recruited, site: Site, browsers
):
    made, site.frame = recruited.link("mturk")
    codes: dict[int, str] = {}
    hits: dict[int, Page] = {}
    # The first two come again and keep their browsers. The others, one after the other, have a jar
    # of cookies of their own in a browser that has loaded the pages before.
    others = browsers()
    for number in range(1, 21):
        others.context.clear_cookies()
        hits[number] = hit = browsers() if number <= 2 else others.context.new_page()
        # The last one writes the assignment of the one before into the address.
        work = recruited.turk(hit, number, assignment=number - (number == SWAPS))
        expect(work.get_by_text("This job asks for 2 answers and pays 0.50")).to_be_visible()
        recruited.agree(work)
        recruited.begin(work)
        if number == LEAVES:  # closes the tab in the middle, and comes again by the site's link
            recruited.work(work, most=3)
            expect(work.locator(".desk")).to_have_attribute("data-pending", "0", timeout=60_000)
            work.close()
            work = recruited.turk(hit, number)
            recruited.agree(work)
            expect(work.locator(".figures")).to_contain_text("1 of 2 answers")
            recruited.begin(work)
            recruited.answer(work, "b", practice=False)
            recruited.end(work)
        else:
            recruited.work(work, right=number not in FAILS)
        if number in FAILS:
            expect(work.get_by_role("heading", name="Practice not passed")).to_be_visible()
            expect(work.locator(".code")).to_have_count(0)
        else:
            expect(work.get_by_role("heading", name="Done. Thank you!")).to_be_visible()
            expect(work.locator(".figures")).to_contain_text("2 of 2 answers")
            codes[number] = work.locator(".code code").inner_text()
            # The code goes back through the frame of the site.
            frame = hit.frame_locator("iframe")
            handed = codes[number - 1] if number == WRONG_CODE else codes[number]
            frame.get_by_label("The code that you get at the end").fill(handed)
            frame.get_by_role("button", name="Submit").click()
            expect(hit.frame_locator("iframe").get_by_text("Handed in")).to_be_visible()
        work.close()
        if number > 2:
            hit.close()
    assert len(codes) == len(set(codes.values())) == 17

    # Coming again, in the same browser: the same work, the same code.
    again = recruited.turk(hits[1], 1)
    recruited.agree(again)
    expect(again.locator(".code code")).to_have_text(codes[1])
    # Another browser names the first worker, and so does the browser of the second.
    for browser, words in ((browsers(), "in another browser"), (hits[2], "another Mechanical")):
        forger = recruited.turk(browser, 1)
        recruited.agree(forger)
        expect(forger.get_by_text(words)).to_be_visible()
        assert codes[1] not in forger.content()
    # Addresses that lack a part, or hold one twice.
    stranger = browsers()
    opened = survey_link(recruited.workspace, made).replace("/frame/", "/")
    whole = [("workerId", "A0000000000099"), ("assignmentId", f"3{99:029}"), ("hitId", f"3{0:029}")]
    for query, words in (
        (whole[1:], "The address lacks workerId."),
        (whole[:1] + whole[2:], "The address lacks assignmentId."),
        ([*whole, whole[0]], "The address holds workerId twice."),
        ([("workerId", "A1 OR 1=1"), *whole[1:]], "workerId in the address is no id"),
    ):
        stranger.goto(f"{opened}?{urlencode(query)}")
        expect(stranger.get_by_text(words)).to_be_visible()
        expect(stranger.locator("form")).to_have_count(0)
    [counts] = recruited.workspace.store.rows(
        "SELECT (SELECT count(*) FROM recruited_worker) AS workers,"
        " (SELECT count(*) FROM recruited_submission) AS submissions"
    )
    assert counts == {"workers": 20, "submissions": 20}

    # What is paid, by what the site has taken. By hand: of 20 three have failed, one handed in
    # another's code, and two came with one assignment. 2 of practice and 2 of work at a minute
    # each are 4 min: 1.00 at 15 an hour, 0.50 beyond the reward.
    approved = set(range(1, 21)) - {*FAILS, WRONG_CODE, SWAPS - 1, SWAPS}
    with recruited.workspace.store.write() as database:
        database.conn.execute("UPDATE annotation SET active_s = 60")
    batch = io.StringIO()
    writer = csv.writer(batch)
    writer.writerow(["HITId", "AssignmentId", "WorkerId", "Answer.surveycode"])
    for path, taken in site.codes[:-1]:  # the site takes one code for an assignment
        assert path == "/mturk/externalSubmit"
        [assignment], [code] = taken["assignmentId"], taken["surveycode"]
        writer.writerow([f"3{0:029}", assignment, f"A{int(assignment[1:]):013}", code])
    site_file = read_site_file(SITES["mturk"], batch.getvalue().encode())
    due = payments(recruited.workspace, made, site_file.claims)
    assert {int(p.worker[1:]) for p in due if p.suggestion == APPROVE} == approved
    files = payment_files(recruited.workspace, made, due, site_file)
    filled = list(csv.DictReader(io.StringIO(files["mturk_batch.csv"].decode())))
    assert {int(row["WorkerId"][1:]) for row in filled if row["Approve"] == "x"} == approved
    bonuses = csv.DictReader(io.StringIO(files["mturk_bonuses.csv"].decode()))
    assert sorted((int(row["WorkerId"][1:]), row["BonusAmount"]) for row in bonuses) == [
        (number, "0.50") for number in sorted(approved)
    ]
    mark_paid(recruited.workspace, [one for one in due if one.suggestion == APPROVE])
    unpaid = [
        one for one in payments(recruited.workspace, made, site_file.claims) if not one.paid_at
    ]
    later = payment_files(recruited.workspace, made, unpaid, site_file)
    filled = csv.DictReader(io.StringIO(later["mturk_batch.csv"].decode()))
    assert not any(row["Approve"] for row in filled)


def test_a_german_of_prolific_comes_back_to_their_work_and_goes_back_to_the_site(
    recruited: Recruited, site: Site, browsers
):
    _, link = recruited.link("prolific", codes={"finished": "CDONE1"})
    for name, value in (("PROLIFIC_PID", f"{1:024x}"), ("STUDY_ID", f"{2:024x}"),
                        ("SESSION_ID", f"{3:024x}")):  # fmt: skip
        link = link.replace(f"{{{{%{name}%}}}}", value)
    page = browsers(locale="de-AT")
    page.goto(link)
    expect(page.get_by_text("Dieser Auftrag bittet um 2 Antworten und zahlt 0.50")).to_be_visible()
    recruited.agree(page)
    expect(page.get_by_role("heading", name="Willkommen")).to_be_visible()
    recruited.begin(page)
    recruited.work(page, most=3)  # two of practice and one of work
    desk = page.locator(".desk")
    expect(desk).to_have_attribute("data-pending", "0", timeout=60_000)
    # What opens the work is the last answer of practice: nobody is told meanwhile that it is over.
    assert set(page.evaluate("() => window.screens")) <= {"fetching"}
    # The tab is closed; later they open the link of the site again, and ask for English.
    later = page.context.new_page()
    page.close()
    later.goto(link)
    later.get_by_role("link", name="English").click()
    recruited.agree(later)
    expect(later.get_by_text("1 of 2 answers")).to_be_visible()
    recruited.begin(later)
    expect(later.locator(".desk .submit")).to_contain_text("Submit")
    recruited.answer(later, "b", practice=False)
    recruited.end(later)
    expect(later.get_by_text("2 of 2 answers")).to_be_visible()
    later.get_by_role("link", name="Finish on Prolific").click()
    expect(later.get_by_role("heading", name="Back on Prolific")).to_be_visible()
    assert site.ends == [{"cc": ["CDONE1"]}]


def test_who_fails_practice_is_told_so_by_the_first_screen_after_it(
    recruited: Recruited, site: Site, browsers
):
    _, site.frame = recruited.link("mturk")
    work = recruited.turk(browsers(), 1)
    recruited.agree(work)
    recruited.begin(work)
    for _ in range(2):
        recruited.answer(work, "a", practice=True)
    work.locator(".desk .to-code").wait_for()
    screens = work.evaluate("() => window.screens")
    assert [screen for screen in screens if screen != "fetching"] == ["failed"]
