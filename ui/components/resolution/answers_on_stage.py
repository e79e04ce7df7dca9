"""What stands on the stage of a disagreement: whose segments and frames, keys, the answer form."""

from typing import Any

from annotations.adjudication.answers_side_by_side import AnswersSideBySide
from annotations.adjudication.resolution import Resolution
from ui.components.resolution.answers_drawn import rows_of
from ui.components.resolution.decision_form import field_name, outcomes
from ui.components.resolution.decision_record import sign_name
from ui.form import form

RULE = "By the rule"
NEXT, PREVIOUS = "disagreements-next", "disagreements-previous"
MOST_DIGITS = 9


def lanes(table: AnswersSideBySide, names: list[str]) -> list[dict[str, Any]]:
    """A line of segments for each person, and one for what they conclude; [] without segments."""
    if table.windows is None:
        return []
    lines = [*zip(names, table.windows, strict=True), (RULE, table.decided_windows)]
    return [
        {"label": label, "spans": [{"start": start, "end": end} for start, end in windows]}
        for label, windows in lines
    ]


def picks(table: AnswersSideBySide, names: list[str]) -> list[dict[str, Any]]:
    """The frame that each person picked, with whose it is; [] where none is picked."""
    return [
        {"frame": frame, "label": name}
        for row in rows_of(table)
        for frame, name in zip(row.frames, names, strict=False)
        if frame is not None
    ]


def page_keys(
    table: AnswersSideBySide, seen: int, standing: Resolution | None
) -> list[dict[str, Any]]:
    """The keys of the page: what they mean, and the button or option that they press."""
    keys: list[dict[str, Any]] = [
        _key("N", "Next disagreement", NEXT),
        _key("B", "The one before", PREVIOUS),
    ]
    if standing is not None:
        return [*keys, _key("Ctrl+Enter", "Sign as well", sign_name(table.item.id, standing))]
    radio = field_name("outcome", table, seen)
    for number in range(min(MOST_DIGITS, len(outcomes(table)))):
        keys.append(_key(str(number + 1), "Choose what holds", radio, number))
    return [*keys, _key("Ctrl+Enter", "Decide and sign", field_name("sign", table, seen))]


def _key(key: str, words: str, at: str, nth: int = 0) -> dict[str, Any]:
    return {"key": key, "words": words, "at": f"st-key-{at}", "nth": nth}


def answer_form(table: AnswersSideBySide) -> dict[str, Any]:
    """The task's own form, in which an author gives another answer."""
    form_of_task = form(table.task.kind, table.task.settings)
    return {"form": form_of_task, "values": table.content.values}
