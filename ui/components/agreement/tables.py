"""Tables of agreement with their charts: by category, pairs, annotators, segments, Dawid-Skene."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotations.agreement.coefficients import By, Resampled, Row, agreement_table
from annotations.agreement.groups import Among
from annotations.agreement.majority_and_dawid_skene import truths
from annotations.agreement.segment_agreement import segment_curve
from annotations.scoring.snapshot import Snapshot
from core.statistics import agreement
from ui.components.agreement.charts import pair_heat_map, tolerance_lines
from ui.components.downloads import csv_button
from ui.components.tables import show_table
from ui.components.words import plain
from ui.theme import Palette


@dataclass(frozen=True)
class Asked:
    """Whose agreement on which task is asked for, and how it is measured."""

    snapshot: Snapshot
    task_id: int
    name: str
    distance: str | None
    among: Among
    resample: Resampled
    resamples: int

    def table(self, by: By) -> list[Row]:
        """One table of coefficients."""
        return agreement_table(
            self.snapshot,
            self.task_id,
            by,
            distance=self.distance,
            among=self.among,
            resample=self.resample,
            resamples=self.resamples,
        )


def scale(row: Row) -> str:
    """The distance between answers, in words."""
    return "the task's own distance" if row.distance == "own" else row.distance


def _name(coefficient: str) -> str:
    return agreement.coefficient(coefficient).NAME


def _choose(label: str, rows: Sequence[Row], key: str) -> str:
    """Which coefficient a table is about."""
    offered = list(dict.fromkeys(row.coefficient for row in rows))
    preferred = [name for name in ("krippendorff", "cohen", "percent") if name in offered]
    chosen = st.segmented_control(
        label, offered, format_func=_name, default=preferred[0] if preferred else offered[0],
        required=True, key=f"{key} {' '.join(offered)}", label_visibility="collapsed",
    )  # fmt: skip
    return str(chosen)


def categories(asked: Asked) -> None:
    """Draw the coefficients of each category, where there are several."""
    rows = asked.table("category")
    if len({row.group for row in rows}) < 2:
        return
    st.subheader("By category")
    chosen = _choose("Coefficient by category", rows, "agreement category")
    _show(_columns([row for row in rows if row.coefficient == chosen], "Category"))
    download("agreement by category", rows, "Category")


def fields(asked: Asked) -> None:
    """Draw the coefficients of each field of a form, where there are several."""
    rows = asked.table("field")
    if len({row.group for row in rows}) < 2:
        return
    st.subheader("By field")
    chosen = _choose("Coefficient by field", rows, "agreement field")
    _show(_columns([row for row in rows if row.coefficient == chosen], "Field"))
    download("agreement by field", rows, "Field")


def pairs(asked: Asked, palette: Palette) -> None:
    """Draw the coefficients of each two annotators."""
    rows = asked.table("pair")
    if not rows:
        return
    st.subheader("Pairs")
    chosen = _choose("Coefficient of pairs", rows, "agreement pair")
    shown = [row for row in rows if row.coefficient == chosen]
    chart_at, table_at = st.columns([1, 1], gap="medium")
    with chart_at:
        _chart(pair_heat_map(shown, palette), "agreement pairs")
    with table_at:
        _show(_columns(shown, "First", "Second"))
        download("agreement of pairs", rows, "First", "Second")


def annotators(asked: Asked) -> None:
    """Draw how far each annotator agrees with the others, and is likely right."""
    rows = asked.table("annotator")
    if not rows:
        return
    st.subheader("People and models, each with the others")
    likely = dict(truths(asked.snapshot, asked.task_id, asked.among).accuracy)
    columns = _columns(rows, "Annotator")
    columns["Right by Dawid-Skene"] = [_round(likely.get(row.group)) for row in rows]
    _show(columns)
    with st.container(horizontal_alignment="right"):
        csv_button("agreement with the others", columns)


def segments(asked: Asked, palette: Palette) -> None:
    """Draw the share of segments that match, by how well they have to."""
    curve = segment_curve(asked.snapshot, asked.task_id, asked.among, resamples=asked.resamples)
    if not any(estimate.value is not None for _, estimate in curve):
        return
    st.subheader("Segments, by how well they have to match")
    columns: dict[str, list[object]] = {
        "IoU at least": [iou for iou, _ in curve],
        "Matched": [_round(estimate.value) for _, estimate in curve],
        "Low": [_round(estimate.bounds[0]) for _, estimate in curve],
        "High": [_round(estimate.bounds[1]) for _, estimate in curve],
        "Note": [estimate.reason for _, estimate in curve],
    }
    chart_at, table_at = st.columns([1, 1], gap="medium")
    with chart_at:
        _chart(tolerance_lines(curve, palette), "agreement segments")
    with table_at:
        _show(columns)
        with st.container(horizontal_alignment="right"):
            csv_button("matched segments", columns)


def dawid_skene(asked: Asked) -> None:
    """Draw where the likeliest truth is another than the majority's answer."""
    result = truths(asked.snapshot, asked.task_id, asked.among)
    st.subheader("Dawid-Skene beside the majority")
    if result.reason:
        st.caption(plain(f"Not compared: {result.reason}."))
        return
    st.caption(
        f"{result.items:,} items with two or more answers; the majority is a tie on "
        f"{result.ties:,}; Dawid-Skene concludes otherwise, or decides a tie, on "
        f"{len(result.differing):,}. It estimates together what is true and how each "
        "annotator errs, and weighs answers by that."
        + ("" if result.converged else " It had not come to rest: take it with care.")
    )
    if not result.differing:
        return
    columns: dict[str, list[object]] = {
        "Item": [item.uid.partition(":")[2] for item in result.differing],
        "Category": [item.category for item in result.differing],
        "Answers": [
            ", ".join(f"{count} × {answer_words(label)}" for label, count in item.votes)
            for item in result.differing
        ],
        "Majority": ["tie" if item.majority is None else answer_words(item.majority)
                     for item in result.differing],
        "Dawid-Skene": [answer_words(item.truth) for item in result.differing],
        "Probability": [_round(item.probability) for item in result.differing],
    }  # fmt: skip
    _show(columns)
    with st.container(horizontal_alignment="right"):
        csv_button("Dawid-Skene beside the majority", columns)


def answer_words(label: object) -> str:
    """An answer as a table shows it: an option by its letter."""
    return chr(65 + label) if isinstance(label, int) and 0 <= label < 26 else str(label)


def _columns(rows: Sequence[Row], *headings: str) -> dict[str, list[object]]:
    estimates = [row.estimate for row in rows]
    columns: dict[str, list[object]] = {}
    for heading, name in zip(headings, ("group", "partner"), strict=False):
        columns[heading] = [getattr(row, name) for row in rows]
    columns["Value"] = [_round(estimate.value) for estimate in estimates]
    columns["Low"] = [_round(estimate.bounds[0]) for estimate in estimates]
    columns["High"] = [_round(estimate.bounds[1]) for estimate in estimates]
    columns["Shared items"] = [estimate.n for estimate in estimates]
    columns["Answers"] = [row.answers for row in rows]
    columns["Note"] = [estimate.reason for estimate in estimates]
    return columns


def download(name: str, rows: Sequence[Row], *headings: str) -> None:
    """A button for all coefficients of a table, also those that are not shown."""
    columns: dict[str, list[object]] = {
        "Coefficient": [_name(row.coefficient) for row in rows],
        "Distance": [scale(row) for row in rows],
        **_columns(rows, *headings),
        "Left out": [
            "; ".join(f"{count} {why}" for why, count in row.estimate.excluded) for row in rows
        ],
    }
    with st.container(horizontal_alignment="right"):
        csv_button(name, columns)


def _show(columns: dict[str, list[object]]) -> None:
    shares = ("Value", "Low", "High", "Matched", "Right by Dawid-Skene", "Probability")
    show_table(columns, formats=dict.fromkeys(shares, "%.3f"))


def _chart(figure: dict[str, Any], key: str) -> None:
    st.plotly_chart(  # pyright: ignore[reportUnknownMemberType]
        figure, width="stretch", theme=None, config={"displayModeBar": False}, key=key
    )


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 3) + 0.0
