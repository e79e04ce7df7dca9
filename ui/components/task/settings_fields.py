"""Fields for a task kind's settings, made of the defaults that the kind itself gives."""

import json
from typing import Any, cast

import streamlit as st

from core.refusal import Refusal
from ui.components.task.lists import entries_table

FieldValues = dict[str, Any]


def settings_fields(kind: str, defaults: dict[str, Any]) -> FieldValues:
    """What stands in the fields; `read_settings` turns it into settings.

    Short ones beside each other, lists of entries below as tables, other ones as text.
    """
    values: FieldValues = {}
    short = [(name, value) for name, value in defaults.items() if not _is_long(value)]
    width = max(1, min(3, len(short)))
    for begin in range(0, len(short), width):
        columns = st.columns(width, vertical_alignment="bottom")
        for column, (name, value) in zip(columns, short[begin : begin + width], strict=False):
            with column:
                values[name] = _short(f"new-{kind}-{name}", name, value)
    for name, value in defaults.items():
        if _is_long(value):
            values[name] = _long(f"new-{kind}-{name}", name, value)
    return values


def read_settings(values: FieldValues, defaults: dict[str, Any]) -> dict[str, Any]:
    """Settings as the kind takes them.

    Raises:
        ValueError: for a list or table that is not written as one; says which.
    """
    return {name: _read(name, value, defaults[name]) for name, value in values.items()}


def _is_long(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list)
        and any(isinstance(element, str | dict | list) for element in cast("list[object]", value))
    )


def _is_lines(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(element, str) for element in cast("list[object]", value)
    )


def _is_entries(value: object) -> bool:
    """Whether a list holds entries of one shape, such as reasons: id, label and more words."""
    entries = cast("list[object]", value) if isinstance(value, list) else []
    shapes = {tuple(cast("dict[str, object]", e)) if isinstance(e, dict) else () for e in entries}
    return len(shapes) == 1 and {"id", "label"} <= set(*shapes)


def _short(key: str, name: str, value: object) -> str | bool | int | float:
    label = _label(name)
    match value:
        case bool():
            return st.toggle(label, value, key=key, persist_state="session")
        case int():
            return int(
                st.number_input(label, value=value, step=1, key=key, persist_state="session")
            )
        case float():
            return float(st.number_input(label, value=value, key=key, persist_state="session"))
        case None:
            shown = ""
        case str():
            shown = value
        case _:
            shown = json.dumps(value)
    return st.text_input(label, shown, key=key, persist_state="session")


def _long(key: str, name: str, value: object) -> str | list[dict[str, str]]:
    if _is_entries(value):
        st.caption(_label(name))
        return entries_table(key, cast("list[dict[str, str]]", value))
    if _is_lines(value):
        lines = cast("list[str]", value)
        return st.text_area(
            f"{_label(name)}, one a line", "\n".join(lines), height=110, key=key,
            persist_state="session",
        )  # fmt: skip
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return st.text_area(
        f"{_label(name)} (JSON)", text, height=140, key=key, persist_state="session"
    )


def _label(name: str) -> str:
    label = name
    if name.endswith("_s") and not name.endswith("_per_s"):
        label = f"{name.removesuffix('_s')} (s)"
    label = label.replace("_", " ")
    return label[:1].upper() + label[1:]


def _read(name: str, value: Any, default: object) -> Any:
    if not isinstance(value, str) or isinstance(default, str):
        return value.strip() if isinstance(value, str) else value
    if _is_lines(default):
        return [line.strip() for line in value.splitlines() if line.strip()]
    if not value.strip():
        return default
    try:
        return json.loads(value)
    except ValueError as error:
        if default is None:
            return value.strip()
        raise Refusal(f"{_label(name)}: not valid JSON: {error}.") from error
