"""Gains and differences of runs in panels side by side: pure functions that plotly draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.statistics.metric import Estimate
from ui.components.chart_parts import Figure, axis_of, base_layout, plain, reaches, series_colour
from ui.components.runs.words import short, signed, signed_interval
from ui.theme import Palette

_ROW_PX = 30
_FRAME_PX = 92


@dataclass(frozen=True)
class Bar:
    """One difference or gain, with its row and its panel."""

    row: str
    panel: str
    estimate: Estimate


def gain_panels(bars: Sequence[Bar], palette: Palette, unit: str = " %") -> Figure:
    """Panels side by side, a row a model: gains in percent with their intervals and a line at 0.

    What is undefined is a dash at 0 that says why. Differences in points (`unit` '') are all of one
    colour, since their rows are no models.
    """
    panels = list(dict.fromkeys(bar.panel for bar in bars))
    rows = list(dict.fromkeys(bar.row for bar in bars))
    width = 1 / max(1, len(panels))
    layout = base_layout(palette, _FRAME_PX + _ROW_PX * len(rows))
    layout |= {"margin": {"l": 8, "r": 16, "t": 34, "b": 28}, "showlegend": False}
    titles: list[dict[str, Any]] = []
    data: list[dict[str, Any]] = []
    for number, panel in enumerate(panels):
        defined = [bar for bar in bars if bar.panel == panel and bar.estimate.value is not None]
        axis = "" if number == 0 else str(number + 1)
        left_edge, right = number * width + 0.012, (number + 1) * width - 0.012
        none = [bar for bar in bars if bar.panel == panel and bar.estimate.value is None]
        data += [_gain_dots(defined, rows, axis, palette, unit), _dashes(none, rows, axis, palette)]
        layout[f"xaxis{axis}"] = axis_of(palette) | {
            "domain": [left_edge, right],
            "anchor": f"y{axis}",
            "zeroline": True,
            "zerolinecolor": palette.muted,
            "zerolinewidth": 1.5,
            "ticksuffix": unit if len(panels) == 1 else "",
            "tickangle": 0,
            "range": _range(defined),
            "nticks": 6,
        }
        layout[f"yaxis{axis}"] = axis_of(palette) | {
            "tickvals": list(range(len(rows))),
            "ticktext": [plain(short(row)) for row in rows] if number == 0 else [""] * len(rows),
            "range": [len(rows) - 0.4, -0.6],
            "anchor": f"x{axis}",
            "showgrid": False,
        }
        titles.append(_panel_title(panel, left_edge, palette))
    return {"data": data, "layout": layout | {"annotations": titles if len(panels) > 1 else []}}


def _panel_title(panel: str, left_edge: float, palette: Palette) -> dict[str, Any]:
    return {
        "text": plain(panel),
        "x": left_edge,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": palette.text, "size": 13},
    }


def _gain_dots(
    defined: Sequence[Bar], rows: Sequence[str], axis: str, palette: Palette, unit: str
) -> dict[str, Any]:
    colours = [series_colour(palette, rows.index(bar.row) if unit else 1) for bar in defined]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [100 * (bar.estimate.value or 0.0) for bar in defined],
        "y": [rows.index(bar.row) for bar in defined],
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "marker": {"size": 10, "color": colours},
        "error_x": reaches([bar.estimate for bar in defined], palette.muted),
        "hovertext": [
            f"{plain(bar.row)}<br>{plain(bar.panel)}<br><b>{signed(bar.estimate.value, unit)}</b>, "
            f"95 % interval {signed_interval(bar.estimate)}"
            for bar in defined
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
        "y": [rows.index(bar.row) for bar in none],
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "text": ["undefined"] * len(none),
        "textposition": "middle right",
        "textfont": {"color": palette.muted, "size": 12},
        "hovertext": [f"{plain(bar.row)}<br>{plain(bar.estimate.reason)}" for bar in none],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _range(defined: Sequence[Bar]) -> list[float]:
    """From the least to the greatest end, with air; an interval without end is cut at 400 %."""
    ends = [0.0]
    for bar in defined:
        ends += [bar.estimate.value or 0.0, bar.estimate.low or 0.0, bar.estimate.high or 0.0]
    low, high = max(-1.0, min(ends)), min(4.0, max(ends))
    air = 0.06 * (high - low) or 0.1
    return [100 * (low - air), 100 * (high + air)]
