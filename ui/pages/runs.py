"""Runs of models beside people: a leaderboard, what frames bring, and any two runs compared."""

import time
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotations.people import Person
from annotations.scoring.run_counts import left_out
from annotations.scoring.snapshot import Snapshot, runs_version, take
from annotations.scoring.solved_table import Which, solved_table
from annotations.workspace import Workspace
from ui.access import fragment
from ui.components.nothing_yet import IMPORT, PIPELINE, nothing_yet
from ui.components.population import leaves_out_seen, population_words
from ui.components.runs import (
    checked_keys,
    curves,
    every_statistic,
    free_form,
    grouped,
    imported,
    option_positions,
    overview,
    pivot_view,
    shortcut_metrics,
    split_view,
    two_runs,
)
from ui.components.runs.asked import Asked
from ui.components.runs.choosing import choose_questions, choose_resample, said
from ui.components.words import plain
from ui.theme import DARK, LIGHT

TITLE = "Runs"
ICON = ":material/leaderboard:"
ROLES = frozenset({"author", "admin"})

_DRAWN = "runs drawn"
_REST = 5
VIEWS: dict[str, Callable[[Asked], None]] = {
    "Leaderboard": overview.draw,
    "Frames": curves.draw,
    "Groups": grouped.draw,
    "Models × groups": pivot_view.draw,
    "Shortcut metrics": shortcut_metrics.draw,
    "Option positions": option_positions.draw,
    "Two runs": two_runs.draw,
    "Splits": split_view.draw,
    "Checked keys": checked_keys.draw,
    "Free-form": free_form.draw,
    "Imported scores": imported.draw,
    "Every statistic": every_statistic.draw,
}


def render(workspace: Workspace, person: Person) -> None:
    """Draw one view of the runs; it draws itself again as predictions and answers arrive."""
    del person
    begun, version = time.monotonic(), runs_version(workspace)
    with take(workspace, leave_out_seen=leaves_out_seen()) as snapshot:
        _body(workspace, snapshot)
    clock = time.monotonic()
    st.session_state[_DRAWN] = (version, clock + _REST * (clock - begun))
    _watch(workspace)


def _body(workspace: Workspace, snapshot: Snapshot) -> None:
    title_at, choice_at = st.columns([3, 2], vertical_alignment="bottom")
    title_at.title("Runs")
    if any(entry.run is not None for entry in solved_table(snapshot).entries):
        # Both above the views, which need the whole width.
        with choice_at, _side_by_side():
            which = choose_questions(snapshot, "runs")
            resample = choose_resample("runs resample")
        view = st.segmented_control(
            "View", list(VIEWS), default="Leaderboard", required=True, key="runs view",
            label_visibility="collapsed",
        )  # fmt: skip
        said(snapshot, which)
        palette = DARK if st.context.theme.type == "dark" else LIGHT
        VIEWS[view](Asked(workspace, snapshot, which, resample, palette))
        _left_out(snapshot, which)
        if any(entry.line is not None for entry in solved_table(snapshot).entries):
            population_words(snapshot)
        _method(resample)
    else:
        _nothing_yet(workspace)


def _side_by_side() -> DeltaGenerator:
    return st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="bottom")


@fragment(run_every="3s")
def _watch(workspace: Workspace) -> None:
    """Ask for the cheap version; draw anew only when it has changed and the page has rested."""
    version, earliest = st.session_state[_DRAWN]
    if time.monotonic() >= earliest and runs_version(workspace) != version:
        st.rerun()


def _nothing_yet(workspace: Workspace) -> None:
    nothing_yet(
        "No model has answered yet. Import what models replied: sample logs of lmms-eval, tables "
        "of VLMEvalKit, results of TOMATO, TempCompass or NExT-QA, or a plain CSV or JSON file. "
        "Every reply is read again by our own rules, and the runs appear here beside people.",
        IMPORT, PIPELINE, command="rushes import predictions.json", root=workspace.root,
    )  # fmt: skip


def _left_out(snapshot: Snapshot, which: Which) -> None:
    sentences = left_out(snapshot, which)
    text = ". ".join(sentences) if sentences else "Nothing is left out"
    st.caption(f":material/rule: {plain(text)}.")


def _method(resample: str) -> None:
    with st.expander("How these numbers are made", icon=":material/function:"):
        st.markdown(
            "- **Accuracy** is the share of answers that choose the key as it stands now. A reply "
            "that was not read, refused, named several options or was empty counts as wrong. "
            "Items that failed, questions without a key, and those of which several options are "
            "right, are in no number; *Free-form* scores the latter by the whole set.\n"
            "- **Answered** says how many of the questions that the run's task asks have an "
            "answer. Any comparison uses the questions of both sides only.\n"
            f"- **Intervals** hold 95 %: percentile bootstrap, 10,000 resamples of {resample}s, "
            "fixed seed, the same draw for both sides of a comparison.\n"
            "- **Shortcut metrics** follow TOMATO, section 3: A(m)/A(1) − 1 for one random and "
            "for the handpicked frame, A(m)/A(m shuffled) − 1, A(1 handpicked)/A(1 random) − 1.\n"
            "- **Option positions** count the answers that choose an option, where it was shown: "
            "how often a position is chosen, less how often the key stands there. The test is "
            "McNemar's in its exact form, each answer by itself.\n"
            "- **People** are everybody who answered under a condition, a run like any other."
        )
