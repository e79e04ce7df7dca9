"""Accuracy by group as a plain plotly figure: a pure function of tables, with the colours given."""

from collections.abc import Sequence
from typing import Any

from annotations.scoring.human_accuracy import Row
from core.metrics import frequent_choice, random_guess
from core.number_text import percent_text
from ui.components.chart_parts import Figure, base_layout, plain
from ui.theme import Palette

_LANE_PX = 20
_GAP_PX = 18
_FRAME_PX = 84


def accuracy_dots(rows: Sequence[Row], pooled: Sequence[Row], palette: Palette) -> Figure:
    """A figure with one line a group: accuracy per condition as dots with their intervals.

    Where resampling shows no spread, the exact bound is drawn dotted. The baselines of each group
    are marks across its lanes.

    Args:
        rows: each group under each condition.
        pooled: the same groups over all conditions together, for their baselines.
        palette: colours of the current theme.
    """
    groups = list(dict.fromkeys(row.group for row in rows))
    conditions = list(dict.fromkeys(row.condition for row in rows))
    step = _LANE_PX * len(conditions) + _GAP_PX
    data: list[dict[str, Any]] = []
    for lane, condition in enumerate(conditions):
        colour = palette.series[lane % len(palette.series)]
        offset = (lane - (len(conditions) - 1) / 2) * _LANE_PX / step
        shown = [
            row for row in rows if row.condition == condition and row.accuracy.value is not None
        ]
        heights = [groups.index(row.group) + offset for row in shown]
        data.append(_dots(condition, shown, heights, colour))
        bounded = [pair for pair in zip(shown, heights, strict=True) if pair[0].accuracy.exact]
        data.extend(_exact_bounds(row, height, colour) for row, height in bounded)
    reach = 0.5 * _LANE_PX * len(conditions) / step
    data.append(_baseline(random_guess.NAME, pooled, groups, reach, palette.muted, "dot"))
    data.append(_baseline(frequent_choice.NAME, pooled, groups, reach, palette.muted, "solid"))
    return {"data": data, "layout": _layout(groups, step * len(groups) + _FRAME_PX, palette)}


def _dots(
    condition: str, rows: Sequence[Row], heights: Sequence[float], colour: str
) -> dict[str, Any]:
    estimates = [row.accuracy for row in rows]
    values = [100 * (estimate.value or 0.0) for estimate in estimates]
    highs = [value if estimate.high is None else 100 * estimate.high
             for estimate, value in zip(estimates, values, strict=True)]  # fmt: skip
    lows = [value if estimate.low is None else 100 * estimate.low
            for estimate, value in zip(estimates, values, strict=True)]  # fmt: skip
    return {
        "type": "scatter",
        "mode": "markers",
        "name": condition,
        "x": values,
        "y": list(heights),
        "marker": {"color": colour, "size": 10},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - value for high, value in zip(highs, values, strict=True)],
            "arrayminus": [value - low for low, value in zip(lows, values, strict=True)],
            "color": colour,
            "thickness": 2,
            "width": 0,
        },
        "hovertext": [f"{plain(row.group)}, {condition}<br>{_words(row)}" for row in rows],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _exact_bounds(row: Row, height: float, colour: str) -> dict[str, Any]:
    low, high = row.accuracy.exact or (0.0, 1.0)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [100 * low, 100 * high],
        "y": [height, height],
        "line": {"color": colour, "width": 2, "dash": "dot"},
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _baseline(
    name: str, pooled: Sequence[Row], groups: Sequence[str], reach: float, colour: str, dash: str
) -> dict[str, Any]:
    """One trace of short upright lines, with a gap after each."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for row in pooled:
        share = row.random_guess if name == random_guess.NAME else row.frequent_choice
        if share is not None and row.group in groups:
            index = groups.index(row.group)
            xs += [100 * share, 100 * share, None]
            ys += [index - reach, index + reach, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": xs,
        "y": ys,
        "line": {"color": colour, "width": 2, "dash": dash},
        "hovertemplate": f"{name} %{{x:.1f}} %<extra></extra>",
    }


def _layout(groups: Sequence[str], height: int, palette: Palette) -> dict[str, Any]:
    axis = {"zeroline": False, "showline": False, "tickfont": {"color": palette.text}}
    return {
        **base_layout(palette, height),
        "margin": {"l": 8, "r": 16, "t": 36, "b": 28},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "traceorder": "normal",
            "font": {"color": palette.text},
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "xaxis": axis
        | {
            "range": [-1, 102],
            "tickvals": [0, 20, 40, 60, 80, 100],
            "ticktext": ["0", "20", "40", "60", "80", "100 %"],
            "gridcolor": palette.border,
            "fixedrange": True,
        },
        "yaxis": axis
        | {
            "tickvals": list(range(len(groups))),
            "ticktext": [plain(_short(group)) for group in groups],
            "range": [len(groups) - 0.45, -0.55],
            "showgrid": False,
            "fixedrange": True,
            "automargin": True,
        },
    }


def _words(row: Row) -> str:
    """What the dot stands for, in two or three lines."""
    estimate = row.accuracy
    interval = "no interval" if estimate.low is None or estimate.high is None else (
        f"95 % interval {100 * estimate.low:.1f} to {100 * estimate.high:.1f}"
    )  # fmt: skip
    lines = [
        f"<b>{percent_text(estimate.value or 0.0)}</b>, {interval}",
        f"answers {estimate.n:,}, questions {row.questions:,}, videos {row.videos:,}",
    ]
    if estimate.exact:
        low, high = (100 * bound for bound in estimate.exact)
        lines.append(f"exact bounds {low:.1f} to {high:.1f} (dotted)")
    return "<br>".join(lines)


def _short(text: str, longest: int = 28) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
