from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]

# The stub draws the frame's number as eight black and white blocks at the lower edge.
SHOWN = """() => {
  const root = document.querySelector('#host').shadowRoot.querySelector('.desk');
  const canvas = root.querySelector('.steps canvas');
  const context = canvas.getContext('2d');
  let code = 0;
  for (let bit = 0; bit < 8; bit++) {
    const x = Math.floor((bit + 0.5) * Math.floor(canvas.width / 8));
    if (context.getImageData(x, canvas.height - 20, 1, 1).data[0] > 128) code |= 1 << bit;
  }
  return code;
}"""


def shown(page: Page) -> int:
    return page.evaluate(SHOWN)


def presents(desk: Any, frame: int) -> None:
    expect(desk.find(".steps")).to_have_attribute("data-frame", str(frame))
    assert shown(desk.page) == frame


def test_a_frame_is_picked_by_keyboard_alone(open_desk: OpenDesk):
    desk = open_desk(task=10).ready()
    expect(desk.submit).to_be_disabled()
    desk.press("ArrowRight", "ArrowDown", "Enter")  # the sixth tile stands for frame 25
    presents(desk, 25)
    desk.press(".", ".", ".")
    presents(desk, 28)
    desk.press(",")
    presents(desk, 27)
    desk.press("Shift+.")
    presents(desk, 37)
    desk.press("Shift+.")  # 39 is the last
    presents(desk, 39)
    expect(desk.find(".picked.given")).to_contain_text("Frame 40 · ")
    desk.press("Enter").shows(2)
    assert desk.stored(1)[0]["response"] == {"frame": 39}
    expect(desk.find(".steps")).to_be_hidden()
    expect(desk.find(".tile.picked")).to_have_count(0)
    expect(desk.submit).to_be_disabled()


def test_by_mouse_and_back_to_all_frames_the_pick_stays(open_desk: OpenDesk):
    desk = open_desk(task=10).ready()
    desk.find(".tile").nth(3).click()
    presents(desk, 15)
    desk.find(".steps .press", has_text=".").click()
    presents(desk, 16)
    desk.press("Escape")
    expect(desk.find(".steps")).to_be_hidden()
    expect(desk.find(".tile.picked")).to_have_attribute("data-frame", "3")
    desk.press("Enter")  # back to the pick itself, not to its tile
    presents(desk, 16)
    desk.submit.click()
    desk.shows(2)
    assert desk.stored(1)[0]["response"] == {"frame": 16}


def test_a_frame_that_is_still_loading_cannot_be_submitted(open_desk: OpenDesk):
    desk = open_desk(task=10).ready()
    desk.press("Enter")
    presents(desk, 0)
    desk.page.wait_for_load_state("networkidle")
    held: list[Any] = []
    desk.page.route("**/30.jpg", lambda route: held.append(route))
    desk.press("Shift+.", "Shift+.", "Shift+.")
    expect(desk.find(".steps .large-caption")).to_contain_text("Frame 31 · 1.800 s · loading")
    desk.press("Enter").shows(1)
    expect(desk.find(".panel-hint")).to_have_text("The frame is still loading.")
    desk.stub.wait_until(lambda: held, "the request")
    held[0].continue_()
    presents(desk, 30)
    desk.press("Enter").shows(2)
    assert desk.stored(1)[0]["response"] == {"frame": 30}


def test_the_clip_is_watched_and_left_at_the_frame_shown(open_desk: OpenDesk):
    desk = open_desk(task=10).ready()
    desk.press("v")
    expect(desk.find("video.front")).to_be_visible()
    expect(desk.find(".player-picture.waiting")).to_have_count(0)
    expect(desk.find(".player-stage")).to_have_attribute("data-frame", "0")
    desk.press(*["."] * 4)
    expect(desk.find(".player-stage")).to_have_attribute("data-frame", "4")
    desk.press("Enter").shows(1)
    presents(desk, 4)
    desk.press("v", "Escape")
    expect(desk.find(".watch")).to_be_hidden()
    expect(desk.find(".tile.picked")).to_have_attribute("data-frame", "0")


def test_a_draft_brings_back_the_pick(open_desk: OpenDesk):
    desk = open_desk(task=10).ready()
    desk.press("ArrowRight", "Enter", ".", ".")
    presents(desk, 7)
    desk.page.reload()
    desk.ready()
    expect(desk.find(".picked.given")).to_contain_text("Frame 8")
    expect(desk.find(".tile.picked")).to_have_attribute("data-frame", "1")
    desk.press("Enter")
    presents(desk, 7)
