"""A researcher reads the leaderboard, audits shortcuts, makes a split, and sees runs on it."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from waiting import settled

from annotations.scoring.snapshot import take
from annotations.shortcut.splits import all_splits, split_lists

pytestmark = pytest.mark.browser


def choose(page: Page, name: str) -> None:
    """One part of a segmented control."""
    page.get_by_role("radio", name=name, exact=True).or_(
        page.get_by_role("button", name=name, exact=True)
    ).first.click()
    settled(page)


def test_from_the_leaderboard_to_a_split_and_back(demo, person, tmp_path: Path):
    page: Page = person(demo, "Rosa", "author")
    page.goto(f"{demo.url}/runs")
    settled(page)
    matrix = page.locator(".rushes-matrix")
    expect(matrix).to_contain_text("simulated model A (made up for the demo)")
    expect(matrix).to_contain_text("30 of 38")
    expect(page.locator(".rushes-cards")).to_contain_text("Does order matter?")
    # Seven conditions stand beside each other on a small screen, too.
    page.set_viewport_size({"width": 1280, "height": 720})
    assert matrix.evaluate("table => table.scrollWidth - table.clientWidth") <= 0
    page.set_viewport_size({"width": 1440, "height": 900})
    for view in ("Frames", "Groups", "Shortcut metrics", "Two runs"):
        choose(page, view)
        expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=60_000)
    expect(page.locator(".rushes-cards")).to_contain_text("First minus second")

    page.goto(f"{demo.url}/shortcuts")
    settled(page)
    table = page.locator('[data-testid="stDataFrame"]').first
    expect(table).to_be_visible()
    # A click on the first row, below the heading of 35 px; a grid that is still being laid out
    # takes none.
    key = page.get_by_text("(key)").first
    for _ in range(20):
        table.click(position={"x": 50, "y": 52})
        settled(page)
        if key.is_visible():
            break
    expect(key).to_be_visible()
    flags = page.locator('[data-testid="stCaptionContainer"]', has_text="from text alone by")
    expect(flags.first).to_be_visible()

    page.get_by_label("Name of the split").fill("deaf-blind")
    page.get_by_label("Name of the split").press("Enter")
    settled(page)
    page.get_by_role("button", name="Store", exact=True).click()
    expect(page.get_by_text("Stored splits")).to_be_visible()
    [split] = all_splits(take(demo.workspace()))
    assert (split.name, split.made_by) == ("deaf-blind", "Rosa")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Lists of ids").click()
    taken.value.save_as(tmp_path / "split.json")
    lists = json.loads((tmp_path / "split.json").read_text(encoding="utf-8"))
    assert lists == split_lists(take(demo.workspace()), split.id)
    assert 0 < len(lists["debiased"]) < len(lists["full"]) == 38

    page.goto(f"{demo.url}/runs")
    settled(page)
    choose(page, "Splits")
    expect(page.get_by_text(re.compile("of 38 questions kept"))).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_contain_text("all questions")
