"""Fields for a task kind's settings, made of the defaults that the kind itself gives."""

import json
from typing import Any, cast

import streamlit as st

from core.refusal import Refusal
from ui.components.task.lists import entries_table
from ui.form import SettingField, setting_fields

FieldValues = dict[str, Any]


def settings_fields(kind: str, defaults: dict[str, Any]) -> FieldValues:
    """What stands in the fields; `read_settings` turns it into settings.

    Short ones beside each other, lists of entries below as tables, other ones as text.
    """
    values: FieldValues = {}
    asked = {name: _asked(kind, name) for name in defaults}
    short = [(name, value) for name, value in defaults.items() if not _is_long(value)]
    width = max(1, min(2, len(short)))
    for begin in range(0, len(short), width):
        columns = st.columns(width, vertical_alignment="bottom")
        for column, (name, value) in zip(columns, short[begin : begin + width], strict=False):
            with column:
                values[name] = _short(f"new-{kind}-{name}", asked[name], value)
    for name, value in defaults.items():
        if _is_long(value):
            values[name] = _long(f"new-{kind}-{name}", asked[name], value)
    return values


def read_settings(values: FieldValues, defaults: dict[str, Any]) -> dict[str, Any]:
    """Settings as the kind takes them.

    Raises:
        ValueError: for a list or table that is not written as one; says which.
    """
    return {name: _read(name, value, defaults[name]) for name, value in values.items()}


def _asked(kind: str, name: str) -> SettingField:
    return setting_fields(kind).get(name) or SettingField(_label(name))


def _is_long(value: object) -> bool:
    if not isinstance(value, list):
        return isinstance(value, dict)
    elements = cast("list[object]", value)
    # An empty list waits for words, one a line.
    return not elements or any(isinstance(element, str | dict | list) for element in elements)


def _is_lines(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(element, str) for element in cast("list[object]", value)
    )


def _is_entries(value: object) -> bool:
    """Whether a list holds entries of one shape, such as reasons: id, label and more words."""
    entries = cast("list[object]", value) if isinstance(value, list) else []
    shapes = {tuple(cast("dict[str, object]", e)) if isinstance(e, dict) else () for e in entries}
    return len(shapes) == 1 and {"id", "label"} <= set(*shapes)


def _short(key: str, asked: SettingField, value: object) -> str | bool | int | float:
    label, explained = asked.label, asked.help
    if asked.choices is not None:
        names = list(asked.choices)
        return st.selectbox(
            label, names, names.index(str(value)), format_func=asked.choices.__getitem__, key=key,
            help=explained, persist_state="session",
        )  # fmt: skip
    match value:
        case bool():
            return st.toggle(label, value, key=key, help=explained, persist_state="session")
        case int():
            number = st.number_input(
                label, value=value, step=1, key=key, help=explained, persist_state="session"
            )
            return int(number)
        case float():
            number = st.number_input(
                label, value=value, key=key, help=explained, persist_state="session"
            )
            return float(number)
        case None:
            shown = ""
        case str():
            shown = value
        case _:
            shown = json.dumps(value)
    return st.text_input(label, shown, key=key, help=explained, persist_state="session")


def _long(key: str, asked: SettingField, value: object) -> str | list[dict[str, str]]:
    if _is_entries(value):
        st.caption(asked.label)
        return entries_table(key, cast("list[dict[str, str]]", value))
    if _is_lines(value):
        lines = cast("list[str]", value)
        return st.text_area(
            f"{asked.label}, one a line", "\n".join(lines), height=110, key=key, help=asked.help,
            persist_state="session",
        )  # fmt: skip
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return st.text_area(
        f"{asked.label} (JSON)", text, height=140, key=key, help=asked.help, persist_state="session"
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
