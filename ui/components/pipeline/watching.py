"""One run: how far it is, and the buttons that start, stop and go on with it."""

import streamlit as st

from annotations.engine.background import start
from annotations.engine.engine_hold import Progress, request_stop
from annotations.engine.run_results import by_reason, failures
from annotations.run.runs import Run, the_run
from annotations.workspace import Workspace
from ui.components.pipeline.run_state import (
    COLOURS,
    busy,
    line,
    noted_start,
    planned,
    results_of,
    share,
    state_of,
)
from ui.components.tables import show_table
from ui.components.words import plain

SAMPLE = 20
_EVERY = "1s"


def watching(workspace: Workspace, run: Run) -> None:
    """Draw how far the run is; while it works, twice as often as people notice."""
    if busy(state_of(run)):
        _live(workspace, run.id)
    else:
        _panel(workspace, run, state_of(run))


@st.fragment(run_every=_EVERY)
def _live(workspace: Workspace, run_id: int) -> None:
    run = the_run(workspace, run_id)
    found = state_of(run)
    if not busy(found):
        st.rerun()
    _panel(workspace, run, found)


def _panel(workspace: Workspace, run: Run, found: Progress) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(found.status, color=COLOURS.get(found.status, "gray"))  # pyright: ignore[reportArgumentType]
            st.caption(plain(line(run, found)))
        through = share(run, found)
        if through < 1 or busy(found):
            st.progress(through)
        with st.container(horizontal=True):
            _buttons(workspace, run, found)
        _failed(workspace, run)


def _buttons(workspace: Workspace, run: Run, found: Progress) -> None:
    if busy(found):
        st.button("Stop", icon=":material/stop:", disabled=found.stopping,
                  on_click=request_stop, args=(workspace, run.id))  # fmt: skip
        return
    if not planned(run):
        st.caption("This run was made elsewhere: there is nothing to start here.")
        return
    some = results_of(run) > 0
    whole = found.status == "finished" and not run.errors and some
    if not some and st.button(f"See {SAMPLE} first", icon=":material/preview:"):
        begin(workspace, run.id, sample=SAMPLE)
    label = "Go on with the rest" if some else "Start on everything"
    if not (whole and found.done >= found.wanted) and st.button(
        label, icon=":material/play_arrow:", type="primary"
    ):
        begin(workspace, run.id)
    if run.errors and st.button(f"Try {run.errors:,} failed again", icon=":material/refresh:"):
        begin(workspace, run.id, retry=True)


def begin(
    workspace: Workspace, run_id: int, *, sample: int | None = None, retry: bool = False
) -> None:
    """Start a process for the run, which outlives the page, and draw anew."""
    noted_start(run_id, start(workspace, run_id, sample=sample, retry=retry))
    st.rerun()


def _failed(workspace: Workspace, run: Run) -> None:
    if not run.errors:
        return
    found = failures(workspace, run.id)
    with st.expander(f"{run.errors:,} failed, and why", icon=":material/error:"):
        for reason, count, example in by_reason(found):
            st.markdown(f"**{count:,}** × {plain(reason)}")
            if example != reason:
                st.caption(plain(example[:300]))
        show_table(
            {
                "Item": [one.uid.partition(":")[2] for one in found],
                "Why": [one.reason for one in found],
                "Tries": [one.tries for one in found],
            },
            height=200 if len(found) > 4 else None,
        )
