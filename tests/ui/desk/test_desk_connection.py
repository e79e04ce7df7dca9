import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
OpenDesk = Callable[..., Any]
Value = Callable[[int, str], int]


def test_a_reload_brings_back_the_item_with_its_draft_and_active_time(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.press("a", "Enter").shows(2).ready()
    desk.press("c")
    desk.page.wait_for_function(
        """key => JSON.parse(localStorage.getItem(key))?.active_s > 1.2""",
        arg=f"rushes/{desk.person}/1/draft/1002",
    )
    desk.page.reload()
    desk.ready().shows(2)
    expect(desk.checked.locator(".cap")).to_have_text("C")
    desk.press("Enter")
    assert desk.stored(2)[1]["active_s"] > 1.2


def test_of_two_drafts_the_one_with_more_active_time_is_the_newer(
    open_desk: OpenDesk, value: Value
):
    desk = open_desk().ready()
    with desk.page.expect_response("**/draft"):
        desk.press("b")
    key = f"rushes/{desk.person}/1/draft/1001"
    for active_s, letter in ((900.0, "C"), (0.001, "B")):
        draft = json.dumps({"response": {"choice": value(1, "C")}, "active_s": active_s})
        desk.page.goto("about:blank")
        desk.page.goto(f"{desk.stub.url}/stub/state")
        desk.page.evaluate("([key, draft]) => localStorage.setItem(key, draft)", [key, draft])
        desk.stub.set(
            drafts={f"{desk.person}/1001": {"response": {"choice": value(1, "B")}, "active_s": 5.0}}
        )
        desk.open().ready().shows(1)
        expect(desk.checked.locator(".cap")).to_have_text(letter)


def test_work_goes_on_without_a_connection_and_is_sent_when_it_is_back(
    open_desk: OpenDesk, value: Value
):
    desk = open_desk().ready()
    desk.page.wait_for_load_state("networkidle")
    desk.page.context.set_offline(True)
    desk.press("a", "Enter", "b", "Enter", "c", "Enter")
    desk.shows(4)
    expect(desk.find(".notice")).to_have_text(
        "Offline. 3 answers are kept on this computer and will be sent."
    )
    expect(desk.find(".saved")).to_have_text("3 to send")
    assert desk.answers() == []
    desk.page.context.set_offline(False)
    desk.stored(3)
    assert desk.given() == [(1, value(1, "A")), (2, value(2, "B")), (3, value(3, "C"))]
    expect(desk.find(".notice")).to_have_count(0)
    expect(desk.find(".saved")).to_contain_text("saved ")


def test_answers_survive_a_killed_server_and_a_closed_tab(
    open_desk: OpenDesk, own_stub: Any, value: Value
):
    desk = open_desk(server=own_stub).ready()
    desk.press("b", "Enter")
    desk.stored(1)
    own_stub.kill()
    desk.press("a", "Enter", "c", "Enter").shows(4)
    expect(desk.root).to_have_attribute("data-pending", "2")
    desk.page.close()
    own_stub.start()
    again = open_desk(server=own_stub, person=desk.person, page=desk.page.context.new_page())
    again.ready().shows(4)
    again.stored(3)
    assert again.given() == [(1, value(1, "B")), (2, value(2, "A")), (3, value(3, "C"))]


def test_a_server_that_comes_back_gets_everything_without_a_reload(
    open_desk: OpenDesk, own_stub: Any
):
    desk = open_desk(server=own_stub).ready()
    desk.page.wait_for_load_state("networkidle")  # what comes next is loaded, so it can be seen
    own_stub.kill()
    desk.press("a", "Enter", "b", "Enter", "c", "Enter")
    own_stub.start()
    desk.stored(3)
    assert [k for k, _ in desk.given()] == [1, 2, 3]


def test_an_answer_that_was_stored_but_not_acknowledged_is_not_stored_twice(open_desk: OpenDesk):
    desk = open_desk().ready()
    lost: list[str] = []

    def lose_first_reply(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().text())
            route.abort()

    desk.page.route("**/answers", lose_first_reply)
    desk.press("a", "Enter", "b", "Enter")
    desk.stored(2)
    assert [k for k, _ in desk.given()] == [1, 2]
    assert "stored" in lost[0]


def test_an_ended_session_keeps_the_answers_and_says_how_to_go_on(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.stub.set(fail=401)
    desk.press("a", "Enter")
    expect(desk.find(".notice")).to_contain_text(
        "Your session has ended: open your invite link again; your answers are kept"
    )
    desk.page.reload()
    expect(desk.find(".screen")).to_contain_text("open your invite link again")
    desk.stub.set(fail=None)
    desk.find(".screen button").click()
    desk.ready().shows(2)
    desk.stored(1)


def test_a_refused_answer_is_shown_with_its_reason_and_not_sent_again(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.stub.set(refuse={"1001": "The task was closed."})
    desk.press("b", "Enter", "c", "Enter")
    desk.stored(1)
    notice = desk.find(".notice.refused")
    expect(notice).to_contain_text("did not take your answer to count 1: The task was closed.")
    expect(notice).to_contain_text("Your answer was: B “")
    desk.page.reload()
    expect(notice).to_have_count(1)
    notice.get_by_text("Put aside").click()
    expect(notice).to_have_count(0)
    assert [k for k, _ in desk.given()] == [2]


def test_two_tabs_of_one_person_neither_lose_nor_repeat_an_item(open_desk: OpenDesk):
    one = open_desk().ready()
    two = open_desk(person=one.person, page=one.page.context.new_page()).ready()
    two.shows(1)
    one.press("a", "Enter").shows(2)
    two.shows(2)
    expect(two.find(".remark")).to_contain_text("You have answered count 1 in another window")
    expect(two.find(".done")).to_have_text("1 of 60")  # without an answer of its own
    two.page.bring_to_front()
    two.press("b", "Enter").shows(3)
    one.shows(3)
    one.stored(2)
    assert [k for k, _ in one.given()] == [1, 2]


def test_answers_of_a_closed_tab_are_sent_by_the_next_one(open_desk: OpenDesk):
    one = open_desk().ready()
    one.stub.set(fail=503)
    one.press("a", "Enter")
    expect(one.root).to_have_attribute("data-pending", "1")
    two_page = one.page.context.new_page()
    one.page.close()
    one.stub.set(fail=None)
    two = open_desk(person=one.person, page=two_page).ready()
    two.stored(1)
    two.shows(2)


def test_what_was_not_touched_goes_back_when_the_page_is_left(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.page.goto("about:blank")
    before = len(desk.stub.state()["released"])
    desk.open().ready()
    desk.page.evaluate("leave()")
    desk.page.wait_for_load_state("networkidle")
    released = desk.stub.state()["released"][before:]
    assert 1001 not in released  # on screen: a reload shows it again
    assert set(range(1002, 1017)) <= set(released)


def test_plain_http_without_random_uuid_still_makes_ids(open_desk: OpenDesk):
    desk = open_desk()
    desk.page.add_init_script("delete Crypto.prototype.randomUUID")
    desk.page.reload()
    desk.ready().press("a", "Enter")
    uid = desk.stored(1)[0]["uid"]
    assert len(uid) == 36
    assert uid[14] == "4"


def test_a_browser_that_keeps_nothing_is_told_about_and_still_works(open_desk: OpenDesk):
    desk = open_desk()
    desk.page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full') }")
    desk.page.reload()
    desk.ready().press("a", "Enter")
    expect(desk.find(".notice")).to_contain_text("Leave the tab open until everything is saved")
    desk.stored(1)


def test_the_banner_goes_when_the_connection_is_back_also_with_nothing_to_send(
    open_desk: OpenDesk,
):
    desk = open_desk().ready()
    desk.page.wait_for_load_state("networkidle")
    desk.page.context.set_offline(True)
    desk.press("a")  # the draft cannot be sent
    expect(desk.find(".notice")).to_contain_text("Offline. You can go on with what is loaded")
    desk.page.context.set_offline(False)
    expect(desk.find(".notice")).to_have_count(0)


def test_an_answer_given_just_before_the_tab_closes_still_arrives(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.stub.set(delay_s=0.3)
    desk.press("a", "Enter")
    desk.page.close()
    desk.stub.wait_until(lambda: len(desk.answers()) == 1, "the answer")


def test_another_workspace_at_the_same_address_shares_nothing(open_desk: OpenDesk):
    desk = open_desk()
    kept = "Object.keys(localStorage).filter(key => key.includes('/draft/'))"
    desk.page.goto(f"{desk.stub.url}/?person={desk.person}&workspace=old")
    desk.ready().press("Enter", "b")  # Enter closes the instructions: this is a first visit
    assert f"rushes/old/{desk.person}/1/draft/1001" in desk.page.evaluate(kept)


# What happens after Enter, in order: kept (in storage), drawn (the next item), frame, sent.
WATCH = """
() => {
  window.order = [];
  const put = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    if (key.includes("/out/")) window.order.push("kept");
    return put.call(this, key, value);
  };
  const ask = window.fetch;
  window.fetch = (url, options) => {
    if (String(url).endsWith("/answers")) window.order.push("sent");
    return ask(url, options);
  };
  window.addEventListener("desk-ready", () => {
    window.order.push("drawn");
    requestAnimationFrame(() => window.order.push("frame"));
  }, true);
}
"""


def test_an_answer_is_kept_with_the_key_and_sent_once_the_next_item_is_on_screen(
    open_desk: OpenDesk,
):
    desk = open_desk().ready()
    desk.page.wait_for_load_state("networkidle")
    desk.page.evaluate(WATCH)
    desk.press("b", "Enter").shows(2).ready()
    desk.stored(1)
    assert desk.page.evaluate("window.order") == ["kept", "drawn", "frame", "sent"]


def test_where_nothing_can_be_kept_an_answer_is_sent_before_the_next_frame(open_desk: OpenDesk):
    desk = open_desk().ready()
    desk.page.wait_for_load_state("networkidle")
    desk.page.evaluate(WATCH)
    desk.page.evaluate("() => (Storage.prototype.setItem = () => { throw new Error('full'); })")
    desk.press("b", "Enter").shows(2).ready()
    desk.stored(1)
    order = desk.page.evaluate("window.order")
    assert order[:2] == ["drawn", "sent"]
