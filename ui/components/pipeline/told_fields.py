"""Fields for an annotator's settings: choices, numbers and texts under the names people use."""

from collections.abc import Sequence

import streamlit as st

from annotations.run.annotator_settings import OPEN, Setting
from ui.components.task.settings_fields import FieldValues

FEW, ABREAST, FINE = 3, 3, 2.0


def told_fields(key: str, settings: Sequence[Setting]) -> FieldValues:
    """What stands in the fields of settings that have words; `read_settings` turns it into them.

    Those that do not count beside what was chosen before them are not shown, and not given. Numbers
    and switches stand beside each other; choices and texts have a row of their own.
    """
    given: FieldValues = {}
    row: list[Setting] = []
    for one in settings:
        if not one.counts(given):
            continue
        if _is_narrow(one):
            row.append(one)
            continue
        given |= _row(key, row)
        row = []
        given[one.name] = _told(key, one)
    return given | _row(key, row)


def _is_narrow(one: Setting) -> bool:
    return one.bounds is not None or isinstance(one.default, bool)


def _row(key: str, settings: Sequence[Setting]) -> FieldValues:
    given: FieldValues = {}
    for begin in range(0, len(settings), ABREAST):
        columns = st.columns(ABREAST, vertical_alignment="bottom")
        for column, one in zip(columns, settings[begin : begin + ABREAST], strict=False):
            with column:
                given[one.name] = _told(key, one)
    return given


def _told(key: str, one: Setting) -> str | bool | int | float | None:
    key = f"{key} {one.name}"
    if one.choices:
        return _choice(key, one)
    if one.bounds is not None:
        return _number(key, one, one.bounds)
    if isinstance(one.default, bool):
        return st.toggle(one.label, one.default, key=key, help=one.help, persist_state="session")
    if one.default == {}:
        return st.text_area(
            f"{one.label} (JSON)", "", height=80, key=key, help=one.help,
            placeholder=one.example or OPEN, persist_state="session",
        )  # fmt: skip
    return st.text_input(
        one.label, str(one.default or ""), key=key, help=one.help, persist_state="session",
        placeholder=f"such as: {one.example}" if one.example else OPEN,
    )  # fmt: skip


def _choice(key: str, one: Setting) -> str:
    values = list(one.choices)
    if one.of_task:  # another task offers others
        key = " ".join((key, *values))
    if len(values) <= FEW:
        chosen = st.segmented_control(
            one.label, values, format_func=one.choices.__getitem__, default=str(one.default),
            required=True, key=key, help=one.help, persist_state="session",
        )  # fmt: skip
        return str(chosen)
    return str(st.selectbox(
        one.label, values, format_func=one.choices.__getitem__, index=values.index(one.default),
        key=key, help=one.help, persist_state="session",
    ))  # fmt: skip


def _number(key: str, one: Setting, bounds: tuple[float, float]) -> int | float | None:
    low, high = bounds
    if isinstance(one.default, int):
        return int(st.number_input(
            one.label, int(low), int(high), one.default, 1, key=key, help=one.help,
            persist_state="session",
        ))  # fmt: skip
    found = st.number_input(
        one.label, float(low), float(high), one.default, 0.01 if high - low <= FINE else 0.5,
        key=key, help=one.help, placeholder=OPEN, persist_state="session",
    )  # fmt: skip
    return None if found is None else float(found)
