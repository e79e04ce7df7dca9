"""Models before people: start a run, watch it, and send people what it leaves."""

import numpy as np
import streamlit as st

from annotations.annotator import annotator, annotators
from annotations.filter.filter_table import Filtered, filter_runs, filtered
from annotations.filter_kind import is_filter
from annotations.people import Person
from annotations.record.video import has_usable_video
from annotations.run.runs import Run, all_runs, the_run
from annotations.scoring.snapshot import take
from annotations.video import video_texts
from annotations.workspace import Workspace
from core.statistics.threshold import UNJUDGED
from ui.access import fragment
from ui.components.filters.calibrating import calibrating, start_threshold
from ui.components.filters.threshold import threshold_slider
from ui.components.nothing_yet import nothing_yet
from ui.components.pipeline.new_run import new_run
from ui.components.pipeline.progress_panel import SAMPLE, begin, draw_progress
from ui.components.pipeline.result_cards import results
from ui.components.pipeline.run_method import draw_method
from ui.components.pipeline.run_state import busy, note_of, planned, state_of
from ui.components.pipeline.segments import draw_segments
from ui.components.pipeline.send_to_people import draw_send_form
from ui.components.words import plain
from ui.going import go_to
from ui.theme import DARK, LIGHT, Palette

TITLE = "Pipeline"
ICON = ":material/conveyor_belt:"
ROLES = frozenset({"author", "admin"})

RESULTS, THRESHOLD, HOW = "Newest results", "Threshold and people", "How it annotates"
SEGMENTS = "Segments and people"


def render(workspace: Workspace, person: Person) -> None:
    """Draw the runs and the chosen one, or the form for a new one."""
    runs = [run for run in all_runs(workspace) if planned(run) or is_filter(run.kind)]
    title_at, run_at, button_at = st.columns([2, 6, 2], vertical_alignment="bottom")
    title_at.title("Pipeline")
    if "new" in st.query_params or not runs:
        if runs and button_at.button("All runs", icon=":material/arrow_back:", width="stretch"):
            st.query_params.clear()
            st.rerun()
        _new(workspace)
        return
    if button_at.button("New run", type="primary", icon=":material/add:", width="stretch"):
        st.query_params["new"] = "1"
        st.rerun()
    with run_at:
        run = _choose(runs)
    _run(workspace, person, run)


def _new(workspace: Workspace) -> None:
    with workspace.store.single() as database:
        usable = has_usable_video(database)
    if not usable:
        nothing_yet(
            "There are no videos yet for a model to look at. Once a folder of them has come in,"
            " models screen, describe and answer here.",
            command="rushes import FOLDER", root=workspace.root,
        )  # fmt: skip
        return
    plan = new_run(workspace)
    if plan is None:
        return
    number, whole = plan
    st.query_params.clear()
    st.query_params["run"] = str(number)
    begin(workspace, number, sample=None if whole else SAMPLE)


def _choose(runs: list[Run]) -> Run:
    by_id = {run.id: run for run in reversed(runs)}
    asked = st.query_params.get("run", "")
    number = int(asked) if asked.isdecimal() and int(asked) in by_id else next(iter(by_id))
    chosen = st.selectbox(
        "Run", list(by_id), index=list(by_id).index(number),
        key=f"pipeline run {len(by_id)} {asked}",
        format_func=lambda run: by_id[run].name, label_visibility="collapsed",
    )  # fmt: skip
    if chosen != number:
        st.query_params["run"] = str(chosen)
        st.rerun()
    return by_id[number]


def _run(workspace: Workspace, person: Person, run: Run) -> None:
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    if note := note_of(run):
        icon, summary = note
        st.caption(f"{icon} **{plain(summary)}**")
    draw_progress(workspace, run)
    working = busy(state_of(run))
    views = [RESULTS] if working else [*_follows(workspace, run), RESULTS]
    if planned(run):
        views.append(HOW)
    opening = views[0] if state_of(run).status == "finished" else RESULTS
    view = st.segmented_control(
        "Show", views, default=opening, required=True, label_visibility="collapsed",
        key=f"pipeline view {run.id} {opening} {len(views)}",
    )  # fmt: skip
    if view == HOW:
        draw_method(run)
    elif view == THRESHOLD:
        _decide(workspace, person, run.id, palette)
    elif view == SEGMENTS:
        draw_segments(workspace, run)
    elif working:
        _live_results(workspace, person, run.id, palette)
    else:
        _results(workspace, person, run, palette)


def _follows(workspace: Workspace, run: Run) -> list[str]:
    """What can be done with the results of a run that is not at work."""
    module = annotator(run.method) if run.method in annotators() else None
    if module is None or module.RESULT == "answers":
        with workspace.store.read() as database:
            return [THRESHOLD] if run.id in {of.id for of in filter_runs(database)} else []
    return [SEGMENTS] if module.TEXT_KIND == video_texts.SEGMENTS else []


def _results(workspace: Workspace, person: Person, run: Run, palette: Palette) -> None:
    item = results(workspace, person, run, palette)
    if item and THRESHOLD in _follows(workspace, run):
        go_to("filters", run=str(run.id), item=item)


@fragment(run_every="3s")
def _live_results(workspace: Workspace, person: Person, run_id: int, palette: Palette) -> None:
    _results(workspace, person, the_run(workspace, run_id), palette)


@fragment()
def _decide(workspace: Workspace, person: Person, run_id: int, palette: Palette) -> None:
    """The threshold, and what goes to people."""
    with take(workspace) as snapshot:
        table = filtered(snapshot, run_id)
    at = None
    if np.isfinite(table.score).any():
        with st.container(border=True):
            begins, kept = start_threshold(table)
            at = threshold_slider(
                table, begins, palette, f"pipeline threshold {run_id}", reference=kept
            )
            _what_people_said(table)
            calibrating(workspace, person, table, at)
    else:
        st.caption("This filter gives no scores: its own verdicts decide.")
    draw_send_form(workspace, person, table, at)


def _what_people_said(table: Filtered) -> None:
    judged = int(((table.people != UNJUDGED) & np.isfinite(table.score)).sum())
    if not judged:
        st.caption(
            "People have judged none of these yet. Send them a random sample below; then a "
            "threshold can be found that keeps what they accept."
        )
    elif st.button("Compare with people on the page Filters", icon=":material/filter_alt:",
                   type="tertiary"):  # fmt: skip
        go_to("filters", run=str(table.run.id))
