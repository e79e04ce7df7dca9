"""The room of failures in real Chromium, by keyboard: move, filter, tag, compare, fix a key."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotations.failure.failure_tags import all_tags
from annotations.scoring.snapshot import take

pytestmark = pytest.mark.browser

Person = Callable[..., Page]


class Room:
    """An author among the failures of the demo."""

    def __init__(self, page: Page, served: Any, query: str = ""):
        self.page, self.workspace = page, served.workspace()
        page.goto(f"{served.url}/failures{query}{'&' if query else '?'}view=cards")
        self.root = page.locator(".failures")
        self.drawn()

    def drawn(self) -> None:
        """Wait until the open card's pictures are painted."""
        expect(self.root).to_be_visible(timeout=60_000)
        self.page.wait_for_function(
            "room => room.dataset.shown === (room.dataset.card ?? 'none')",
            arg=self.root.element_handle(),
            timeout=60_000,
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, words: str) -> None:
        self.page.keyboard.type(words)

    def card(self) -> int:
        return int(self.root.get_attribute("data-card") or 0)

    def place(self, place: int) -> None:
        expect(self.root).to_have_attribute("data-place", str(place))
        self.drawn()

    def text(self, selector: str) -> str:
        return self.root.locator(selector).first.inner_text()


@pytest.fixture
def enter(person: Person, standing_demo: Any) -> Callable[..., Room]:
    def come(name: str, query: str = "") -> Room:
        return Room(person(standing_demo, name, "author"), standing_demo, query)

    return come


def test_cards_are_walked_by_keys_over_the_edge_of_a_page(enter: Callable[..., Room]):
    room = enter("Walker")
    first = room.card()
    room.press("j")
    room.place(1)
    room.press("k", "k")
    room.place(0)
    assert room.card() == first
    room.press("n")
    room.place(20)
    room.press("k")
    room.place(19)
    room.press("ArrowDown")
    room.place(20)
    assert room.text(".where").startswith("21 of ")
    room.press("b")
    room.place(0)


def test_the_frames_are_those_that_the_model_saw(enter: Callable[..., Room]):
    room = enter("Looker", "?condition=16+shuffled+frames")
    [row] = room.workspace.store.rows("SELECT shown FROM annotation WHERE id = ?", [room.card()])
    shown = json.loads(row["shown"])
    expect(room.root.locator(".tile")).to_have_count(len(shown["frames"]))
    times = [f"{one:.2f} s" for one in shown["times"]]
    captions = room.root.locator(".tile .caption").all_inner_texts()
    assert [words.split("·")[1].strip() for words in captions] == times
    note = room.root.locator(".view-note")
    expect(note).to_have_text("Exactly what the model saw.")
    room.press("v")
    expect(room.root.locator("video.front")).to_be_visible()
    expect(note).to_have_text("The whole clip, not what the model saw.")


def test_a_filter_is_typed_kept_over_a_reload_and_cleared(enter: Callable[..., Room]):
    room = enter("Finder")
    total = room.text(".where")
    room.press("f")
    room.write("clap")
    room.press("Enter")
    expect(room.root.locator(".where")).not_to_have_text(total)
    room.drawn()
    expect(room.root.locator(".card .question").first).to_contain_text("clap")
    found = room.text(".where")
    room.page.reload()
    room.drawn()
    expect(room.root.locator(".where")).to_have_text(found)
    room.root.get_by_role("button", name="Clear").click()
    expect(room.root.locator(".where")).to_have_text(total)


def test_filters_of_the_menus_narrow_the_list(enter: Callable[..., Room]):
    room = enter("Chooser")
    room.root.locator('[data-menu="Answers"] > button').click()
    room.root.get_by_label("refused").check()
    room.press("Escape")
    room.drawn()
    expect(room.root.locator(".read b")).to_have_text("refused")
    expect(room.root.locator('[data-menu="Answers"] .menu-words')).to_have_text("refused")
    room.press("f")
    room.write("no such words anywhere")
    room.press("Enter")
    expect(room.root.locator(".where")).to_have_text("none")
    expect(room.root.locator(".note-stage")).to_contain_text("No prediction is left")


def test_number_keys_tag_at_once_are_stored_and_taken_back(enter: Callable[..., Room]):
    room = enter("Tagger")
    card = room.card()
    room.press("1", "4", "m")
    room.write("the third frame")
    room.press("Enter")
    expect(room.root.locator(".class-chip.on")).to_have_count(2)
    expect(room.root.locator(".tagging .saved")).to_have_text("Saved")

    def own() -> list[tuple[tuple[str, ...], str]]:
        tags = all_tags(take(room.workspace)).by.get(card, ())
        return [(one.classes, one.note) for one in tags if one.name == "Tagger"]

    assert own() == [(("hallucination", "reasoning"), "the third frame")]
    room.press("j")
    room.place(1)
    expect(room.root.locator(".class-chip.on")).to_have_count(0)
    room.page.reload()
    room.drawn()
    expect(room.root.locator(".class-chip.on")).to_have_count(2)
    room.press("9")  # none of these takes the others away
    expect(room.root.locator(".class-chip.on")).to_have_text("9None of these")
    room.press("9")
    deadline = time.monotonic() + 20
    while own():
        assert time.monotonic() < deadline, own()
        time.sleep(0.1)


def test_a_tag_that_cannot_be_sent_is_sent_again(enter: Callable[..., Room]):
    room = enter("Patient")
    card = room.card()
    lost = [True]

    def handle(route: Any) -> None:
        if lost:
            lost.pop()
            route.abort()
        else:
            route.continue_()

    room.page.route("**/desk/failures/tag", handle)
    room.press("2")
    expect(room.root.locator(".tagging .saved")).to_contain_text("Not saved yet")
    expect(room.root.locator(".tagging .saved")).to_have_text("Saved")
    tags = all_tags(take(room.workspace)).by[card]
    assert [one.classes for one in tags if one.name == "Patient"] == [("oversight",)]


def test_what_others_said_is_hidden_until_it_is_asked_for(enter: Callable[..., Room]):
    first = enter("Early", "?text=clap")
    first.press("3")
    expect(first.root.locator(".tagging .saved")).to_have_text("Saved")
    later = enter("Later", "?text=clap")
    assert later.card() == first.card()
    expect(later.root.locator(".others-said")).to_have_text("")
    later.press("o")
    expect(later.root.locator(".others-said")).to_contain_text("Early: Tracking failure")


def test_replies_of_chosen_runs_stand_side_by_side(enter: Callable[..., Room]):
    room = enter("Comparer", "?condition=16+frames")
    room.press("c", "Space", "Tab", "Space", "Enter")
    replies = room.root.locator(".reply-beside")
    expect(replies).to_have_count(3)
    names = [replies.nth(i).locator("h3 span").inner_text() for i in range(3)]
    assert names[1:] == [
        "simulated model A (made up for the demo) · text only",
        "simulated model B (made up for the demo) · text only",
    ]
    room.press("j")
    room.place(1)
    expect(replies).to_have_count(3)
    replies.nth(1).get_by_role("button").click()
    expect(replies).to_have_count(2)


def test_a_key_is_fixed_by_keys_and_every_metric_moves(enter: Callable[..., Room]):
    room = enter("Fixer", "?condition=16+frames&category=rotation")
    card = room.card()
    before = room.text(".standing-words")
    [row] = room.workspace.store.rows(
        "SELECT r.question_id, r.key, json_extract(a.response, '$.choice') AS choice,"
        " a.shown FROM annotation a JOIN question_revision r ON r.id = a.question_revision_id"
        " WHERE a.id = ?",
        [card],
    )
    order = json.loads(row["shown"])["option_order"]
    room.press("e", "ABCDEFG"[order.index(row["choice"])].lower())
    room.write("Seen frame by frame.")
    room.press("Enter")
    expect(room.root.locator(".notice.moved")).to_contain_text("key changed from")
    expect(room.root.locator(".notice.moved")).to_contain_text("→")
    expect(room.root.locator(".standing-words")).not_to_have_text(before)
    expect(room.root.locator(".is-key .sign")).to_have_text("✓ key and answer")
    [now] = room.workspace.store.rows(
        "SELECT key, revision FROM current_question WHERE question_id = ?", [row["question_id"]]
    )
    assert (now["key"], now["revision"]) == (row["choice"], 2)
    room.press("q")
    expect(room.root.locator("dialog")).to_contain_text("Seen frame by frame.")
    room.press("Enter")  # all answers to the question
    expect(room.root.locator(".only")).to_contain_text("only rotation/")


def test_replies_are_text_and_never_markup(enter: Callable[..., Room], standing_demo: Any):
    workspace = standing_demo.workspace()
    with workspace.store.write() as database:
        [one] = database.conn.execute(
            "SELECT p.annotation_id FROM prediction p WHERE p.state = 'read' AND p.reply <> ''"
            " ORDER BY p.annotation_id LIMIT 1"
        ).fetchone()
        database.conn.execute(
            "UPDATE prediction SET reply = ? WHERE annotation_id = ?",
            ["<img src=x onerror=alert(1)>zebra " + "long words " * 300, one],
        )
    room = enter("Careful", "?text=zebra&outcome=all")
    assert "<img src=x onerror=alert(1)>zebra" in room.text(".reply")
    assert room.root.locator(".card img").count() == 0
    room.press("r")
    expect(room.root.locator(".reply")).to_contain_text(" ".join(["long words"] * 300))


def test_a_question_mark_lists_the_keys_and_each_means_one_thing(enter: Callable[..., Room]):
    room = enter("Reader")
    room.press("?")
    keys = room.root.locator("dialog")
    for words in ("Next card", "Next page", "Hallucination", "Fix the key", "Whole reply"):
        expect(keys).to_contain_text(words)
    room.press("Escape")
    expect(keys).to_have_count(0)


def test_an_annotator_is_offered_no_failures(person: Person, standing_demo: Any):
    page = person(standing_demo, "Curious")
    page.goto(f"{standing_demo.url}/failures")
    expect(page.get_by_text("Failures", exact=True)).to_have_count(0)
    reply = page.request.get(f"{standing_demo.url}/desk/failures")
    assert reply.status == 403
