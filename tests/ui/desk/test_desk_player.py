import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]

# What the screen shows: the stub's clips carry their frame number as eight black and white blocks.
ON_SCREEN = """() => {
  const root = document.querySelector('#host').shadowRoot.querySelector('.desk');
  const video = root.querySelector('video.front');
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [640, 360];
  const context = canvas.getContext('2d');
  context.drawImage(video, 0, 0);
  let code = 0;
  for (let bit = 0; bit < 8; bit++)
    if (context.getImageData(bit * 80 + 40, 340, 1, 1).data[0] > 128) code |= 1 << bit;
  return code;
}"""


# Counts how often a playing video went back by more than a second.
WATCH_JUMPS = """video => {
  window.jumps = 0;
  let last = 0;
  const look = (_, {mediaTime}) => {
    if (mediaTime < last - 1) window.jumps += 1;
    last = mediaTime;
    video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
}"""


def on_screen(page: Page) -> int:
    return page.evaluate(ON_SCREEN)


def settled(desk: Any, frame: int) -> None:
    """Label and picture both show a frame (counted from 0)."""
    expect(desk.find(".player-stage")).to_have_attribute("data-frame", str(frame))
    expect(desk.find(".frame-number")).to_contain_text(f"frame {frame + 1} of")
    assert on_screen(desk.page) == frame


def test_each_key_moves_exactly_one_frame_also_at_uneven_rate(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    # Item 1 is the uneven clip from 0.5 s to 1.0 s. Its frames start at 0, 20, 60, 120, 200, 300,
    # 320, 360, 420, 500, 600, 620, 660, 720, 800, 900, 920, 960, 1020 ms: frames 9 to 17 are in.
    settled(desk, 9)
    for frame in range(10, 18):
        desk.press(".")
        settled(desk, frame)
    desk.press(".")  # the segment ends here
    settled(desk, 17)
    expect(desk.find(".frame-number")).to_have_text("frame 18 of 40 · 0.960 s")
    for frame in range(16, 13, -1):
        desk.press(",")
        settled(desk, frame)
    desk.press("0")
    settled(desk, 9)


def test_five_quick_presses_move_five_frames(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    desk.press(*["."] * 5)
    settled(desk, 14)
    desk.press(*[","] * 3)
    settled(desk, 11)


def test_a_segment_plays_to_its_end_and_stops_there(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    desk.press("Space")
    expect(desk.find("video.front")).to_have_js_property("paused", False)
    expect(desk.find("video.front")).to_have_js_property("paused", True)
    settled(desk, 17)
    assert desk.page.evaluate(ON_SCREEN) == 17


def test_repeat_goes_round_and_is_remembered(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    desk.press("r", "Space")
    video = desk.find("video.front")
    wraps = video.evaluate(
        """video => new Promise(done => {
             let last = 0, wraps = 0;
             const look = (_, {mediaTime}) => {
               if (mediaTime < last) wraps += 1;
               last = mediaTime;
               if (wraps === 2) done([wraps, video.paused]);
               else video.requestVideoFrameCallback(look);
             };
             video.requestVideoFrameCallback(look);
           })"""
    )
    assert wraps == [2, False]
    desk.press("k", "m", "a", "Enter").shows(2).ready()
    expect(desk.find('.press[aria-pressed="true"]')).to_have_attribute("title", "Repeat")
    expect(desk.find("video.front")).to_have_js_property("muted", True)
    expect(desk.find("video.front")).to_have_js_property("paused", True)


def test_nothing_of_the_item_before_is_left_in_the_player(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    desk.press("l", ".", ".", "Space", "b", "Enter").shows(2).ready()
    # Item 2 is the even clip, 30 frames a second, from 1.0 s to 1.5 s: it begins at frame 30.
    settled(desk, 30)
    expect(desk.find("video.front")).to_have_js_property("paused", True)
    # The speed is how this person likes to watch: it stays, as sound and repeat do.
    expect(desk.find("video.front")).to_have_js_property("playbackRate", 1.5)
    expect(desk.find(".rate")).to_have_text("1.5×")
    desk.press("c", "Enter").shows(3).ready()
    settled(desk, 0)


def test_the_next_clip_is_there_in_the_same_moment(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    ready = """() => {
      const root = document.querySelector('#host').shadowRoot.querySelector('.desk');
      const back = root.querySelector('video:not(.front)');
      return back.readyState >= 2 && !back.seeking && back.dataset.src.endsWith('=2');
    }"""
    desk.page.wait_for_function(ready)
    desk.press("a")
    at_once = desk.page.evaluate(
        """() => {
          const root = document.querySelector('#host').shadowRoot.querySelector('.desk');
          window.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
          return [root.dataset.item, root.dataset.ready];
        }"""
    )
    assert at_once == ["2002", "1"]
    settled(desk, 30)


def test_another_segment_of_the_same_video_begins_and_ends_at_its_own_edges(open_desk: OpenDesk):
    # One clip of 5 frames a second: item 1 is 6 to 9 s, frames 30 to 44; item 2 is 41 to 44 s,
    # frames 205 to 219; item 3 is the first segment again.
    desk = open_desk(task=16).ready()
    desk.page.evaluate("window.same = true")
    video = desk.find("video.front")
    settled(desk, 30)
    desk.press("Space")
    expect(desk.find(".player-stage")).to_have_attribute("data-frame", re.compile("3[3-9]"))
    desk.press("a", "Enter").shows(2).ready()
    settled(desk, 205)
    expect(video).to_have_js_property("paused", True)

    video.evaluate(WATCH_JUMPS)
    desk.press("Space")
    expect(desk.find(".player-stage")).to_have_attribute("data-frame", re.compile("20[89]|21."))
    desk.press("b")  # a choice, and a page around the desk that runs anew
    desk.page.evaluate("() => { again() }")
    expect(video).to_have_js_property("paused", False)
    expect(video).to_have_js_property("paused", True)
    settled(desk, 219)
    desk.press("c")
    desk.page.evaluate("() => { again() }")
    desk.page.wait_for_timeout(300)  # long enough to jump, if it did
    settled(desk, 219)
    assert desk.page.evaluate("window.jumps") == 0

    desk.press("Enter").shows(3).ready()
    settled(desk, 30)
    desk.press("Space")
    expect(video).to_have_js_property("paused", False)
    expect(video).to_have_js_property("paused", True)
    settled(desk, 44)
    for item, frame in ((2, 205), (1, 30)):
        desk.press("u").shows(item).ready()
        settled(desk, frame)
    assert desk.page.evaluate("window.same")  # all without a reload


def test_speeds_run_from_a_quarter_to_double_and_k_brings_back_normal(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    video = desk.find("video.front")
    for key, rate in (("l", 1.5), ("l", 2), ("l", 2), ("k", 1), ("j", 0.5), ("j", 0.25)):
        desk.press(key)
        expect(video).to_have_js_property("playbackRate", rate)


def test_the_same_video_goes_on_playing_when_the_page_calls_the_desk_again(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    desk.press("b", "r", "Space")
    video = desk.find("video.front")
    expect(video).to_have_js_property("paused", False)
    video.evaluate("video => { video.mark = 7 }")
    desk.page.evaluate("() => { for (let i = 0; i < 10; i++) again() }")
    expect(desk.find("video.front")).to_have_js_property("mark", 7)
    expect(video).to_have_js_property("paused", False)
    expect(desk.root).to_have_count(1)
    expect(desk.checked).to_have_count(1)


def test_a_click_on_the_bar_shows_the_frame_under_it(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    bar = desk.find(".bar")
    box = bar.bounding_box()
    # The bar runs from frame 9 (0.50 s) to 17 (0.96 s); its middle is 0.73 s: frame 13 (0.72 s).
    desk.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 9)
    settled(desk, 13)


def test_title_and_source_stand_above_the_clip_as_text(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    expect(desk.find(".player-stage .head")).to_be_visible()
    expect(desk.find(".source-title")).to_have_text("Goal <b>of</b> the year")
    expect(desk.find(".source-link")).to_have_attribute("href", "https://www.example.org/watch")
    expect(desk.find(".source-link")).to_have_text("Source: example.org")
    desk.press("a", "Enter").shows(2).ready()
    expect(desk.find(".player-stage .head")).to_be_hidden()
    expect(desk.find(".source-link")).not_to_have_attribute("href", re.compile("."))


def test_a_second_a_tenth_and_the_ends_are_one_press_away(open_desk: OpenDesk):
    desk = open_desk(task=2).ready()
    frame = lambda: int(desk.find(".player-stage").get_attribute("data-frame") or 0)  # noqa: E731
    first = frame()  # the segment of item 1 begins later than its video
    desk.press("End")
    desk.stub.wait_until(lambda: frame() > first, "the last frame")
    last = frame()
    desk.press("Home")
    settled(desk, first)
    desk.press("PageDown")
    desk.stub.wait_until(lambda: first < frame() < (first + last) / 2, "a tenth of the clip on")
    desk.press("PageUp")
    settled(desk, first)
    desk.press("Control+ArrowRight")
    desk.stub.wait_until(lambda: frame() > first, "a second on")
    desk.press("Control+ArrowLeft")
    settled(desk, first)
