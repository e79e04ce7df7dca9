"""The wall of failures in real Chromium: by key to a card, to its whole clip and back."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotations.failure.failure_tags import all_tags
from annotations.scoring.snapshot import take

pytestmark = pytest.mark.browser

Person = Callable[..., Page]


class Wall:
    """An author before the wall of the demo."""

    def __init__(self, page: Page, served: Any, query: str = ""):
        self.page, self.workspace = page, served.workspace()
        page.goto(f"{served.url}/failures{query}")
        self.root = page.locator(".failures")
        expect(self.cards().first).to_be_visible(timeout=60_000)

    def cards(self) -> Locator:
        return self.root.locator(".wall-card")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def numbers(self, count: int) -> list[int]:
        """The first predictions on the wall, in its order."""
        places = {
            int(card.get_attribute("data-place") or 0): int(card.get_attribute("data-id") or 0)
            for card in self.cards().all()
        }
        return [places[place] for place in sorted(places)[:count]]


@pytest.fixture
def enter(person: Person, standing_demo: Any) -> Callable[..., Wall]:
    def come(name: str, query: str = "") -> Wall:
        return Wall(person(standing_demo, name, "author"), standing_demo, query)

    return come


def test_each_question_is_one_card_with_every_run_and_the_pictures_that_were_seen(
    enter: Callable[..., Wall],
):
    wall = enter("First")
    seen = wall.numbers(12)
    rows = wall.workspace.store.rows(
        "SELECT a.id, i.question_id, json_extract(a.shown, '$.condition') AS condition"
        " FROM annotation a JOIN item i ON i.id = a.item_id"
        f" WHERE a.id IN ({', '.join(map(str, seen))})"
    )
    assert len({row["question_id"] for row in rows}) == len(seen)
    assert {row["condition"] for row in rows}.isdisjoint({"text only"})
    first = wall.cards().first
    runs = wall.workspace.store.rows(
        "SELECT count(DISTINCT p.run_id) AS n FROM prediction p JOIN annotation a"
        " ON a.id = p.annotation_id JOIN item i ON i.id = a.item_id WHERE i.question_id ="
        " (SELECT i.question_id FROM annotation a JOIN item i ON i.id = a.item_id WHERE a.id = ?)",
        [int(first.get_attribute("data-id") or 0)],
    )
    expect(first.locator(".letter-rows")).to_have_attribute("data-answers", str(runs[0]["n"]))
    letters = "".join(first.locator(".letters").all_text_contents())
    assert len(letters) == runs[0]["n"]
    expect(first.locator(".letter.key")).to_have_count(1)
    # The cell under the pointer says whose answer it is; the last one read the text alone.
    last = first.locator(".letters.blind").last
    box = last.bounding_box()
    assert box is not None
    wall.page.mouse.move(box["x"] + box["width"] - 8, box["y"] + 8)
    expect(last).to_have_attribute(
        "title", re.compile(rf"· text: {letters[-1]}, (right|wrong|unread), without pictures$")
    )
    picture = first.locator("img.wall-picture")
    picture.evaluate("image => image.decode()")
    assert picture.evaluate("image => image.naturalWidth") >= 300


def test_keys_lead_from_the_wall_to_a_card_to_the_whole_clip_and_back(enter: Callable[..., Wall]):
    wall = enter("Walker")
    second = wall.numbers(2)[1]
    wall.press("ArrowRight", "Enter")
    expect(wall.root).to_have_attribute("data-card", str(second))
    expect(wall.root).to_have_attribute("data-view", "cards")
    expect(wall.root).to_have_attribute("data-shown", str(second), timeout=60_000)
    wall.press("v")
    expect(wall.root.locator("video.front")).to_be_visible()
    wall.press("j")
    expect(wall.root).to_have_attribute("data-place", "2")
    wall.press("g")
    expect(wall.root).to_have_attribute("data-view", "wall")
    expect(wall.root.locator(".wall-card.here")).to_have_attribute("data-place", "2")


def test_replies_are_put_side_by_side_beside_a_card_only(enter: Callable[..., Wall]):
    wall = enter("Comparer")
    compare = wall.root.get_by_role("button", name="Compare runs")
    expect(compare).to_be_hidden()
    wall.press("Enter")
    expect(compare).to_be_visible()
    wall.press("c")
    expect(wall.root.get_by_text("Which replies stand beside?")).to_be_visible()


def test_a_card_says_where_its_letters_are_not_those_of_the_wall(enter: Callable[..., Wall]):
    wall = enter("Reader")
    stored = wall.cards().first.locator(".letter.key").inner_text()
    wall.press("Enter")
    key = wall.root.locator(".list-row[aria-selected=true] .row-letters b")
    expect(key).not_to_have_text(stored)  # the demo's models saw shuffled options
    expect(wall.root.get_by_text("On the wall letters follow the stored order.")).to_be_visible()


def test_of_a_long_name_the_end_is_read(enter: Callable[..., Wall]):
    wall = enter("Narrow")
    name = wall.cards().first.locator(".wall-name")
    ends = """(name) => {
      name.firstChild.textContent = 'a folder of questions/'.repeat(9);
      const [box, text] = [name, name.firstChild].map((one) => one.getBoundingClientRect());
      return [text.width > box.width, Math.abs(text.right - box.right)];
    }"""
    longer, off = name.evaluate(ends)
    assert longer
    assert off < 2


def test_several_are_selected_and_tagged_at_once(enter: Callable[..., Wall]):
    wall = enter("Tagger")
    [first, second, third] = wall.numbers(3)
    wall.press("Space", "ArrowRight", "ArrowRight", "Space")
    expect(wall.root.locator(".wall-card.chosen")).to_have_count(2)
    expect(wall.root.locator(".wall-count")).to_contain_text("2 answers selected of")
    wall.press("1", "4")
    expect(wall.root.locator(".wall-tags").first).to_contain_text("Reasoning")
    expect(wall.root.locator(".wall-count")).to_contain_text("2 answers tagged. Saved.")
    expect(wall.root.locator(".wall-tags")).to_have_count(2)

    def own(number: int) -> list[tuple[str, ...]]:
        with take(wall.workspace) as snapshot:
            tags = all_tags(snapshot).by.get(number, ())
        return [tag.classes for tag in tags if tag.name == "Tagger"]

    assert own(first) == own(third) == [("hallucination", "reasoning")]
    assert own(second) == []
    wall.press("Escape")
    expect(wall.root.locator(".wall-card.chosen")).to_have_count(0)


def test_a_link_leads_a_colleague_to_exactly_this_view(enter: Callable[..., Wall]):
    wall = enter("Sender", "?condition=16+frames&order=hard")
    wall.press("PageDown")  # to a row that the window does not show at first
    here = wall.root.locator(".wall-card.here")
    expect(here).not_to_have_attribute("data-place", "0")
    expect(here).to_be_in_viewport(ratio=0.9)
    [place, number] = [here.get_attribute(f"data-{name}") or "" for name in ("place", "id")]
    wall.press("y")
    expect(wall.root.locator(".notice.moved")).to_contain_text("link to this view")
    link = wall.root.get_attribute("data-link") or ""
    other = enter("Receiver", "?" + link.partition("?")[2])
    here = other.root.locator(".wall-card.here")
    expect(here).to_have_attribute("data-id", number)
    expect(here).to_have_attribute("data-place", place)
    expect(here).to_be_in_viewport(ratio=0.9)
    expect(other.root.locator('[data-menu="Runs"] .menu-words')).to_have_text("16 frames")


def test_scrolling_through_everything_keeps_few_cards_in_the_page(enter: Callable[..., Wall]):
    wall = enter("Scroller", "?outcome=all")
    for _ in range(12):
        wall.press("PageDown")
        expect(wall.root.locator(".wall-card.here")).to_be_visible()
    assert wall.cards().count() <= 80


def test_nothing_left_says_so_and_what_is_asked_is_taken_back(enter: Callable[..., Wall]):
    wall = enter("Finder")
    wall.press("f")
    wall.page.keyboard.type("no such words anywhere")
    wall.press("Enter")
    expect(wall.root.locator(".wall-count")).to_contain_text("No prediction is left")
    told = "wall => getComputedStyle(wall, '::before').content"
    assert "No prediction is left" in wall.root.locator(".wall").evaluate(told)
    wall.root.get_by_role("button", name="Clear").click()
    expect(wall.cards().first).to_be_visible()


def test_a_view_gets_a_name_that_everybody_opens_renames_and_deletes(enter: Callable[..., Wall]):
    namer = enter("Namer", "?category=count&outcome=all")
    namer.press("w")
    name = namer.root.get_by_label("Name of the view")
    name.fill("All that count")
    namer.press("Enter")
    expect(namer.root.get_by_role("link", name="All that count")).to_be_visible()

    other = enter("Opener")
    other.press("w")
    other.root.get_by_role("link", name="All that count").click()
    expect(other.page).to_have_url(
        re.compile(r"\?(?=.*outcome=all)(?=.*category=count).*view=wall")
    )
    expect(other.cards().first).to_be_visible(timeout=60_000)
    expect(other.root.locator("[data-menu=Questions] .menu-words")).to_have_text(
        re.compile("count")
    )

    other.press("w")
    other.root.get_by_role("button", name="Rename").click()
    other.root.get_by_label("Name of the view").fill("Counting")
    other.root.get_by_role("button", name="Rename it").click()
    line = other.root.locator("li", has=other.page.get_by_role("link", name="Counting"))
    expect(line).to_be_visible()
    line.get_by_role("button", name="Delete").click()
    line.get_by_role("button", name="Delete it for everybody").click()
    expect(line).to_have_count(0)
