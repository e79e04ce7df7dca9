from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]
Value = Callable[[int, str], int]


def test_back_and_enter_stores_a_correction_and_returns_to_where_one_was(
    open_desk: OpenDesk, value: Value
):
    desk = open_desk().ready()
    desk.press("a", "Enter", "b", "Enter", "c").shows(3)
    desk.press("u").shows(2).ready()
    expect(desk.find(".panel-head")).to_contain_text("Correcting #2")
    expect(desk.checked.locator(".cap")).to_have_text("B")
    desk.press("a", "Enter").shows(3)
    expect(desk.checked.locator(".cap")).to_have_text("C")  # the draft of item 3 is still there
    desk.stored(3)
    assert desk.given() == [(1, value(1, "A")), (2, value(2, "B")), (2, value(2, "A"))]


def test_backspace_twice_goes_two_back_and_escape_leaves_all_as_it_was(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a", "Enter", "b", "Enter").shows(3).ready()
    desk.press("Backspace").shows(2).ready()
    desk.press("c", "Backspace").shows(1).ready()
    desk.press("Escape").shows(3)
    expect(desk.find(".panel-head")).to_be_empty()
    desk.stored(2)
    assert [k for k, _ in desk.given()] == [1, 2]


def test_enter_without_a_change_stores_nothing(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a", "Enter", "u", "Enter").shows(2).ready()
    desk.press("b", "Enter")
    desk.stored(2)
    assert [k for k, _ in desk.given()] == [1, 2]


def test_an_answer_of_an_earlier_visit_is_opened_from_the_strip(open_desk: OpenDesk, value: Value):
    desk = open_desk().ready()
    desk.press("b", "Enter", "s", "1", "Enter")
    desk.stored(2)
    desk.page.reload()
    desk.ready().shows(3)
    desk.find(".chip").nth(0).click()
    desk.shows(1)
    expect(desk.checked.locator(".cap")).to_have_text("B")
    desk.find(".chip").nth(1).click()
    desk.shows(2).ready()
    expect(desk.find(".panel-hint")).to_contain_text("You skipped this: The video does not play")
    desk.press("a", "Enter").shows(3)
    desk.stored(3)
    assert desk.given()[2] == (2, value(2, "A"))


SPEAK = """async (texts) => {
  const loaded = performance.getEntriesByType('resource').map((entry) => entry.name);
  const { speak } = await import(loaded.find((name) => name.includes('shared/texts.js')));
  speak(texts);
}"""


def test_the_reason_of_a_skip_is_told_in_the_language_on_screen(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("s", "1", "Enter").shows(2).ready()
    desk.stored(1)
    german = {
        "The video does not play": "Das Video läuft nicht",
        "You skipped this: {why}. Choose an answer to replace it.": "Übersprungen: {why}.",
    }
    desk.page.evaluate(SPEAK, german)
    desk.press("u").shows(1)
    expect(desk.find(".panel-hint")).to_have_text("Übersprungen: Das Video läuft nicht.")


def test_a_correction_made_offline_follows_its_answer_in_order(open_desk: OpenDesk, value: Value):
    desk = open_desk().ready()
    desk.page.wait_for_load_state("networkidle")
    desk.page.context.set_offline(True)
    desk.press("a", "Enter", "u", "b", "Enter", "c", "Enter").shows(3)
    desk.page.context.set_offline(False)
    desk.stored(3)
    assert desk.given() == [(1, value(1, "A")), (1, value(1, "B")), (2, value(2, "C"))]
    expect(desk.find(".done")).to_have_text("2 of 60")


def test_nothing_to_go_back_to_is_said(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("u").shows(1)
    expect(desk.find(".panel-hint")).to_have_text("There is no earlier answer yet.")


def test_the_numbers_of_earlier_answers_stay_while_more_are_given(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a", "Enter").shows(2).ready()
    chips = desk.find(".chip")
    expect(chips).to_have_count(1)
    chips.first.evaluate("chip => (chip.mark = 'the same')")
    desk.press("a", "Enter").shows(3).ready()
    desk.press("s", "1", "Enter").shows(4).ready()
    expect(chips).to_have_text(["1", "2", "3"])
    expect(desk.find(".chip.skipped")).to_have_text("3")
    assert chips.first.evaluate("chip => chip.mark") == "the same"
    desk.press("u").shows(3)  # what is looked at is drawn anew
    expect(desk.find('.chip[aria-current="true"]')).to_have_text("3")
    assert chips.first.evaluate("chip => chip.mark") == "the same"
