"""Two authors settle what blind answers left open, each in a window of their own."""

import random
import re

import pytest
from building import make_answer
from playwright.sync_api import Page, expect
from waiting import settled

from annotations.adjudication.cross_check import decided, report
from annotations.adjudication.resolution import resolution
from annotations.agreement.disagreements import disagreements
from annotations.record.annotation import Annotation
from annotations.scoring.snapshot import take

pytestmark = pytest.mark.browser


def opened(page: Page, url: str) -> Page:
    """The page with the first item on it, its clip drawn."""
    page.goto(f"{url}/disagreements")
    expect(page.locator(".viewer")).to_have_attribute("data-ready", "1", timeout=30_000)
    return page


def on_screen(page: Page) -> int:
    return int((page.locator(".viewer").get_attribute("data-item") or "0").split()[0])


# The words of an element that do not fit into it.
CUT_OFF = """element => [...element.querySelectorAll('*')]
  .filter((part) => getComputedStyle(part).textOverflow === 'ellipsis')
  .filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent)"""


def choose(page: Page, words: str) -> None:
    page.locator('[data-testid="stRadio"] label', has_text=words).click()


def says(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.get_by_text(words).first).to_be_visible(timeout=20_000)


def key_of(workspace, item: int) -> int:
    [row] = workspace.store.rows(
        "SELECT q.key FROM current_question q JOIN item i ON i.question_id = q.question_id"
        " WHERE i.id = ?",
        [item],
    )
    return row["key"]


def choices(workspace, item: int) -> list[int]:
    rows = workspace.store.rows(
        "SELECT json_extract(response, '$.choice') AS choice FROM current_annotation"
        " WHERE item_id = ? ORDER BY annotator_id",
        [item],
    )
    return [row["choice"] for row in rows]


def test_two_authors_at_once_do_not_overwrite_each_other_and_settle_by_two_signatures(demo, person):
    clara, dora = person(demo, "Clara", "author"), person(demo, "Dora", "author")
    opened(clara, demo.url)
    opened(dora, demo.url)
    item = on_screen(clara)
    assert on_screen(dora) == item
    workspace = demo.workspace()
    key, answers = key_of(workspace, item), choices(workspace, item)
    wrong = next(place for place, choice in enumerate(answers[:2]) if choice != key)

    dora.set_viewport_size({"width": 1280, "height": 720})
    assert dora.get_by_role("button", name="Decide and sign").evaluate(CUT_OFF) == []
    # Nothing is chosen beforehand.
    dora.get_by_role("button", name="Decide and sign").click()
    says(dora, "Choose first what holds.")
    assert resolution(workspace, item) is None
    choose(clara, f"Keep the {('first', 'second')[wrong]}")
    letters = chr(65 + key), chr(65 + answers[wrong])
    says(clara, f"This will change the key from {letters[0]} to {letters[1]}")
    clara.get_by_label("Why").fill("seen at half speed")
    clara.keyboard.press("Control+Enter")
    says(clara, "It waits for a second author")
    assert resolution(workspace, item).reason == "seen at half speed"
    assert key_of(workspace, item) == key

    dora.get_by_label("Why").fill("nobody can tell")
    choose(dora, "Retire the question")
    # What Dora has on screen stays there, and says what became of it.
    says(dora, "not in this list any more")
    assert on_screen(dora) == item
    dora.get_by_role("button", name="Sign as well").wait_for()
    assert resolution(workspace, item).signed_by == ("Clara",)
    expect(dora.get_by_label("Reopen because")).to_have_value("nobody can tell")

    dora.get_by_role("radio", name="to sign").click()
    says(dora, "Waits for 1 more signature")
    sign_as_well = dora.get_by_role("button", name="Sign as well")
    expect(sign_as_well).to_have_count(1)  # the one of the view before is gone
    sign_as_well.click()
    says(dora, f"The key is changed from {letters[0]} to {letters[1]}")
    says(dora, "Accuracy over everybody is as before")  # one of two was right, now the other is
    assert key_of(workspace, item) == answers[wrong]
    assert resolution(workspace, item).holds


def test_an_author_walks_by_keys_while_the_clip_stays_and_fixes_a_question(demo, person):
    clara = opened(person(demo, "Clara", "author"), demo.url)
    first = on_screen(clara)
    clara.keyboard.press("n")
    expect(clara.locator(".viewer")).not_to_have_attribute("data-item", str(first))
    second = on_screen(clara)
    clara.keyboard.press("b")
    expect(clara.locator(".viewer")).to_have_attribute("data-item", str(first))

    clara.get_by_role("radio", name="The whole clip").click()
    expect(clara.locator(".viewer")).to_have_attribute("data-item", f"{first} clip")
    expect(clara.locator(".viewer")).to_have_attribute("data-ready", "1")
    clara.locator(".viewer").evaluate("viewer => { viewer.dataset.mark = 'same' }")
    choose(clara, "Fix the question")
    options = clara.get_by_label("Options, one on each line")
    expect(options).not_to_have_value("")
    choose(clara, "Retire the question")
    choose(clara, "Fix the question")  # and back again: the fields are as they were
    expect(options).not_to_have_value("")
    settled(clara)
    lines = options.input_value().splitlines()
    options.fill("\n".join([*lines, "none of these"]))
    options.press("Tab")
    settled(clara)
    clara.get_by_label("Question", exact=True).fill("How often, in all?")
    clara.get_by_label("Question", exact=True).press("Tab")
    settled(clara)
    expect(options).to_have_value("\n".join([*lines, "none of these"]))
    expect(clara.locator('.viewer[data-mark="same"]')).to_have_count(1)
    clara.get_by_role("button", name="Decide and sign").click()
    says(clara, "settled.")
    expect(clara.locator(".viewer")).to_have_attribute("data-item", re.compile(f"^{second}"))

    workspace = demo.workspace()
    [row] = workspace.store.rows(
        "SELECT q.* FROM current_question q JOIN item i ON i.question_id = q.question_id"
        " WHERE i.id = ?",
        [first],
    )
    assert row["revision"] == 2
    assert row["text"] == "How often, in all?"
    assert "none of these" in row["options"]
    clara.get_by_role("radio", name="Report").click()
    says(clara, "1 had the question fixed")


def test_all_disagreements_are_settled_one_after_the_other_in_the_browser(demo, person):
    clara = opened(person(demo, "Clara", "author"), demo.url)
    workspace = demo.workspace()
    tasks = [row["id"] for row in workspace.store.rows("SELECT id FROM task ORDER BY id")]
    found = disagreements(take(workspace), tasks, limit=100)
    for row in found.rows:
        expect(clara.locator(".viewer")).to_have_attribute("data-item", str(row.item_id))
        expect(clara.get_by_test_id("stApp")).to_have_attribute(
            "data-test-script-state", "notRunning"
        )
        clara.keyboard.press("1")
        expect(clara.locator('[data-testid="stRadio"] input').first).to_be_checked()
        clara.keyboard.press("Control+Enter")  # though the focus is on the option
    says(clara, "Nothing is left here")
    assert {row.item_id for row in decided(take(workspace), tasks)} == {
        row.item_id for row in found.rows
    }
    assert sum(report(take(workspace), task).open for task in tasks) == 0


def ten_disagreements(workspace) -> list[int]:
    """Ids of ten items with two different answers, some of them made to differ."""
    tasks = [row["id"] for row in workspace.store.rows("SELECT id FROM task")]
    rows = disagreements(take(workspace), tasks, limit=100).rows
    with workspace.store.write() as database:
        alike = database.conn.execute(
            "SELECT a.* FROM annotation a JOIN item i ON i.id = a.item_id"
            " JOIN task t ON t.id = i.task_id WHERE t.name = 'Human evaluation: 16 frames'"
            " AND i.answers = 2 AND i.id NOT IN (SELECT value FROM json_each(?))"
            " GROUP BY i.id LIMIT ?",
            [str([row.item_id for row in rows]), 10 - len(rows)],
        ).fetchall()
        for answer in map(Annotation.from_row, alike):  # kept for ever; a correction differs
            other = {"choice": 1 - min(1, answer.response["choice"])}
            make_answer(
                database, answer.item_id, answer.annotator_id, other, revision=answer.revision + 1,
                shown=answer.shown.facts, question_revision=answer.shown.question_revision_id,
                active_s=answer.active_s,
            )  # fmt: skip
    return [row.item_id for row in disagreements(take(workspace), tasks, limit=100).rows]


# Keeps which item was on screen whenever a button that signs was pressed.
WATCH_SIGNING = """() => {
  window.pressed = [];
  document.addEventListener("click", (event) => {
    const button = event.target.closest('[class*="st-key-deciding-sign"] button');
    const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean);
    const viewer = roots.map((root) => root.querySelector(".viewer")).find(Boolean);
    if (button) window.pressed.push(viewer?.dataset.item ?? "nothing");
  }, true);
}"""


def test_two_authors_who_race_sign_only_what_they_have_on_screen(demo, person):
    workspace = demo.workspace()
    items = ten_disagreements(workspace)
    assert len(items) == 10
    authors = {name: person(demo, name, "author") for name in ("Clara", "Dora")}
    for page in authors.values():
        opened(page, demo.url).evaluate(WATCH_SIGNING)
        page.get_by_label("A second author has to sign").uncheck(force=True)
        expect(page.get_by_label("A second author has to sign")).not_to_be_checked()
    chance = random.Random(7)
    tasks = [row["id"] for row in workspace.store.rows("SELECT id FROM task")]
    # They choose, sign and go on without waiting for each other or for the page.
    for turn in range(2_000):
        page = authors[chance.choice(["Clara", "Dora"])]
        page.keyboard.press(chance.choice(["1", "2", "Control+Enter", "Control+Enter", "n"]))
        page.wait_for_timeout(chance.randrange(0, 120))
        settled_by_now = len(decided(take(workspace), tasks))
        if settled_by_now == 10 or (turn >= 200 and settled_by_now >= 3):
            break  # a slow machine takes more than 200 keys to settle three
    signed = workspace.store.rows(
        "SELECT p.name, r.item_id FROM signature s JOIN resolution r ON r.id = s.resolution_id"
        " JOIN annotator p ON p.id = s.author_id"
    )
    assert len(signed) >= 3
    for name, page in authors.items():
        pressed = page.evaluate("() => window.pressed")
        for row in signed:
            assert row["name"] != name or str(row["item_id"]) in pressed
    # No item is decided twice: who came late was refused.
    assert len({row["item_id"] for row in signed}) == len(signed)
