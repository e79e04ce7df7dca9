"""The longest forms of the demo on a screen of 1440 by 900: nothing has to be scrolled to."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

BELOW = """desk => {
  const body = desk.querySelector('.panel-body');
  return body.scrollHeight - body.clientHeight;
}"""


@pytest.mark.parametrize(
    ("task", "keys"),
    [
        ("Verification", ["c"]),  # asks for the sport, too
        ("Question review", ["a"]),  # asks for text, options and flags, too
        ("Question writing", ["b"]),
    ],
)
def test_a_long_form_is_seen_whole(task: str, keys: list[str], standing_demo, sit_down):
    desk = sit_down(standing_demo, task, "Fit")
    assert desk.root.evaluate(BELOW) <= 0
    desk.press(*keys)
    expect(desk.root.locator('.option[aria-checked="true"]').first).to_be_visible()
    assert desk.root.evaluate(BELOW) <= 0
    expect(desk.root.locator(".panel-body .own-words").last).to_be_in_viewport(ratio=1)


def test_the_longest_form_is_seen_whole_in_german_on_a_laptop(standing_demo, person):
    page = person(standing_demo, "Passt", viewport={"width": 1280, "height": 720}, locale="de-DE")
    [row] = standing_demo.workspace().store.rows("SELECT id FROM task WHERE name LIKE 'Localiz%'")
    page.goto(f"{standing_demo.url}/annotate?task={row['id']}")
    desk = page.locator(".desk")
    expect(desk).to_have_attribute("data-ready", "1", timeout=30_000)
    page.keyboard.press("Enter")  # the instructions are read
    expect(desk.locator("dialog")).to_have_count(0)
    ends, loop = desk.locator(".edge").last.bounding_box(), desk.locator(".card-acts .press").first
    assert ends["x"] + ends["width"] <= loop.bounding_box()["x"]  # one beside the other
    page.keyboard.press("a")
    expect(desk.locator('.option[aria-checked="true"]')).to_be_visible()
    assert desk.evaluate(BELOW) <= 0


def test_what_an_option_means_is_said_of_the_chosen_one(standing_demo, sit_down):
    desk = sit_down(standing_demo, "Question writing", "Means")
    said = desk.root.locator(".said-of-chosen")
    expect(said).to_be_hidden()
    desk.press("f")
    expect(said).to_have_text("How many times does the … happen?")
    desk.press("b")
    expect(said).to_have_text("In which direction does the … move?")


def test_a_text_that_may_stay_empty_opens_when_it_is_entered(standing_demo, sit_down):
    desk = sit_down(standing_demo, "Verification", "Fold")
    note = desk.root.locator(".own-words").last
    words = note.locator("textarea")
    expect(words).to_be_hidden()
    note.get_by_text("Anything to add?").click()
    expect(words).to_be_focused()
    desk.write("b")
    desk.press("Escape")
    expect(words).to_be_visible()
    expect(words).to_have_value("b")
    desk.press("c", "Tab")
    expect(desk.root.locator(".entry.open textarea")).to_be_hidden()  # the note has the keys


def test_on_a_large_screen_everything_is_said(standing_demo, person):
    page = person(standing_demo, "Wide", viewport={"width": 1440, "height": 1500})
    [row] = standing_demo.workspace().store.rows(
        "SELECT id FROM task WHERE name LIKE 'Question writing%'"
    )
    page.goto(f"{standing_demo.url}/annotate?task={row['id']}")
    expect(page.locator(".desk")).to_have_attribute("data-ready", "1", timeout=30_000)
    expect(page.locator(".desk .option .description")).to_have_count(6)
    for one in page.locator(".desk .option .description").all():
        expect(one).to_be_visible()
