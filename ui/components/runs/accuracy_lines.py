"""Accuracy of runs as lines, against frames or a threshold: pure functions that plotly draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.condition import Condition
from core.number_text import percent_text
from core.refusal import Refusal
from core.statistics.metric import Estimate
from ui.components.chart_parts import (
    Figure,
    axis_of,
    base_layout,
    plain,
    reaches,
    series_colour,
    with_alpha,
)
from ui.components.runs.words import short
from ui.theme import Palette

_DASHES = ("solid", "dash", "dot", "dashdot")


@dataclass(frozen=True)
class Point:
    """One accuracy on a line against frames."""

    series: str
    condition: str
    estimate: Estimate


def frames_of(condition: str) -> float | None:
    """Where a condition stands on the axis of frames: 0 for text, infinity for the video.

    Only frames in order count, and one random frame; None for what is shuffled or handpicked.
    """
    try:
        parsed = Condition.parse(condition)
    except Refusal:
        return None
    if parsed.is_video:
        return float("inf")
    if parsed.is_text:
        return None if parsed.is_objects else 0.0
    if parsed.order == "uniform" or parsed.order == "random":
        return float(parsed.count or 0)
    return None


def frame_lines(points: Sequence[Point], chance: float | None, palette: Palette) -> Figure:
    """A line for each model and for people: accuracy against frames, with bands for intervals.

    Numbers of frames stand at equal steps, text alone before them, the full video after them.
    """
    placed = [
        (point, frames) for point in points if (frames := frames_of(point.condition)) is not None
    ]
    steps = sorted({frames for _, frames in placed})
    at = {frames: i for i, frames in enumerate(steps)}
    data: list[dict[str, Any]] = []
    for number, name in enumerate(dict.fromkeys(point.series for point, _ in placed)):
        curve = {at[frames]: point.estimate for point, frames in placed if point.series == name}
        colour = series_colour(palette, number)
        data += _banded(name, sorted(curve.items(), key=lambda pair: pair[0]), colour, number)
    if chance is not None and steps:
        data.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": "Random guess",
                "x": [-0.3, len(steps) - 0.7],
                "y": [100 * chance] * 2,
                "line": {"color": palette.muted, "width": 2, "dash": "dot"},
                "hovertemplate": "Random guess %{y:.1f} %<extra></extra>",
            }
        )
    layout = base_layout(palette, 430)
    axis = axis_of(palette)
    layout["xaxis"] = axis | {
        "tickvals": list(range(len(steps))),
        "ticktext": [_frames_words(frames) for frames in steps],
        "range": [-0.4, len(steps) - 0.6],
        "showgrid": False,
    }
    layout["yaxis"] = axis | {"range": [0, 102], "ticksuffix": " %"}
    layout["legend"] = _legend(palette)
    layout["margin"] = {"l": 8, "r": 8, "t": 30 + 20 * ((len(data) // 2 + 3) // 4), "b": 34}
    return {"data": data, "layout": layout}


def threshold_line(
    curve: Sequence[tuple[float, float]], threshold: float, palette: Palette
) -> Figure:
    """Accuracy against the threshold it is counted with; a line stands at the one chosen."""
    line = {
        "type": "scatter",
        "mode": "lines",
        "x": [step for step, _ in curve],
        "y": [100 * share for _, share in curve],
        "line": {"color": series_colour(palette, 0), "width": 2},
        "hovertemplate": "above %{x:.2f}: %{y:.1f} %<extra></extra>",
    }
    layout = base_layout(palette, 260)
    axis = axis_of(palette)
    layout["xaxis"] = axis | {"range": [0, 1]}
    layout["yaxis"] = axis | {"range": [0, 102], "ticksuffix": " %"}
    layout["shapes"] = [
        {
            "type": "line", "x0": threshold, "x1": threshold, "y0": 0, "y1": 1, "yref": "paper",
            "line": {"color": palette.text, "width": 2},
        }
    ]  # fmt: skip
    layout["margin"] = {"l": 8, "r": 8, "t": 8, "b": 34}
    layout["showlegend"] = False
    return {"data": [line], "layout": layout}


def _banded(
    name: str, curve: Sequence[tuple[int, Estimate]], colour: str, number: int
) -> list[dict[str, Any]]:
    """A line with markers, and the band of its intervals below it."""
    defined = [(x, estimate) for x, estimate in curve if estimate.value is not None]
    bounds = [
        (x, *(estimate.exact or (estimate.low, estimate.high)))
        for x, estimate in defined
        if estimate.exact or (estimate.low is not None and estimate.high is not None)
    ]
    band = {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _, _ in bounds] + [x for x, _, _ in reversed(bounds)],
        "y": [100 * (high or 0) for _, _, high in bounds]
        + [100 * (low or 0) for _, low, _ in reversed(bounds)],
        "fill": "toself",
        "fillcolor": with_alpha(colour, 0.13),
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
        "legendgroup": name,
    }
    lone = len(defined) == 1
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": plain(short(name)),
        "legendgroup": name,
        "x": [x for x, _ in defined],
        "y": [100 * (estimate.value or 0.0) for _, estimate in defined],
        "line": {"color": colour, "width": 2, "dash": _DASHES[number // 8 % len(_DASHES)]},
        "marker": {"size": 8},
        "hovertext": [f"{plain(name)}<br>{_accuracy_words(estimate)}" for _, estimate in defined],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    if lone and bounds:
        line["error_y"] = reaches([defined[0][1]], colour)
    return [band, line]


def _legend(palette: Palette) -> dict[str, Any]:
    return {
        "orientation": "h",
        "x": 0,
        "y": 1,
        "yanchor": "bottom",
        "font": {"color": palette.text},
        "itemclick": False,
        "itemdoubleclick": False,
    }


def _accuracy_words(estimate: Estimate) -> str:
    low, high = estimate.exact or (estimate.low, estimate.high)
    between = (
        "no interval" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f}"
    )
    return f"<b>{percent_text(estimate.value or 0.0)}</b>, {between}, {estimate.n:,} answers"


def _frames_words(frames: float) -> str:
    if frames == 0:
        return "text only"
    if frames == float("inf"):
        return "full video"
    return f"{frames:.0f} frame{'s'[: frames != 1]}"
