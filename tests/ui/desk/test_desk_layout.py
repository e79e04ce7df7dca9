"""Where things are: nothing moves under one's hands, the focus stays, a telephone shows it all."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]

# Where the parts that one aims at begin, and how large the words are.
STANDING = """desk => {
  const place = (selector) => Math.round(desk.querySelector(selector).getBoundingClientRect().top);
  const size = (selector) => getComputedStyle(desk.querySelector(selector)).fontSize;
  return {
    stage: place('.stage'), submit: place('.submit'), first: place('.panel .question'),
    size: size('.panel .option'), asked: size('.panel .question'),
  };
}"""
# How far what is in a frame's view goes beyond the stage on the right, px.
BEYOND = """desk => {
  const right = (part) => part.getBoundingClientRect().right;
  const parts = desk.querySelectorAll('.stage .steps .press, .stage .large-picture');
  return Math.max(...[...parts].map(right)) - right(desk.querySelector('.stage'));
}"""
FOCUS = "root => root.getRootNode().activeElement?.className ?? 'nothing'"


@pytest.mark.parametrize(
    ("task", "steps"),
    [
        (8, [["c"], ["Tab"], ["Tab"], ["a"]]),  # a clip's verdict opens a text; the next clip
        (9, [["a"], ["i"], [".", "."], ["o"], ["n"]]),  # marks, and a second card
        (12, [["a"], ["Tab"], ["b"]]),  # options kept
        (13, [["b"], ["Tab"], ["a"]]),  # rejected: reasons open
    ],
)
@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)])
def test_nothing_moves_while_one_answers(
    open_desk: OpenDesk, task: int, steps: list[list[str]], size: tuple[int, int]
):
    desk = open_desk(task=task)
    desk.page.set_viewport_size({"width": size[0], "height": size[1]})
    desk.page.reload()  # a form is fitted to the window in which it opens
    desk.ready()
    standing = desk.root.evaluate(STANDING)
    for keys in steps:
        desk.press(*keys)
        assert desk.root.evaluate(STANDING) == standing, keys


def test_the_focus_stays_on_the_desk_after_a_submit(open_desk: OpenDesk):
    desk = open_desk(task=6).ready()
    desk.press("a", "w")
    expect(desk.find("textarea")).to_be_focused()
    desk.page.keyboard.type("seen twice")
    desk.press("Control+Enter").shows(2).ready()
    assert desk.root.evaluate(FOCUS) == "desk"
    desk.submit.focus()
    desk.press("b")
    desk.submit.focus()
    desk.press_at_once("Enter")
    desk.shows(3).ready()
    assert "desk" in desk.root.evaluate(FOCUS) or "submit" in desk.root.evaluate(FOCUS)


def test_on_a_telephone_each_item_is_seen_from_its_top(open_desk: OpenDesk):
    desk = open_desk(task=1)
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.ready()
    for k in (1, 2):
        desk.shows(k).ready()
        expect(desk.find(".stage")).to_be_in_viewport(ratio=1)
        desk.find(".option").first.click()
        desk.submit.click()


@pytest.mark.parametrize("task", [1, 2, 8, 9, 10, 11, 12, 13, 15])
def test_on_a_telephone_nothing_lies_outside_to_the_right(open_desk: OpenDesk, task: int):
    desk = open_desk(task=task)
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.ready()
    assert desk.page.evaluate("document.documentElement.scrollWidth") == 390
    wide = """desk => [...desk.querySelectorAll('.press, .option, .question, .entry, .caption')]
      .filter((one) => one.getClientRects().length && one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.className + ': ' + one.textContent)"""
    assert desk.root.evaluate(wide) == []


GERMAN = ("Absenden", "Berichtigung speichern")


@pytest.mark.parametrize("submit", GERMAN)
def test_on_a_telephone_there_is_room_for_buttons_in_longer_words(open_desk: OpenDesk, submit: str):
    desk = open_desk(task=1)
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.ready()
    buttons = desk.find(".panel-foot .press")
    expect(buttons).to_have_count(3)
    for button, words in zip(buttons.all(), (submit, "Zurück", "Überspringen"), strict=True):
        button.locator("span").evaluate("(span, words) => { span.textContent = words; }", words)
    ends = buttons.evaluate_all("all => all.map((one) => one.getBoundingClientRect().right)")
    assert max(ends) <= 390


def test_a_video_that_looks_alike_plays_beside_the_one_asked_about(open_desk: OpenDesk):
    desk = open_desk(task=13).ready()
    desk.press("w")
    large = desk.find(".beside-large")
    expect(large.locator("video")).to_have_js_property("muted", True)
    expect(large.locator("video")).to_have_js_property("paused", False)
    picture, beside = desk.find(".player-picture").bounding_box(), large.bounding_box()
    assert abs(picture["width"] - beside["width"]) < 3  # as large, and beside it
    assert picture["x"] + picture["width"] <= beside["x"]
    desk.press("w")
    expect(large.locator(".large-caption")).to_have_text("80 %")
    expect(large.locator("img")).to_be_visible()  # what cannot be played is seen as its frame
    desk.press("w")
    expect(large).to_be_hidden()


def test_on_a_telephone_a_frame_and_its_buttons_fit_the_stage(open_desk: OpenDesk):
    desk = open_desk(task=10)
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.ready().press("Enter")
    expect(desk.find(".stage .steps")).to_have_attribute("data-frame", "0")
    assert desk.root.evaluate(BEYOND) <= 0
    desk.find(".stage .steps").get_by_role("button", name="All frames").click()
    expect(desk.find(".stage .steps")).to_be_hidden()


def test_on_a_telephone_what_is_said_of_a_practice_answer_is_in_sight(open_desk: OpenDesk):
    desk = open_desk(task=14)
    desk.page.set_viewport_size({"width": 390, "height": 560})
    desk.ready().press("a", "Enter")
    card = desk.find(".feedback")
    expect(card).to_be_visible()
    desk.page.evaluate("scrollTo(0, 0)")
    expect(card.get_by_role("button", name="Go on")).to_be_in_viewport(ratio=1)


def test_on_a_telephone_brief_options_stand_below_each_other(open_desk: OpenDesk):
    desk = open_desk(task=1)
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.ready()
    desk.find(".options").evaluate("options => options.classList.add('brief')")
    lefts = desk.find(".options.brief .option").evaluate_all(
        "all => all.map((option) => Math.round(option.getBoundingClientRect().left))"
    )
    assert len(lefts) > 2
    assert len(set(lefts)) == 1
