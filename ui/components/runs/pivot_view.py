"""Models by groups of questions as papers print them, with averages, ranks and baselines."""

import streamlit as st

from annotations.condition import shown_first
from annotations.scoring.pivot import CHANGE, Pivot, pivot, plus_minus, rank_words
from annotations.scoring.solved_table import DURATION, solved_table
from annotations.scoring.tag_change import signed
from ui.components.downloads import take_table
from ui.components.runs.asked import Asked
from ui.components.runs.choosing import in_words, tags_to_choose
from ui.components.tables import show_table
from ui.components.words import plain


def draw(asked: Asked) -> None:
    """Draw the choice of groups and condition, and the table."""
    by_at, condition_at = st.columns([1, 1], vertical_alignment="bottom")
    groups = ["category", DURATION, *tags_to_choose(asked.snapshot)]
    by = by_at.segmented_control(
        "Columns", groups, format_func=in_words, default="category", required=True,
        key="runs pivot groups",
    )  # fmt: skip
    having: dict[str, int] = {}
    for entry in solved_table(asked.snapshot).entries:
        having[entry.condition] = having.get(entry.condition, 0) + 1
    conditions = sorted(having, key=lambda name: (-having[name], shown_first(name)))
    condition = condition_at.selectbox("Condition", conditions, key="runs pivot condition")
    table = pivot(asked.snapshot, by, condition, asked.which, asked.resample)
    columns = _columns(table)
    show_table(columns)
    take_table(f"{condition} by {by}", columns)
    ranked = f" Ranks are on the {table.common:,} questions that all models answered."
    st.caption(
        "Accuracy in percent, plus or minus half its 95 % interval."
        + (ranked if table.common else "")
        + " In brackets the places that 95 of 100 resamples give. The average counts every model"
        " the same."
        + (
            f" {CHANGE} is yes / no - 1: how much is gained or lost where the tag says yes."
            if table.by_flag
            else ""
        )
    )
    for sentence in table.without_interval():
        st.caption(f"{plain(sentence)}.")


def _columns(table: Pivot) -> dict[str, list[object]]:
    columns: dict[str, list[object]] = {"Model": [row.name for row in table.rows]}
    for index, (name, count) in enumerate(zip(table.groups, table.questions, strict=True)):
        columns[f"{name} ({count:,})"] = [plus_minus(row.cells[index]) for row in table.rows]
    if table.by_flag:
        columns[CHANGE] = [signed(row.change) for row in table.rows]
    columns["Rank"] = [rank_words(row.rank) for row in table.rows]
    return columns
