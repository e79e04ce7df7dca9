"""Every run on all questions of a split and on those that it kept."""

import json
from collections.abc import Sequence

import streamlit as st

from annotations.condition import shown_first
from annotations.scoring import human_accuracy
from annotations.scoring.snapshot import take
from annotations.shortcut.split_comparison import SideBySide, side_by_side
from annotations.shortcut.splits import Split, all_splits, split_lists
from annotations.workspace import Workspace
from core.statistics.metric import Estimate
from ui.components.charts import accuracy_dots
from ui.components.downloads import json_button, take_table
from ui.components.runs.asked import Asked, draw_chart
from ui.components.runs.words import percent, short
from ui.components.tables import show_table
from ui.components.words import plain


def draw(asked: Asked) -> None:
    """Draw the choice of a split, its rule, and runs on both sets of questions."""
    stored = {split.id: split for split in all_splits(asked.snapshot)}
    if not stored:
        st.info(
            "No split has been made yet. On the page Shortcuts, a rule over runs drops questions "
            "that a shortcut solves; every run can then be seen here on all questions and on "
            "those kept.",
            icon=":material/call_split:",
        )
        return
    split_at, button_at = st.columns([3, 1], vertical_alignment="bottom")
    number = split_at.selectbox(
        "Split", list(stored), format_func=lambda split: stored[split].name, key="runs split shown"
    )
    split = stored[number]
    with button_at, st.container(horizontal_alignment="right"):
        split_button(asked.workspace, split)
    st.caption(split_words(split))
    rows = side_by_side(asked.snapshot, number, asked.which, asked.resample)
    conditions = sorted({row.entry.condition for row in rows}, key=shown_first, reverse=True)
    having = {
        condition: sum(row.entry.condition == condition for row in rows) for condition in conditions
    }
    chart_at, table_at = st.columns([9, 10], gap="medium")
    with chart_at:
        condition = st.selectbox(
            "Condition", sorted(conditions, key=lambda condition: -having[condition]),
            key="runs split condition",
        )  # fmt: skip
        drawn = [row for row in rows if row.entry.condition == condition]
        dots = [dot for row in drawn for dot in _dots(row)]
        draw_chart(accuracy_dots(dots, [], asked.palette), "chart split")
    with table_at:
        columns = _columns(rows, split)
        shown = _columns(drawn, split)
        show_table(
            {"Model": [row.entry.model for row in drawn]} | {name: shown[name] for name in _SHOWN},
            formats=dict.fromkeys(_DECIMALS, "%.1f"),
        )
        take_table(f"runs on split {split.name}", columns)
        st.caption(
            "Runs that made the split are worse on what it kept by the way it was made: only "
            "other runs tell what it changed. The files hold every run under every condition."
        )


def split_words(split: Split) -> str:
    """How many questions a split kept, by which rule, made by whom and when."""
    by = f" by {split.made_by}" if split.made_by else ""
    return plain(
        f"{split.kept:,} of {split.questions:,} questions kept. {split.words} "
        f"Made{by} on {split.created_at[:10]}."
    )


def split_button(workspace: Workspace, split: Split) -> None:
    """Draw the button that saves a split as lists of ids."""
    json_button(
        f"splits_{workspace.settings.name}_{split.name}",
        lambda: json.dumps(
            split_lists(take(workspace), split.id), ensure_ascii=False, indent=1
        ).encode(),
        "Lists of ids",
    )


def _dots(row: SideBySide) -> list[human_accuracy.Row]:
    def dot(name: str, estimate: Estimate) -> human_accuracy.Row:
        return human_accuracy.Row(
            short(row.entry.model, 60),
            name,
            estimate,
            estimate.n,
            estimate.clusters,
            0.0,
            None,
            None,
        )

    return [dot("all questions", row.full), dot("kept", row.kept)]


_DECIMALS = ("All %", "All low", "All high", "Kept %", "Kept low", "Kept high", "Kept − all",
             "Low", "High")  # fmt: skip


_SHOWN = ("All %", "Kept %", "Kept − all", "Low", "High", "Kept", "Made the split")


def _columns(rows: Sequence[SideBySide], split: Split) -> dict[str, list[object]]:
    return {
        "Run": [row.entry.name for row in rows],
        "Made the split": ["yes" if row.entry.name in split.runs else "" for row in rows],
        "All %": [percent(row.full.value) for row in rows],
        "All low": [percent(row.full.bounds[0]) for row in rows],
        "All high": [percent(row.full.bounds[1]) for row in rows],
        "Kept %": [percent(row.kept.value) for row in rows],
        "Kept low": [percent(row.kept.bounds[0]) for row in rows],
        "Kept high": [percent(row.kept.bounds[1]) for row in rows],
        "Kept − all": [percent(row.difference.value) for row in rows],
        "Low": [percent(row.difference.bounds[0]) for row in rows],
        "High": [percent(row.difference.bounds[1]) for row in rows],
        "Questions": [row.full.n for row in rows],
        "Kept": [row.kept.n for row in rows],
        "Note": [row.kept.reason or row.full.reason for row in rows],
    }
