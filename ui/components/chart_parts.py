"""What plotly figures here have in common: layout, axes, colours and words."""

from collections.abc import Sequence
from typing import Any

from core.statistics.metric import Estimate
from ui.theme import FONT, Palette

Figure = dict[str, Any]


def base_layout(palette: Palette, height: int) -> dict[str, Any]:
    """What all plots share: height in px, no dragging, the page's background, font and hover."""
    return {
        "height": height,
        "dragmode": False,
        "margin": {"l": 8, "r": 8, "t": 24, "b": 28},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": f"{FONT}, sans-serif", "color": palette.text, "size": 13},
        "hoverlabel": {
            "bordercolor": palette.border,
            "bgcolor": palette.surface,
            "font": {"color": palette.text},
            "align": "left",
        },
    }


def axis_of(palette: Palette) -> dict[str, Any]:
    """An axis that nobody drags, with lines in the colour of borders."""
    return {
        "gridcolor": palette.border,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
        "tickfont": {"color": palette.text},
    }


def reaches(estimates: Sequence[Estimate], colour: str) -> dict[str, Any]:
    """How far intervals reach from their values, in percent; the exact one where there is one."""

    def reach(estimate: Estimate, high: bool) -> float:
        low_end, high_end = estimate.exact or (estimate.low, estimate.high)
        end = high_end if high else low_end
        return 0.0 if end is None or estimate.value is None else 100 * abs(end - estimate.value)

    return {
        "type": "data",
        "symmetric": False,
        "array": [reach(estimate, True) for estimate in estimates],
        "arrayminus": [reach(estimate, False) for estimate in estimates],
        "color": colour,
        "thickness": 2,
        "width": 0,
    }


def heat_map_of(
    columns: Sequence[str],
    rows: Sequence[str],
    values: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    palette: Palette,
    *,
    most: float,
    hover: str,
) -> dict[str, Any]:
    """The data of a heat map whose cells hold texts, as plotly draws it.

    Args:
        columns: names of the columns, `rows` those of the rows.
        values: (rows, columns), from 0 to `most`, the strongest colour.
        texts: (rows, columns).
        palette: colours of the current theme.
        hover: template of what a cell says under the pointer.
    """
    return {
        "type": "heatmap",
        "x": columns,
        "y": rows,
        "z": values,
        "text": texts,
        "texttemplate": "%{text}",
        "hovertemplate": f"{hover}<extra></extra>",
        "zmin": 0,
        "zmax": most,
        "xgap": 2,
        "ygap": 2,
        "showscale": False,
        "textfont": {"color": palette.text},
        # Pale enough for the texts to be read on it, in both modes.
        "colorscale": [[0, palette.surface], [1, with_alpha(palette.series[1], 0.6)]],
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
