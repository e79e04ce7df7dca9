"""Many videos, each with several edits: asked for on one page, watched, stopped, gone on with."""

from typing import Any

import streamlit as st

from annotations.edit import background, work_rows
from annotations.edit.batch import STOPPED, Standing, plan_batch, standing
from annotations.edit.edit_store import TABLE, stored_edits
from annotations.edit.question_copies import copy_questions
from annotations.edit.work_rows import FAILED, MADE, WAITING
from annotations.people import Person
from annotations.record.video import Video
from annotations.workspace import Workspace
from core.editing.recipe import Recipe, make_recipe
from core.refusal import Refusal
from ui.access import callback, fragment
from ui.components.studio.edit_preview import draw_preview
from ui.components.words import plain

Steps = list[tuple[str, dict[str, Any]]]
EDITS: dict[str, Steps] = {
    "Reversed": [("reverse", {})],
    "Mirrored": [("mirror", {})],
    "Reversed and mirrored": [("reverse", {}), ("mirror", {})],
    "A quarter of the speed": [("speed", {"factor": "1/4"})],
    "Half the speed": [("speed", {"factor": "1/2"})],
    "Twice the speed": [("speed", {"factor": "2"})],
    "Four times the speed": [("speed", {"factor": "4"})],
    "Turned by 90°": [("rotate", {"degrees": "90"})],
    "Turned by 180°": [("rotate", {"degrees": "180"})],
    "Turned by 270°": [("rotate", {"degrees": "270"})],
}
MOST_SHOWN = 20


def batch_panel(workspace: Workspace, person: Person, videos: dict[str, Video]) -> None:
    """Which videos and which edits on the left; how far all copies are on the right."""
    ask_column, watch_column = st.columns([5, 4], gap="large")
    with ask_column:
        _ask(workspace, person, videos)
    with watch_column:
        st.subheader("Copies")
        _watch(workspace)


def _ask(workspace: Workspace, person: Person, videos: dict[str, Video]) -> None:
    copies = {edit.sha256 for edit in stored_edits(workspace) if edit.sha256}
    originals = [key for key in videos if key not in copies]
    every = st.checkbox(
        f"All {len(originals):,} videos that are no edited copies", key="studio-every"
    )
    chosen = st.multiselect(
        "Videos", list(videos), format_func=lambda key: videos[key].name, disabled=every,
        key="studio-videos",
    )  # fmt: skip
    names = st.multiselect(
        "Edits", list(EDITS), key="studio-edits",
        help="Each makes a copy of its own of every video.",
    )  # fmt: skip
    silent = st.checkbox("Without sound", key="studio-silent")
    wanted = originals if every else chosen
    recipes = [make_recipe(EDITS[name], sound=not silent) for name in names]
    if wanted and recipes:
        _previews(workspace, videos, wanted[0], dict(zip(names, recipes, strict=True)))
    count = len(wanted) * len(recipes)
    label = "Make the copies" if count < 2 else f"Make {count:,} copies"
    if st.button(label, type="primary", disabled=not count, key="studio-make-all"):
        with st.spinner("Looking at the videos"):
            batch = plan_batch(workspace, wanted, recipes, person)
        for video, label, reason in batch.refused[:MOST_SHOWN]:
            st.error(f"{plain(video)}, {label}: {plain(reason)}")
        background.start(workspace, batch.edits)


def _previews(
    workspace: Workspace, videos: dict[str, Video], sha256: str, recipes: dict[str, Recipe]
) -> None:
    """What the edits make of the first video."""
    with st.expander(f"What comes of {videos[sha256].name}"):
        for name, recipe in recipes.items():
            st.markdown(f"**{name}**")
            try:
                draw_preview(workspace, [sha256], recipe)
            except Refusal as refusal:
                st.error(str(refusal))


@fragment(run_every=2)
def _watch(workspace: Workspace) -> None:
    stand = standing(workspace)
    if not stand.total:
        st.caption("No copies yet. They appear here with how far they are.")
        return
    st.markdown(stand.words)
    st.progress(stand.counts[MADE] / stand.total)
    for edit in stand.running:
        share = edit.done / edit.wanted if edit.wanted else 0.0
        st.progress(share, f"{plain(edit.name)}: {edit.done:,} of {edit.wanted:,} frames")
    with st.container(horizontal=True):
        _buttons(workspace, stand)
    for edit in stand.failed[:MOST_SHOWN]:
        st.error(f"{plain(edit.words)}: {plain(edit.reason)}")
    if len(stand.failed) > MOST_SHOWN:
        st.caption(f"and {len(stand.failed) - MOST_SHOWN:,} more that failed")


def _buttons(workspace: Workspace, stand: Standing) -> None:
    under_way = [edit.id for edit in stand.running]
    waiting = list(stand.unmade)
    if under_way or stand.counts[WAITING]:
        st.button("Stop", icon=":material/stop:", key="studio-stop-all",
                  on_click=callback(work_rows.stop),
                  args=(workspace, TABLE, [*under_way, *waiting]))  # fmt: skip
    if stand.counts[STOPPED] or (stand.counts[WAITING] and not under_way):
        st.button("Go on", icon=":material/play_arrow:", key="studio-go-on",
                  on_click=callback(background.start), args=(workspace, waiting))  # fmt: skip
    if stand.counts[FAILED]:
        st.button("Try the failed again", icon=":material/replay:", key="studio-retry",
                  on_click=callback(background.start),
                  args=(workspace, [edit.id for edit in stand.failed]))  # fmt: skip
    if stand.counts[MADE] and st.button("Copy the questions", key="studio-copy-all",
                                        help="Drafts without a key, for review."):  # fmt: skip
        st.toast(_copied(workspace))


def _copied(workspace: Workspace) -> str:
    """What copying the questions of all copies came to, in words."""
    copies = [copy_questions(workspace, edit.id) for edit in stored_edits(workspace)
              if edit.sha256]  # fmt: skip
    new, existing = (sum(getattr(copy, name) for copy in copies) for name in ("new", "existing"))
    if not new and not existing:
        return "No question to copy."
    again = f" ({existing:,} were there already)" if existing else ""
    return f"{new:,} new drafts without a key in the task “{copies[0].task}”{again}."
