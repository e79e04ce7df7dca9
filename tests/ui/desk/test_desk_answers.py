import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]
Value = Callable[[int, str], int]

NOTHING = {"items": [], "progress": {"done": 0, "total": 60, "active_s": 0, "pay": 0}}


def test_thirty_keys_15_ms_apart_make_exactly_the_fifteen_answers_typed(
    open_desk: OpenDesk, value: Value
):
    desk = open_desk().ready()
    expect(desk.root).to_have_attribute("data-loaded", "16")
    letters = ["B", "C", "A"] * 5
    for k, letter in enumerate(letters, 1):
        desk.shows(k).ready()  # an answer is taken only once its picture is drawn
        desk.press(letter.lower())
        time.sleep(0.015)
        desk.press("Enter")
    desk.stored(15)
    assert desk.given() == [(k, value(k, letters[k - 1])) for k in range(1, 16)]
    desk.shows(16).ready()


def test_nothing_is_answered_before_its_picture_is_drawn(open_desk: OpenDesk, value: Value):
    desk = open_desk().ready()
    expect(desk.root).to_have_attribute("data-loaded", "16")
    desk.page.route("**/sheet*", lambda route: route.abort())
    desk.page.route("**/frames/**", lambda route: route.abort())
    for _ in range(8):
        desk.press("b", "Enter")
    expect(desk.root).to_have_attribute("data-ready", "0")
    expect(desk.find(".panel-hint")).to_contain_text("Wait until it is shown")
    blank = int(desk.root.get_attribute("data-item") or 0) % 1000
    assert len(desk.stored(blank - 1)) == blank - 1
    assert all(answer["drawn"] for answer in desk.answers())
    desk.press("s", "1", "Enter")  # but it can be skipped
    desk.shows(blank + 1)
    assert desk.stored(blank)[-1]["drawn"] is False
    desk.page.unroute("**/sheet*")
    desk.page.unroute("**/frames/**")
    desk.press("t")
    desk.ready().press("b", "Enter")
    desk.shows(blank + 2)


def test_keys_after_the_last_item_answer_nothing(open_desk: OpenDesk):
    desk = open_desk(task=3).ready()
    for k in range(1, 4):
        desk.shows(k).ready().press("a", "Enter")
    desk.press_at_once(*["a", "Enter"] * 3)
    desk.stored(3)
    assert [k for k, _ in desk.given()] == [1, 2, 3]


def with_two_items(desk: Any) -> None:
    """Opens the desk with two items on it."""

    def shorten(route: Any) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, json=(body := reply.json()) | {"items": body["items"][:2]})

    desk.page.route("**/desk/tasks/1", shorten)
    desk.page.reload()
    desk.ready()
    expect(desk.root).to_have_attribute("data-loaded", "2")


def test_while_the_desk_waits_it_says_so_and_keys_answer_nothing(open_desk: OpenDesk, value: Value):
    desk = open_desk()
    held: list[Any] = []
    desk.page.route("**/lease", lambda route: held.append(route))
    with_two_items(desk)
    desk.press("a", "Enter", "b", "Enter")
    expect(desk.find(".screen h2")).to_have_text("Fetching the next items…")
    expect(desk.root).to_have_attribute("data-state", "fetching")
    # Four keys that come at once, and two that a busy browser brings when the item is there.
    desk.press_at_once("c", "Enter", "a", "Enter")
    desk.page.evaluate(
        """() => {
          window.late = ['c', 'Enter'].map((key) => new KeyboardEvent('keydown', {key}));
        }"""
    )
    desk.page.unroute("**/lease")
    for route in held:
        route.continue_()
    desk.shows(3).ready()
    desk.page.evaluate("() => window.late.forEach((one) => window.dispatchEvent(one))")
    desk.shows(3)
    expect(desk.checked).to_have_count(0)
    desk.press("b", "Enter").shows(4)
    desk.stored(3)
    assert desk.given() == [(1, value(1, "A")), (2, value(2, "B")), (3, value(3, "B"))]


def test_what_is_free_once_answers_are_stored_comes_at_once(open_desk: OpenDesk):
    # While answers are on the way the server still counts their items as held and may give no more.
    desk = open_desk()
    answers: list[Any] = []
    desk.page.route("**/lease", lambda route: route.fulfill(json=NOTHING))
    desk.page.route("**/answers", lambda route: answers.append(route))
    with_two_items(desk)
    desk.press("a", "Enter", "b", "Enter")
    expect(desk.root).to_have_attribute("data-state", "fetching")
    desk.page.unroute("**/lease")
    desk.page.unroute("**/answers")
    for route in answers:
        route.continue_()
    expect(desk.root).to_have_attribute("data-item", "1003", timeout=5_000)


def test_a_desk_that_came_to_its_end_while_it_asked_asks_again(open_desk: OpenDesk):
    desk = open_desk()
    asked: list[Any] = []
    desk.page.route("**/lease", lambda route: asked.append(route))
    with_two_items(desk)
    desk.press("a", "Enter", "b", "Enter")
    desk.stored(2)
    desk.page.unroute("**/lease")
    for route in asked:
        route.fulfill(json=NOTHING)  # as it was when two items were still on the desk
    expect(desk.root).to_have_attribute("data-item", "1003", timeout=5_000)


def test_a_double_click_on_submit_answers_one_item(open_desk: OpenDesk, value: Value):
    desk = open_desk().ready()
    desk.find(".option").nth(1).click()
    desk.submit.dblclick()
    desk.shows(2)
    expect(desk.submit).to_be_disabled()
    desk.stored(1)
    assert desk.given() == [(1, value(1, "B"))]


def test_a_double_click_cannot_submit_a_draft_that_comes_next(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a")
    with desk.page.expect_request("**/draft"):
        desk.press("b")
    desk.page.evaluate("leave()")  # item 1 stays behind as a draft; item 2 gets one as well
    key = f"rushes/{desk.person}/1/draft/1002"
    desk.page.evaluate(
        f"""localStorage.setItem('{key}', '{{"response":{{"choice":2}},"active_s":3}}')"""
    )
    desk.open().ready()
    desk.submit.dblclick()
    desk.shows(2)
    expect(desk.checked).to_have_count(1)
    desk.stored(1)
    assert [k for k, _ in desk.given()] == [1]


def test_a_double_click_on_an_option_chooses_it(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.find(".option").nth(2).dblclick()
    expect(desk.checked).to_have_count(1)


def test_who_presses_the_chosen_letter_again_keeps_it_and_undo_takes_it_back(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("c", "c")
    expect(desk.checked.locator(".cap")).to_have_text("C")
    expect(desk.submit).to_be_enabled()
    desk.press("Control+z")
    expect(desk.checked).to_have_count(0)


def test_submit_waits_for_a_choice_and_the_next_item_has_none(open_desk: OpenDesk):
    desk = open_desk().ready()
    expect(desk.submit).to_be_disabled()
    desk.press("Enter").shows(1)
    expect(desk.find(".panel-hint")).to_have_text("Choose an answer first.")
    desk.press("3")
    expect(desk.submit).to_be_enabled()
    desk.press("Enter").shows(2)
    expect(desk.checked).to_have_count(0)
    expect(desk.submit).to_be_disabled()


def test_the_next_grid_is_drawn_in_the_same_moment_as_the_key(open_desk: OpenDesk):
    desk = open_desk().ready()
    for k in (1, 2):
        desk.shows(k).page.wait_for_load_state("networkidle")
        desk.press("a")
        state = desk.root.evaluate(
            """root => {
              window.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
              const one = root.querySelector('.tile canvas');
              const pixel = [...one.getContext('2d').getImageData(160, 4, 1, 1).data];
              return [root.dataset.item, root.dataset.ready, pixel[3]];
            }"""
        )
        assert state == [str(1001 + k), "1", 255]


def test_a_held_key_counts_once(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.page.keyboard.down("a")
    desk.page.keyboard.down("a")  # Playwright marks it as a repeat
    desk.page.keyboard.up("a")
    expect(desk.checked).to_have_count(1)
    desk.page.keyboard.down("Enter")
    desk.page.keyboard.down("Enter")
    desk.page.keyboard.up("Enter")
    desk.stored(1)
    desk.shows(2)


def test_keys_with_ctrl_and_in_text_fields_are_not_the_desks(open_desk: OpenDesk):
    desk = open_desk(task=6).ready()
    desk.press("Control+b")
    expect(desk.checked).to_have_count(0)
    desk.press("w")
    desk.page.keyboard.type("a bus, ?s")
    expect(desk.checked).to_have_count(0)
    expect(desk.find("textarea")).to_have_value("a bus, ?s")
    desk.press("Escape", "b", "Enter").shows(2)
    expect(desk.find("textarea")).to_have_value("")
    desk.press("a", "w")
    desk.page.keyboard.type("next")
    desk.press("Control+Enter").shows(3)
    remarks = [answer["response"].get("remark") for answer in desk.stored(2)]
    assert remarks == ["a bus, ?s", "next"]


def test_an_item_is_skipped_with_a_reason_by_number_or_in_words(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("s", "Enter")  # no reason yet: stays open
    expect(desk.find("dialog")).to_be_visible()
    desk.press("2", "Enter").shows(2)
    desk.press("s", "o")
    desk.page.keyboard.type("upside down")
    desk.press("Enter").shows(3)
    desk.press("s", "Escape")
    expect(desk.find("dialog")).to_have_count(0)
    skips = [(one["response"], one["skip"]) for one in desk.stored(2)]
    assert skips == [(None, "The question makes no sense"), (None, "upside down")]
    desk.shows(3)


def test_the_keys_of_a_dialog_do_not_reach_the_desk_below(open_desk: OpenDesk):
    desk = open_desk().ready()
    for key in ("?", "i"):
        desk.press(key)
        expect(desk.find("dialog")).to_be_visible()
        desk.press("a", "Enter", "u")
        desk.press("Escape")
        expect(desk.find("dialog")).to_have_count(0)
    expect(desk.checked).to_have_count(0)
    desk.shows(1)
    assert desk.answers() == []


def test_the_end_says_how_much_was_done(open_desk: OpenDesk):
    desk = open_desk(task=3).ready()
    desk.press("a", "Enter", "b", "Enter", "c", "Enter")
    expect(desk.find(".screen h2")).to_contain_text("All done: 3 answers")
    desk.press("u").shows(3)  # one can still go back


def test_when_others_hold_the_rest_it_says_so_and_goes_on_when_something_is_free(
    open_desk: OpenDesk,
):
    desk = open_desk(task=3).ready()
    desk.stub.set(taken=[3003])
    desk.page.reload()
    desk.ready().press("a", "Enter", "b", "Enter")
    words = "Nothing to do right now: others are working on what is left."
    expect(desk.find(".screen h2")).to_have_text(words)
    desk.stored(2)
    desk.page.reload()  # so that nothing is asked for any more
    expect(desk.find(".screen h2")).to_have_text(words)
    desk.stub.set(taken=[])
    desk.find(".screen button").click()
    desk.shows(3)


def test_an_unknown_field_is_said_and_blocks_the_answer_but_not_the_skip(open_desk: OpenDesk):
    desk = open_desk(task=4).ready()
    expect(desk.find(".problem")).to_contain_text("hologram")
    desk.press("a", "Enter").shows(1)
    desk.press("s", "1", "Enter").shows(2)


def test_texts_are_never_taken_for_markup(open_desk: OpenDesk):
    desk = open_desk()
    desk.page.route(
        "**/desk/tasks/1",
        lambda route: route.fulfill(
            response=(reply := route.fetch()),
            body=reply.text().replace("How many times", "<img src=x onerror=boom()> times"),
        ),
    )
    desk.page.reload()
    desk.ready()
    expect(desk.find(".question")).to_contain_text("<img src=x")
    expect(desk.find(".question img")).to_have_count(0)


def test_who_walks_with_tab_presses_what_has_the_focus(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a")
    desk.find(".press", has_text="Instructions").focus()
    desk.press("Enter")
    expect(desk.find("dialog")).to_be_visible()
    desk.press("Escape").shows(1)
    desk.find(".option").nth(0).focus()
    desk.press("ArrowDown", "Space")
    expect(desk.checked.locator(".cap")).to_have_text("B")
    desk.press("Enter").shows(2)


def test_undo_and_redo_inside_a_form(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a", "b", "Control+z")
    expect(desk.checked).to_have_count(1)
    expect(desk.checked.locator(".cap")).to_have_text("A")
    desk.press("Control+z")
    expect(desk.checked).to_have_count(0)
    desk.press("Control+y", "Control+y")
    expect(desk.checked.locator(".cap")).to_have_text("B")


def test_a_key_is_exchanged_for_another_and_kept(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("?")
    desk.find(".key-change", has_text="S").first.click()
    desk.press("q")  # now Q skips
    desk.ready().press("q")
    expect(desk.find("dialog")).to_contain_text("Skip this item: why?")
    desk.press("Escape")
    desk.page.reload()
    desk.ready().press("s")
    expect(desk.find("dialog")).to_have_count(0)
    desk.press("q")
    expect(desk.find("dialog")).to_contain_text("Skip this item: why?")
