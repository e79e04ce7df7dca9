"""Every task of the demo at a real desk by mouse: no key is pressed but to write words."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser

Desk = Any  # the conftest's AtWork
Response = dict[str, Any]


def option(desk: Desk, words: str, within: str = ".form") -> Locator:
    return desk.root.locator(f"{within} .option", has_text=words).first


def write(desk: Desk, field: Locator, words: str) -> None:
    field.click()
    desk.write(words)


def second_option(desk: Desk) -> Response:
    meant = desk.values()[1]
    desk.root.locator(".option").nth(1).click()
    return {"choice": meant}


def verdicts(desk: Desk) -> Response:
    entries = desk.root.locator(".each > .entry")
    clips: Response = {}
    for i in range(entries.count()):
        if i:
            entries.nth(i).locator(".entry-title").click()
        option(desk, "seems to happen", ".entry.open").click()
        clips[str(i + 1)] = {"verdict": "maybe", "other_sport": ""}
    for place in (-2, -1):  # the two questions below the clips
        desk.root.locator(".options", has_text="Not sure").nth(place).get_by_text("Yes").click()
    return {"clips": clips, "from_description": "yes", "from_video": "yes", "feedback": ""}


def segment(desk: Desk) -> Response:
    option(desk, "It happens").click()
    mouse, lane = desk.page.mouse, desk.root.locator(".timeline .lane").bounding_box()
    assert lane
    y = lane["y"] + lane["height"] / 2
    mouse.move(lane["x"] + 0.2 * lane["width"], y)
    mouse.down()
    mouse.move(lane["x"] + 0.5 * lane["width"], y, steps=4)
    mouse.up()
    expect(desk.root.locator(".bars .span")).to_have_count(1)
    times = desk.workspace.media.frame_table(desk.video()).times
    start, end = (
        round(min(times, key=lambda time: abs(time - shown)), 6)
        for shown in (float(words.split()[0]) for words in desk.texts(".edge-time"))
    )
    texts = desk.root.locator(".card textarea")
    for place, words in enumerate(("the red one", "none", "it stops")):
        write(desk, texts.nth(place), words)
    card = {"start": start, "end": end, "which": ""}
    card |= {"who": "the red one", "before": "none", "after": "it stops"}
    return {"happens": "happens", "sport": "", "cards": [card]}


def fifth_frame(desk: Desk) -> Response:
    desk.root.locator(".tile").nth(4).click()
    steps = desk.root.locator(".steps")
    expect(steps).to_be_visible()
    expect(desk.root.locator(".picked.given")).to_be_visible()
    frame = int(steps.get_attribute("data-frame") or -1)
    times = desk.workspace.media.frame_table(desk.video()).times
    return {"frame": frame, "time": round(times[frame], 6)}


def rejection(desk: Desk) -> Response:
    option(desk, "Reject").click()
    option(desk, "Hardly active").click()
    return {"verdict": "reject", "reasons": ["inactive"], "note": ""}


def objects(desk: Desk) -> Response:
    first = desk.root.locator(".checklist .options").first.locator(".option")
    count = first.count()
    names = [first.nth(i).locator(".text").inner_text() for i in range(count)]
    for i in range(count):
        first.nth(i).click()
    return {"objects": {"ticked": names, "classes": {}}, "note": ""}


def discarded(desk: Desk) -> Response:
    option(desk, "Discard it").click()
    return {"verdict": "discard", "flags": [], "note": ""}


def question(desk: Desk) -> Response:
    desk.root.locator(".option").first.click()
    texts = desk.root.locator(".form textarea")
    for place, words in enumerate(("How fast?", "Fast", "Slow\nSlower\nNot at all")):
        write(desk, texts.nth(place), words)
    wrong = ["Slow", "Slower", "Not at all"]
    return {"question": "How fast?", "answer": "Fast", "wrong": wrong, "note": ""}


def one_class(desk: Desk) -> Response:
    desk.root.locator(".form .option").nth(1).click()
    return {"classes": ["oversight"], "note": ""}


WAYS: dict[str, Callable[[Desk], Response]] = {
    "Human evaluation: 16 frames": second_option,
    "Verification": verdicts,
    "Localization": segment,
    "Frame picking": fifth_frame,
    "Screening": rejection,
    "Object check": objects,
    "Question review": discarded,
    "Question writing": question,
    "Failure tagging": one_class,
}


@pytest.mark.parametrize("task", WAYS)
def test_an_item_is_answered_by_mouse_alone(task: str, standing_demo, sit_down):
    desk = sit_down(standing_demo, task, "Mia")
    item = desk.item()
    meant = WAYS[task](desk)
    submit = desk.root.locator(".submit")
    expect(submit).to_be_enabled()
    submit.click()
    going_on = desk.root.locator(".feedback .solid")
    [row] = desk.workspace.store.rows("SELECT role FROM item WHERE id = ?", [item])
    if row["role"] == "practice":
        going_on.click(timeout=30_000)
    expect(desk.root).not_to_have_attribute("data-item", str(item))
    expect(desk.root).to_have_attribute("data-pending", "0", timeout=30_000)
    revision, stored = desk.stored(item)
    assert (revision, {name: stored[name] for name in meant}) == (1, meant)
