"""Values of a form's fields as they come in: each is checked by its type."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from annotations.form.declaration import (
    CHOICE,
    CHOICES,
    CLIP,
    FRAME,
    SCALE,
    SEGMENTS,
    TEXT,
    FormField,
)
from annotations.reading.responses import cards, number, text
from annotations.video.frame_clock import clock_of
from core.refusal import Refusal

MOST_SEGMENTS = 20

Facts = Mapping[str, Any]
Reader = Callable[[dict[str, Any], FormField, Facts], Any]


def check_values(
    response: dict[str, Any], fields: Sequence[FormField], facts: Facts
) -> dict[str, Any]:
    """The value of each field as it is stored; a field that is left open has none.

    Args:
        response: what came in, by field name; other names are left out.
        fields: of the form.
        facts: what was shown: 'clips' that may be chosen, and the 'clock' with the frames that may
            be picked, and at which a segment may begin and end.

    Raises:
        Refusal: for a value that is not allowed, or none where one is needed.
    """
    values: dict[str, Any] = {}
    for field in fields:
        value = _READERS[field.type](response, field, facts)
        if value in (None, "", []):
            if field.required:
                raise Refusal(f"{field.label}: nothing is answered yet.")
            continue
        values[field.name] = value
    return values


def _choice(response: dict[str, Any], field: FormField, facts: Facts) -> str | None:
    del facts
    return _among(response.get(field.name), field.options, field)


def _choices(response: dict[str, Any], field: FormField, facts: Facts) -> list[str]:
    """The chosen options in the order of the form."""
    del facts
    sent: object = response.get(field.name) or []
    if not isinstance(sent, list):
        raise Refusal(f"{field.label}: {sent!r} is no list of options.")
    chosen = [_among(value, field.options, field) for value in cast("list[object]", sent)]
    return [option for option in field.options if option in chosen]


def _scale(response: dict[str, Any], field: FormField, facts: Facts) -> int | None:
    del facts
    value = response.get(field.name)
    if isinstance(value, str) and value.strip().lstrip("+-").isdigit():
        value = int(value)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value not in field.steps:
        raise Refusal(f"{field.label}: {value!r} is no step from {field.low} to {field.high}.")
    return value


def _text(response: dict[str, Any], field: FormField, facts: Facts) -> str:
    del facts
    return text(response, field.name, field.label)


def _frame(response: dict[str, Any], field: FormField, facts: Facts) -> int | None:
    value = response.get(field.name)
    if value is None:
        return None
    clock = clock_of(facts["clock"])
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not clock.first <= value <= clock.last:
        raise Refusal(f"{field.label}: {value!r} is no frame of this clip.")
    return value


def _clip(response: dict[str, Any], field: FormField, facts: Facts) -> str | None:
    return _among(response.get(field.name), facts["clips"], field)


def _segments(response: dict[str, Any], field: FormField, facts: Facts) -> list[list[float]]:
    """Segments as [start, end] in s, at exact time stamps of frames, in order of time."""
    sent = cards(response, field.name)
    if len(sent) > MOST_SEGMENTS:
        raise Refusal(f"{field.label}: {len(sent)} segments; at most {MOST_SEGMENTS} are kept.")
    clock = clock_of(facts["clock"])
    spans: list[list[float]] = []
    for count, card in enumerate(sent, start=1):
        name = f"{field.label}, segment {count}"
        start, end = (number(card, edge, f"{name}: the {edge}") for edge in ("start", "end"))
        if end <= start:
            raise Refusal(f"{name} ends at {end:.3f} s, not after its start at {start:.3f} s.")
        spans.append([round(clock.start(start), 6), round(clock.end(end), 6)])
    return sorted(spans)


def _among(value: object, allowed: Sequence[str], field: FormField) -> str | None:
    """The option that a value is, told by its text; None for no value."""
    if value in (None, ""):
        return None
    folded = {_folded(option): option for option in allowed}
    option = folded.get(_folded(value)) if isinstance(value, str) else None
    if option is None:
        raise Refusal(
            f"{field.label}: {value!r} is no answer. Choose one of: {', '.join(allowed)}."
        )
    return option


def _folded(value: str) -> str:
    return " ".join(unicodedata.normalize("NFC", value).casefold().split())


_READERS: dict[str, Reader] = {
    CHOICE: _choice, CHOICES: _choices, SCALE: _scale, TEXT: _text, FRAME: _frame, CLIP: _clip,
    SEGMENTS: _segments,
}  # fmt: skip
