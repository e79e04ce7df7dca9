"""People against models by category, tag or duration of the clip."""

from collections.abc import Sequence

import streamlit as st

from annotations.condition import shown_first
from annotations.scoring import human_accuracy
from annotations.scoring.leaderboard import GroupLine, by_group, leaderboard
from annotations.scoring.solved_table import DURATION, PEOPLE, Entry
from ui.components.charts import accuracy_dots
from ui.components.downloads import take_table
from ui.components.largest_groups import drawn_of_groups, of_largest_groups
from ui.components.runs.asked import Asked, draw_chart
from ui.components.runs.choosing import in_words, tags_to_choose
from ui.components.runs.words import percent, short
from ui.components.tables import show_table

_MOST_LANES = 5


def draw(asked: Asked) -> None:
    """Draw the choice of groups and runs, the chart and its table."""
    by_at, condition_at = st.columns([1, 1], vertical_alignment="bottom")
    groups = ["category", DURATION, *tags_to_choose(asked.snapshot)]
    by = by_at.segmented_control(
        "Groups", groups, format_func=in_words, default="category", required=True,
        key="runs groups",
    )  # fmt: skip
    entries = [line.entry for line in leaderboard(asked.snapshot, asked.which, asked.resample)]
    conditions = _conditions(entries)
    condition = condition_at.selectbox("Condition", conditions, key="runs groups condition")
    lanes = _choose_lanes(entries, condition)
    rows = by_group(asked.snapshot, by, asked.which, asked.resample)
    shown = [row for row in rows if row.entry.key in lanes]
    chart_at, table_at = st.columns([10, 9], gap="medium")
    with chart_at:
        if shown:
            dots = [_as_row(row, lanes[row.entry.key]) for row in of_largest_groups(shown)]
            draw_chart(accuracy_dots(dots, dots, asked.palette), f"chart runs {by}")
            if sentence := drawn_of_groups(shown):
                st.caption(sentence)
    with table_at:
        columns = _columns(rows, in_words(by))
        kept = {
            name: [cell for cell, row in zip(cells, rows, strict=True) if row.entry.key in lanes]
            for name, cells in columns.items()
            if name not in ("Condition", "Note")
        }
        show_table(kept, formats=dict.fromkeys(_DECIMALS, "%.1f"))
        take_table(f"accuracy of runs by {by}", columns)
        st.caption("The files hold every run under every condition.")


def _conditions(entries: Sequence[Entry]) -> list[str]:
    """Those that people have too first, then those that most models have."""
    people = {entry.condition for entry in entries if entry.run is None}
    having: dict[str, int] = {}
    for entry in entries:
        if entry.run is not None:
            having[entry.condition] = having.get(entry.condition, 0) + 1
    return sorted(
        sorted(having, key=shown_first), key=lambda name: (name not in people, -having[name])
    )


def _choose_lanes(entries: Sequence[Entry], condition: str) -> dict[str, str]:
    """The runs to show, with their names: models under the condition, and people."""
    offered = [entry for entry in entries if entry.condition == condition]
    if not any(entry.run is None for entry in offered):
        offered += [entry for entry in entries if entry.run is None]
    names = {
        entry.key: entry.model if entry.condition == condition else entry.name
        for entry in sorted(offered, key=lambda entry: entry.model == PEOPLE)
    }
    keys = list(names)
    leading = keys[:_MOST_LANES]
    leading += [key for key in keys if key.startswith("people") and key not in leading]
    chosen = st.multiselect(
        "Runs", keys, default=leading, format_func=names.__getitem__,
        key=f"runs groups lanes {condition}", label_visibility="collapsed",
    )  # fmt: skip
    return {key: names[key] for key in keys if key in chosen}


def _as_row(row: GroupLine, name: str) -> human_accuracy.Row:
    """A line as the chart of people's accuracy takes it, with the run in place of the condition."""
    return human_accuracy.Row(
        group=row.group,
        condition=short(name, 44),
        accuracy=row.accuracy,
        questions=row.questions,
        videos=row.accuracy.clusters,
        active_s=0.0,
        random_guess=row.random_guess,
        frequent_choice=row.frequent_choice,
    )


_DECIMALS = ("Accuracy %", "Low", "High", "Random %", "Frequent %")


def _columns(rows: Sequence[GroupLine], heading: str) -> dict[str, list[object]]:
    estimates = [row.accuracy for row in rows]
    return {
        heading: [row.group for row in rows],
        "Model": [row.entry.model for row in rows],
        "Condition": [row.entry.condition for row in rows],
        "Accuracy %": [percent(estimate.value) for estimate in estimates],
        "Low": [percent(estimate.bounds[0]) for estimate in estimates],
        "High": [percent(estimate.bounds[1]) for estimate in estimates],
        "Questions": [row.questions for row in rows],
        "Random %": [percent(row.random_guess) for row in rows],
        "Frequent %": [percent(row.frequent_choice) for row in rows],
        "Note": [estimate.reason for estimate in estimates],
    }
