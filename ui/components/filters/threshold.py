"""A histogram of a filter's scores with a threshold to drag, which answers without the server."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import streamlit as st
from streamlit.components.v2 import component

from annotations.filter.filter_table import Filtered
from core.statistics.metric import Floats
from core.statistics.threshold import ACCEPTED, REJECTED, UNJUDGED, band, steps, sweep
from ui.components.beside import beside
from ui.components.filters.gallery import colours
from ui.theme import Palette

BINS = 60
STEPS = 400
HEIGHT_PX = 190


def threshold_slider(
    table: Filtered,
    at: float,
    palette: Palette,
    key: str,
    *,
    reference: float | None = None,
    height: int = HEIGHT_PX,
) -> float:
    """Draw it; the threshold where it stands, also after it was moved.

    Args:
        table: a filter with at least one score.
        at: where it begins; another value moves it.
        palette: colours of the current theme.
        key: fixed per place on the page, another one for each filter.
        reference: another threshold, marked dashed.
        height: of the histogram, px.
    """
    state = f"{key} begins"
    version, begins = st.session_state.get(state, (0, None))
    if begins != at:
        version += 1
        st.session_state[state] = (version, at)
    data = _counted(table, (at,) if reference is None else (at, reference))
    mounted = component(
        "rushes_threshold",
        js=beside(__file__, "threshold.js"),
        css=beside(__file__, "threshold.css"),
    )
    mounted_slider: Any = mounted(
        data={
            **data,
            "at": at,
            "version": version,
            "reference": reference,
            "height": height,
            "colours": colours(palette),
        },
        key=key,
        on_chosen_change=_nothing,
    )
    chosen = mounted_slider.chosen
    return float(chosen["value"]) if chosen and chosen["version"] == version else at


def _nothing() -> None:
    pass


@lru_cache(maxsize=8)
def _counted(table: Filtered, also: tuple[float, ...]) -> dict[str, Any]:
    """What every threshold keeps, as the component takes it."""
    has_score = np.isfinite(table.score)
    scores, people, videos = table.score[has_score], table.people[has_score], table.video[has_score]
    thresholds = np.union1d(steps(scores, STEPS), np.array(also))
    counts = sweep(scores, people, thresholds)
    around = band(scores, people, thresholds, videos)
    shares = {
        "recall": counts.recall, "recall_low": around.recall_low, "recall_high": around.recall_high,
        "precision": counts.precision, "precision_low": around.precision_low,
        "precision_high": around.precision_high,
    }  # fmt: skip
    low, high = float(thresholds[0]), float(thresholds[-1])
    ticks, digits = _ticks(low, high)
    return {
        "thresholds": thresholds.tolist(),
        "items": counts.items,
        "accepted": counts.accepted,
        "rejected": counts.rejected,
        "kept": counts.kept.tolist(),
        "accepted_kept": counts.accepted_kept.tolist(),
        "rejected_kept": counts.rejected_kept.tolist(),
        **{name: _nulls(values) for name, values in shares.items()},
        "histogram": {"low": low, "high": high, "panels": _panels(table, low, high)},
        "legend": _legend(table),
        "ticks": ticks,
        "digits": digits,
    }


def _panels(table: Filtered, low: float, high: float) -> list[dict[str, Any]]:
    """What people judged, one above the other; below it everything, where they judged a part."""

    def stack(tone: str, verdicts: tuple[int, ...]) -> dict[str, Any]:
        chosen = np.isfinite(table.score) & np.isin(table.people, verdicts)
        counts, _ = np.histogram(table.score[chosen], BINS, (low, high))
        return {"tone": tone, "counts": counts.tolist()}

    judged = [stack("reject", (REJECTED,)), stack("accept", (ACCEPTED,))]
    panels = [{"stacks": judged}] if any(any(stack_of["counts"]) for stack_of in judged) else []
    if not panels or (np.isfinite(table.score) & (table.people == UNJUDGED)).any():
        panels.append({"stacks": [stack("muted", (ACCEPTED, REJECTED, UNJUDGED))]})
    return panels


def _legend(table: Filtered) -> list[tuple[str, str]]:
    shown = table.people[np.isfinite(table.score)]
    accepted, rejected = int((shown == ACCEPTED).sum()), int((shown == REJECTED).sum())
    legend: list[tuple[str, str]] = []
    if accepted + rejected:
        legend = [
            ("accept", f"people accept ({accepted:,})"),
            ("reject", f"people reject ({rejected:,})"),
        ]
    if accepted + rejected < len(shown):
        legend.append(("muted", f"all that have a score ({len(shown):,})"))
    return legend


def _ticks(low: float, high: float) -> tuple[list[float], int]:
    """About five round places of a scale and how many digits they need."""
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / 5))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= span / 5)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    lowest, highest = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(lowest, highest + 1)], digits


def _nulls(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]
