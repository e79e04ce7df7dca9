"""Fields for an annotator's settings: choices, numbers and texts under the names people use."""

from collections.abc import Sequence

import streamlit as st

from annotations.run.annotator_settings import OPEN, Setting
from ui.components.task.settings_fields import FieldValues

FEW, ABREAST, FINE = 3, 3, 2.0


def setting_inputs(key: str, settings: Sequence[Setting]) -> FieldValues:
    """Values of the inputs of settings that have a label, for `read_settings`.

    A setting that does not count beside earlier choices is left out. Numbers
    and switches stand beside each other; choices and texts have a row of their own.
    """
    values: FieldValues = {}
    row: list[Setting] = []
    for setting in settings:
        if not setting.counts(values):
            continue
        if _is_narrow(setting):
            row.append(setting)
            continue
        values |= _row(key, row)
        row = []
        values[setting.name] = _input(key, setting)
    return values | _row(key, row)


def _is_narrow(setting: Setting) -> bool:
    return setting.bounds is not None or isinstance(setting.default, bool)


def _row(key: str, settings: Sequence[Setting]) -> FieldValues:
    values: FieldValues = {}
    for begin in range(0, len(settings), ABREAST):
        columns = st.columns(ABREAST, vertical_alignment="bottom")
        for column, setting in zip(columns, settings[begin : begin + ABREAST], strict=False):
            with column:
                values[setting.name] = _input(key, setting)
    return values


def _input(key: str, setting: Setting) -> str | bool | int | float | None:
    key = f"{key} {setting.name}"
    if setting.choices:
        return _choice(key, setting)
    if setting.bounds is not None:
        return _number(key, setting, setting.bounds)
    if isinstance(setting.default, bool):
        return st.toggle(
            setting.label, setting.default, key=key, help=setting.help, persist_state="session"
        )
    if setting.default == {}:
        return st.text_area(
            f"{setting.label} (JSON)", "", height=80, key=key, help=setting.help,
            placeholder=setting.example or OPEN, persist_state="session",
        )  # fmt: skip
    return st.text_input(
        setting.label, str(setting.default or ""), key=key, help=setting.help,
        persist_state="session",
        placeholder=f"such as: {setting.example}" if setting.example else OPEN,
    )  # fmt: skip


def _choice(key: str, setting: Setting) -> str:
    values = list(setting.choices)
    if setting.of_task:  # another task offers others
        key = " ".join((key, *values))
    if len(values) <= FEW:
        chosen = st.segmented_control(
            setting.label, values, format_func=setting.choices.__getitem__,
            default=str(setting.default), required=True, key=key, help=setting.help,
            persist_state="session",
        )  # fmt: skip
        return str(chosen)
    return str(st.selectbox(
        setting.label, values, format_func=setting.choices.__getitem__,
        index=values.index(setting.default), key=key, help=setting.help, persist_state="session",
    ))  # fmt: skip


def _number(key: str, setting: Setting, bounds: tuple[float, float]) -> int | float | None:
    low, high = bounds
    if isinstance(setting.default, int):
        return int(st.number_input(
            setting.label, int(low), int(high), setting.default, 1, key=key, help=setting.help,
            persist_state="session",
        ))  # fmt: skip
    number = st.number_input(
        setting.label, float(low), float(high), setting.default,
        0.01 if high - low <= FINE else 0.5, key=key, help=setting.help,
        placeholder=OPEN, persist_state="session",
    )  # fmt: skip
    return None if number is None else float(number)
