"""Charts of runs as plain plotly figures: pure functions of tables, with the colours given."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.condition import Condition
from core.metric import Estimate
from ui.components.charts import Figure, base_layout
from ui.components.runs.words import short, signed, signed_interval
from ui.theme import Palette

_ROW_PX = 30
_FRAME_PX = 92
_DASHES = ("solid", "dash", "dot", "dashdot")


@dataclass(frozen=True)
class Point:
    """One accuracy on a line against frames."""

    series: str
    condition: str
    estimate: Estimate


@dataclass(frozen=True)
class Bar:
    """One difference or gain, with its row and its panel."""

    row: str
    panel: str
    estimate: Estimate


def frames_of(condition: str) -> float | None:
    """Where a condition stands on the axis of frames: 0 for text, infinity for the video.

    Only frames in order count, and one random frame; None for what is shuffled or handpicked.
    """
    try:
        parsed = Condition.parse(condition)
    except ValueError:
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
    placed = [(one, place) for one in points if (place := frames_of(one.condition)) is not None]
    steps = sorted({place for _, place in placed})
    at = {place: i for i, place in enumerate(steps)}
    data: list[dict[str, Any]] = []
    for number, name in enumerate(dict.fromkeys(one.series for one, _ in placed)):
        own = {at[place]: one.estimate for one, place in placed if one.series == name}
        colour = series_colour(palette, number)
        data += _banded(name, sorted(own.items(), key=lambda pair: pair[0]), colour, number)
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
    axis = _axis(palette)
    layout["xaxis"] = axis | {
        "tickvals": list(range(len(steps))),
        "ticktext": [_frames_words(place) for place in steps],
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
    axis = _axis(palette)
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
    name: str, own: Sequence[tuple[int, Estimate]], colour: str, number: int
) -> list[dict[str, Any]]:
    """A line with markers, and the band of its intervals below it."""
    found = [(x, one) for x, one in own if one.value is not None]
    bounds = [
        (x, *(one.exact or (one.low, one.high)))
        for x, one in found
        if one.exact or (one.low is not None and one.high is not None)
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
    lone = len(found) == 1
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": plain(short(name)),
        "legendgroup": name,
        "x": [x for x, _ in found],
        "y": [100 * (one.value or 0.0) for _, one in found],
        "line": {"color": colour, "width": 2, "dash": _DASHES[number // 8 % len(_DASHES)]},
        "marker": {"size": 8},
        "hovertext": [f"{plain(name)}<br>{_accuracy_words(one)}" for _, one in found],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    if lone and bounds:
        line["error_y"] = _error(100, [found[0][1]], colour)
    return [band, line]


def gain_panels(bars: Sequence[Bar], palette: Palette, unit: str = " %") -> Figure:
    """Panels side by side, a row a model: gains in percent with their intervals and a line at 0.

    What is undefined is a dash at 0 that says why. Differences in points (`unit` '') are all of one
    colour, since their rows are no models.
    """
    panels = list(dict.fromkeys(one.panel for one in bars))
    rows = list(dict.fromkeys(one.row for one in bars))
    width = 1 / max(1, len(panels))
    layout = base_layout(palette, _FRAME_PX + _ROW_PX * len(rows))
    layout |= {"margin": {"l": 8, "r": 16, "t": 34, "b": 28}, "showlegend": False}
    titles: list[dict[str, Any]] = []
    data: list[dict[str, Any]] = []
    for number, panel in enumerate(panels):
        own = [one for one in bars if one.panel == panel and one.estimate.value is not None]
        axis = "" if number == 0 else str(number + 1)
        left, right = number * width + 0.012, (number + 1) * width - 0.012
        none = [one for one in bars if one.panel == panel and one.estimate.value is None]
        data += [_gain_dots(own, rows, axis, palette, unit), _dashes(none, rows, axis, palette)]
        layout[f"xaxis{axis}"] = _axis(palette) | {
            "domain": [left, right],
            "anchor": f"y{axis}",
            "zeroline": True,
            "zerolinecolor": palette.muted,
            "zerolinewidth": 1.5,
            "ticksuffix": unit if len(panels) == 1 else "",
            "tickangle": 0,
            "range": _range(own),
            "nticks": 6,
        }
        layout[f"yaxis{axis}"] = _axis(palette) | {
            "tickvals": list(range(len(rows))),
            "ticktext": [plain(short(row)) for row in rows] if number == 0 else [""] * len(rows),
            "range": [len(rows) - 0.4, -0.6],
            "anchor": f"x{axis}",
            "showgrid": False,
        }
        titles.append(_panel_title(panel, left, palette))
    return {"data": data, "layout": layout | {"annotations": titles if len(panels) > 1 else []}}


def _panel_title(panel: str, left: float, palette: Palette) -> dict[str, Any]:
    return {
        "text": plain(panel[:1].upper() + panel[1:]),
        "x": left,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": palette.text, "size": 13},
    }


def _gain_dots(
    own: Sequence[Bar], rows: Sequence[str], axis: str, palette: Palette, unit: str
) -> dict[str, Any]:
    colours = [series_colour(palette, rows.index(one.row) if unit else 1) for one in own]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [100 * (one.estimate.value or 0.0) for one in own],
        "y": [rows.index(one.row) for one in own],
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "marker": {"size": 10, "color": colours},
        "error_x": _error(100, [one.estimate for one in own], palette.muted),
        "hovertext": [
            f"{plain(one.row)}<br>{plain(one.panel)}<br><b>{signed(one.estimate.value, unit)}</b>, "
            f"95 % interval {signed_interval(one.estimate)}"
            for one in own
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _dashes(
    none: Sequence[Bar], rows: Sequence[str], axis: str, palette: Palette
) -> dict[str, Any]:
    """A dash for each undefined value, with the reason on it."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": [0.0] * len(none),
        "y": [rows.index(one.row) for one in none],
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "text": ["undefined"] * len(none),
        "textposition": "middle right",
        "textfont": {"color": palette.muted, "size": 12},
        "hovertext": [f"{plain(one.row)}<br>{plain(one.estimate.reason)}" for one in none],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _range(own: Sequence[Bar]) -> list[float]:
    """From the least to the greatest end, with air; an interval without end is cut at 400 %."""
    ends = [0.0]
    for one in own:
        ends += [one.estimate.value or 0.0, one.estimate.low or 0.0, one.estimate.high or 0.0]
    low, high = max(-1.0, min(ends)), min(4.0, max(ends))
    air = 0.06 * (high - low) or 0.1
    return [100 * (low - air), 100 * (high + air)]


def _error(scale: float, found: Sequence[Estimate], colour: str) -> dict[str, Any]:
    def reach(one: Estimate, high: bool) -> float:
        low_end, high_end = one.exact or (one.low, one.high)
        end = high_end if high else low_end
        return 0.0 if end is None or one.value is None else scale * abs(end - one.value)

    return {
        "type": "data",
        "symmetric": False,
        "array": [reach(one, True) for one in found],
        "arrayminus": [reach(one, False) for one in found],
        "color": colour,
        "thickness": 2,
        "width": 0,
    }


def series_colour(palette: Palette, number: int) -> str:
    """The colour of the nth series; they come round again."""
    return palette.series[number % len(palette.series)]


def with_alpha(colour: str, alpha: float) -> str:
    """A colour that lets what is below shine through."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha})"


def plain(text: str) -> str:
    """Text that plotly shows as it is: it reads some tags, and $...$ as a formula."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("$", "&#36;")


def _axis(palette: Palette) -> dict[str, Any]:
    return {
        "gridcolor": palette.border,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
        "tickfont": {"color": palette.text},
    }


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


def _accuracy_words(one: Estimate) -> str:
    low, high = one.exact or (one.low, one.high)
    between = (
        "no interval" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f}"
    )
    return f"<b>{100 * (one.value or 0.0):.1f} %</b>, {between}, {one.n:,} answers"


def _frames_words(place: float) -> str:
    if place == 0:
        return "text only"
    if place == float("inf"):
        return "full video"
    return f"{place:.0f} frame{'s'[: place != 1]}"
