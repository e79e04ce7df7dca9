"""The author's page, drawn by Streamlit alone and driven in a browser."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from annotations.edit.edit_store import edits_of
from annotations.generation.studio import TASK, StudioQuestion, ask_negatives, send_to_review
from annotations.people import Person
from annotations.workspace import Workspace
from core.refusal import Forbidden, Refusal

SHELL = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import studio
studio.render(workspace(), Person(1, "Eva", "author"))
"""


@pytest.fixture
def eva(add_person: Callable[..., Person]) -> Person:
    return add_person("Eva", "author")


# A list that opens while the page still moves closes again.
STANDS_STILL = """() => new Promise((done) => {
  const look = (before) => {
    const now = JSON.stringify(document.querySelector("[data-testid=stMain]").scrollTop)
      + [...document.querySelectorAll("[data-testid=stExpander]")].map((one) => one.clientHeight);
    if (now === before) done(true);
    else setTimeout(look, 400, now);
  };
  look("");
})"""


def drawn() -> AppTest:
    return AppTest.from_string(SHELL, default_timeout=60).run()


def test_without_videos_the_page_says_what_to_do(served: Workspace, eva: Person):
    app = drawn()
    assert not app.exception
    assert "No usable videos yet" in app.info[0].value


def with_duration(workspace: Workspace) -> None:
    with workspace.store.write() as database:
        database.conn.execute("UPDATE video SET facts = json_set(facts, '$.duration_s', 2.0)")


def test_a_question_is_checked_while_it_is_written(
    served: Workspace, eva: Person, add_question: Callable[..., int]
):
    add_question("a/1", video="one.mp4")
    with_duration(served)
    app = drawn()
    assert not app.exception
    send = next(button for button in app.button if button.label == "Send to review")
    assert send.disabled
    app.text_area(key="studio-text").input("What does she do after she throws the ball?")
    app.text_input(key="studio-answer").input("throws the ball")
    app.text_area(key="studio-wrong").input("sits\nsits down on the grass\nsings")
    app.run()
    flags = [one.value for one in app.warning]
    assert any("names the key" in flag for flag in flags)
    assert any(
        re.search("wrong answer 2: .*wrong answer 1|option 2 stands", flag) for flag in flags
    )
    app.text_area(key="studio-text").input("Which move is made?")
    app.text_area(key="studio-wrong").input("kicks the box\npulls the rope").run()
    assert [one.value for one in app.success] == [
        "No check finds anything. Reviewers look at it all the same."
    ]
    next(button for button in app.button if button.label == "Send to review").click().run()
    assert "It waits for review" in app.success[-1].value
    [item] = served.store.rows("SELECT i.payload FROM item i JOIN task t ON t.id = i.task_id"
                               " WHERE t.name = ?", [TASK])  # fmt: skip
    payload = json.loads(item["payload"])
    assert payload["options"] == ["throws the ball", "kicks the box", "pulls the rope"]
    assert payload["key"] == 0
    assert payload["tags"] == {"written_by": "Eva"}
    assert payload["clip"]["end"] is None


def test_what_is_lacking_is_said_and_refused(workspace: Workspace, eva: Person):
    empty = StudioQuestion(1, "a" * 64, 0, None, "", "", ())
    assert len(empty.lacking()) == 3
    with pytest.raises(Refusal, match="Write the question"):
        send_to_review(workspace, eva, empty)
    double = StudioQuestion(1, "a" * 64, 0, None, "Q?", "back hand", ("backhand",))
    assert double.lacking() == ["Two options say the same. Change one."]
    with pytest.raises(Forbidden):
        send_to_review(workspace, Person(9, "Ben", "annotator"), double)


def test_negatives_come_from_a_model_and_need_an_answer(workspace: Workspace):
    assert len(ask_negatives(workspace, "stub:demo", "a volley", "football")) == 9
    with pytest.raises(Refusal, match="Write the right answer first"):
        ask_negatives(workspace, "stub:demo", "", "football")


@pytest.mark.browser
def test_an_author_writes_edits_and_sends_a_question(demo, person: Callable[..., Page]):
    page = person(demo, "Rosa", "author", viewport={"width": 1440, "height": 900})
    page.goto(f"{demo.url}/studio")
    app = page.locator('[data-testid="stApp"]')

    def settled() -> None:
        expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)

    settled()
    video = page.locator("video.studio-player")
    expect(video).to_be_visible()
    page.wait_for_function("document.querySelector('video.studio-player').readyState >= 1")
    tiles = page.locator(".studio-sheet img")
    expect(tiles).to_have_count(16)
    page.wait_for_function(
        "[...document.querySelectorAll('.studio-sheet img')].every((one) => one.naturalWidth > 0)",
        timeout=60_000,
    )
    page.get_by_label("Question", exact=True).fill("Which way does it turn?")
    page.get_by_label("Right answer").fill("to the left side")
    page.get_by_label("Right answer").press("Tab")
    settled()
    page.get_by_text("Ask a model for wrong answers").click()
    expect(page.get_by_role("button", name="Ask for nine")).to_be_disabled()
    model = page.get_by_role("combobox", name=re.compile("Model"))
    model.scroll_into_view_if_needed()
    page.wait_for_function(STANDS_STILL)
    model.fill("stub:demo")
    page.get_by_role("option", name="stub:demo").click()
    expect(page.get_by_role("button", name="Ask for nine")).to_be_enabled()
    settled()
    wrong = page.get_by_role("textbox", name="Wrong answers, one on each line")
    for _ in range(5):  # a click while the page is drawn anew is lost
        page.get_by_role("button", name="Ask for nine").click()
        settled()
        if wrong.input_value():
            break
    expect(wrong).to_have_value(re.compile("ninth made-up"))
    wrong.fill("to the right side\nstraight up and away")
    wrong.press("Tab")
    settled()
    expect(page.get_by_text("all others begin with to")).to_be_visible()
    wrong.fill("to the right side\nto the far end")
    wrong.press("Tab")
    expect(page.get_by_text("No check finds anything")).to_be_visible()
    page.get_by_text("Make an edited copy").click()
    page.get_by_text("Reverse", exact=True).click()
    # Frames of the copy are shown before it is made, and the button waits for them.
    expect(page.locator(".studio-preview img")).to_have_count(3)
    expect(page.get_by_text(re.compile("frames, .* px, "))).to_be_visible()
    settled()
    workspace = demo.workspace()
    sha256 = workspace.store.rows(
        "SELECT sha256 FROM video WHERE status = 'usable' ORDER BY name LIMIT 1"
    )[0]["sha256"]
    page.get_by_role("button", name="Make the copy").click()
    expect(page.get_by_role("button", name="Copy its questions")).to_be_visible(timeout=60_000)
    settled()
    page.get_by_role("button", name="Send to review").click()
    expect(page.get_by_text("It waits for review in the task")).to_be_visible()
    [edit] = edits_of(workspace, sha256)
    assert edit.status == "made"
    page.get_by_role("button", name="Copy its questions").click()
    expect(
        page.get_by_text(re.compile("without a key in the task|No question to copy"))
    ).to_be_visible()
    [item] = workspace.store.rows("SELECT i.payload FROM item i JOIN task t ON t.id = i.task_id"
                                  " WHERE t.name = ?", [TASK])  # fmt: skip
    assert json.loads(item["payload"])["options"][0] == "to the left side"
