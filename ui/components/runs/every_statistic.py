"""Every statistic of core/metrics over stored answers, as a table on Metrics and Runs."""

from collections.abc import Sequence

from annotations.scoring.statistics import Figure, figures
from ui.components.downloads import take_table
from ui.components.runs.asked import Asked
from ui.components.tables import show_table


def draw(asked: Asked) -> None:
    """Draw every statistic of every run, and of people."""
    show_figures(figures(asked.snapshot, asked.which, asked.resample))


def show_figures(shown: Sequence[Figure]) -> None:
    """Draw some figures as a table that can be taken away."""
    columns = figure_columns(shown)
    shares = all(figure.as_share for figure in shown)
    with_decimals = ("Value", "Low", "High") if shares else ()
    show_table(columns, formats=dict.fromkeys(with_decimals, "%.1f"), wide=("Note",))
    take_table("statistics", columns)


def figure_columns(shown: Sequence[Figure]) -> dict[str, list[object]]:
    """A row for each figure; shares in percent."""
    return {
        "Statistic": [figure.label for figure in shown],
        "Who": [figure.entry.model for figure in shown],
        "Condition": [figure.entry.condition for figure in shown],
        "Value": [_number(figure, figure.estimate.value) for figure in shown],
        "Low": [_number(figure, _ends(figure)[0]) for figure in shown],
        "High": [_number(figure, _ends(figure)[1]) for figure in shown],
        "Unit": ["%" if figure.as_share else "" for figure in shown],
        "n": [figure.estimate.n for figure in shown],
        "Note": [figure.estimate.reason for figure in shown],
    }


def _ends(figure: Figure) -> tuple[float | None, float | None]:
    return figure.estimate.exact or (figure.estimate.low, figure.estimate.high)


def _number(figure: Figure, value: float | None) -> float | None:
    if value is None:
        return None
    return round(100 * value, 1) if figure.as_share else round(value, 3)
