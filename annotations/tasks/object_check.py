"""Object check: which of the objects that a model listed are seen in a frame (UTD 4.2, C.3)."""

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, cast

from annotations.decision import Decision, majority, majority_settled
from annotations.reading import checks
from annotations.reading.records import Fault
from annotations.reading.responses import text
from annotations.record.item import Item
from annotations.record.stage import Content, Grid
from annotations.task import ItemDraft, Shown
from annotations.task_parts import Summary
from annotations.task_settings import completed, in_range
from annotations.video.clips_in_rows import Videos, refuse_doubles, row_named, text_of
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
    videos, drafts = Videos(workspace), list[ItemDraft]()
    for number, row in enumerate(rows or [], start=1):
        with row_named(number):
            drafts.append(_draft(workspace, videos, row, settings["most_objects"]))
    refuse_doubles((draft.uid for draft in drafts), "Give each row an 'id' of its own.")
    return drafts


def _draft(
    workspace: Workspace, videos: Videos, row: dict[str, Any], most_objects: int
) -> ItemDraft:
    video = videos.find(row.get("video"))
    frame = _frame(row, workspace.media.frame_table(video.sha256).times, videos.duration_s(video))
    source = text_of(row, "source")
    uid = text_of(row, "id") or " ".join(filter(None, (f"{video.name}#{frame}", source)))
    return ItemDraft(
        f"frame:{uid}",
        video_id=video.id,
        payload={
            "video": video.sha256,
            "name": video.name,
            "frame": frame,
            "objects": _objects(row.get("objects"), most_objects),
            "source": source,
        },
    )


def _frame(row: dict[str, Any], times: Sequence[float], duration_s: float) -> int:
    """Index of the frame that a row names, or that is on the screen at the time it names."""
    value = row.get("frame")
    if value not in (None, ""):
        index = int(value) if re.fullmatch(r"\d{1,9}", str(value)) else -1
        if not 0 <= index < len(times):
            raise Fault(
                "no such frame", column="frame", value=value, allowed=f"0 to {len(times) - 1}",
                todo="Frames count from 0.",
            )  # fmt: skip
        return index
    time_s = checks.read_seconds(row.get("time"), "time")
    if time_s is None:
        raise Fault("lacking", column="frame", allowed="'frame' from 0, or 'time' in s")
    if time_s >= duration_s:
        raise Fault(
            "beyond the video", column="time", value=time_s,
            allowed=f"0 to before {duration_s:.3f} s", todo="Correct the time, or the video.",
        )  # fmt: skip
    return max(0, bisect_right(times, time_s + 1e-6) - 1)


def _objects(value: object, most_objects: int) -> list[str]:
    """The objects: a list, a JSON list, or a text with ; , | or lines between them."""
    names = cast("list[object]", _like(_listed(value) if isinstance(value, str) else value, []))
    objects = [checks.read_text(name, "objects") for name in names]
    if not 1 <= len(objects) <= most_objects or not all(objects):
        raise Fault(
            f"{len(objects)} objects" if objects else "no list of objects", column="objects",
            value=value, allowed=f'1 to {most_objects} names, such as ["dog", "red ball"]',
        )  # fmt: skip
    counts = Counter(name.casefold() for name in objects)
    twice = next((name for name in objects if counts[name.casefold()] > 1), None)
    if twice is not None:
        raise Fault(
            "listed twice", column="objects", value=twice, allowed="every object once",
            todo="Leave one of them out.",
        )  # fmt: skip
    return objects


def _listed(value: str) -> object:
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            return value
    return [name.strip() for name in re.split(r"[;,|\n]", value) if name.strip()]


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
    named = cast("list[Any]", _like(parts.get("ticked"), []))
    classed = cast("dict[str, Any]", _like(parts.get("classes"), {}))
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


def _like(value: object, empty: object) -> object:
    return value if isinstance(value, type(empty)) else empty


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


def feedback(response: dict[str, Any], expected: dict[str, Any]) -> tuple[bool, str]:
    """Whether the right objects are ticked and, where the answer names classes, the class fits."""
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
