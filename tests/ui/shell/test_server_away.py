"""What a page says while the server does not answer: our words, not Streamlit's window."""

from collections.abc import Callable

import pytest
from browsing import WATCH_STREAMLITS_WINDOW
from playwright.sync_api import Page, expect
from rushes_server import Served
from waiting import settled

pytestmark = pytest.mark.browser


def test_a_page_says_that_the_server_is_away_and_goes_on_when_it_is_back(
    demo: Served, person: Callable[..., Page]
):
    author = person(demo, "Ada", "author")
    author.goto(f"{demo.url}/metrics")
    reader = person(demo, "Ben", locale="de-DE")
    reader.goto(demo.url)
    settled(author)
    settled(reader)
    for page in (author, reader):
        expect(page.get_by_text("does not answer")).to_have_count(0)
        page.evaluate(WATCH_STREAMLITS_WINDOW)
    demo.kill()
    for page, words in ((author, "The server does not answer."), (reader, "Der Server antwortet")):
        expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()
        page.wait_for_function("window.wasTold", timeout=30_000)  # Streamlit's own window
        expect(page.get_by_test_id("stDialog")).to_have_count(0)
    demo.start()
    for page, words in ((author, "The server does not answer."), (reader, "Der Server antwortet")):
        expect(page.get_by_text(words)).to_have_count(0, timeout=60_000)
    for page in (author, reader):  # without words there is no box either
        boxes = page.locator(".st-key-server-away div").evaluate_all(
            "all => all.filter((one) => getComputedStyle(one).position === 'fixed'"
            " && one.getClientRects().length).length"
        )
        assert boxes == 0
    author.get_by_role("link", name="Agreement").first.click()
    expect(author.get_by_role("heading", name="Agreement").first).to_be_visible()
