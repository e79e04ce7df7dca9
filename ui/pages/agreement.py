"""How far people and models agree: by task, category, pair and annotator, with intervals."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import streamlit as st

from annotations.agreement import By, Resampled, Row, agreement_table
from annotations.agreement_groups import Among
from annotations.evaluation import all_tasks
from annotations.people import Person
from annotations.scored import data_version
from annotations.segment_agreement import segment_curve
from annotations.truths import truths
from annotations.workspace import Workspace
from core import agreement, bootstrap
from ui.components.agreement_charts import pair_heat_map, tolerance_lines
from ui.components.cards import cards, coefficient_card, style
from ui.components.downloads import csv_button
from ui.components.tables import show_table
from ui.components.words import plain
from ui.theme import DARK, LIGHT, Palette

TITLE = "Agreement"
ICON = ":material/handshake:"
ROLES = frozenset({"author", "admin"})

_DRAWN, _WITH_INTERVALS = "agreement drawn", "agreement with intervals"
_REST = 5
_OWN = "the task's own"
_DISTANCES = (_OWN, "nominal", "ordinal", "interval", "linear", "ratio")
_AMONG: dict[Among, str] = {"everybody": "Everybody", "people": "People", "models": "Models"}
_RESAMPLED: dict[Resampled, str] = {"item": "Items", "video": "Videos"}


@dataclass(frozen=True)
class _Asked:
    """What the choices on top of the page come to."""

    workspace: Workspace
    task_id: int
    name: str
    distance: str | None
    among: Among
    resample: Resampled
    resamples: int

    def table(self, by: By) -> list[Row]:
        """One table of coefficients."""
        return agreement_table(
            self.workspace,
            self.task_id,
            by,
            distance=self.distance,
            among=self.among,
            resample=self.resample,
            resamples=self.resamples,
        )


def render(workspace: Workspace, person: Person) -> None:
    """Draw the page, at first without intervals; it draws itself again as answers arrive."""
    del person
    begun, version = time.monotonic(), data_version(workspace)
    st.title("Agreement")
    tasks = {task["name"]: task["id"] for task in all_tasks(workspace) if task["answers"]}
    if not tasks:
        st.info(
            "No answers yet. Agreement appears here by itself as soon as two people have answered"
            " the same items.",
            icon=":material/handshake:",
        )
        return
    asked = _choices(workspace, tasks)
    key = (version, asked.task_id, asked.distance, asked.among, asked.resample)
    known = st.session_state.get(_WITH_INTERVALS) == key
    try:
        _body(asked if known else replace(asked, resamples=0))
    except ValueError as error:
        st.warning(plain(str(error)))
        return
    if not known:
        with st.spinner("Intervals are being drawn"):
            for by in ("task", "category", "pair", "annotator"):
                asked.table(by)
            segment_curve(workspace, asked.task_id, asked.among)
        st.session_state[_WITH_INTERVALS] = key
        st.rerun()
    now = time.monotonic()
    st.session_state[_DRAWN] = (version, now + _REST * (now - begun))
    _watch(workspace)


@st.fragment(run_every="3s")
def _watch(workspace: Workspace) -> None:
    """Draw anew once answers have changed; a page that took long to draw rests longer."""
    version, earliest = st.session_state[_DRAWN]
    if time.monotonic() >= earliest and data_version(workspace) != version:
        st.rerun()


def _choices(workspace: Workspace, tasks: dict[str, int]) -> _Asked:
    task_at, distance_at, among_at, resample_at = st.columns(
        [4, 2, 3, 2], vertical_alignment="bottom"
    )
    name = task_at.selectbox("Task", list(tasks), key="agreement task")
    distance = distance_at.selectbox(
        "Distance of answers",
        _DISTANCES,
        key="agreement distance",
        help="Nominal: equal or not. The others are for numbers: by rank, by squared difference, "
        "by difference (weighted kappa), by ratio.",
    )
    among = among_at.segmented_control(
        "Among", list(_AMONG), format_func=_AMONG.__getitem__, default="everybody", required=True,
        key="agreement among",
    )  # fmt: skip
    resample = resample_at.segmented_control(
        "Intervals resample", list(_RESAMPLED), format_func=_RESAMPLED.__getitem__, default="item",
        required=True, key="agreement resample",
    )  # fmt: skip
    return _Asked(
        workspace, tasks[name], name, None if distance == _OWN else distance,
        cast("Among", among), cast("Resampled", resample), bootstrap.RESAMPLES,
    )  # fmt: skip


def _body(asked: _Asked) -> None:
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    rows = asked.table("task")
    st.html(style(palette) + cards(*(_card(row) for row in rows)))
    excluded = dict.fromkeys(f"{count:,} {why}" for row in rows for why, count in
                             row.estimate.excluded)  # fmt: skip
    words_at, button_at = st.columns([8, 1], vertical_alignment="center")
    words_at.caption("Left out: " + plain("; ".join(excluded)) if excluded else "Nothing left out.")
    with button_at:
        _download("agreement", rows)
    _categories(asked)
    _pairs(asked, palette)
    _annotators(asked)
    _segments(asked, palette)
    _truths(asked)


def _card(row: Row) -> str:
    module = agreement.coefficient(row.coefficient)
    return coefficient_card(module.NAME, _scale(row), row.estimate, module.MEANS)


def _scale(row: Row) -> str:
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


def _categories(asked: _Asked) -> None:
    rows = asked.table("category")
    if len({row.group for row in rows}) < 2:
        return
    st.subheader("By category")
    chosen = _choose("Coefficient by category", rows, "agreement category")
    _show(_columns([row for row in rows if row.coefficient == chosen], "Category"))
    _download("agreement by category", rows, "Category")


def _pairs(asked: _Asked, palette: Palette) -> None:
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
        _download("agreement of pairs", rows, "First", "Second")


def _annotators(asked: _Asked) -> None:
    rows = asked.table("annotator")
    if not rows:
        return
    st.subheader("People and models, each with the others")
    likely = dict(truths(asked.workspace, asked.task_id, asked.among).accuracy)
    columns = _columns(rows, "Annotator")
    columns["Right by Dawid-Skene"] = [_round(likely.get(row.group)) for row in rows]
    _show(columns)
    with st.container(horizontal_alignment="right"):
        csv_button("agreement with the others", columns)


def _segments(asked: _Asked, palette: Palette) -> None:
    curve = segment_curve(asked.workspace, asked.task_id, asked.among, resamples=asked.resamples)
    if not any(one.value is not None for _, one in curve):
        return
    st.subheader("Segments, by how well they have to match")
    columns: dict[str, list[object]] = {
        "IoU at least": [iou for iou, _ in curve],
        "Matched": [_round(one.value) for _, one in curve],
        "Low": [_round(one.low) for _, one in curve],
        "High": [_round(one.high) for _, one in curve],
        "Note": [one.reason for _, one in curve],
    }
    chart_at, table_at = st.columns([1, 1], gap="medium")
    with chart_at:
        _chart(tolerance_lines(curve, palette), "agreement segments")
    with table_at:
        _show(columns)
        with st.container(horizontal_alignment="right"):
            csv_button("matched segments", columns)


def _truths(asked: _Asked) -> None:
    found = truths(asked.workspace, asked.task_id, asked.among)
    st.subheader("Dawid-Skene beside the majority")
    if found.reason:
        st.caption(plain(f"Not compared: {found.reason}."))
        return
    st.caption(
        f"{found.items:,} items with two or more answers; the majority is a tie on {found.ties:,}; "
        f"Dawid-Skene concludes otherwise, or decides a tie, on {len(found.differing):,}. It "
        "estimates together what is true and how each annotator errs, and weighs answers by that."
        + ("" if found.converged else " It had not come to rest: take it with care.")
    )
    if not found.differing:
        return
    columns: dict[str, list[object]] = {
        "Item": [one.uid.partition(":")[2] for one in found.differing],
        "Category": [one.category for one in found.differing],
        "Answers": [
            ", ".join(f"{count} × {_label(label)}" for label, count in one.votes)
            for one in found.differing
        ],
        "Majority": ["tie" if one.majority is None else _label(one.majority)
                     for one in found.differing],
        "Dawid-Skene": [_label(one.truth) for one in found.differing],
        "Probability": [_round(one.probability) for one in found.differing],
    }  # fmt: skip
    _show(columns)
    with st.container(horizontal_alignment="right"):
        csv_button("Dawid-Skene beside the majority", columns)


def _label(label: object) -> str:
    """An answer as a table shows it: an option by its letter."""
    return chr(65 + label) if isinstance(label, int) and 0 <= label < 26 else str(label)


def _columns(rows: Sequence[Row], *headings: str) -> dict[str, list[object]]:
    found = [row.estimate for row in rows]
    columns: dict[str, list[object]] = {}
    for heading, name in zip(headings, ("group", "other"), strict=False):
        columns[heading] = [getattr(row, name) for row in rows]
    columns["Value"] = [_round(one.value) for one in found]
    columns["Low"] = [_round(one.low) for one in found]
    columns["High"] = [_round(one.high) for one in found]
    columns["Shared items"] = [one.n for one in found]
    columns["Answers"] = [row.answers for row in rows]
    columns["Note"] = [one.reason for one in found]
    return columns


def _download(name: str, rows: Sequence[Row], *headings: str) -> None:
    """A button for all coefficients of a table, also those that are not shown."""
    columns: dict[str, list[object]] = {
        "Coefficient": [_name(row.coefficient) for row in rows],
        "Distance": [_scale(row) for row in rows],
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
