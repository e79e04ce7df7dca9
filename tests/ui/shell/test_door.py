"""Addresses of pages, for whoever opens them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser


def test_an_address_opened_before_signing_in_shows_the_door(chromium: Browser, standing_demo):
    page = chromium.new_page()
    page.goto(f"{standing_demo.url}/runs?view=leaderboard")
    expect(page.get_by_text("who would you like to be")).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)
    page.close()


def test_an_address_of_an_authors_page_says_so_to_an_annotator(
    person: Callable[..., Page], standing_demo
):
    page = person(standing_demo, "Nora")
    page.goto(f"{standing_demo.url}/runs")
    expect(page.get_by_text("The page Runs is for authors")).to_be_visible()
    expect(page.get_by_role("link", name="Annotate")).to_be_visible()
    expect(page.get_by_role("link", name="Runs")).to_have_count(0)
