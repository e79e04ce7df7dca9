from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]


def active(desk: Any) -> Any:
    return desk.find(".form > .field.active")


def test_keys_act_on_the_active_field_and_tab_and_arrows_move(open_desk: OpenDesk):
    desk = open_desk(task=13).ready()
    expect(active(desk)).to_contain_text("Is it fit for use?")
    desk.press("b", "Tab")
    expect(active(desk)).to_contain_text("Why not?")
    desk.press("a", "e", "ArrowUp")
    expect(active(desk)).to_contain_text("Is it fit for use?")
    desk.press("ArrowDown", "c", "Tab")
    desk.page.keyboard.type("too short, a bit dark")
    desk.press("Shift+Tab")
    expect(active(desk)).to_contain_text("Why not?")
    desk.press("Enter").shows(2)
    [answer] = desk.stored(1)
    assert answer["response"] == {
        "verdict": "reject",
        "reasons": ["reason_one", "reason_three", "reason_five"],
        "words": "too short, a bit dark",
    }


def test_a_field_is_asked_only_while_its_condition_holds(open_desk: OpenDesk):
    desk = open_desk(task=13).ready()
    expect(desk.find(".form > .field:visible")).to_have_count(1)
    desk.press("b", "Tab", "b", "ArrowUp", "a")  # rejected with a reason, then accepted after all
    expect(desk.find(".form > .field:visible")).to_have_count(1)
    desk.press("Enter").shows(2)
    assert desk.stored(1)[0]["response"] == {"verdict": "accept"}


def test_enter_goes_to_what_is_open_and_says_what(open_desk: OpenDesk):
    desk = open_desk(task=13).ready()
    desk.press("b", "Enter").shows(1)
    expect(active(desk)).to_contain_text("Why not?")
    expect(desk.find(".panel-hint")).to_have_text("Choose an answer first.")
    expect(desk.submit).to_be_disabled()
    desk.press("a")
    expect(desk.submit).to_be_enabled()
    desk.press("Enter").shows(2)
    expect(active(desk)).to_contain_text("Is it fit for use?")
    expect(desk.checked).to_have_count(0)


def test_enter_in_a_line_of_text_goes_on_and_submits_nothing(open_desk: OpenDesk):
    desk = open_desk(task=15).ready()
    desk.press("a", "Tab")
    desk.page.keyboard.type("words")
    desk.press("Enter").shows(1)
    expect(desk.submit).to_be_focused()
    desk.press("Enter").shows(2)
    assert desk.stored(1)[0]["response"] == {"many": ["thing_0"], "words": "words"}


def test_options_without_a_key_are_reached_with_arrows_and_space(open_desk: OpenDesk):
    desk = open_desk(task=15).ready()
    # Fifteen options have keys (A to G, 8, 9, Q, V, Y, Z); "Thing 15" is the sixteenth.
    desk.press(*["ArrowDown"] * 15, "Space", "Enter").shows(2)
    assert desk.stored(1)[0]["response"] == {"many": ["thing_15"]}


def test_things_are_ticked_and_the_others_get_a_class_each(open_desk: OpenDesk):
    desk = open_desk(task=11).ready()
    desk.press("a", "c", "ArrowDown", "Space", "Space", "f")  # the fourth is ticked and unticked
    expect(desk.checked).to_have_count(3)
    desk.press("Enter").shows(1)
    rows = desk.find(".class-of:visible .entry-name")
    expect(rows).to_have_text(["a wooden bench", "a dog on a lead", "a traffic light"])
    expect(desk.find(".panel-hint")).to_contain_text("What is wrong with “a wooden bench”")
    desk.press("b", "c")
    desk.page.reload()
    desk.ready()  # the second step is where it was
    expect(desk.find(".class-of.cursor .entry-name")).to_have_text("a traffic light")
    desk.press("d", "Enter").shows(2)
    expect(desk.checked).to_have_count(0)
    assert desk.stored(1)[0]["response"]["objects"] == {
        "ticked": ["o1", "o3", "o6"],
        "classes": {"o2": "misclassified", "o4": "made_up", "o5": "visible_after_all"},
    }


def test_the_checklist_by_mouse_and_back_to_the_first_step(open_desk: OpenDesk):
    desk = open_desk(task=11).ready()
    for i in range(5):
        desk.find(".checklist .option:visible").nth(i).click()
    desk.find(".step", has_text="The others (1 open)").click()
    desk.find(".class-of:visible .option", has_text="Made up").click()
    expect(desk.submit).to_be_enabled()
    desk.find(".step", has_text="Tick what is there").click()
    desk.find(".checklist .option:visible").nth(0).click()
    expect(desk.submit).to_be_disabled()
    desk.press("a")
    desk.submit.click()
    desk.shows(2)
    objects = desk.stored(1)[0]["response"]["objects"]
    assert objects == {"ticked": ["o1", "o2", "o3", "o4", "o5"], "classes": {"o6": "made_up"}}


def test_options_are_kept_keyed_and_edited(open_desk: OpenDesk):
    desk = open_desk(task=12).ready()
    question = desk.find(".form textarea").first
    expect(question).to_have_value(
        "What does the disc do after it has crossed the middle in clip 1?"
    )
    desk.press("a", "b", "Enter").shows(1)
    expect(desk.find(".panel-hint")).to_have_text("Keep 3 or 4 wrong options; kept: 2.")
    desk.press(
        "Shift+q", "F2"
    )  # the tenth becomes the key; C, the key before, stays as a wrong one
    desk.page.keyboard.press("End")
    desk.page.keyboard.type(" at once")
    desk.press("Escape", "Enter").shows(2)
    answer = desk.stored(1)[0]["response"]
    assert answer["options"]["kept"] == [0, 1, 2]
    assert answer["options"]["key"] == 9
    assert answer["options"]["texts"]["9"] == "It turns out and rolls on at once"
    assert answer["text"] == "What does the disc do after it has crossed the middle in clip 1?"


def test_options_that_say_the_same_are_refused_and_a_draft_of_edits_survives(open_desk: OpenDesk):
    desk = open_desk(task=12).ready()
    rows = desk.find(".option.edited")
    for i in (3, 4, 5):
        rows.nth(i).get_by_role("button", name="Keep or drop").click()
    rows.nth(3).locator("textarea").fill("it turns back and rolls on")
    desk.press("Escape", "Enter").shows(1)
    expect(desk.find(".panel-hint")).to_have_text("Two of the options that are kept say the same.")
    with desk.page.expect_response("**/draft"):
        rows.nth(3).locator("textarea").fill("It stops")
    desk.page.reload()
    desk.ready()
    expect(rows.nth(3).locator("textarea")).to_have_value("It stops")
    expect(desk.find(".option.kept")).to_have_count(3)
    desk.submit.click()
    desk.shows(2)
    expect(desk.find(".option.kept")).to_have_count(0)
    expect(rows.nth(3).locator("textarea")).to_have_value("It turns up and rolls on")


def test_a_text_that_was_emptied_does_not_fill_itself_again(open_desk: OpenDesk):
    desk = open_desk(task=12).ready()
    desk.press("a")
    with desk.page.expect_response("**/draft"):
        desk.find(".form textarea").first.fill("")
    desk.page.reload()
    expect(desk.ready().find(".form textarea").first).to_have_value("")


@pytest.mark.parametrize("task", [8, 9, 10, 11, 12, 13, 14, 15])
def test_no_form_has_a_key_with_two_meanings_and_all_keys_are_listed(
    open_desk: OpenDesk, task: int
):
    desk = open_desk(task=task).ready()
    expect(desk.find(".panel-hint")).not_to_contain_text("cannot be used by keyboard")
    desk.press("?")
    expect(desk.find(".key-group").first).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900)])
@pytest.mark.parametrize("task", [8, 9, 10, 11, 12, 13])
def test_video_question_and_controls_need_no_scrolling(
    open_desk: OpenDesk, task: int, size: tuple[int, int]
):
    desk = open_desk(task=task).ready()
    desk.page.set_viewport_size({"width": size[0], "height": size[1]})
    root = "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
    assert desk.page.evaluate(root) == [size[1], size[0]]
    inner = desk.find(".panel-body").evaluate("body => body.scrollWidth - body.clientWidth")
    assert inner <= 0
    for part in (".stage", ".form .question", ".submit", ".strip"):
        box = desk.find(part).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1]
