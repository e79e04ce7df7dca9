from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]

# The uneven clip of item 1: steps of 20, 40, 60, 80, 100, 20, ... ms.
UNEVEN = [0.0, 0.02, 0.06, 0.12, 0.2, 0.3, 0.32, 0.36, 0.42, 0.5, 0.6, 0.62, 0.66, 0.72, 0.8]

SHOWN = """() => {
  const root = document.querySelector('#host').shadowRoot.querySelector('.desk');
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [640, 360];
  const context = canvas.getContext('2d');
  context.drawImage(root.querySelector('video.front'), 0, 0);
  let code = 0;
  for (let bit = 0; bit < 8; bit++)
    if (context.getImageData(bit * 80 + 40, 340, 1, 1).data[0] > 128) code |= 1 << bit;
  return code;
}"""

# Plays, and presses a key once a frame past `after` s has been presented; gives the time stamp of
# the frame that was presented last when the key came down.
MARK_WHILE_PLAYING = """([key, after]) => new Promise(done => {
  const root = document.querySelector('#host').shadowRoot.querySelector('.desk');
  const video = root.querySelector('video.front');
  const look = (_, {mediaTime}) => {
    if (mediaTime < after) return video.requestVideoFrameCallback(look);
    window.dispatchEvent(new KeyboardEvent('keydown', {key, code: 'Key' + key.toUpperCase()}));
    done(mediaTime);
  };
  video.requestVideoFrameCallback(look);
})"""


def shown(page: Page) -> int:
    return page.evaluate(SHOWN)


def settled(desk: Any, frame: int) -> None:
    expect(desk.find(".player-stage")).to_have_attribute("data-frame", str(frame))
    desk.stub.wait_until(lambda: shown(desk.page) == frame, f"frame {frame} on screen")


def begin(open_desk: OpenDesk, item: int = 1) -> Any:
    desk = open_desk(task=9).ready()
    for _ in range(item - 1):
        desk.press("s", "1", "Enter")
    desk.shows(item).ready()
    desk.press("a", "Tab")
    return desk


def edges(desk: Any) -> list[str]:
    return desk.find(".entry.open .edge-time").all_inner_texts()


def cards(desk: Any, answers: int = 1) -> list[dict[str, Any]]:
    answer = [one for one in desk.stored(answers) if one["response"]][-1]
    return answer["response"]["cards"]


def test_an_action_is_localized_by_keyboard_alone_at_uneven_rate(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press(*["."] * 5)
    settled(desk, 5)
    desk.press("i", *["."] * 6)
    settled(desk, 11)
    desk.press("o")
    assert edges(desk) == ["0.300 s", "0.620 s"]
    desk.press("Tab")
    desk.page.keyboard.type("the disc")
    desk.press("Tab", "b", "Enter").shows(2)
    [card] = cards(desk)
    assert card == {"start": UNEVEN[5], "end": UNEVEN[11], "who": "the disc", "before": "not_sure"}
    desk.ready().press("a", "Tab")
    assert edges(desk) == ["not set", "not set"]
    expect(desk.find(".bars .handle")).to_have_count(0)


def test_the_cards_are_away_while_the_action_does_not_happen(open_desk: OpenDesk):
    desk = open_desk(task=9).ready()
    expect(desk.find(".segments")).to_be_visible()  # one may mark before one decides
    desk.press("i")
    assert edges(desk)[0] != "not set"
    desk.find(".option", has_text="It does not").click()
    expect(desk.find(".segments")).to_be_hidden()
    expect(desk.find(".bars .handle")).to_have_count(0)
    desk.press("c")
    expect(desk.find(".segments")).to_be_visible()
    assert edges(desk)[0] != "not set"
    desk.press("b", "Enter").shows(2)
    [answer] = desk.stored(1)
    assert answer["response"] == {"happens": "it_does_not"}


@pytest.mark.parametrize("item", [1, 2])  # uneven, even
def test_marks_set_while_playing_are_the_stamps_of_the_frames_presented(
    open_desk: OpenDesk, item: int
):
    desk = begin(open_desk, item)
    desk.press("l", "l", "Space")  # double speed
    start = desk.page.evaluate(MARK_WHILE_PLAYING, ["i", 0.4])
    expect(desk.find("video.front")).to_have_js_property("paused", True)
    frame = int(desk.find(".player-stage").get_attribute("data-frame"))
    settled(desk, frame)  # what is on screen now is what was marked
    desk.press("Space")
    end = desk.page.evaluate(MARK_WHILE_PLAYING, ["o", 0.9])
    desk.press("Tab", "x", "Tab", "a", "Enter").shows(item + 1)
    [card] = cards(desk, item)
    assert card["start"] == pytest.approx(start, abs=0.0005)
    assert card["end"] == pytest.approx(end, abs=0.0005)


def test_up_and_down_land_on_exactly_the_stored_start(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press(*["."] * 3, "[", *["."] * 2, "]")  # 0.12 to 0.30 s
    desk.press("n", *["."] * 4, "[", *["."] * 3, "]")  # from frame 9 (0.5 s) to frame 12 (0.66 s)
    settled(desk, 12)
    desk.press("ArrowUp")
    settled(desk, 3)
    expect(desk.find(".frame-number")).to_contain_text("0.120 s")
    desk.press("ArrowDown")
    settled(desk, 9)
    expect(desk.find(".frame-number")).to_contain_text("0.500 s")
    desk.find(".bars .span", has_text="1").click()
    settled(desk, 3)
    desk.find(".entry.open [data-edge=end] .edge-time").click()
    settled(desk, 5)


def test_an_edge_is_nudged_by_one_frame(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press(*["."] * 3, "i", *["."] * 3, "o")
    assert edges(desk) == ["0.120 s", "0.320 s"]
    desk.press("Shift+.", "Shift+.")  # the end was set last
    settled(desk, 8)
    assert edges(desk) == ["0.120 s", "0.420 s"]
    desk.find(".entry.open [data-edge=start] .edge-time").click()
    desk.press("Shift+,")
    settled(desk, 2)
    assert edges(desk) == ["0.060 s", "0.420 s"]
    desk.press("Shift+ArrowRight")
    assert edges(desk) == ["0.120 s", "0.420 s"]


def test_an_end_that_is_not_after_the_start_is_refused_at_once_in_words(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press(*["."] * 4, "i", ",", "o")
    refusal = desk.find(".refusal")
    expect(refusal).to_have_text(
        "The end (0.120 s) would not come after the start (0.200 s). Move the start first."
    )
    desk.press(".", "o")  # the same frame: no length
    expect(refusal).to_contain_text("would not come after the start (0.200 s)")
    assert edges(desk) == ["0.200 s", "not set"]
    desk.press(".", "o")
    expect(refusal).to_be_empty()
    assert edges(desk) == ["0.200 s", "0.300 s"]
    desk.press("Shift+,")
    expect(refusal).to_contain_text("The end (0.200 s) would not come after")
    assert edges(desk) == ["0.200 s", "0.300 s"]


def test_nothing_outside_the_clip_can_be_marked(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press("i", "Shift+,")
    expect(desk.find(".refusal")).to_contain_text("outside the clip")
    assert edges(desk)[0] == "0.000 s"
    desk.press(*["."] * 60, "o")  # stops at the last frame, the 40th, which starts at 2.300 s
    settled(desk, 39)
    assert edges(desk) == ["0.000 s", "2.300 s"]
    desk.press("Shift+.")  # past the last frame lies the clip's end
    end = edges(desk)[1]
    assert float(end.removesuffix(" s")) > 2.3
    desk.press("Shift+.")
    expect(desk.find(".refusal")).to_contain_text("outside the clip")
    assert edges(desk)[1] == end


def test_cards_come_and_go(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press("Delete")
    expect(desk.find(".refusal")).to_have_text("One card stays.")
    desk.press(".", "i", "n")
    expect(desk.find(".card")).to_have_count(2)
    desk.press("n")  # an empty one is there already
    expect(desk.find(".card")).to_have_count(2)
    desk.press("ArrowUp", "Delete")
    expect(desk.find(".refusal")).to_have_text("Press Delete once more to remove card 1.")
    desk.press("Delete")
    expect(desk.find(".card")).to_have_count(1)
    assert edges(desk) == ["not set", "not set"]


def test_x_plays_the_segment_round_and_round(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press(*["."] * 5, "i", *["."] * 4, "o", "x")
    times = desk.find("video.front").evaluate(
        """video => new Promise(done => {
             const times = [];
             let wraps = 0;
             const look = (_, {mediaTime}) => {
               if (times.length && mediaTime < times.at(-1)) wraps += 1;
               times.push(mediaTime);
               if (wraps === 2) done(times);
               else video.requestVideoFrameCallback(look);
             };
             video.requestVideoFrameCallback(look);
           })"""
    )
    # From frame 5 (0.30 s) to before frame 9 (0.50 s); a frame more may slip in before it turns.
    assert min(times[2:]) >= UNEVEN[5] - 0.001
    assert max(times[2:]) <= UNEVEN[10] + 0.001
    desk.press("x")
    expect(desk.find("video.front")).to_have_js_property("paused", True)
    settled(desk, 5)


def test_handles_are_dragged_with_the_frame_under_them(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press(*["."] * 2, "i", *["."] * 3, "o")
    line = desk.find(".timeline").bounding_box()
    handle = desk.find(".handle.end").bounding_box()
    mouse = desk.page.mouse
    mouse.move(handle["x"] + 5, handle["y"] + 20)
    mouse.down()
    mouse.move(line["x"] + line["width"] / 2, line["y"] + 20, steps=4)
    bubble = desk.find(".bubble")
    expect(bubble).to_be_visible()
    frame = int(bubble.get_attribute("data-frame"))
    settled(desk, frame)  # the large picture shows it, too
    mouse.up()
    expect(bubble).to_be_hidden()
    start, end = (float(text.removesuffix(" s")) for text in edges(desk))
    assert start == UNEVEN[2]
    middle = desk.find(".frame-number").inner_text().partition(" · ")[2]
    assert middle == f"{end:.3f} s"
    mouse.move(line["x"] + line["width"] * 0.9, line["y"] + 20)
    mouse.down()  # beside the handles: only the playhead moves
    mouse.up()
    assert [float(text.removesuffix(" s")) for text in edges(desk)] == [start, end]
    desk.stub.wait_until(
        lambda: int(desk.find(".player-stage").get_attribute("data-frame")) > frame,
        "the playhead further on",
    )


def test_a_draft_brings_back_cards_with_their_times_and_words(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press(*["."] * 3, "i", *["."] * 2, "o", "Tab")
    desk.page.keyboard.type("the disc")
    desk.press("Escape", "n")
    with desk.page.expect_response("**/draft"):
        desk.press(".", "i")
    desk.page.reload()
    desk.ready()
    expect(desk.find(".card")).to_have_count(2)
    words = desk.find(".card .entry-words").all_inner_texts()
    assert words == ["0.120 s – 0.300 s · “the disc”", "0.320 s – …"]
    expect(desk.find(".bars .span")).not_to_have_count(0)


def test_words_and_choices_do_not_disturb_what_plays(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press("i", "r", "Space")
    video = desk.find("video.front")
    video.evaluate("video => { video.mark = 7 }")
    desk.press("Tab")
    desk.page.keyboard.type("in between")
    desk.press("Tab", "a")
    desk.page.evaluate("() => { again() }")
    expect(video).to_have_js_property("mark", 7)
    expect(video).to_have_js_property("paused", False)
    desk.press("r")


def test_instructions_move_to_h_where_i_marks(open_desk: OpenDesk):
    desk = begin(open_desk)
    how = desk.find(".press", has_text="Instructions")
    expect(how.locator(".cap")).to_have_text("H")
    desk.press("h")
    expect(desk.find("dialog")).to_be_visible()
    desk.press("Escape", "ArrowUp", "b")  # it does not happen: no cards, and I is free again
    expect(how.locator(".cap")).to_have_text("I")
    expect(desk.find(".bars .handle")).to_have_count(0)


def test_a_drag_on_the_lane_makes_a_segment_and_undo_takes_it_back(open_desk: OpenDesk):
    desk = begin(open_desk)
    line = desk.find(".timeline").bounding_box()
    mouse, low = desk.page.mouse, line["y"] + line["height"] - 6
    mouse.move(line["x"] + line["width"] * 0.2, low)
    mouse.down()
    mouse.move(line["x"] + line["width"] * 0.6, low, steps=4)
    mouse.up()
    start, end = (float(text.removesuffix(" s")) for text in edges(desk))
    assert start < end
    desk.press("Control+z")
    for _ in range(8):  # one step back for each edge that the drag passed
        if edges(desk) == ["not set", "not set"]:
            break
        desk.press("Control+z")
    assert edges(desk) == ["not set", "not set"]
    desk.press("Control+y")
    assert edges(desk) != ["not set", "not set"]


def test_a_click_on_a_picture_offers_to_start_or_end_there(open_desk: OpenDesk):
    desk = begin(open_desk)
    line = desk.find(".timeline").bounding_box()
    for share, name in ((0.2, "The segment starts"), (0.7, "The segment ends")):
        desk.page.mouse.click(line["x"] + line["width"] * share, line["y"] + 20)
        desk.find(".pin").get_by_role("button", name=name).click()
    start, end = (float(text.removesuffix(" s")) for text in edges(desk))
    assert start < end


def test_the_timeline_zooms_and_a_handle_moves_with_the_arrows(open_desk: OpenDesk):
    desk = begin(open_desk)
    desk.press(*["."] * 2, "i", *["."] * 3, "o")
    width = desk.find(".bars .span.active").bounding_box()["width"]
    desk.press("+")
    expect(desk.find(".zoom-words")).to_contain_text("as wide")
    assert desk.find(".bars .span.active").bounding_box()["width"] > width
    desk.press("-")
    before = edges(desk)
    desk.find(".handle.end").focus()
    desk.press("ArrowRight")
    assert edges(desk)[1] != before[1]
    assert edges(desk)[0] == before[0]
