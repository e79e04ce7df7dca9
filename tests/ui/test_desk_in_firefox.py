"""Every kind of task at the desk in Firefox, by keyboard alone, and what was stored."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from waiting import wait_until

pytestmark = pytest.mark.browser

Response = dict[str, Any]


def second_option(fox: Any) -> Response:
    place = json.loads(fox.desk("desk.querySelectorAll('.option')[1].dataset.value"))
    fox.press("b")
    return {"place": int(place.removeprefix("p"))}  # in the order shown


def verdicts(fox: Any) -> Response:
    clips = fox.desk("desk.querySelectorAll('.each > .entry').length")
    fox.press("a", *["Enter", "c"] * (clips - 1), "Enter", "a", "Enter", "c")
    said = {"verdict": "definitely not", "other_sport": ""}
    others = {str(i): said for i in range(2, clips + 1)}
    first = {"1": {"verdict": "definitely", "other_sport": ""}}
    return {"clips": first | others, "from_description": "yes", "from_video": "not sure"}


def at_frame(fox: Any, frame: int) -> None:
    shown = "desk.querySelector('.player-stage').dataset.frame"
    wait_until(lambda: fox.desk(shown) == str(frame), f"frame {frame}")


def segment(fox: Any) -> Response:
    fox.press("a", ".", ".", ".")
    at_frame(fox, 3)
    fox.press("i", *["."] * 5)
    at_frame(fox, 8)
    fox.press("o", "Enter", *"the red one", "Tab", *"none", "Tab", *"it rests", "Escape")
    edges = fox.desk("[...desk.querySelectorAll('.edge-time')].map((one) => one.textContent)")
    start, end = (float(edge.split()[0]) for edge in edges)
    card = {"who": "the red one", "before": "none", "after": "it rests", "which": ""}
    return {"happens": "happens", "cards": [{"start": start, "end": end, **card}]}


def third_frame(fox: Any) -> Response:
    fox.press("Enter")
    shown = "desk.querySelector('.steps').dataset.frame"
    wait_until(lambda: fox.desk(shown) == "0", "the first frame")
    fox.press(".", ".")
    wait_until(lambda: fox.desk(shown) == "2", "the third frame")
    return {"frame": 2}


def rejection(fox: Any) -> Response:
    fox.press("b", "Enter", "a")
    return {"verdict": "reject", "reasons": ["no_animal"]}


def objects(fox: Any) -> Response:
    texts = "[...desk.querySelectorAll('.checklist .options')[0].querySelectorAll('.text')]"
    names = fox.desk(f"{texts}.map((one) => one.textContent)")
    fox.press("a", "b", "Enter", *["c"] * (len(names) - 2))
    classes = dict.fromkeys(names[2:], "hallucination")
    return {"objects": {"ticked": names[:2], "classes": classes}}


def discarded(fox: Any) -> Response:
    fox.press("b")
    return {"verdict": "discard"}


def question(fox: Any) -> Response:
    fox.press("c", "Tab", *"How fast?", "Escape", "Enter", *"Fast", "Tab")
    for words in ("Slow", "Slower", "Not at all"):
        fox.press(*words, "Enter")
    fox.press("Escape")
    return {"question": "How fast?", "answer": "Fast", "wrong": ["Slow", "Slower", "Not at all"]}


def one_class(fox: Any) -> Response:
    fox.press("2")
    return {"classes": ["oversight"]}


WAYS: dict[str, Callable[[Any], Response]] = {
    "Human evaluation: full video": second_option,
    "Human evaluation: 16 frames": second_option,
    "Verification": verdicts,
    "Localization": segment,
    "Frame picking": third_frame,
    "Screening": rejection,
    "Object check": objects,
    "Question review": discarded,
    "Question writing": question,
    "Failure tagging": one_class,
}


def alike(stored: Any, meant: Any) -> bool:
    """Whether what is stored has what was meant; times as they are shown, within 1 ms."""
    match meant:
        case dict():
            return all(alike(stored[name], part) for name, part in meant.items())
        case [dict(), *_]:
            return len(stored) == len(meant) and all(map(alike, stored, meant))
        case float():
            return abs(stored - meant) < 0.001
        case _:
            return stored == meant


@pytest.mark.parametrize("task", WAYS)
def test_an_item_is_answered_in_firefox_by_keyboard_alone(
    task: str, standing_demo: Any, firefox: Any, in_firefox: Callable[..., int]
):
    number = in_firefox(standing_demo, task)
    ready = "desk.dataset.ready === '1' && desk.querySelector('dialog') !== null"
    wait_until(lambda: firefox.desk(ready), "the desk", 60)
    firefox.press("Enter")
    wait_until(lambda: firefox.desk("desk.querySelector('dialog') === null"), "no dialog")
    item = int(firefox.desk("desk.dataset.item"))
    meant = WAYS[task](firefox)
    submit = "!desk.querySelector('.submit').disabled"
    wait_until(lambda: firefox.desk(submit), "a complete answer")
    firefox.press("Enter")
    rows = wait_until(
        lambda: standing_demo.workspace().store.rows(
            "SELECT a.response, a.shown FROM current_annotation a JOIN item i ON i.id = a.item_id"
            " JOIN annotator p ON p.id = a.annotator_id"
            " WHERE a.item_id = ? AND i.task_id = ? AND p.name = ?",
            [item, number, f"Fox at {task}"],
        ),
        "the answer in the database",
    )
    stored = json.loads(rows[0]["response"])
    if "place" in meant:
        meant = {"choice": json.loads(rows[0]["shown"])["option_order"][meant["place"]]}
    assert alike(stored, meant), (stored, meant)
    gone, said = f"desk.dataset.item !== '{item}'", "desk.querySelector('.feedback') !== null"
    wait_until(lambda: firefox.desk(f"{gone} || {said}"), "the next item, or what is said of this")
    if firefox.desk(said):
        firefox.press("Enter")
    wait_until(lambda: firefox.desk(gone), "the next item")
