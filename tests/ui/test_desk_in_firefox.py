"""Every kind of task at the desk in Firefox, by keyboard and by mouse, and what was stored."""

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


# By mouse, keys write words alone. A place in a list is counted from 0.
def nth(selector: str, place: int = 0) -> str:
    return f"[...desk.querySelectorAll({selector!r})].at({place})"


def click_option(fox: Any, place: int, within: str = ".form") -> None:
    """Click an option, and wait until it is chosen."""
    option = nth(f"{within} .option", place)
    fox.click(option)
    wait_until(lambda: fox.desk(f"{option}.ariaChecked === 'true'"), "the choice")


def write(fox: Any, place: int, words: str, within: str = ".form") -> None:
    field = nth(f"{within} textarea", place)
    fox.click(field)
    wait_until(lambda: fox.desk(f"{field} === {field}.getRootNode().activeElement"), "the cursor")
    fox.press(*words)


def option_clicked(fox: Any) -> Response:
    place = json.loads(fox.desk(f"{nth('.option', 1)}.dataset.value"))
    click_option(fox, 1)
    return {"place": int(place.removeprefix("p"))}


def verdicts_clicked(fox: Any) -> Response:
    clips = fox.desk("desk.querySelectorAll('.each > .entry').length")
    for i in range(clips):
        if i:
            fox.click(nth(".each > .entry .entry-title", i))
        opened = f"{nth('.each > .entry', i)}.matches('.open')"
        wait_until(lambda opened=opened: fox.desk(opened), "the next clip")
        click_option(fox, 1, ".entry.open")
    options = fox.desk("desk.querySelectorAll('.form .option').length")
    click_option(fox, options - 6)
    click_option(fox, options - 1)
    verdict = {"verdict": "maybe", "other_sport": ""}
    said = {str(i + 1): verdict for i in range(clips)}
    return {"clips": said, "from_description": "yes", "from_video": "not sure"}


def segment_drawn(fox: Any) -> Response:
    click_option(fox, 0)
    x, y = fox.middle(nth(".timeline .lane"))
    width = fox.desk(f"{nth('.timeline .lane')}.getBoundingClientRect().width")
    fox.drag((x - 0.3 * width, y), (x - 0.1 * width, y), (x, y))
    wait_until(lambda: fox.desk("desk.querySelectorAll('.bars .span').length") == 1, "a segment")
    for place, words in enumerate(("the red one", "none", "it rests")):
        write(fox, place, words, ".card")
    edges = fox.desk("[...desk.querySelectorAll('.edge-time')].map((one) => one.textContent)")
    start, end = (float(edge.split()[0]) for edge in edges)
    card = {"who": "the red one", "before": "none", "after": "it rests", "which": ""}
    return {"happens": "happens", "cards": [{"start": start, "end": end, **card}]}


def frame_clicked(fox: Any) -> Response:
    fox.click(nth(".tile", 4))
    frame = "desk.querySelector('.picked.given') && desk.querySelector('.steps').dataset.frame"
    return {"frame": int(wait_until(lambda: fox.desk(frame), "the frame"))}


def rejection_clicked(fox: Any) -> Response:
    click_option(fox, 1)
    click_option(fox, 2)
    return {"verdict": "reject", "reasons": ["no_animal"]}


def objects_clicked(fox: Any) -> Response:
    texts = "[...desk.querySelectorAll('.checklist .options')[0].querySelectorAll('.text')]"
    names = fox.desk(f"{texts}.map((one) => one.textContent)")
    for place in range(len(names)):
        click_option(fox, place, ".checklist")
    return {"objects": {"ticked": names, "classes": {}}}


def discard_clicked(fox: Any) -> Response:
    click_option(fox, 1)
    return {"verdict": "discard"}


def question_written(fox: Any) -> Response:
    click_option(fox, 2)
    write(fox, 0, "How fast?")
    write(fox, 1, "Fast")
    write(fox, 2, "Slow")
    for words in ("Slower", "Not at all"):
        fox.press("Enter", *words)
    return {"question": "How fast?", "answer": "Fast", "wrong": ["Slow", "Slower", "Not at all"]}


def class_clicked(fox: Any) -> Response:
    click_option(fox, 1)
    return {"classes": ["oversight"]}


BY_MOUSE: dict[str, Callable[[Any], Response]] = {
    "Human evaluation: 16 frames": option_clicked,
    "Verification": verdicts_clicked,
    "Localization": segment_drawn,
    "Frame picking": frame_clicked,
    "Screening": rejection_clicked,
    "Object check": objects_clicked,
    "Question review": discard_clicked,
    "Question writing": question_written,
    "Failure tagging": class_clicked,
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


@pytest.mark.parametrize(
    ("hand", "task"),
    [*(("keyboard", task) for task in WAYS), *(("mouse", task) for task in BY_MOUSE)],
)
def test_an_item_is_answered_in_firefox_by_one_hand_alone(
    hand: str, task: str, standing_demo: Any, firefox: Any, in_firefox: Callable[..., int]
):
    way = (WAYS if hand == "keyboard" else BY_MOUSE)[task]
    name = f"Fox at {task} by {hand}"
    number = in_firefox(standing_demo, task, name)
    ready = "desk.dataset.ready === '1' && desk.querySelector('dialog') !== null"
    wait_until(lambda: firefox.desk(ready), "the desk", 60)
    firefox.press("Enter")
    wait_until(lambda: firefox.desk("desk.querySelector('dialog') === null"), "no dialog")
    item = int(firefox.desk("desk.dataset.item"))
    meant = way(firefox)
    submit = "!desk.querySelector('.submit').disabled"
    wait_until(lambda: firefox.desk(submit), "a complete answer")

    def go_on(button: str) -> None:
        firefox.press("Enter") if hand == "keyboard" else firefox.click(nth(button))

    go_on(".submit")
    rows = wait_until(
        lambda: standing_demo.workspace().store.rows(
            "SELECT a.response, a.shown FROM current_annotation a JOIN item i ON i.id = a.item_id"
            " JOIN annotator p ON p.id = a.annotator_id"
            " WHERE a.item_id = ? AND i.task_id = ? AND p.name = ?",
            [item, number, name],
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
        go_on(".feedback .solid")
    wait_until(lambda: firefox.desk(gone), "the next item")
