"""Answers to one item side by side, part by part, as the task's own form asks for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

Fields = Sequence[Mapping[str, Any]]
NOTHING = "–"


@dataclass(frozen=True)
class AnswerRow:
    """One part of the answers.

    Attributes:
        label: what was asked.
        cells: each person's answer to it, '' where there is none.
        frames: the frame that each person picked, None where there is none; () for other parts.
    """

    label: str
    cells: tuple[str, ...]
    frames: tuple[int | None, ...] = ()

    @property
    def differ(self) -> bool:
        """Whether not all say the same."""
        return len(set(self.cells)) > 1


def answer_rows(
    fields: Fields, values: Mapping[str, Any], responses: Sequence[Mapping[str, Any]]
) -> list[AnswerRow]:
    """A row for each part that somebody answered, in the order of the form.

    Args:
        fields: as `ui.form.form` gives them.
        values: those of the item's content.
        responses: as they are stored.
    """
    rows: list[AnswerRow] = []
    for field in fields:
        parts = [response.get(str(field.get("name"))) for response in responses]
        if any(part not in (None, "", [], {}) for part in parts):
            rows += _rows(field, values, parts)
    return rows


def _rows(
    field: Mapping[str, Any], values: Mapping[str, Any], parts: Sequence[Any]
) -> list[AnswerRow]:
    label = str(field.get("label") or values.get(str(field.get("label_from"))) or field["name"])
    match field["type"]:
        case "each":
            return _each(field, values, parts)
        case "segments":
            return _segments(field, values, parts)
        case "checklist":
            return _checklist(field, values, parts)
        case "options_edit":
            return _options(field, values, parts)
        case "frame":
            frames = tuple(None if part is None else int(part) for part in parts)
            words = ("" if frame is None else f"frame {frame + 1}" for frame in frames)
            return [AnswerRow(label, tuple(words), frames)]
        case "choice" | "choices":
            names = _option_names(field, values)
            return [AnswerRow(label, tuple(_named(part, names) for part in parts))]
        case _:
            return [AnswerRow(label, tuple(_text(part) for part in parts))]


def _each(
    field: Mapping[str, Any], values: Mapping[str, Any], parts: Sequence[Any]
) -> list[AnswerRow]:
    rows: list[AnswerRow] = []
    for entry in cast("list[dict[str, Any]]", values.get(field["of"], [])):
        answers = [_dict(part).get(str(entry["id"]), {}) for part in parts]
        name = str(entry.get("label") or entry["id"])
        for row in answer_rows(field["fields"], {**values, **entry}, answers):
            first = row.label == str(field["fields"][0].get("label"))
            label = name if first else f"{name}: {row.label}"
            rows.append(AnswerRow(label, row.cells, row.frames))
    return rows


def _segments(
    field: Mapping[str, Any], values: Mapping[str, Any], parts: Sequence[Any]
) -> list[AnswerRow]:
    cards = [[_dict(card) for card in _list(part)] for part in parts]
    rows: list[AnswerRow] = []
    for number in range(max(map(len, cards))):
        nth: list[dict[str, Any]] = [
            person[number] if number < len(person) else {} for person in cards
        ]
        spans = tuple(f"{card['start']:.3f} – {card['end']:.3f} s" if card else "" for card in nth)
        rows.append(AnswerRow(f"Segment {number + 1}", spans))
        rows += answer_rows(field.get("fields", ()), values, nth)
    return rows


def _checklist(
    field: Mapping[str, Any], values: Mapping[str, Any], parts: Sequence[Any]
) -> list[AnswerRow]:
    names = {option["value"]: str(option["text"]) for option in field["second_options"]}
    rows: list[AnswerRow] = []
    for entry in cast("list[dict[str, Any]]", values.get(field["items_from"], [])):
        cells: list[str] = []
        for part in map(_dict, parts):
            label = _dict(part.get("classes")).get(entry["id"], "")
            cells.append(
                "seen" if entry["id"] in _list(part.get("ticked")) else _named(label, names)
            )
        rows.append(AnswerRow(str(entry.get("label") or entry["id"]), tuple(cells)))
    return rows


def _options(
    field: Mapping[str, Any], values: Mapping[str, Any], parts: Sequence[Any]
) -> list[AnswerRow]:
    rows: list[AnswerRow] = []
    for number, option in enumerate(_list(values.get(field["options_from"])), start=1):
        option_id = str(option.get("id", option.get("value")))
        cells: list[str] = []
        for part in map(_dict, parts):
            text = _dict(part.get("texts")).get(option_id, option["text"])
            if str(part.get("key")) == option_id:
                cells.append(f"key: {text}")
            else:
                kept = option_id in map(str, _list(part.get("kept")))
                cells.append(f"kept: {text}" if kept else "left out" if part else "")
        rows.append(AnswerRow(f"Option {number}: {option['text']}", tuple(cells)))
    return rows


def _option_names(field: Mapping[str, Any], values: Mapping[str, Any]) -> dict[Any, str]:
    options = field.get("options") or _list(values.get(str(field.get("options_from"))))
    return {
        option.get("value", option.get("id")): str(option.get("text") or option.get("label"))
        for option in options
    }


def _named(part: Any, names: Mapping[Any, str]) -> str:
    if isinstance(part, list):
        return ", ".join(_named(entry, names) for entry in cast("list[Any]", part))
    return names.get(part, _text(part))


def _text(part: Any) -> str:
    if isinstance(part, list):
        return ", ".join(map(_text, cast("list[Any]", part)))
    return "" if part is None else f"{part:g}" if isinstance(part, float) else str(part)


def _dict(part: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", part) if isinstance(part, dict) else {}


def _list(part: Any) -> list[Any]:
    return cast("list[Any]", part) if isinstance(part, list) else []
