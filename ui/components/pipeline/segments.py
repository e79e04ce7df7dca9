"""The segments that a run found, and the tasks for people that are made of them."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from annotations import task as tasks
from annotations.annotator import number_words
from annotations.engine.segment_tasks import (
    KINDS,
    SegmentTask,
    make_segment_task,
    task_of_segments,
    usual_name,
    waiting_segments,
)
from annotations.run.runs import Run
from annotations.video.video_texts import Segment, segments
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.tables import show_table
from ui.components.words import plain
from ui.going import go_to

SHOWN = 500
DOES = {
    "screening": "People say of each clip whether it belongs in the data set.",
    "localization": "People mark from when to when the action happens, and who does it.",
}
_SAID = "pipeline segments"


def draw_segments(workspace: Workspace, run: Run) -> None:
    """Draw the segments of a run and the form that makes a task of them."""
    rows = segments(workspace, run.id)
    if not rows:
        st.caption(
            "No segments were found: either nothing was said in these videos, or no transcript was "
            "made of them before (Transcripts of speech), or nobody names the action."
        )
        return
    videos = len({segment.sha256 for segment in rows})
    st.markdown(f"**{number_words(len(rows), 'segment')}** in {number_words(videos, 'video')}.")
    _table(rows)
    st.subheader("Make a task of these segments", anchor=False)
    with st.container(border=True):
        _form(workspace, run, rows)


def _table(rows: list[Segment]) -> None:
    shown = rows[:SHOWN]
    show_table(
        {
            "Video": [segment.title or segment.video for segment in shown],
            "From s": [segment.start_s for segment in shown],
            "To s": [segment.end_s for segment in shown],
            "Why": [segment.why for segment in shown],
        },
        height=None if len(shown) < 8 else 300,
        formats={"From s": "%.1f", "To s": "%.1f"},
    )
    if len(rows) > SHOWN:
        st.caption(f"The first {SHOWN:,} of {len(rows):,}.")


def _form(workspace: Workspace, run: Run, rows: list[Segment]) -> None:
    kind = str(st.segmented_control(
        "What people are to do", list(KINDS), default=next(iter(KINDS)), required=True,
        format_func=lambda name: tasks.kind(name).LABEL, key=f"segments kind {run.id}",
        persist_state="session",
    ))  # fmt: skip
    st.caption(DOES[kind])
    task = task_of_segments(workspace, run, kind)
    _message(run, kind)
    if task is not None:
        _task_line(workspace, run, task, waiting_segments(workspace, rows, task))
        return
    widths = [5, 3, 2, 3] if KINDS[kind] else [8, 2, 3]
    name_at, *domain_at, overlap_at, button_at = st.columns(widths, vertical_alignment="bottom")
    name = name_at.text_input(
        "Name of the task", usual_name(workspace, run, kind), max_chars=120,
        key=f"segments name {run.id} {kind}",
    )  # fmt: skip
    domain = ""
    if domain_at:
        domain = domain_at[0].text_input(
            "Domain of the action", key=f"segments domain {run.id}", placeholder="such as: football"
        )
    overlap = overlap_at.number_input(
        "People each", 1, 100, tasks.kind(kind).OVERLAP, key=f"segments overlap {run.id} {kind}"
    )
    if button_at.button("Make the task", type="primary", icon=":material/assignment_add:",
                        width="stretch"):  # fmt: skip
        _make(run, kind, partial(make_segment_task, workspace, run, kind, name=name, domain=domain,
                                 overlap=int(overlap)))  # fmt: skip
    st.caption("It begins closed: people get nothing of it until you open it on the page Tasks.")


def _task_line(workspace: Workspace, run: Run, task: SegmentTask, waiting: int) -> None:
    words_at, add_at, look_at = st.columns([5, 3, 3], vertical_alignment="center")
    words_at.markdown(f"**{plain(task.name)}** holds {task.items:,} of these segments.")
    if waiting and add_at.button(f"Add {waiting:,} found since", icon=":material/add:",
                                 type="primary", width="stretch"):  # fmt: skip
        _make(run, task.kind, partial(make_segment_task, workspace, run, task.kind))
    if look_at.button("Look at the task", icon=":material/assignment:", width="stretch",
                      key=f"segments look {run.id} {task.kind}"):  # fmt: skip
        go_to("tasks", task=str(task.id))


def _make(run: Run, kind: str, make: Callable[[], SegmentTask]) -> None:
    try:
        with st.spinner("Making the clips"):
            task = make()
    except Refusal as error:
        st.error(plain(str(error)))
        return
    note = f" {task.left_out:,} segments cannot be clips now." if task.left_out else ""
    st.session_state[_SAID] = run.id, kind, f"{task.new:,} clips are in the task.{note}"
    st.rerun()


def _message(run: Run, kind: str) -> None:
    run_id, of_kind, message = st.session_state.get(_SAID, (0, "", ""))
    if (run_id, of_kind) == (run.id, kind):
        st.success(message, icon=":material/assignment_turned_in:")
