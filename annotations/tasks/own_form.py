"""A form of one's own: an author declares the stage and the fields, without programming."""

from collections.abc import Iterable
from typing import Any, cast

from annotations.decision import Decision
from annotations.form import agreement, form_answers, items
from annotations.form.declaration import CLIP, FRAME, SCALE, SEGMENTS, TEXT, FormField, read_fields
from annotations.form.stage import (
    ABOUT,
    CLIPS,
    GRID,
    PLAYER,
    QUESTIONS,
    STAGES,
    VIDEOS,
    clip_facts,
    stage_of,
)
from annotations.form.values import check_values
from annotations.record.item import Item
from annotations.record.stage import Content
from annotations.shown_places import Rename
from annotations.task import ItemDraft, Shown
from annotations.task_settings import completed, in_range
from annotations.workspace import Workspace
from core.question.options import drawn_order
from core.refusal import Refusal

LABEL = "A form of your own"
SCHEMA_VERSION = 1
OVERLAP = 2
SOURCES = ("rows", "videos")

EXAMPLE: list[dict[str, Any]] = [
    {"label": "How well does the description fit?", "name": "quality", "type": "scale",
     "low": 1, "high": 5, "low_label": "not at all", "high_label": "fully"},
    {"label": "Is anything misleading?", "name": "misleading", "type": "choice",
     "options": ["yes", "no"]},
]  # fmt: skip
DEFAULTS: dict[str, Any] = {
    "stage": PLAYER,
    "about": VIDEOS,
    "frames": 16,
    "text": "",
    "fields": EXAMPLE,
    "accept": {},
    "longest_clip_s": 3600.0,
}


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: stage, frames of a grid, the item's text, fields, and what accepts.

    `about` says what items are made of without a file: the workspace's videos or its questions.
    `text` may name columns, such as "Caption: {caption}". `accept` = {"field": name, "values":
    [options]} makes the form a filter: answers with one of these values accept the item.

    Raises:
        ValueError: for a setting or a field that is not allowed.
    """
    whole = completed(settings, DEFAULTS, choices={"stage": STAGES, "about": ABOUT})
    in_range(whole, "frames", 1, 100)
    in_range(whole, "longest_clip_s", 0.1, 7200)
    fields = read_fields(whole["fields"])
    for field in fields:
        _check_stage(field, whole["stage"])
    return {
        **whole,
        "fields": [field.as_setting() for field in fields],
        "accept": _check_accept(whole["accept"], fields),
    }


def _check_stage(field: FormField, stage: str) -> None:
    wanted = {SEGMENTS: (PLAYER,), FRAME: (PLAYER, GRID), CLIP: (CLIPS,)}.get(field.type, STAGES)
    if stage not in wanted:
        raise Refusal(
            f"{field.label}: a field of type {field.type} needs the stage {' or '.join(wanted)}; "
            f"it is {stage}."
        )


def _check_accept(setting: dict[str, Any], fields: tuple[FormField, ...]) -> dict[str, Any]:
    if not setting:
        return {}
    field = next((field for field in fields if field.name == setting.get("field")), None)
    if field is None:
        names = ", ".join(field.name for field in fields)
        raise Refusal(f"Setting accept: field is {setting.get('field')!r}; allowed: {names}.")
    allowed = [*field.options, *map(str, field.steps)] if field.options else [*field.steps]
    sent = setting.get("values")
    values = cast("list[Any]", sent) if isinstance(sent, list) else []
    if not values or not all(value in allowed for value in values):
        raise Refusal(
            f"Setting accept: values is {sent!r}; allowed are some of: "
            f"{', '.join(map(str, allowed))}."
        )
    return {"field": field.name, "values": values}


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each row, or for each video or question of the workspace.

    Raises:
        ValueError: for a row that makes no item.
    """
    if rows is not None:
        return items.from_rows(workspace, settings, rows)
    if settings["about"] == QUESTIONS:
        return items.from_questions(workspace, settings)
    return items.from_videos(workspace, settings)


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """The clips, the frames of a grid, the text, and the fields that are asked.

    Several clips are shown in another order to each person, so that none profits from its place.

    Raises:
        ValueError: if a clip holds no frame.
    """
    payload = item.payload
    clips: list[dict[str, Any]] = payload["clips"]
    facts: dict[str, Any] = {
        "stage": settings["stage"],
        "text": payload["text"],
        "fields": settings["fields"],
        "accept": settings["accept"],
    }
    if settings["stage"] == CLIPS:
        order = drawn_order([clip["id"] for clip in clips], seed)
        facts |= {"clips": [clips[index]["id"] for index in order]}
    elif clips:
        facts |= clip_facts(workspace, clips[0], settings)
    return Shown(facts)


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The stage, and the text that the fields are about."""
    del workspace
    payload, facts = item.payload, shown.facts
    return Content(
        label=item.label,
        stage=stage_of(payload["clips"], facts),
        values={
            "text": facts["text"],
            "clips": [
                {"value": clip, "text": f"Clip {number}"}
                for number, clip in enumerate(facts.get("clips", ()), start=1)
            ],
        },
    )


def options_shown(shown: Shown) -> list[str]:
    """The clips in the order shown: their names may say whose they are."""
    return list(shown.facts.get("clips", ()))


def rename_values(values: dict[str, Any], rename: Rename) -> dict[str, Any]:
    """What the fields are about, with another name for each clip."""
    clips = [{**clip, "value": rename(clip["value"])} for clip in values["clips"]]
    return {**values, "clips": clips}


def rename_response(response: dict[str, Any], shown: Shown, rename: Rename) -> dict[str, Any]:
    """Answers by field with another name for each clip; stored ones come as a desk sends them."""
    fields = {field["name"] for field in shown.facts["fields"] if field["type"] == CLIP}
    stored = "scales" in response and isinstance(response.get("values"), dict)
    flat = _answers(response) if stored else response
    return {name: rename(value) if name in fields else value for name, value in flat.items()}


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """The answers by field: {"values", "texts", "scales"}, with "accepted" for a filter.

    Words stand apart in `texts`, since two people never write the same; `scales` holds the lowest
    and highest step of each scale, without which a step means nothing.

    Raises:
        ValueError: for a value that is not allowed, or none where one is needed.
    """
    facts = shown.facts
    fields = read_fields(facts["fields"])
    values = check_values(response, fields, facts)
    written = {field.name for field in fields if field.type == TEXT}
    checked: dict[str, Any] = {
        "values": {name: value for name, value in values.items() if name not in written},
        "texts": {name: value for name, value in values.items() if name in written},
        "scales": {field.name: [field.low, field.high] for field in fields if field.type == SCALE},
    }
    accept = facts["accept"]
    if accept:
        checked["accepted"] = values.get(accept["field"]) in accept["values"]
    return checked


def _answers(response: dict[str, Any]) -> dict[str, Any]:
    return {**response["values"], **response.get("texts", {})}  # a known answer names what counts


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """Each field concluded by its own rule; the value holds {"values", "accepted"}."""
    decision = agreement.decide(
        read_fields(settings["fields"]), [_answers(response) for response in responses]
    )
    if decision.value is None:
        return decision
    value: dict[str, Any] = {"values": decision.value}
    accept = settings["accept"]
    if accept:
        concluded = decision.value.get(accept["field"])
        value["accepted"] = None if concluded is None else concluded in accept["values"]
    return Decision(value, decision.status, decision.words)


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether every field's conclusion stands whatever comes."""
    fields = read_fields(settings["fields"])
    return agreement.settled(fields, [_answers(response) for response in responses], missing)


known_answer = form_answers.known_answer


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether every known value was given: {"values": {field: value}, "why": words}."""
    why = f" {expected['why']}" if expected.get("why") else ""
    called = {field.name: field.label for field in read_fields(settings["fields"])}
    wrong = [
        f"“{called.get(name, name)}”"
        for name, value in expected["values"].items()
        if agreement.value_distance(_answers(response).get(name), value)
    ]
    return not wrong, (f"Another answer is right: {', '.join(wrong)}.{why}" if wrong
                       else f"Right.{why}")  # fmt: skip


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """The mean over the fields of how far two responses are apart, from 0 to 1; words left out."""
    names = sorted(a["values"].keys() | b["values"].keys())
    scales = {**a["scales"], **b["scales"]}
    apart = [
        agreement.value_distance(a["values"].get(name), b["values"].get(name), scales.get(name))
        for name in names
    ]
    known = [value for value in apart if value is not None]
    return sum(known) / len(known) if known else None


def is_filter(settings: dict[str, Any]) -> bool:
    """Whether the settings say which answer accepts an item."""
    return bool(settings.get("accept"))


def passes(value: dict[str, Any]) -> bool | None:
    """Whether a response, or a decision's value, accepts; None where the group is undecided."""
    return value.get("accepted")


def reasons_given(value: dict[str, Any]) -> tuple[str, ...]:
    """No reasons: a form asks for them in fields of its own."""
    del value
    return ()


def reason_labels(settings: dict[str, Any]) -> dict[str, str]:
    """No reasons."""
    del settings
    return {}


def compared_fields(settings: dict[str, Any]) -> list[tuple[str, str, tuple[int, int] | None]]:
    """Name, label and, of a scale, lowest and highest step of the fields that are no words."""
    return [
        (field.name, field.label, (field.low, field.high) if field.type == SCALE else None)
        for field in read_fields(settings["fields"])
        if field.type != TEXT
    ]


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The answers, field by field."""
    del values
    return "; ".join(
        f"{name.replace('_', ' ')}: {_plain(value)}" for name, value in _answers(response).items()
    )


def _plain(value: Any) -> str:
    if isinstance(value, list):
        entries = cast("list[Any]", value)
        return ", ".join(_plain(entry) for entry in entries) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
