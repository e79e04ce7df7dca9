"""Accuracy against the number of frames, a line a model and people."""

import streamlit as st

from annotations.scoring.leaderboard import baselines, leaderboard
from ui.components.downloads import take_table
from ui.components.runs.accuracy_lines import Point, frame_lines, frames_of
from ui.components.runs.asked import Asked, draw_chart
from ui.components.runs.words import percent
from ui.components.tables import show_table


def draw(asked: Asked) -> None:
    """Draw the lines with their table."""
    lines = leaderboard(asked.snapshot, asked.which, asked.resample)
    placed = [line for line in lines if frames_of(line.entry.condition) is not None]
    if not placed:
        st.info(
            "No run saw frames in order, text alone or the full video. Runs with several numbers "
            "of frames draw a line here.",
            icon=":material/show_chart:",
        )
        return
    points = [Point(x.entry.model, x.entry.condition, x.accuracy) for x in placed]
    chance = baselines(asked.snapshot, asked.which, asked.resample)[0].estimate.value
    chart_at, table_at = st.columns([10, 9], gap="medium")
    with chart_at:
        draw_chart(frame_lines(points, chance, asked.palette), "chart frames")
        st.caption(
            "Bands and bars hold the 95 % interval. Shuffled and handpicked frames are not drawn."
        )
    with table_at:
        columns: dict[str, list[object]] = {
            "Model": [x.entry.model for x in placed],
            "Condition": [x.entry.condition for x in placed],
            "Accuracy %": [percent(x.accuracy.value) for x in placed],
            "Low": [percent(x.accuracy.bounds[0]) for x in placed],
            "High": [percent(x.accuracy.bounds[1]) for x in placed],
            "Answers": [x.accuracy.n for x in placed],
        }
        show_table(columns, formats=dict.fromkeys(("Accuracy %", "Low", "High"), "%.1f"))
        take_table("accuracy by frames", columns)
