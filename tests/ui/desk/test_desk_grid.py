from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]


def test_frames_carry_number_and_time(open_desk: OpenDesk):
    desk = open_desk().ready()
    expect(desk.find(".tile")).to_have_count(16)
    expect(desk.find(".tile .caption").nth(4)).to_have_text("5 · 0.53 s")  # 4 x 0.133


def test_a_click_enlarges_arrows_walk_and_escape_closes(open_desk: OpenDesk):
    desk = open_desk().ready()
    options = desk.find(".options").bounding_box()
    desk.find(".tile").nth(5).click()
    large = desk.find(".enlarged")
    expect(large).to_have_attribute("data-frame", "5")
    expect(large.locator("canvas")).to_have_attribute("data-size", "full")
    steps = [("ArrowRight", 6), ("ArrowDown", 10), ("ArrowLeft", 9), ("ArrowUp", 5)]
    for key, frame in [*steps, ("ArrowUp", 1), ("ArrowUp", 1)]:  # the last one is at the edge
        desk.press(key)
        expect(large).to_have_attribute("data-frame", str(frame))
    expect(desk.find(".large-caption")).to_have_text("Frame 2 of 16 · 0.133 s")
    assert desk.find(".options").bounding_box() == options
    desk.press("Escape")
    expect(large).to_be_hidden()


def test_an_enlarged_frame_does_not_stay_for_the_next_item(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("ArrowRight")
    expect(desk.find(".enlarged")).to_have_attribute("data-frame", "0")
    desk.press("b", "Enter").shows(2)
    expect(desk.find(".enlarged")).to_be_hidden()
    desk.press("ArrowRight")
    expect(desk.find(".enlarged")).to_have_attribute("data-frame", "0")
    expect(desk.checked).to_have_count(0)


def test_damaged_and_missing_frames_are_marked_in_words(open_desk: OpenDesk):
    desk = open_desk(task=7).ready()
    desk.press("s", "1", "Enter", "s", "1", "Enter").shows(3).ready()
    expect(desk.find(".tile .caption").nth(2)).to_have_text("3 · damaged · 0.27 s")
    expect(desk.find(".tile .caption").nth(5)).to_have_text("6 · missing · 0.67 s")
    expect(desk.find(".tile").nth(5)).to_contain_text("This frame could not be had")
    expect(desk.find(".grid-note")).to_have_text("9 of 16 frames: the video has no more")
    desk.find(".tile").nth(5).click()
    expect(desk.find(".enlarged")).to_contain_text("Nothing stands in for it")
    expect(desk.find(".large-caption")).to_contain_text("missing in the file")


def test_a_single_frame_is_shown_from_its_full_picture(open_desk: OpenDesk):
    desk = open_desk(task=7).ready()
    # The stub's tile is 640 x 360 and its large picture three times that.
    size = desk.find(".tile canvas").evaluate("canvas => [canvas.width, canvas.height]")
    assert size == [1920, 1080]


def test_a_stage_that_could_not_be_made_says_why(open_desk: OpenDesk):
    desk = open_desk(task=7).ready()
    desk.press("a", "Enter").shows(2).ready()
    note = desk.find(".note-stage:not([hidden])")
    expect(note).to_have_text("The frames could not be made: incomplete file.")


def test_a_sheet_that_does_not_load_can_be_tried_again(open_desk: OpenDesk):
    desk = open_desk(task=5)
    trouble = desk.find(".trouble")
    expect(trouble).to_contain_text("The frames could not be loaded: the server answered 404.")
    with desk.page.expect_response("**/items/5001"):
        desk.press("t")
    expect(trouble).to_be_visible()
    # Nothing is answered without its picture; it can be skipped.
    desk.press("a", "Enter")
    expect(desk.find(".panel")).to_contain_text("Wait until it is shown.")
    desk.press("s", "1", "Enter").shows(2)
    expect(trouble).to_contain_text("The video could not be shown")
    desk.press("s", "1", "Enter").shows(3)


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)])
@pytest.mark.parametrize("task", [1, 2, 7])
def test_a_page_needs_no_scrolling(open_desk: OpenDesk, task: int, size: tuple[int, int]):
    desk = open_desk(task=task).ready()
    desk.page.set_viewport_size({"width": size[0], "height": size[1]})
    for _ in range(3):
        desk.ready()
        heights = desk.page.evaluate(
            "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
        )
        assert heights == [size[1], size[0]]
        for part in (".stage", ".question", ".submit", ".strip"):
            box = desk.find(part).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size[1]
        tiles = desk.find(".tile").last
        if tiles.count():
            inner, outer = tiles.bounding_box(), desk.find(".stage").bounding_box()
            assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
        desk.press("s", "1", "Enter")
