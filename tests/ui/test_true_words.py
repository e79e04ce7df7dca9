"""What people are told is true: returned answers, closed tasks, languages, unsent answers."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from waiting import settled

from annotations.answering.returns import return_answer
from annotations.people import Person, invite
from annotations.planning.task_store import set_status

pytestmark = pytest.mark.browser


SitDown = Callable[..., Any]


def test_the_authors_comment_reaches_the_annotator(standing_demo: Any, sit_down: SitDown):
    desk = sit_down(standing_demo, "Human evaluation: 16 frames", "Eve")
    item = desk.item()
    desk.press("a")
    desk.submit()
    [row] = desk.workspace.store.rows(
        "SELECT a.id FROM current_annotation a JOIN annotator p ON p.id = a.annotator_id"
        " WHERE a.item_id = ? AND p.name = ?",
        [item, desk.name],
    )
    invite(desk.workspace, "Clara", "author")
    [author] = desk.workspace.store.rows("SELECT id, name FROM annotator WHERE name = 'Clara'")
    clara = Person(author["id"], author["name"], "author")
    return_answer(desk.workspace, clara, row["id"], "Please look at the left edge.")
    desk.page.reload()
    expect(desk.root.locator(".returned")).to_contain_text("Returned by an author", timeout=30_000)
    expect(desk.root.locator(".returned")).to_contain_text("Please look at the left edge.")
    assert "undefined" not in desk.root.locator(".returned").inner_text()


def test_a_closed_task_says_so_and_offers_the_next(standing_demo: Any, sit_down: SitDown):
    desk = sit_down(standing_demo, "Localization", "Fay")
    [task] = desk.workspace.store.rows("SELECT name FROM task WHERE id = ?", [desk.task])
    set_status(desk.workspace, task["name"], "closed")
    try:
        desk.page.reload()
        screen = desk.root.locator(".screen")
        expect(screen).to_contain_text("The authors have closed this task.", timeout=30_000)
        expect(screen).not_to_contain_text("others are working")
        expect(screen.locator(".next-task a")).to_be_visible()
        desk.page.goto(standing_demo.url)
        settled(desk.page)
        expect(desk.page.get_by_text("Closed").first).to_be_visible()
    finally:
        set_status(desk.workspace, task["name"], "open")


def test_the_desk_and_start_are_german_for_who_asks_for_german(
    standing_demo: Any, person: Callable[..., Any]
):
    page = person(standing_demo, "Grete", locale="de-DE")
    page.goto(standing_demo.url)
    expect(page.get_by_text("Ihre Aufgabenreihen")).to_be_visible()
    page.get_by_role("button", name="Beginnen").first.click()
    desk = page.locator(".desk")
    expect(desk.locator("dialog")).to_contain_text("Ein Beispiel", timeout=30_000)
    page.keyboard.press("Enter")
    expect(desk.locator(".submit")).to_contain_text("Absenden")
    page.goto(f"{standing_demo.url}/language/en?to=annotate")
    expect(page.locator(".desk .submit")).to_contain_text("Submit", timeout=30_000)


def test_start_tells_of_answers_that_this_browser_still_keeps_and_sends_them(
    standing_demo: Any, sit_down: SitDown
):
    desk = sit_down(standing_demo, "Human evaluation: 16 frames", "Hal")
    page = desk.page
    page.route("**/answers", lambda route: route.abort())
    desk.press("a", "Enter")
    expect(desk.root).to_have_attribute("data-pending", "1")
    page.goto(standing_demo.url)
    settled(page)
    expect(page.locator(".unsent")).to_contain_text("1 answer of yours waits on this computer")
    page.unroute("**/answers")
    page.reload()
    expect(page.locator(".unsent")).to_contain_text("is stored now", timeout=30_000)
    stored = desk.workspace.store.rows(
        "SELECT a.id FROM annotation a JOIN annotator p ON p.id = a.annotator_id WHERE p.name = ?",
        [desk.name],
    )
    assert len(stored) == 1
