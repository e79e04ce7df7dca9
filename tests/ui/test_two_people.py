"""Two annotators at once, an author who watches, and what goes wrong on a working day."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from waiting import wait_until

from annotations import task as tasks
from annotations.record.item import Item
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace

pytestmark = pytest.mark.browser

LETTERS = "ABCDEFG"


class AtWork:
    """One person at the desk of the 16-frames task, who writes down what they mean."""

    def __init__(self, page: Page, served: Any, name: str, task: int):
        self.page, self.meant = page, dict[int, int]()
        self.workspace, self.name = served.workspace(), name
        page.goto(f"{served.url}/annotate?task={task}")
        self.root = page.locator(".desk")
        self.ready()
        # The instructions open by themselves on the first visit.
        expect(self.root.locator("dialog")).to_be_visible()
        page.keyboard.press("Enter")
        expect(self.root.locator("dialog")).to_have_count(0)

    def ready(self) -> None:
        expect(self.root).to_have_attribute("data-ready", "1", timeout=30_000)

    def item(self) -> int:
        return int(self.root.get_attribute("data-item") or 0)

    def values(self) -> list[int]:
        """The options on screen by their places in the file, of which the browser knows none."""
        options = self.root.locator(".option")
        texts = options.evaluate_all("all => all.map((one) => one.dataset.value)")
        [row] = self.workspace.store.rows(
            "SELECT shown FROM lease WHERE item_id = ? AND annotator_id ="
            " (SELECT id FROM annotator WHERE name = ?) ORDER BY id DESC LIMIT 1",
            [self.item(), self.name],
        )
        order = json.loads(row["shown"])["option_order"]
        assert [json.loads(text) for text in texts] == [f"p{place}" for place in range(len(order))]
        return order

    def choose(self, place: int) -> None:
        self.ready()
        self.meant[self.item()] = self.values()[place]
        self.page.keyboard.press(LETTERS[place])

    def answer(self, place: int) -> None:
        item = self.item()
        self.choose(place)
        self.page.keyboard.press("Enter")
        expect(self.root).not_to_have_attribute("data-item", str(item))

    def all_sent(self) -> None:
        expect(self.root).to_have_attribute("data-pending", "0", timeout=30_000)


def task_of(workspace: Workspace, condition: str) -> int:
    [row] = workspace.store.rows("SELECT id FROM task WHERE name LIKE '%' || ?", [condition])
    return row["id"]


def with_pictures(workspace: Workspace, preparer: Preparer, task: int) -> int:
    """How many items of a task wait for answers and can be shown at once."""
    items = workspace.store.rows(
        "SELECT i.*, t.kind, t.settings FROM item i JOIN task t ON t.id = i.task_id"
        " WHERE t.id = ? AND i.settled = 0 AND i.answers < coalesce(i.overlap, t.overlap)",
        [task],
    )
    return sum(
        preparer.ready(
            tasks.kind(item["kind"]).show(
                workspace, Item.from_row(item), json.loads(item["settings"]), ""
            )
        )
        for item in items
    )


def stored(workspace: Workspace, name: str) -> dict[int, int]:
    """Item to chosen option, of a person's current answers."""
    rows = workspace.store.rows(
        "SELECT a.item_id, json_extract(a.response, '$.choice') AS choice FROM current_annotation a"
        " JOIN annotator p ON p.id = a.annotator_id WHERE p.name = ? AND a.skip_reason IS NULL",
        [name],
    )
    return {row["item_id"]: row["choice"] for row in rows}


def nothing_exceeds_its_overlap(workspace: Workspace) -> bool:
    rows = workspace.store.rows(
        "SELECT i.answers, count(DISTINCT a.annotator_id) AS counted, t.overlap FROM item i"
        " JOIN task t ON t.id = i.task_id LEFT JOIN current_annotation a"
        " ON a.item_id = i.id AND a.counted = 1 GROUP BY i.id"
    )
    return all(row["answers"] == row["counted"] <= row["overlap"] for row in rows)


def hand_count(workspace: Workspace, condition: str) -> tuple[int, int]:
    """Right and all counted answers under a condition, counted one by one."""
    rows = workspace.store.rows(
        "SELECT a.response, a.shown, r.key FROM current_annotation a"
        " JOIN question_revision r ON r.id = a.question_revision_id"
        " WHERE a.counted = 1 AND a.skip_reason IS NULL"
    )
    here = [row for row in rows if json.loads(row["shown"])["condition"] == condition]
    right = sum(json.loads(row["response"])["choice"] == row["key"] for row in here)
    return right, len(here)


def test_a_working_day(demo, person: Callable[..., Page]):
    workspace = demo.workspace()
    task = task_of(workspace, "16 frames")
    ada = AtWork(person(demo, "Ada"), demo, "Ada", task)
    ben = AtWork(person(demo, "Ben"), demo, "Ben", task)
    author = person(demo, "Clara", "author")
    author.goto(f"{demo.url}/metrics")

    for place in (0, 1, 2):
        ada.answer(place)
        ben.answer(2 - place)

    # Ada reloads with a choice made: the same item comes back with it.
    ada.choose(1)
    half_done = ada.item()
    expect(ada.root.locator('.option[aria-checked="true"]')).to_have_count(1)
    ada.page.reload()
    ada.ready()
    assert ada.item() == half_done
    expect(ada.root.locator('.option[aria-checked="true"]')).to_have_count(1)
    ada.page.keyboard.press("Enter")
    expect(ada.root).not_to_have_attribute("data-item", str(half_done))

    # Ben loses the connection in the middle of an item, works on, and comes back.
    ben.ready()
    ben.choose(0)
    ben.page.context.set_offline(True)
    ben.page.keyboard.press("Enter")
    ben.answer(1)
    expect(ben.root).to_have_attribute("data-pending", "2")
    ben.page.context.set_offline(False)
    ben.all_sent()

    # The server is killed under both of them; both answer; it comes back.
    demo.kill()
    ada.answer(0)
    ben.answer(2)
    demo.start(from_its_file=True)
    ada.all_sent()
    ben.all_sent()

    for place in (1, 0, 2, 1, 0):
        ada.answer(place)
        ben.answer(place)
    ada.all_sent()
    ben.all_sent()

    assert len(ada.meant) >= 10
    assert len(ben.meant) >= 10
    assert stored(workspace, "Ada") == ada.meant
    assert stored(workspace, "Ben") == ben.meant
    assert nothing_exceeds_its_overlap(workspace)

    right, count = hand_count(workspace, "16 frames")
    expect(author.locator("body")).to_contain_text(f"{100 * right / count:.1f}", timeout=30_000)
    expect(author.locator("body")).to_contain_text(f"{count}")


def test_thirty_keys_at_15_ms_are_fifteen_answers_as_typed(demo, person):
    workspace = demo.workspace()
    task = task_of(workspace, "16 frames")
    # A desk that opens earlier begins with fewer items, and says that it waits after the last.
    preparer = Preparer(workspace)
    wait_until(
        lambda: with_pictures(workspace, preparer, task) >= 16, "pictures of a full desk", 120
    )
    preparer.stop()
    ada = AtWork(person(demo, "Ada"), demo, "Ada", task)
    # Every question has at least three options, so A, B and C always exist.
    places = [number % 3 for number in range(15)]
    # Half of the 30 questions of the demo that still want answers.
    expect(ada.root).to_have_attribute("data-loaded", "15")
    for place in places:
        ada.ready()  # an answer is taken only once its picture is drawn
        before = ada.item()
        ada.page.keyboard.press(LETTERS[place])
        time.sleep(0.015)
        ada.page.keyboard.press("Enter")
        expect(ada.root).not_to_have_attribute("data-item", str(before))
    ada.all_sent()
    rows = workspace.store.rows(
        "SELECT a.response, a.shown FROM annotation a JOIN annotator p ON p.id = a.annotator_id"
        " WHERE p.name = 'Ada' ORDER BY a.answered_at"
    )
    typed = [
        json.loads(row["shown"])["option_order"].index(json.loads(row["response"])["choice"])
        for row in rows
    ]
    assert typed == places


def test_a_double_click_on_submit_is_one_answer(demo, person):
    workspace = demo.workspace()
    ada = AtWork(person(demo, "Ada"), demo, "Ada", task_of(workspace, "full video"))
    ada.choose(1)
    before = ada.item()
    ada.root.locator(".submit").dblclick()
    expect(ada.root).not_to_have_attribute("data-item", str(before))
    ada.all_sent()
    assert stored(workspace, "Ada") == ada.meant
    # The next item came up without a choice.
    expect(ada.root.locator('.option[aria-checked="true"]')).to_have_count(0)
    expect(ada.root.locator(".submit")).to_be_disabled()


def test_an_answer_can_be_taken_back_and_corrected_by_keyboard(demo, person):
    workspace = demo.workspace()
    ada = AtWork(person(demo, "Ada"), demo, "Ada", task_of(workspace, "16 frames"))
    first, values = ada.item(), ada.values()
    ada.answer(0)
    ada.page.keyboard.press("u")
    expect(ada.root).to_have_attribute("data-item", str(first))
    ada.ready()
    ada.page.keyboard.press("B")
    ada.page.keyboard.press("Enter")
    ada.all_sent()
    assert stored(workspace, "Ada")[first] == values[1]
    rows = workspace.store.rows("SELECT revision FROM annotation WHERE item_id = ?", [first])
    assert sorted(row["revision"] for row in rows)[-2:] == [1, 2]


def test_a_skip_keeps_its_reason(demo, person):
    workspace = demo.workspace()
    ada = AtWork(person(demo, "Ada"), demo, "Ada", task_of(workspace, "16 frames"))
    item = ada.item()
    ada.page.keyboard.press("s")
    ada.page.keyboard.press("2")
    ada.page.keyboard.press("Enter")
    expect(ada.root).not_to_have_attribute("data-item", str(item))
    ada.all_sent()
    [row] = workspace.store.rows(
        "SELECT a.skip_reason FROM annotation a JOIN annotator p ON p.id = a.annotator_id"
        " WHERE p.name = 'Ada'"
    )
    assert row["skip_reason"] == "The question makes no sense"
