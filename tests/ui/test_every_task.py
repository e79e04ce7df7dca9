"""Every task of the demo at a real desk: by keyboard, half done, taken back, nothing left over.

How a kind of item is answered comes in three parts, each of which gives what it means: half of an
answer, as the draft holds it; the rest, wherever the desk stands, as the whole is stored; and a
correction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

Desk = Any  # the conftest's AtWork
Response = dict[str, Any]

PICTURES = (
    """desk => [...desk.querySelectorAll('.tiles canvas')].map((one) => one.toDataURL()).join()"""
)


def choose_second(desk: Desk) -> Response:
    desk.press("b")
    return {"choice": desk.values()[1]}


def nothing_more(desk: Desk) -> Response:
    return {"choice": desk.values()[1]}


def choose_first(desk: Desk) -> Response:
    desk.press("a")
    return {"choice": desk.values()[0]}


def verify_first_clip(desk: Desk) -> Response:
    desk.press("a")
    return {"clips": {"1": {"verdict": "definitely"}}}


def verify_other_clips(desk: Desk) -> Response:
    clips = {"1": {"verdict": "definitely", "other_sport": ""}}
    for number in range(2, desk.root.locator(".entry").count() + 1):
        desk.press("Enter", "c")  # Enter goes to what is open
        clips[str(number)] = {"verdict": "definitely not", "other_sport": ""}
    desk.press("Tab")
    desk.write("golf")
    clips[str(len(clips))]["other_sport"] = "golf"
    desk.press("Escape", "Enter", "a", "Enter", "c")
    return {"clips": clips, "from_description": "yes", "from_video": "not sure", "feedback": ""}


def doubt_first_clip(desk: Desk) -> Response:
    before = desk.stored(desk.item())[1]
    desk.press("b")
    before["clips"]["1"]["verdict"] = "maybe"
    return before


def mark_start(desk: Desk) -> Response:
    desk.press("a")
    desk.go(3, 3)
    desk.press("i")
    return {"happens": "happens", "cards": [{"start": desk.frame()[1]}]}


def mark_end(desk: Desk) -> Response:
    times = desk.workspace.media.frame_table(desk.video()).times
    desk.press("0")
    desk.go(8, 8)
    desk.press("o")
    card = {"start": round(times[3], 6), "end": desk.frame()[1], "which": ""}
    assert [f"{card[edge]:.3f} s" for edge in ("start", "end")] == desk.texts(".edge-time")
    desk.press("Enter")
    desk.write("the green one")
    desk.press("Tab")
    desk.write("None.")
    desk.press("Tab")
    desk.write("it rests")
    desk.press("Escape")
    card |= {"who": "the green one", "before": "none", "after": "it rests"}
    return {"happens": "happens", "sport": "", "cards": [card]}


def nudge_end(desk: Desk) -> Response:
    before = desk.stored(desk.item())[1]
    desk.press("0")
    desk.go(9, 9)
    desk.press("o")
    before["cards"][0]["end"] = desk.frame()[1]
    return before


def step_to(desk: Desk, *keys: str, frame: int) -> Response:
    """This frame, picked by keys, coming from the grid where that is shown."""
    steps = desk.root.locator(".steps")
    if not steps.is_visible():
        desk.press("Enter")
    expect(steps).to_be_visible()
    desk.press(*keys)
    expect(steps).to_have_attribute("data-frame", str(frame))
    times = desk.workspace.media.frame_table(desk.video()).times
    assert f"{times[frame]:.3f} s" in desk.texts(".field .picked")[0]
    return {"frame": frame, "time": round(times[frame], 6)}


def pick(desk: Desk) -> Response:
    step_to(desk, ".", ".", frame=2)
    return {"frame": 2}


def pick_the_next(desk: Desk) -> Response:
    return step_to(desk, ".", frame=3)


def pick_ten_on(desk: Desk) -> Response:
    return step_to(desk, "Shift+.", frame=13)


def reject(desk: Desk) -> Response:
    desk.press("b")
    return {"verdict": "reject"}


def give_reasons(desk: Desk) -> Response:
    desk.press("Enter", "a", "b", "Tab")
    desk.write("dull")
    desk.press("Escape")
    return {"verdict": "reject", "reasons": ["no_animal", "inactive"], "note": "dull"}


def accept(desk: Desk) -> Response:
    desk.press("ArrowUp", "ArrowUp", "a")
    return {"verdict": "accept", "reasons": [], "note": "dull"}


def tick_one(desk: Desk) -> Response:
    desk.press("a")
    return {"objects": {"ticked": [desk.texts(".class-of .entry-name")[0]]}}


def class_others(desk: Desk) -> Response:
    names = desk.texts(".class-of .entry-name") or desk.texts(".checklist .option .text")
    desk.press("b", "Enter", *["c"] * (len(names) - 2))
    classes = dict.fromkeys(names[2:], "hallucination")
    return {"objects": {"ticked": names[:2], "classes": classes}, "note": ""}


def reclass_first(desk: Desk) -> Response:
    before = desk.stored(desk.item())[1]
    desk.press("d")
    before["objects"]["classes"][next(iter(before["objects"]["classes"]))] = "visible"
    return before


def keep_question(desk: Desk) -> Response:
    desk.press("a")
    return {"verdict": "keep", "question": desk.texts("h2.question")[0]}


def keep_options(desk: Desk) -> Response:
    desk.press("Enter")  # to the options, which lack three wrong ones
    rows = desk.root.locator(".option.edited").evaluate_all(
        "all => all.map((row) => ({ id: row.dataset.id, key: row.classList.contains('right'),"
        " letter: row.querySelector('.cap').textContent,"
        " text: row.querySelector('textarea').value }))"
    )
    wrong = [row for row in rows if not row["key"]][:3]
    [key] = [row for row in rows if row["key"]]
    desk.press(*[row["letter"] for row in wrong], "F2", "End")
    desk.write("!")
    desk.press("Escape")
    wrong[-1]["text"] += "!"
    texts = {row["id"]: row["text"] for row in (key, *wrong)}
    sent = {"key": key["id"], "kept": [row["id"] for row in wrong], "texts": texts}
    options = desk.as_stored({"options": sent})["options"]
    options["kept"].sort()
    question = desk.texts("h2.question")[0]
    return {"verdict": "keep", "question": question, "options": options, "flags": [], "note": ""}


def discard(desk: Desk) -> Response:
    desk.press("b")
    return {"verdict": "discard", "flags": [], "note": ""}


def ask(desk: Desk) -> Response:
    desk.press("c", "Tab")
    desk.write("How fast?")
    return {"category": "velocity&frequency", "question": "How fast?"}


def give_answers(desk: Desk) -> Response:
    desk.press("Escape", "Enter")
    desk.write("Fast")
    desk.press("Tab")
    for words in ("Slow", "Slower", "Not at all"):
        desk.write(words)
        desk.press("Enter")
    desk.press("Escape")
    wrong = ["Slow", "Slower", "Not at all"]
    question = {"category": "velocity&frequency", "question": "How fast?"}
    return {**question, "answer": "Fast", "wrong": wrong, "note": ""}


def ask_of_another_category(desk: Desk) -> Response:
    before = desk.stored(desk.item())[1]
    desk.press("f")
    return {**before, "category": "count"}


def name_class(desk: Desk) -> Response:
    desk.press("2")
    return {"classes": ["oversight"]}


def name_another(desk: Desk) -> Response:
    desk.press("4", "Tab")
    desk.write("the last frame")
    desk.press("Escape")
    return {"classes": ["oversight", "reasoning"], "note": "the last frame"}


def none_fits(desk: Desk) -> Response:
    desk.press("ArrowUp", "2", "4", "9")
    return {"classes": ["none"], "note": "the last frame"}


@dataclass(frozen=True)
class Way:
    task: str  # how its name begins
    half: Callable[[Desk], Response]
    rest: Callable[[Desk], Response]
    change: Callable[[Desk], Response]


WAYS = (
    Way("Human evaluation: full video", choose_second, nothing_more, choose_first),
    Way("Human evaluation: 16 frames", choose_second, nothing_more, choose_first),
    Way("Verification", verify_first_clip, verify_other_clips, doubt_first_clip),
    Way("Localization", mark_start, mark_end, nudge_end),
    Way("Frame picking", pick, pick_the_next, pick_ten_on),
    Way("Screening", reject, give_reasons, accept),
    Way("Object check", tick_one, class_others, reclass_first),
    Way("Question review", keep_question, keep_options, discard),
    Way("Question writing", ask, give_answers, ask_of_another_category),
    Way("Failure tagging", name_class, name_another, none_fits),
)
EVERY = pytest.mark.parametrize("way", WAYS, ids=[way.task for way in WAYS])


def shows_the_item_alone(desk: Desk) -> None:
    """Nothing of another item is on the desk: no choice, text, card, frame or video."""
    desk.ready()
    assert not [what for what, given in desk.given().items() if given]
    video = desk.root.locator("video.front")
    if video.count() and video.is_visible():
        assert desk.video() in video.evaluate("video => video.currentSrc")


@EVERY
def test_items_are_finished_and_corrected_by_keyboard_alone(way: Way, standing_demo, sit_down):
    desk = sit_down(standing_demo, way.task, "Ada")
    shows_the_item_alone(desk)
    for _ in range(2):  # practice, where there is any, and work
        item, video, pictures = desk.item(), desk.video(), desk.root.evaluate(PICTURES)
        way.half(desk)
        meant = way.rest(desk)
        desk.submit()
        assert desk.stored(item) == (1, meant)
        shows_the_item_alone(desk)
        if pictures and desk.video() != video:
            assert desk.root.evaluate(PICTURES) != pictures

    waiting = desk.item()
    desk.press("u")
    expect(desk.root).to_have_attribute("data-item", str(item))
    desk.ready()
    corrected = way.change(desk)
    desk.submit()
    assert desk.stored(item) == (2, corrected)
    assert desk.item() == waiting
    shows_the_item_alone(desk)


@EVERY
def test_a_half_done_item_survives_a_reload_and_a_killed_server(way: Way, standing_demo, sit_down):
    desk = sit_down(standing_demo, way.task, "Ben")
    item, half = desk.item(), way.half(desk)
    given = desk.given()
    assert any(given.values())
    desk.server_keeps(half)

    desk.page.reload()
    desk.ready()
    assert desk.item() == item
    assert desk.given() == {**given, "enlarged": 0}

    standing_demo.kill()
    desk.page.evaluate("() => localStorage.clear()")  # what comes back is what the server kept
    standing_demo.start()
    desk.page.reload()
    desk.ready()
    if desk.root.locator("dialog").count():
        desk.press("Escape")
    assert desk.item() == item
    assert desk.given() == {**given, "enlarged": 0}

    meant = way.rest(desk)
    desk.submit()
    assert desk.stored(item) == (1, meant)
    shows_the_item_alone(desk)
