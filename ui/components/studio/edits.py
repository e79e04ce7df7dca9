"""Edited copies of the clip in the studio: asked for, and watched while they are made."""

from typing import Any

import streamlit as st

from annotations.edit import background
from annotations.edit.edit_store import MADE, RUNNING, WAITING, StoredEdit, edits_of, plan_edit
from annotations.edit.question_copies import copy_questions
from annotations.people import Person
from annotations.workspace import Workspace
from core.editing.recipe import make_recipe
from core.refusal import Refusal
from ui.access import fragment

SPEEDS = ("as it is", "1/4", "1/2", "3/2", "2", "4")
TURNS = ("no", "90", "180", "270")


def edit_form(
    workspace: Workspace, person: Person, sha256: str, segment: tuple[float, float], whole: bool
) -> None:
    """What is to be done to the video; made in the background when the button is pressed."""
    with st.expander("Make an edited copy"), st.form("studio-edit", border=False):
        first_column, second_column = st.columns(2)
        reverse = first_column.checkbox("Reverse")
        mirror = second_column.checkbox("Mirror")
        trim = first_column.checkbox("Only the segment", disabled=whole)
        silent = second_column.checkbox("Without sound")
        speed = first_column.selectbox("Speed", SPEEDS)
        turn = second_column.selectbox("Turn clockwise, degrees", TURNS)
        crop = st.text_input("Crop: x, y, width, height in px", placeholder="all of it")
        if not st.form_submit_button("Make the copy"):
            return
    steps: list[tuple[str, dict[str, Any]]] = []
    steps += [("trim", {"start": segment[0], "end": segment[1]})] if trim else []
    steps += [("crop", _crop(crop))] if crop.strip() else []
    steps += [("reverse", {})] if reverse else []
    steps += [("mirror", {})] if mirror else []
    steps += [("speed", {"factor": speed})] if speed != SPEEDS[0] else []
    steps += [("rotate", {"degrees": turn})] if turn != TURNS[0] else []
    try:
        if not steps:
            raise Refusal("Choose what is to be done to the video.")
        edit_id = plan_edit(workspace, [sha256], make_recipe(steps, sound=not silent), person)
    except Refusal as refusal:
        st.error(str(refusal))
        return
    background.start(workspace, [edit_id])


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
        return
    message = "waits to be made" if edit.status == WAITING else f"failed: {edit.reason}"
    action.caption(message)
    if action.button("Try again", key=f"studio-again-{edit.id}"):
        background.start(workspace, [edit.id])
