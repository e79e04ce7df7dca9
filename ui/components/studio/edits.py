"""Edited copies of the clip in the studio: seen before they are made, and watched meanwhile."""

from typing import Any

import streamlit as st

from annotations.edit import background, work_rows
from annotations.edit.edit_store import TABLE, StoredEdit, edits_of, plan_edit
from annotations.edit.question_copies import copy_questions
from annotations.edit.work_rows import FAILED, MADE, RUNNING
from annotations.people import Person
from annotations.record.video import Video
from annotations.workspace import Workspace
from core.editing.recipe import Recipe, make_recipe
from core.refusal import Refusal
from ui.access import callback, fragment
from ui.components.studio.edit_preview import draw_preview

SPEEDS = ("as it is", "1/4", "1/2", "3/2", "2", "4")
TURNS = ("no", "90", "180", "270")


def edit_form(
    workspace: Workspace, person: Person, videos: dict[str, Video], sha256: str,
    segment: tuple[float, float], whole: bool,
) -> None:  # fmt: skip
    """What is to be done to the video, with frames of what comes of it; made in the background."""
    with st.expander("Make an edited copy"):
        _form(workspace, person, videos, sha256, segment, whole)


@fragment()
def _form(
    workspace: Workspace, person: Person, videos: dict[str, Video], sha256: str,
    segment: tuple[float, float], whole: bool,
) -> None:  # fmt: skip
    try:
        recipe, joined = _recipe(videos, sha256, segment, whole)
        parents = [sha256, *joined]
        if recipe is None:
            st.caption("Choose what is to be done; its first, middle and last frame appear here.")
        else:
            draw_preview(workspace, parents, recipe)
    except Refusal as refusal:
        st.error(str(refusal))
        return
    if st.button("Make the copy", disabled=recipe is None, key="studio-make") and recipe:
        edit_id = plan_edit(workspace, parents, recipe, person)
        background.start(workspace, [edit_id])
        st.rerun()


def _recipe(
    videos: dict[str, Video], sha256: str, segment: tuple[float, float], whole: bool
) -> tuple[Recipe | None, list[str]]:
    """What the fields ask for, and the videos that are joined on; None while nothing is chosen."""
    first_column, second_column = st.columns(2)
    reverse = first_column.checkbox("Reverse")
    mirror = second_column.checkbox("Mirror")
    trim = first_column.checkbox("Only the segment", disabled=whole)
    silent = second_column.checkbox("Without sound")
    speed = first_column.selectbox("Speed", SPEEDS)
    turn = second_column.selectbox("Turn clockwise, degrees", TURNS)
    crop = first_column.text_input("Crop: x, y, width, height in px", placeholder="all of it")
    others = ["", *(key for key in videos if key != sha256)]
    appended = second_column.selectbox(
        "Join after it", others, format_func=lambda key: videos[key].name if key else "nothing"
    )
    steps: list[tuple[str, dict[str, Any]]] = []
    steps += [("trim", {"start": segment[0], "end": segment[1]})] if trim and not whole else []
    steps += [("crop", _crop(crop))] if crop.strip() else []
    steps += [("reverse", {})] if reverse else []
    steps += [("mirror", {})] if mirror else []
    steps += [("speed", {"factor": speed})] if speed != SPEEDS[0] else []
    steps += [("rotate", {"degrees": turn})] if turn != TURNS[0] else []
    steps += [("join", {})] if appended else []
    return (make_recipe(steps, sound=not silent) if steps else None), [appended] if appended else []


def _crop(text: str) -> dict[str, Any]:
    parts = [part.strip() for part in text.split(",")]
    return dict(zip(("x", "y", "width", "height"), [*parts, "", "", "", ""], strict=False))


@fragment(run_every=2)
def watch_edits(workspace: Workspace, sha256: str) -> None:
    """The edited copies of a video, and how far those are that are being made."""
    edits = edits_of(workspace, sha256)
    if not edits:
        return
    st.caption("Edited copies: each is a video of its own, and one cluster with this one.")
    for edit in edits:
        _row(workspace, edit)


def _row(workspace: Workspace, edit: StoredEdit) -> None:
    name, action = st.columns([3, 2], vertical_alignment="center")
    name.markdown(f"**{edit.recipe.label}**", help=edit.name)
    if edit.status == MADE:
        if action.button("Copy its questions", key=f"studio-copy-{edit.id}"):
            st.toast(copy_questions(workspace, edit.id).words)
        return
    if edit.status == RUNNING:
        share = edit.done / edit.wanted if edit.wanted else 0.0
        action.progress(share, f"{edit.done:,} of {edit.wanted:,} frames")
        action.button("Stop", key=f"studio-stop-{edit.id}", on_click=callback(work_rows.stop),
                      args=(workspace, TABLE, [edit.id]))  # fmt: skip
        return
    waiting = "stopped" if edit.stopped else "waits to be made"
    action.caption(f"failed: {edit.reason}" if edit.status == FAILED else waiting)
    label = "Try again" if edit.status == FAILED else "Go on" if edit.stopped else "Make it now"
    action.button(label, key=f"studio-again-{edit.id}", on_click=callback(background.start),
                  args=(workspace, [edit.id]))  # fmt: skip
