from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]

# The stub's options are the numbers from two on, turned by the item's number: "three times" is the
# first of item 1 and the last (the fifth) of item 2.


def test_practice_says_whether_it_was_right_before_the_next_item(open_desk: OpenDesk):
    desk = open_desk(task=14).ready()
    expect(desk.find(".mode")).to_have_text("Practice")
    desk.press("b", "Enter")
    card = desk.find(".feedback")
    expect(card).to_contain_text("Not right")
    expect(card).not_to_contain_text("timeline")  # there is none
    desk.shows(1)
    desk.press("c", "u")  # the desk below hears nothing
    desk.press("Enter").shows(2).ready()
    expect(card).to_have_count(0)
    expect(desk.checked).to_have_count(0)
    desk.press("e")
    desk.submit.click()
    expect(card).to_contain_text("It crosses three times")
    card.get_by_role("button", name="Go on").click()
    desk.shows(3)
    expect(desk.find(".mode")).to_be_hidden()
    assert [k for k, _ in desk.given()] == [1, 2]


def test_what_nobody_can_judge_is_shown_beside_a_known_answer_without_a_verdict(
    open_desk: OpenDesk,
):
    desk = open_desk(task=14).ready()

    def compare(route: Route) -> None:
        response = route.fetch()
        reply = response.json()
        for result in reply["results"]:
            result["feedback"] = {"right": True, "words": "For comparison: How often? Twice."}
        route.fulfill(response=response, json=reply)

    desk.page.route("**/answers*", compare)
    desk.press("b", "Enter")
    card = desk.find(".feedback")
    expect(card.get_by_role("heading")).to_have_text("For comparison")
    expect(card.locator(".feedback-words")).to_have_text("How often? Twice.")
    expect(card).not_to_contain_text("Right")
    desk.press("Enter")
    desk.page.unroute("**/answers*")


def test_practice_goes_on_when_the_connection_is_lost_and_says_it_later(open_desk: OpenDesk):
    desk = open_desk(task=14).ready()
    desk.page.wait_for_load_state("networkidle")
    desk.page.context.set_offline(True)
    desk.press("a", "Enter").shows(2)
    desk.page.context.set_offline(False)
    expect(desk.find(".feedback")).to_contain_text("count 1")
    desk.press("Enter").shows(2)
    expect(desk.find(".feedback")).to_have_count(0)
    desk.stored(1)


def test_a_returned_answer_comes_with_its_remark_and_is_filled_in(open_desk: OpenDesk):
    desk = open_desk(task=14).ready()
    desk.press("s", "1", "Enter", "s", "1", "Enter").shows(3)
    expect(desk.find(".returned")).to_contain_text("Returned by Clara")
    expect(desk.find(".returned")).to_contain_text("Look again?")
    # Item 3 has six options, turned by three: 5, 6, 7, 2, 3, 4 times. The answer was value 1.
    expect(desk.checked).to_contain_text("three times")
    desk.press("Enter").shows(4)
    expect(desk.find(".returned")).to_have_count(0)
    expect(desk.checked).to_have_count(0)
    assert [one["response"] for one in desk.stored(3)][-1] == {"choice": 1}


def test_a_preview_says_that_nothing_is_stored(open_desk: OpenDesk):
    desk = open_desk(task=13).ready()
    expect(desk.find(".mode")).to_have_text("Preview: nothing is stored")


@pytest.mark.parametrize("key", ["Enter", "Escape"])
def test_instructions_open_on_the_first_visit_until_they_are_closed(open_desk: OpenDesk, key: str):
    desk = open_desk(task=3)
    desk.page = desk.page.context.new_page()  # without what the other page's script remembers
    desk.root = desk.page.locator(".desk")
    desk.page.goto(f"{desk.stub.url}/?task=1&person=new-{desk.person}")
    desk.ready()
    dialog = desk.find("dialog")
    expect(dialog).to_contain_text("A worked example")
    desk.page.reload()
    desk.ready()
    expect(dialog).to_be_visible()  # nobody has closed them
    desk.press("a", key)
    expect(dialog).to_have_count(0)
    expect(desk.checked).to_have_count(0)
    desk.page.reload()
    desk.ready()
    expect(dialog).to_have_count(0)


def test_a_closed_task_says_so_before_anything_else(open_desk: OpenDesk):
    desk = open_desk(task=3)
    desk.page = desk.page.context.new_page()  # a first visit, which would begin with instructions
    desk.root = desk.page.locator(".desk")
    desk.page.goto(f"{desk.stub.url}/?task=19&person=new-{desk.person}")
    expect(desk.find(".screen")).to_contain_text("The authors have closed this task.")
    expect(desk.find("dialog")).to_have_count(0)
    desk.press("i")  # but they can be read
    expect(desk.find("dialog")).to_contain_text("A worked example")


def test_a_reload_in_a_correction_comes_back_to_it_with_the_edit(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a", "Enter", "b", "Enter")
    desk.stored(2)
    desk.press("u", "u", "c").shows(1)
    desk.page.reload()
    desk.ready().shows(1)
    expect(desk.find(".panel-head")).to_contain_text("Correcting #1")
    expect(desk.checked.locator(".cap")).to_have_text("C")
    desk.press("Enter").shows(3)
    desk.stored(3)
    assert [k for k, _ in desk.given()] == [1, 2, 1]
    desk.page.reload()
    desk.ready().shows(3)


def test_a_correction_that_was_left_does_not_come_back(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a", "Enter")
    desk.stored(1)
    desk.press("u", "c", "Escape").shows(2)
    desk.page.reload()
    desk.ready().shows(2)


@pytest.mark.parametrize("task", [1, 2, 8, 10])
def test_what_did_not_load_while_the_server_was_away_loads_by_itself(
    open_desk: OpenDesk, own_stub: Any, task: int
):
    desk = open_desk(server=own_stub, task=task).ready()
    desk.page.route("**/pictures/**", lambda route: route.abort())
    own_stub.kill()
    for _ in range(3):  # beyond what was loaded ahead
        desk.press("s", "1", "Enter")
    desk.shows(4)
    expect(desk.find(".trouble")).to_be_visible()
    own_stub.start()
    desk.page.unroute("**/pictures/**")
    expect(desk.root).to_have_attribute("data-ready", "1", timeout=20_000)
    expect(desk.find(".trouble")).to_have_count(0)


def test_the_words_of_a_form_survive_when_the_stage_loads_again(open_desk: OpenDesk, own_stub: Any):
    desk = open_desk(server=own_stub, task=6).ready()
    own_stub.kill()
    for _ in range(3):
        desk.press("s", "1", "Enter")
    desk.shows(4)
    expect(desk.find(".trouble")).to_be_visible()
    desk.press("b", "w")
    desk.page.keyboard.type("half a sen")
    own_stub.start()
    expect(desk.root).to_have_attribute("data-ready", "1", timeout=20_000)
    desk.page.keyboard.type("tence")
    expect(desk.find("textarea")).to_have_value("half a sentence")
    expect(desk.checked).to_have_count(1)
