"""Below the slider: keep a threshold with its run, or have one chosen for a wanted share."""

from typing import Any

import numpy as np
import streamlit as st

from annotations.filter.calibration import (
    Calibration,
    calibrate,
    forget_threshold,
    keep_threshold,
    kept_threshold,
)
from annotations.filter.filter_table import Filtered
from annotations.people import Person
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.statistics.threshold import ACCEPTED, REJECTED
from ui.access import callback
from ui.components.words import plain

_FOUND, _WANTED, _HOW = "calibration found", "calibration wanted", "calibration how"
CERTAIN, SAMPLE = "with 95 % certainty", "on the sample only"


def start_threshold(table: Filtered) -> tuple[float, float | None]:
    """Where the slider begins, and the threshold that is kept with the run, if there is one.

    It begins at what was found last, else at what is kept, else where the filter itself decides,
    else in the middle of the scores.
    """
    kept = kept_threshold(table.run)
    stored: Any = st.session_state.get(f"{_FOUND} {table.run.id}")
    if isinstance(stored, Calibration) and stored.choice.threshold is not None:
        return stored.choice.threshold, kept
    return (own_threshold(table) if kept is None else kept), kept


def own_threshold(table: Filtered) -> float:
    """The least score that the filter itself accepts; the median where it never does."""
    has_score = np.isfinite(table.score)
    accepted = table.score[has_score & (table.model == ACCEPTED)]
    rejected = table.score[has_score & (table.model == REJECTED)]
    if len(accepted) and len(rejected):
        return float(accepted.min())
    return float(np.median(table.score[has_score]))


def calibrating(workspace: Workspace, person: Person, table: Filtered, at: float) -> None:
    """Draw the two ways to a threshold that stays: this one, or one for a wanted share."""
    run, key = table.run, f"{_FOUND} {table.run.id}"
    wanted_at, how_at, find_at, keep_at = st.columns([3, 4, 2, 3], vertical_alignment="bottom")
    wanted_at.number_input(
        "Keep of what people accept, %", 50.0, 100.0, 95.0, 1.0, key=_WANTED,
        persist_state="session",
    )  # fmt: skip
    how_at.segmented_control(
        "Reached", (CERTAIN, SAMPLE), default=CERTAIN, required=True, key=_HOW,
        persist_state="session",
    )  # fmt: skip
    find_at.button("Find", icon=":material/target:", width="stretch", on_click=callback(_find),
                   args=(table, key))  # fmt: skip
    stored = st.session_state.get(key)
    stored = stored if isinstance(stored, Calibration) else None
    label = f"Keep {at:.3g} with the run"
    if keep_at.button(label, icon=":material/bookmark:", width="stretch",
                      disabled=kept_threshold(run) == at):  # fmt: skip
        keep_threshold(workspace, run.id, at, person.name, stored)
        st.session_state.pop(key, None)
        st.rerun()
    if stored is not None:
        _found(stored)
    _kept(workspace, table)


def _find(table: Filtered, key: str) -> None:
    wanted, how = st.session_state[_WANTED], st.session_state[_HOW]
    st.session_state[key] = calibrate(table, wanted / 100, certain=how == CERTAIN)


def _found(calibration: Calibration) -> None:
    choice = calibration.choice
    if choice.threshold is None:
        st.warning(plain(choice.reason[:1].upper() + choice.reason[1:]), icon=":material/block:")
        return
    spread = (
        f" (95 % interval of the threshold {choice.low:.3g} to {choice.high:.3g})"
        if choice.low is not None and choice.high is not None
        else ""
    )
    share = percent_text(choice.reached or 0)
    bound = (
        f", at least {percent_text(choice.at_least)} with 95 % certainty" if choice.at_least else ""
    )
    st.success(
        plain(
            f"Threshold {choice.threshold:.4g}{spread}: on the sample {share} of what people "
            f"accept is kept{bound}. It keeps {calibration.kept:,} of "
            f"{calibration.scored:,} scored videos."
        ),
        icon=":material/target:",
    )
    if calibration.warning:
        st.warning(plain(calibration.warning), icon=":material/warning:")
    st.caption(plain(calibration.method))


def _kept(workspace: Workspace, table: Filtered) -> None:
    fact: dict[str, Any] = table.run.facts.get("threshold") or {}
    if not fact:
        return
    words_at, button_at = st.columns([8, 2], vertical_alignment="center")
    how = (
        f"; chosen to keep {percent_text(fact['wanted'], 0)} "
        f"{'with 95 % certainty' if fact['certain'] else ''}"
        f" on {fact['judged']:,} judged videos"
        if "wanted" in fact
        else "; chosen by eye"
    )
    words_at.caption(
        plain(f"Kept with the run: {fact['value']:.4g}, by {fact['by']}, {fact['at'][:10]}{how}.")
    )
    if button_at.button("Forget it", type="tertiary", key="calibration forget"):
        forget_threshold(workspace, table.run.id)
        st.rerun()
