"""Of some items several options may be right, which the item says: keys toggle, Enter submits."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]
TASK = 17  # of its items the odd ones take several options
BOXES, DOTS = '.option[role="checkbox"]', '.option[role="radio"]'


def test_letters_toggle_and_enter_submits_the_set_in_the_order_shown(open_desk: OpenDesk):
    desk = open_desk(task=TASK).ready()
    expect(desk.find(BOXES)).to_have_count(5)  # four options, and one beside them
    expect(desk.find(".several")).to_have_text("Several may be right.")
    desk.press("c", "a", "b", "b")  # B is taken back
    expect(desk.checked).to_have_count(2)
    desk.press("Enter").shows(2)
    # Item 1 shows its four options as 1, 2, 3, 0: A is 1 and C is 3.
    assert desk.stored(1)[0]["response"] == {"choice": [1, 3]}
    expect(desk.find(BOXES)).to_have_count(0)  # the next one has one right option
    expect(desk.find(DOTS)).to_have_count(5)
    desk.press("c", "a", "Enter").shows(3)
    assert desk.stored(2)[1]["response"] == {"choice": 2}


def test_nothing_chosen_is_not_submitted_and_all_that_is_chosen_can_be_taken_back(
    open_desk: OpenDesk,
):
    desk = open_desk(task=TASK).ready()
    desk.press("a", "a", "Enter").shows(1)
    expect(desk.find(".panel-hint")).to_have_text("Choose an answer first.")
    expect(desk.submit).to_be_disabled()
    desk.press("d", "a", "ControlOrMeta+z")  # undone: the second one alone
    expect(desk.checked).to_have_count(1)
    desk.press("Enter").shows(2)
    assert desk.stored(1)[0]["response"] == {"choice": [0]}


def test_an_answer_beside_the_options_goes_with_no_other(open_desk: OpenDesk):
    desk = open_desk(task=TASK).ready()
    desk.press("a", "b", "e")
    expect(desk.checked).to_have_text(["EI cannot tell."])
    desk.press("b")
    expect(desk.checked).to_have_count(1)
    desk.press("e", "Enter").shows(2)
    assert desk.stored(1)[0]["response"] == {"choice": ["cannot_tell"]}


def test_a_draft_survives_a_reload_and_a_set_can_be_corrected(open_desk: OpenDesk):
    desk = open_desk(task=TASK).ready()
    desk.press("a", "c")
    desk.page.reload()
    desk.ready()
    expect(desk.checked).to_have_count(2)
    desk.press("Enter").shows(2).press("u")
    desk.shows(1).ready()
    expect(desk.checked).to_have_count(2)
    desk.press("b", "Enter")
    desk.stub.wait_until(lambda: len(desk.answers()) == 2, "the corrected answer")
    assert desk.answers()[-1]["response"] == {"choice": [1, 2, 3]}
