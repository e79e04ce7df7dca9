"""Multi-frame gain, frame order sensitivity and frame information disparity of every model."""

from collections.abc import Sequence

import streamlit as st

from annotations.shortcut.shortcut_metrics import (
    METRICS,
    Gain,
    average_gain,
    gains,
    many_conditions,
)
from ui.components.downloads import take_table
from ui.components.largest_groups import drawn_of_groups, of_largest_groups
from ui.components.runs.asked import Asked, draw_chart
from ui.components.runs.gain_panels import Bar, gain_panels
from ui.components.runs.words import percent
from ui.components.tables import show_table
from ui.components.words import plain

_SAID = {
    "multi-frame gain": "Near 0, one random frame would do.",
    "multi-frame gain, handpicked": "Near 0, one well chosen frame would do.",
    "frame order sensitivity": "Near 0, the order of frames does not matter.",
    "frame information disparity": "Near 0, every frame tells as much as the best one.",
}


def draw(asked: Asked) -> None:
    """Draw the four metrics of all models, then one of them by category."""
    several = many_conditions(asked.snapshot)
    if not several:
        st.info(
            "No run saw several frames in order or the full video. The shortcut metrics compare "
            "such runs with one frame and with shuffled frames.",
            icon=":material/shuffle:",
        )
        return
    many = st.segmented_control(
        "Several frames in order", several, default=several[0], required=True, key="runs many"
    )
    rows_of = {
        metric: gains(asked.snapshot, metric, many, asked.which, asked.resample)
        for metric in METRICS
    }
    every = [row for rows in rows_of.values() for row in rows]
    known = [metric for metric, rows in rows_of.items() if _defined(rows)]
    if not known:
        st.info(
            f"Nothing to compare with {many} yet: {_reasons(every)}.", icon=":material/shuffle:"
        )
        return
    bars = [
        Bar(row.model, metric.capitalize(), row.estimate)
        for metric in known
        for row in _of_models_with_a_value(rows_of[metric], every)
    ]
    draw_chart(gain_panels(bars, asked.palette), "chart gains")
    for metric, rows in rows_of.items():
        if metric not in known:
            st.caption(f"No {metric}: {_reasons(rows)}.")
    st.caption(
        "A gain of 50 % means half as many right again. Each compares two conditions on the "
        "questions that a model, or people, answered under both; intervals hold 95 %."
    )
    means = [
        average_gain(asked.snapshot, metric, many, asked.which, asked.resample)
        for metric in METRICS
    ]
    columns = _columns([*every, *means])
    show_table(columns, formats=dict.fromkeys(_DECIMALS, "%.1f"))
    take_table(f"shortcut metrics, {many}", columns)
    _by_category(asked, many)


def _by_category(asked: Asked, many: str) -> None:
    st.subheader("By category")
    metric = st.segmented_control(
        "Metric", list(METRICS), default="frame order sensitivity", required=True,
        key="runs metric", label_visibility="collapsed", format_func=str.capitalize,
    )  # fmt: skip
    rows = gains(asked.snapshot, metric, many, asked.which, asked.resample, by="category")
    known = _defined(rows)
    if not known:
        st.caption(f"Undefined everywhere: {_reasons(rows)}.")
        return
    groups = list(dict.fromkeys(row.group for row in of_largest_groups(known)))
    for start in range(0, len(groups), 3):
        part = groups[start : start + 3]
        bars = [
            Bar(row.model, row.group, row.estimate)
            for row in _of_models_with_a_value(rows, rows)
            if row.group in part
        ]
        draw_chart(gain_panels(bars, asked.palette), f"chart gains {start}")
    st.caption(f"{_SAID[metric]} {drawn_of_groups(known)}")
    columns = _columns(rows)
    show_table(columns, formats=dict.fromkeys(_DECIMALS, "%.1f"))
    take_table(f"{metric} by category, {many}", columns)


def _defined(rows: Sequence[Gain]) -> list[Gain]:
    return [row for row in rows if row.estimate.value is not None]


def _of_models_with_a_value(rows: Sequence[Gain], every: Sequence[Gain]) -> list[Gain]:
    """The rows of models, or people, of whom anything is known; the table has the others."""
    models = {row.model for row in _defined(every)}
    return [row for row in rows if row.model in models]


def _reasons(rows: Sequence[Gain]) -> str:
    return plain("; ".join(dict.fromkeys(row.estimate.reason for row in rows)))


_DECIMALS = ("Gain %", "Low", "High", "Above %", "Below %")


def _columns(rows: Sequence[Gain]) -> dict[str, list[object]]:
    columns: dict[str, list[object]] = {
        "Metric": [row.metric for row in rows],
        "Category": [row.group for row in rows],
        "Model": [row.model for row in rows],
        "Gain %": [percent(row.estimate.value) for row in rows],
        "Low": [percent(row.estimate.bounds[0]) for row in rows],
        "High": [percent(row.estimate.bounds[1]) for row in rows],
        "Above": [row.above for row in rows],
        "Above %": [percent(row.high) for row in rows],
        "Below": [row.below for row in rows],
        "Below %": [percent(row.low) for row in rows],
        "Questions": [row.questions for row in rows],
        "Note": [row.estimate.reason for row in rows],
    }
    if len(set(columns["Category"])) == 1:
        del columns["Category"]
    return columns
