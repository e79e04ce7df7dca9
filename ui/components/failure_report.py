"""The report of failures on a page: shares of classes with intervals, and agreement of taggers."""

from collections.abc import Sequence

import streamlit as st

from annotations.failure.failure_report import EVERYTHING, Agreement, Report, Share, failure_report
from annotations.failure.failure_tags import tagging_tasks
from annotations.workspace import Workspace
from core.statistics.metric import Estimate
from ui.components.chart_parts import Figure, base_layout
from ui.components.downloads import csv_button
from ui.components.tables import show_table
from ui.theme import DARK, LIGHT, Palette

BY = {"run": "run", "model": "model", "condition": "condition", "category": "category"}
ROW_PX = 30


def report_of_failures(workspace: Workspace) -> None:
    """Draw the report of all tags, or of one task's."""
    st.title("Failures by class")
    tasks = {task["name"]: task["id"] for task in tagging_tasks(workspace)}
    if not tasks:
        st.info(
            "Nothing is tagged yet. Among the cards the number keys say what went wrong; or let"
            " annotators do it: “Make a task of what is listed” (key A)."
        )
        return
    by_at, task_at = st.columns([3, 3], vertical_alignment="bottom")
    by = by_at.segmented_control(
        "By", list(BY), default="run", required=True, key="failure report by"
    )
    name = task_at.selectbox("Tags of", ["every task", *tasks], key="failure report task")
    found = failure_report(workspace, by or "run", tasks.get(name or ""))
    st.caption(_counts(found))
    if not found.failures:
        st.info("No wrong prediction is tagged under this choice.")
        return
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    whole = [one for one in found.shares if one.group == EVERYTHING]
    st.plotly_chart(  # pyright: ignore[reportUnknownMemberType]
        shares_chart(whole, palette), width="stretch", theme=None,
        config={"displayModeBar": False}, key="failure shares",
    )  # fmt: skip
    _shares(found, by or "run")
    _agreement(found.agreement)


def _counts(found: Report) -> str:
    words = (
        f"{found.failures:,} of {found.wrong:,} wrong predictions are tagged, with"
        f" {found.answers:,} answer{'s'[: found.answers != 1]}. A failure has the classes that more"
        " than half of its taggers named, and may have several. Intervals are 95 %, resampled by"
        " video."
    )
    if found.gone:
        words += f" {found.gone:,} tagged predictions are left out: right by now, or replaced."
    return words


def _shares(found: Report, by: str) -> None:
    labels = list(dict.fromkeys(one.label for one in found.shares))
    groups = list(dict.fromkeys(one.group for one in found.shares))
    cell = {(one.group, one.label): one for one in found.shares}
    tagged = [cell[group, labels[0]].estimate.n for group in groups]
    st.subheader(f"Share of each class by {by}", anchor=False)
    show_table(
        {
            by.capitalize(): groups,
            "Tagged": tagged,
            **{label: [_share(cell[group, label]) for group in groups] for label in labels},
        }
    )
    csv_button(
        f"failures by {by}",
        {
            by: [one.group for one in found.shares],
            "class": [one.label for one in found.shares],
            "count": [one.count for one in found.shares],
            "tagged": [one.estimate.n for one in found.shares],
            "share": [one.estimate.value for one in found.shares],
            "low": [_bounds(one.estimate)[0] for one in found.shares],
            "high": [_bounds(one.estimate)[1] for one in found.shares],
            "videos": [one.estimate.clusters for one in found.shares],
            "note": [one.estimate.reason for one in found.shares],
        },
    )


def _share(one: Share) -> str:
    found = one.estimate
    if found.value is None:
        return "–"
    low, high = _bounds(found)
    interval = "" if low is None or high is None else f" ({100 * low:.0f}–{100 * high:.0f})"
    return f"{one.count} · {100 * found.value:.0f} %{interval}"


def _bounds(found: Estimate) -> tuple[float | None, float | None]:
    """The interval; where all or none are of the class, the exact bounds."""
    return found.exact or (found.low, found.high)


def _agreement(found: Sequence[Agreement]) -> None:
    st.subheader("Do taggers agree?", anchor=False)
    shared = found[0].percent.n
    st.caption(
        f"On {shared:,} failures with two or more taggers. For each class whether it was named; for"
        " all together by the share of the named classes that only one of two named."
    )
    columns = {
        "Class": [one.label for one in found],
        "Same": [_number(one.percent, 100, " %") for one in found],
        "Krippendorff’s alpha": [_number(one.alpha) for one in found],
        "Note": [one.alpha.reason or one.percent.reason for one in found],
    }
    show_table(columns)
    csv_button(
        "failure tagging agreement",
        {
            "class": columns["Class"],
            "shared": [one.percent.n for one in found],
            **{
                f"{name}{part}": [getattr(getattr(one, name), field) for one in found]
                for name in ("percent", "alpha")
                for part, field in (("", "value"), (" low", "low"), (" high", "high"))
            },
            "note": columns["Note"],
        },
    )


def _number(found: Estimate, scale: float = 1, unit: str = "") -> str:
    if found.value is None:
        return "–"
    digits = 0 if unit else 2
    value = f"{scale * found.value:.{digits}f}{unit}"
    if found.low is None or found.high is None:
        return value
    return f"{value} ({scale * found.low:.{digits}f}–{scale * found.high:.{digits}f})"


def shares_chart(shares: Sequence[Share], palette: Palette) -> Figure:
    """Bars of the classes' shares with their intervals, in the order of the list."""
    values = [100 * (one.estimate.value or 0.0) for one in shares]
    bounds = [_bounds(one.estimate) for one in shares]
    ends = [
        (value if low is None else 100 * low, value if high is None else 100 * high)
        for value, (low, high) in zip(values, bounds, strict=True)
    ]
    layout = base_layout(palette, 60 + ROW_PX * len(shares))
    axis = {"zeroline": False, "fixedrange": True, "tickfont": {"color": palette.text}}
    layout["xaxis"] = axis | {"range": [0, 100], "ticksuffix": " %", "gridcolor": palette.border}
    layout["yaxis"] = axis | {"autorange": "reversed", "automargin": True}
    layout["bargap"] = 0.45
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": values,
        "y": [one.label.replace("<", "&lt;").replace("$", "&#36;") for one in shares],
        "marker": {"color": palette.series[1]},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - value for value, (_, high) in zip(values, ends, strict=True)],
            "arrayminus": [value - low for value, (low, _) in zip(values, ends, strict=True)],
            "color": palette.text,
            "thickness": 1.5,
            "width": 4,
        },
        "hovertext": [f"{one.count:,} of {one.estimate.n:,}" for one in shares],
        "hovertemplate": "%{y}: %{x:.1f} %, %{hovertext}<extra></extra>",
    }
    return {"data": [bars], "layout": layout}
