"""Charts of agreement as plain plotly figures: pairs as a heat map, segments as a curve."""

from collections.abc import Sequence

from annotations.agreement.coefficients import Row
from core.statistics.metric import Estimate
from ui.components.chart_parts import Figure, axis_of, base_layout, plain, with_alpha
from ui.theme import Palette

_CELL_PX = 34


def pair_heat_map(rows: Sequence[Row], palette: Palette) -> Figure:
    """A square with each two annotators' coefficient; what is undefined is left empty.

    Args:
        rows: of one coefficient, one for each pair.
        palette: colours of the current theme.
    """
    people = list(dict.fromkeys(name for row in rows for name in (row.group, row.partner)))
    value = {
        pair: row.estimate
        for row in rows
        for pair in ((row.group, row.partner), (row.partner, row.group))
    }
    table = [[value.get((row_name, column_name)) for column_name in people] for row_name in people]
    shown = [plain(name) for name in people]
    few = len(people) <= 12
    data = {
        "type": "heatmap",
        "x": shown,
        "y": shown,
        "z": [[cell.value if cell else None for cell in line] for line in table],
        "text": [[_number(cell) for cell in line] for line in table],
        "texttemplate": "%{text}" if few else "",
        "hovertext": [
            [_hover(a, b, table[i][j]) for j, b in enumerate(shown)] for i, a in enumerate(shown)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, palette.surface], [1, palette.series[1]]],
        "xgap": 2,
        "ygap": 2,
        "hoverongaps": False,
        "colorbar": {"thickness": 10, "outlinewidth": 0, "tickfont": {"color": palette.text}},
    }
    layout = base_layout(palette, max(240, 90 + _CELL_PX * len(people)))
    axis = {"showgrid": False, "zeroline": False, "fixedrange": True, "automargin": True}
    layout["xaxis"] = axis | {"tickfont": {"color": palette.text}}
    layout["yaxis"] = axis | {"tickfont": {"color": palette.text}, "autorange": "reversed"}
    return {"data": [data], "layout": layout}


def tolerance_lines(curve: Sequence[tuple[float, Estimate]], palette: Palette) -> Figure:
    """The share of cards with a match, against how good the match has to be, with its band."""
    defined = [(iou, estimate) for iou, estimate in curve if estimate.value is not None]
    banded = [(iou, estimate) for iou, estimate in defined if None not in estimate.bounds]
    colour = palette.series[1]
    band = {
        "type": "scatter",
        "mode": "lines",
        "x": [iou for iou, _ in banded] + [iou for iou, _ in reversed(banded)],
        "y": [100 * (estimate.bounds[1] or 0) for _, estimate in banded]
        + [100 * (estimate.bounds[0] or 0) for _, estimate in reversed(banded)],
        "fill": "toself",
        "line": {"width": 0},
        "fillcolor": with_alpha(colour, 0.18),
        "hoverinfo": "skip",
        "showlegend": False,
    }
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [iou for iou, _ in defined],
        "y": [100 * (estimate.value or 0) for _, estimate in defined],
        "line": {"color": colour, "width": 2},
        "hovertemplate": "IoU %{x} or better: %{y:.1f} %<extra></extra>",
        "showlegend": False,
    }
    layout = base_layout(palette, 280)
    axis = axis_of(palette)
    layout["xaxis"] = axis | {
        "title": {"text": "temporal IoU, at least", "font": {"size": 13}},
        "range": [0, 1],
    }
    layout["yaxis"] = axis | {
        "title": {"text": "matched cards, %", "font": {"size": 13}},
        "range": [0, 102],
    }
    return {"data": [band, line], "layout": layout}


def quality_lines(
    series: Sequence[tuple[str, Sequence[tuple[int, float]]]], palette: Palette
) -> Figure:
    """A line for each person: the share of answers that are the majority's, over their work.

    Args:
        series: (name, points), each point (answers given so far, share in [0, 1]).
        palette: colours of the current theme.
    """
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": plain(name),
            "x": [count for count, _ in points],
            "y": [100 * share for _, share in points],
            "line": {"color": palette.series[index % len(palette.series)], "width": 2},
            "hovertemplate": "%{y:.0f} % up to answer %{x}<extra>" + plain(name) + "</extra>",
        }
        for index, (name, points) in enumerate(series)
    ]
    layout = base_layout(palette, 280)
    axis = axis_of(palette)
    layout["xaxis"] = axis | {
        "title": {"text": "answers compared", "font": {"size": 13}},
        "rangemode": "tozero",
    }
    layout["yaxis"] = axis | {
        "title": {"text": "as the majority, %", "font": {"size": 13}},
        "range": [-2, 104],
    }
    layout["legend"] = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    layout["showlegend"] = True
    return {"data": data, "layout": layout}


def _number(cell: Estimate | None) -> str:
    return "" if cell is None or cell.value is None else f"{cell.value:.2f}"


def _hover(row_name: str, column_name: str, cell: Estimate | None) -> str:
    if cell is None:
        return f"{row_name}, {column_name}"
    if cell.value is None:
        return f"{row_name}, {column_name}: {cell.reason}"
    low, high = cell.bounds
    interval = "" if low is None or high is None else f", 95 % interval {low:.2f} to {high:.2f}"
    return (
        f"{row_name}, {column_name}<br><b>{cell.value:.3f}</b>{interval}<br>{cell.n:,} shared items"
    )
