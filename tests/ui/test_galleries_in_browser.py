"""Videos and Questions in real Chromium: pictures that play, search, one with its whole story."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Person = Callable[..., Page]


@pytest.fixture
def author(person: Person, standing_demo: Any) -> Callable[[str, str], Page]:
    def come(name: str, path: str) -> Page:
        page = person(standing_demo, name, "author")
        page.goto(f"{standing_demo.url}/{path}")
        expect(page.locator(".gallery button").first).to_be_visible(timeout=60_000)
        return page

    return come


def test_a_video_plays_while_the_pointer_rests_on_it_and_opens_with_its_story(author):
    page = author("Looker", "videos")
    card = page.locator(".gallery button").first
    expect(card.locator("img")).not_to_have_class("lacking")
    card.hover()
    video = card.locator("video")
    expect(video).to_have_count(1)
    page.wait_for_function(
        "video => video.currentTime > 0.2", arg=video.element_handle(), timeout=30_000
    )
    page.get_by_role("heading", name="Videos").hover()
    expect(card.locator("video")).to_have_count(0)
    card.click()
    expect(page.get_by_text("Where it comes from")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("Tasks, answers and decisions")).to_be_visible()
    page.get_by_role("button", name="All videos").click()
    expect(page.locator(".gallery button").first).to_be_visible(timeout=30_000)


def test_a_question_is_searched_for_and_opened(author):
    page = author("Seeker", "questions")
    field = page.get_by_placeholder("Search names, questions")
    field.fill("speed TRAIN")
    field.press("Enter")
    expect(page.locator(".gallery button")).to_have_count(1, timeout=30_000)
    page.locator(".gallery button").click()
    expect(page.get_by_role("heading", name="velocity&frequency/0")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("Answers of models to it")).to_be_visible()
    expect(page.get_by_text("History")).to_be_visible()


def test_colours_follow_the_theme_that_changes_while_a_page_is_open(author):
    page = author("Night", "videos")
    line = page.locator(".gallery .line").first
    light = line.evaluate("line => getComputedStyle(line).color")
    page.emulate_media(color_scheme="dark")
    # The page is drawn again with the colours of the dark theme, and back.
    expect(line).not_to_have_css("color", light, timeout=30_000)
    page.emulate_media(color_scheme="light")
    expect(line).to_have_css("color", light, timeout=30_000)
