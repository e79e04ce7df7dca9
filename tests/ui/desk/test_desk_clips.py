from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]

PLAYING = """() => {
  const root = document.querySelector('#host').shadowRoot;
  return [...root.querySelectorAll('video')].filter(video => !video.paused).length;
}"""


def at(desk: Any, clip: int) -> None:
    """Clip and entry with this number are the active ones."""
    expect(desk.find(".clip-title")).to_contain_text(f"Clip {clip} of 5")
    expect(desk.find('.thumb[aria-selected="true"]')).to_have_attribute(
        "aria-label", desk.find(".thumb").nth(clip - 1).get_attribute("aria-label")
    )
    expect(desk.find(".entry.open .entry-name")).to_have_text(f"Clip {clip}")


def test_five_clips_are_verified_by_keyboard_alone(open_desk: OpenDesk):
    desk = open_desk(task=8).ready()
    at(desk, 1)
    desk.press("a", "Enter")  # goes to what is open
    at(desk, 2)
    desk.press("c", "ArrowDown")
    desk.page.keyboard.type("cricket")
    desk.press("ArrowDown")
    at(desk, 3)
    desk.press("b", "ArrowDown", "a", "Tab", "a")
    at(desk, 5)
    desk.press("Tab", "a", "Tab", "c", "Enter").shows(2)
    at(desk, 1)
    expect(desk.checked).to_have_count(0)
    [answer] = desk.stored(1)
    assert answer["response"] == {
        "clips": {
            "c1": {"shows": "definitely"},
            "c2": {"shows": "not", "sport": "cricket"},
            "c3": {"shows": "maybe"},
            "c4": {"shows": "definitely"},
            "c5": {"shows": "definitely"},
        },
        "alone": "yes",
        "both": "not_sure",
    }


def test_clip_and_entry_follow_each_other(open_desk: OpenDesk):
    desk = open_desk(task=8).ready()
    desk.press("]", "]")
    at(desk, 3)
    desk.press("[")
    at(desk, 2)
    desk.press("Shift+5")
    at(desk, 5)
    desk.find(".thumb").nth(3).click()
    at(desk, 4)
    desk.find(".entry-title").nth(0).click()
    at(desk, 1)
    desk.press("b")
    expect(desk.find(".entry.open .option[aria-checked=true]")).to_have_text("BMaybe")


def test_one_clip_plays_at_a_time_and_a_choice_does_not_disturb_it(open_desk: OpenDesk):
    desk = open_desk(task=8).ready()
    desk.press("r", "Space")  # over and over
    video = desk.find("video.front")
    expect(video).to_have_js_property("paused", False)
    video.evaluate("video => { video.mark = 7 }")
    desk.press("a", "b", "c")
    expect(video).to_have_js_property("mark", 7)
    expect(video).to_have_js_property("paused", False)
    assert desk.page.evaluate(PLAYING) == 1
    desk.press("]")
    at(desk, 2)
    expect(desk.find("video.front")).to_have_js_property("paused", True)
    desk.press("Space")
    expect(desk.find("video.front")).to_have_js_property("paused", False)
    assert desk.page.evaluate(PLAYING) == 1
    desk.press("r")


def test_clips_load_when_they_are_chosen(open_desk: OpenDesk):
    desk = open_desk(task=8).ready()
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))
    # Item 1 has the sources with item=11 to 15: the first is on stage, the second comes next.
    with desk.page.expect_request("**/*.mp4?item=12"):
        desk.page.reload()
    at(desk.ready(), 1)
    with desk.page.expect_request("**/*.mp4?item=15"):
        desk.press("Shift+4")
    at(desk, 4)
    numbers = {url.partition("item=")[2] for url in asked if ".mp4" in url}
    assert numbers == {"11", "12", "14", "15"}


def test_a_draft_brings_back_the_verdicts_and_goes_on_at_the_open_clip(open_desk: OpenDesk):
    desk = open_desk(task=8).ready()
    desk.press("a", "]", "c", "ArrowDown")
    with desk.page.expect_response("**/draft"):
        desk.page.keyboard.type("polo")
    desk.page.reload()
    desk.ready()
    expect(desk.find(".entry-words")).to_have_text(
        ["Definitely", "Not; “polo”", "open", "open", "open"]
    )
    at(desk, 3)
