"""The report of failures on a page: shares of classes with intervals, and agreement of taggers."""

from collections.abc import Sequence

import streamlit as st

from annotations.failure.failure_report import EVERYTHING, Agreement, Report, Share, failure_report
from annotations.failure.failure_tags import tagging_tasks
from annotations.workspace import Workspace
from core.number_text import percent_text
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
    tasks = {task.name: task.id for task in tagging_tasks(workspace)}
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
    report = failure_report(workspace, by or "run", tasks.get(name or ""))
    st.caption(_counts(report))
    if not report.failures:
        st.info("No wrong prediction is tagged under this choice.")
        return
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    whole = [share for share in report.shares if share.group == EVERYTHING]
    st.plotly_chart(  # pyright: ignore[reportUnknownMemberType]
        shares_chart(whole, palette), width="stretch", theme=None,
        config={"displayModeBar": False}, key="failure shares",
    )  # fmt: skip
    _shares(report, by or "run")
    _agreement(report.agreement)


def _counts(report: Report) -> str:
    text = (
        f"{report.failures:,} of {report.wrong:,} wrong predictions are tagged, with"
        f" {report.answers:,} answer{'s'[: report.answers != 1]}. A failure has the classes that"
        " more than half of its taggers named, and may have several. Intervals are 95 %, resampled"
        " by video."
    )
    if report.gone:
        text += f" {report.gone:,} tagged predictions are left out: right by now, or replaced."
    return text


def _shares(estimates: Report, by: str) -> None:
    labels = list(dict.fromkeys(class_name.label for class_name in estimates.shares))
    groups = list(dict.fromkeys(class_name.group for class_name in estimates.shares))
    cell = {(class_name.group, class_name.label): class_name for class_name in estimates.shares}
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
            by: [class_name.group for class_name in estimates.shares],
            "class": [class_name.label for class_name in estimates.shares],
            "count": [class_name.count for class_name in estimates.shares],
            "tagged": [class_name.estimate.n for class_name in estimates.shares],
            "share": [class_name.estimate.value for class_name in estimates.shares],
            "low": [_bounds(class_name.estimate)[0] for class_name in estimates.shares],
            "high": [_bounds(class_name.estimate)[1] for class_name in estimates.shares],
            "videos": [class_name.estimate.clusters for class_name in estimates.shares],
            "note": [class_name.estimate.reason for class_name in estimates.shares],
        },
    )


def _share(share: Share) -> str:
    estimate = share.estimate
    if estimate.value is None:
        return "–"
    low, high = _bounds(estimate)
    interval = "" if low is None or high is None else f" ({100 * low:.0f}–{100 * high:.0f})"
    return f"{share.count} · {percent_text(estimate.value, 0)}{interval}"


def _bounds(estimate: Estimate) -> tuple[float | None, float | None]:
    """The interval; where all or none are of the class, the exact bounds."""
    return estimate.exact or (estimate.low, estimate.high)


def _agreement(agreements: Sequence[Agreement]) -> None:
    st.subheader("Do taggers agree?", anchor=False)
    shared = agreements[0].percent.n
    st.caption(
        f"On {shared:,} failures with two or more taggers. For each class whether it was named; for"
        " all together by the share of the named classes that only one of two named."
    )
    columns = {
        "Class": [agreement.label for agreement in agreements],
        "Same": [_number(agreement.percent, 100, " %") for agreement in agreements],
        "Krippendorff’s alpha": [_number(agreement.alpha) for agreement in agreements],
        "Note": [agreement.alpha.reason or agreement.percent.reason for agreement in agreements],
    }
    show_table(columns)
    csv_button(
        "failure tagging agreement",
        {
            "class": columns["Class"],
            "shared": [agreement.percent.n for agreement in agreements],
            **{
                f"{name}{part}": [
                    getattr(getattr(agreement, name), field) for agreement in agreements
                ]
                for name in ("percent", "alpha")
                for part, field in (("", "value"), (" low", "low"), (" high", "high"))
            },
            "note": columns["Note"],
        },
    )


def _number(estimate: Estimate, scale: float = 1, unit: str = "") -> str:
    if estimate.value is None:
        return "–"
    digits = 0 if unit else 2
    value = f"{scale * estimate.value:.{digits}f}{unit}"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({scale * estimate.low:.{digits}f}–{scale * estimate.high:.{digits}f})"


def shares_chart(shares: Sequence[Share], palette: Palette) -> Figure:
    """Bars of the classes' shares with their intervals, in the order of the list."""
    values = [100 * (share.estimate.value or 0.0) for share in shares]
    bounds = [_bounds(share.estimate) for share in shares]
    ends = [
        (value if low is None else 100 * low, value if high is None else 100 * high)
        for value, (low, high) in zip(values, bounds, strict=True)
    ]
    layout = base_layout(palette, 60 + ROW_PX * len(shares))
    axis = {"zeroline": False, "fixedrange": True, "tickfont": {"color": palette.text}}
    layout["xaxis"] = axis | {"range": [0, 100], "ticksuffix": " %", "gridcolor": palette.border}
    layout["yaxis"] = axis | {"autorange": "reversed", "automargin": True}
    layout["margin"] |= {"r": 28}  # half of '100 %' stands beyond its tick
    layout["bargap"] = 0.45
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": values,
        "y": [share.label.replace("<", "&lt;").replace("$", "&#36;") for share in shares],
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
        "hovertext": [f"{share.count:,} of {share.estimate.n:,}" for share in shares],
        "hovertemplate": "%{y}: %{x:.1f} %, %{hovertext}<extra></extra>",
    }
    return {"data": [bars], "layout": layout}
