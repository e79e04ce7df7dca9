"""One run: how far it is, and the buttons that start, stop and go on with it."""

import streamlit as st

from annotations.engine.background import start
from annotations.engine.engine_hold import Progress, request_stop
from annotations.engine.run_results import by_reason, failures
from annotations.run.runs import Run, the_run
from annotations.workspace import Workspace
from ui.access import callback, fragment
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


def draw_progress(workspace: Workspace, run: Run) -> None:
    """Draw the progress of a run; each second while it works."""
    if busy(state_of(run)):
        _live(workspace, run.id)
    else:
        _panel(workspace, run, state_of(run))


@fragment(run_every=_EVERY)
def _live(workspace: Workspace, run_id: int) -> None:
    run = the_run(workspace, run_id)
    progress = state_of(run)
    if not busy(progress):
        st.rerun()
    _panel(workspace, run, progress)


def _panel(workspace: Workspace, run: Run, progress: Progress) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(progress.status, color=COLOURS.get(progress.status, "gray"))  # pyright: ignore[reportArgumentType]
            st.caption(plain(line(run, progress)))
        through = share(run, progress)
        if through < 1 or busy(progress):
            st.progress(through)
        with st.container(horizontal=True):
            _buttons(workspace, run, progress)
        _failed(workspace, run)


def _buttons(workspace: Workspace, run: Run, progress: Progress) -> None:
    if busy(progress):
        st.button("Stop", icon=":material/stop:", disabled=progress.stopping,
                  on_click=callback(request_stop), args=(workspace, run.id))  # fmt: skip
        return
    if not planned(run):
        st.caption("This run was made elsewhere: there is nothing to start here.")
        return
    some = results_of(run) > 0
    whole = progress.status == "finished" and not run.errors and some
    if not some and st.button(f"See {SAMPLE} first", icon=":material/preview:"):
        begin(workspace, run.id, sample=SAMPLE)
    label = "Go on with the rest" if some else "Start on everything"
    if not (whole and progress.done >= progress.wanted) and st.button(
        label, icon=":material/play_arrow:", type="primary"
    ):
        begin(workspace, run.id)
    if run.errors and st.button(f"Try {run.errors:,} failed again", icon=":material/refresh:"):
        begin(workspace, run.id, retry=True)


def begin(
    workspace: Workspace, run_id: int, *, sample: int | None = None, retry: bool = False
) -> None:
    """Start a process for the run, which outlives the page, and rerun the page."""
    noted_start(run_id, start(workspace, run_id, sample=sample, retry=retry))
    st.rerun()


def _failed(workspace: Workspace, run: Run) -> None:
    if not run.errors:
        return
    failed = failures(workspace, run.id)
    with st.expander(f"{run.errors:,} failed, and why", icon=":material/error:"):
        for reason, count, example in by_reason(failed):
            st.markdown(f"**{count:,}** × {plain(reason)}")
            if example != reason:
                st.caption(plain(example[:300]))
        show_table(
            {
                "Item": [failure.uid.partition(":")[2] for failure in failed],
                "Why": [failure.reason for failure in failed],
                "Tries": [failure.tries for failure in failed],
            },
            height=200 if len(failed) > 4 else None,
        )
