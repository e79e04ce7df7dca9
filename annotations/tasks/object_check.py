"""Object check: which of the objects that a model listed are seen in a frame (UTD 4.2, C.3)."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from annotations.decision import Decision, majority, majority_settled
from annotations.reading.responses import text
from annotations.record.item import Item
from annotations.record.stage import Content, Grid
from annotations.task import ItemDraft, Shown
from annotations.task_parts import Summary
from annotations.task_settings import completed, in_range
from annotations.tasks._object_rows import object_draft
from annotations.video.clips_in_rows import Videos, items_of_rows
from annotations.workspace import Workspace
from core.refusal import Refusal

LABEL = "Object check"
SCHEMA_VERSION = 1
OVERLAP = 1
SOURCES = ("rows",)

TICKED = "ticked"
VISIBLE = "visible"
CLASSES = ("attribute_error", "misclassification", "hallucination", VISIBLE, "other")


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: how many objects a row may list.

    Raises:
        ValueError: for a setting that is not allowed.
    """
    completed_settings = completed(settings, {"most_objects": 30})
    in_range(completed_settings, "most_objects", 1, 100)
    return completed_settings


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each row: "video", "frame" or "time", "objects"; "source" names the model.

    Raises:
        ValueError: for a row that is none.
    """
    videos, most_objects = Videos(workspace), settings["most_objects"]
    return items_of_rows(
        rows or [], lambda _, row: object_draft(workspace, videos, row, most_objects)
    )


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """The frame and the objects in the model's order."""
    del settings, seed
    payload = item.payload
    sha256, frame = payload["video"], int(payload["frame"])
    time_s = workspace.media.frame_table(sha256).times[frame]
    return Shown(
        {
            "video": sha256,
            "frames": [frame],
            "times": [round(time_s, 6)],
            "objects": payload["objects"],
        }
    )


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The frame, and the objects to tick; an object's id is its name."""
    del workspace
    facts = shown.facts
    return Content(
        label=item.payload["name"],
        stage=Grid(facts["video"], tuple(facts["frames"]), tuple(facts["times"])),
        values={"objects": [{"id": name, "label": name} for name in facts["objects"]]},
    )


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """What is ticked, and a class for every object that is not.

    Raises:
        ValueError: if a class is lacking, or an object was not listed.
    """
    sent = response.get("objects")
    parts = cast("dict[str, Any]", sent) if isinstance(sent, dict) else {}
    sent_ticks, sent_classes = parts.get("ticked"), parts.get("classes")
    named = cast("list[Any]", sent_ticks) if isinstance(sent_ticks, list) else []
    classed = cast("dict[str, Any]", sent_classes) if isinstance(sent_classes, dict) else {}
    if not named and not classed:
        raise Refusal("Nothing is ticked or classed. Tick what you see in the picture.")
    objects: list[str] = shown.facts["objects"]
    unknown = [name for name in (*named, *classed) if name not in objects]
    if unknown:
        raise Refusal(f"{unknown[0]!r} is not in the list. Reload the page.")
    classes: dict[str, str] = {}
    for name in objects:
        if name in named:
            continue
        label = classed.get(name)
        if label not in CLASSES:
            raise Refusal(f"{name!r} is not ticked: say what is wrong with it.")
        classes[name] = label
    return {
        "objects": {"ticked": [name for name in objects if name in named], "classes": classes},
        "note": text(response, "note", "Remarks"),
    }


def summary(responses: Sequence[dict[str, Any]]) -> Summary | None:
    """The share of objects that are visible, and the rate of hallucination (UTD 4.2)."""
    from annotations.tasks._object_report import report
    from core.statistics.share import wilson

    result = report(label for response in responses for label in labels(response).values())
    if not result.objects:
        return None
    counts = [result.visible, *result.classes.values()]
    return Summary(
        result.words + ".",
        {
            "Class": ["ticked at once", *(name.replace("_", " ") for name in result.classes)],
            "Objects": [*counts],
            "%": [round(100 * count / result.objects, 1) for count in counts],
            "Low": [round(100 * wilson(count, result.objects)[0], 1) for count in counts],
            "High": [round(100 * wilson(count, result.objects)[1], 1) for count in counts],
        },
    )


def labels(response: dict[str, Any]) -> dict[str, str]:
    """What a response says of each object: 'ticked', or its class."""
    objects = response["objects"]
    return {**dict.fromkeys(objects["ticked"], TICKED), **objects.get("classes", {})}


def _votes(responses: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """Votes by object, 'visible' for ticked ones and those that are visible after all."""
    votes: dict[str, list[str]] = {}
    for response in responses:
        for name, label in labels(response).items():
            votes.setdefault(name, []).append(VISIBLE if label == TICKED else label)
    return votes


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """For each object by majority whether it is visible and, if not, what is wrong with it.

    The value is {object: 'visible' or a class}; None for an object on which there is a tie, with
    which the whole is a tie.
    """
    del settings
    by_object = {name: _decide_object(votes) for name, votes in _votes(responses).items()}
    if not by_object:
        return Decision(None, "none", "no votes")
    summary = "; ".join(
        f"{name}: {decision.value or ''} {decision.words}" for name, decision in by_object.items()
    )
    tied = any(decision.value is None for decision in by_object.values())
    value = {name: decision.value for name, decision in by_object.items()}
    return Decision(value, "tie" if tied else "decided", summary.replace(":  ", ": "))


def _decide_object(votes: Sequence[str]) -> Decision:
    seen = majority([vote == VISIBLE for vote in votes])
    if seen.value is None:
        return seen
    if seen.value:
        return Decision(VISIBLE, "decided", seen.words)
    return majority([vote for vote in votes if vote != VISIBLE])


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether every object's class stands whatever comes."""
    del settings
    votes = _votes(responses)
    return missing == 0 or (
        bool(votes) and all(_object_settled(labels, missing) for labels in votes.values())
    )


def _object_settled(votes: Sequence[str], missing: int) -> bool:
    seen = [vote == VISIBLE for vote in votes]
    if not majority_settled(seen, missing):
        return False
    wrong = [vote for vote in votes if vote != VISIBLE]
    return majority(seen).value is True or majority_settled(wrong, missing)


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """What a known answer may hold, see `DeclaresKnown`."""
    del settings
    names: list[str] = payload["objects"]
    objects = {"ticked": names, "classes": dict.fromkeys(names, CLASSES)}
    return {"objects": objects, "note": None, "why": None}


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether the right objects are ticked and, where the answer names classes, the class fits."""
    del settings
    known = expected["objects"]
    answered = labels(response)
    why = f" {expected['why']}" if expected.get("why") else ""
    for name, label in answered.items():
        seen = name in known["ticked"]
        if seen != (label in (TICKED, VISIBLE)):
            return False, f"“{name}” {'can' if seen else 'cannot'} be seen.{why}"
    for name, label in known.get("classes", {}).items():
        if answered.get(name) != label:
            return False, f"“{name}” is not there, right; it is: {label.replace('_', ' ')}.{why}"
    return True, f"Right.{why}"


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """What was seen, what is wrong with the rest, and the remark."""
    del values
    objects = response["objects"]
    seen = ", ".join(objects["ticked"]) or "none of them"
    rest = [f"{name}: {label.replace('_', ' ')}" for name, label in objects["classes"].items()]
    return "; ".join([f"seen: {seen}", *rest, *filter(None, [response["note"]])])


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """Mean over the objects: 1 if only one person sees it, a half if only the class differs."""
    votes, other_votes = _votes([a]), _votes([b])
    if not votes or votes.keys() != other_votes.keys():
        return None
    apart = [_apart(votes[name][0], other_votes[name][0]) for name in votes]
    return sum(apart) / len(apart)


def _apart(label: str, other_label: str) -> float:
    if label == other_label:
        return 0.0
    return 1.0 if VISIBLE in (label, other_label) else 0.5
