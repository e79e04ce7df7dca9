"""A pipeline on the page: its funnel, what each step threw away, and its start and stop."""

import streamlit as st

from annotations.footage.pipeline_background import start_pipeline
from annotations.footage.pipeline_run import PipelineState, pipeline_state, stop_pipeline
from annotations.footage.step_results import (
    Funnel,
    StepCount,
    declared_pipelines,
    funnel,
    thrown_sample,
)
from annotations.footage.store import FootageStore
from annotations.workspace import Workspace
from ui.access import fragment
from ui.components.footage.title_people import show_titles_and_people
from ui.components.tables import show_table
from ui.components.words import plain

WATCH_S = 2.0
STEP_NAMES = {
    "search": "Search for videos", "find": "Find titles", "title_filter": "Filter by title",
    "download": "Download", "transcript": "Look for a transcript",
    "segment_finder": "Find moments in it", "clip_similarity": "Filter by looks",
    "vlm_screening": "Screen by a model", "people": "Hand to people, by action",
}  # fmt: skip


def show_pipelines(workspace: Workspace, store: FootageStore) -> None:
    """The pipeline that is chosen, the newest at first."""
    names = declared_pipelines(store)
    if not names:
        st.info("No pipeline yet. Declare one in a file and run it, a sample first:")
        st.code(
            f"rushes pipeline FILE.toml --sample 20 --workspace {workspace.root}", language="bash"
        )
        return
    name = names[0] if len(names) == 1 else st.selectbox("Pipeline", names, key="footage-pipeline")
    assert name is not None
    running = pipeline_state(store, name).state == "running"
    # The fragment looks again by itself only while something changes.
    fragment(run_every=WATCH_S if running else None)(_watched)(workspace, store.path, name)


def _watched(workspace: Workspace, path: object, name: str) -> None:
    from annotations.footage.store import open_store

    del path
    store = open_store(workspace)
    try:
        state = pipeline_state(store, name)
        _state(workspace, store, state)
        counts = funnel(store, state.pipeline)
        _figures(counts, state.pipeline.currency)
        _table(counts, state.pipeline.currency)
        _thrown(store, name, counts)
        show_titles_and_people(workspace, store, name, counts)
        with st.expander("How it is declared"):
            st.code(state.pipeline.text, language="toml")
    finally:
        store.close()


def _state(workspace: Workspace, store: FootageStore, state: PipelineState) -> None:
    name = state.pipeline.name
    line_at, button = st.columns([4, 1], vertical_alignment="center")
    heading = f"**{plain(name)}** · {state.state}"
    line_at.markdown(f"{heading}: {plain(state.note)}" if state.note else heading)
    if state.state == "running":
        if state.total:
            st.progress(min(1.0, state.done / state.total), f"{state.done:,} of {state.total:,}")
        stopping = state.stopping
        label = "Stopping …" if stopping else "Stop"
        if button.button(label, key="footage-stop", disabled=stopping, width="stretch"):
            stop_pipeline(store, name)
            st.rerun()
        return
    label = "Run again" if state.state == "finished" else "Go on"
    if button.button(label, key="footage-start", type="primary", width="stretch"):
        start_pipeline(workspace, name)
        st.toast("It has been started.")
        st.rerun()


def _figures(counts: Funnel, currency: str) -> None:
    columns = st.columns(4)
    columns[0].metric("Clips", f"{counts.clips:,}")
    columns[1].metric("Time", _time(counts.seconds))
    a_clip = counts.seconds_a_clip
    columns[2].metric("Time for each clip", "–" if a_clip is None else _time(a_clip))
    cost = counts.cost_a_clip
    columns[3].metric(
        "Cost of each clip", "–" if cost is None else f"{cost:.4f} {currency}",
        help="Declare [cost] per_hour in the file to see it." if counts.cost is None else None,
    )  # fmt: skip


def _table(counts: Funnel, currency: str) -> None:
    steps = counts.steps
    columns: dict[str, list[object]] = {
        "Step": [f"{n}. {STEP_NAMES[step.do]}" for n, step in enumerate(steps, start=1)],
        "Looked at": [step.units for step in steps],
        "Kept": [step.kept for step in steps],
        "Thrown away": [step.thrown for step in steps],
        "Kept %": [100 * step.kept / step.units if step.units else None for step in steps],
        "Time": [_time(step.seconds) for step in steps],
    }
    if counts.cost is not None:
        columns[f"Cost {currency}"] = [step.cost for step in steps]
    show_table(columns, formats={"Kept %": "%.0f", f"Cost {currency}": "%.4f"})


def _thrown(store: FootageStore, name: str, counts: Funnel) -> None:
    steps = [step for step in counts.steps if step.thrown]
    if not steps:
        return
    st.subheader("What was thrown away")

    def label(step: StepCount) -> str:
        return f"{STEP_NAMES[step.do]}: {step.thrown:,} thrown away"

    step = st.selectbox("Step", steps, format_func=label, key="footage-thrown")
    samples = thrown_sample(store, name, step.key)
    st.caption(
        f"{len(samples)} of {step.thrown:,}, drawn by lot; the same ones each time."
        if len(samples) < step.thrown
        else "All of them."
    )
    show_table(
        {
            "What": [sample.label or sample.unit for sample in samples],
            "Score": [sample.score for sample in samples],
            "Why": [sample.why for sample in samples],
        },
        formats={"Score": "%.3f"},
        wide=["What", "Why"],
    )


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.1f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
