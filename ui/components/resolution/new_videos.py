"""Questions whose video authors decided to replace: the new clip, and what becomes of answers."""

import streamlit as st

from annotations.people import Person
from annotations.question.reasking import Effect, effect_of
from annotations.question.replacement import (
    Replacement,
    replace_clip,
    replacements,
    usable_videos,
)
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.access import callback
from ui.components.tables import show_table
from ui.components.words import plain

_DONE = "new video done"


def new_videos(workspace: Workspace, person: Person) -> None:
    """Draw what waits for another video, one form a question, and what has got one."""
    level, message = st.session_state.pop(_DONE, ("", ""))
    if level:
        (st.success if level == "success" else st.error)(message)
    listed = replacements(workspace)
    waiting = [entry for entry in listed if not entry.replaced]
    if not listed:
        st.info(
            "No video is to be replaced. Where two authors decide “replace the video”, its question"
            " waits here for another clip, and is then asked again."
        )
        return
    finished = [entry for entry in listed if entry.replaced]
    st.caption(f"{len(waiting):,} waiting for another video · {len(finished):,} replaced")
    if waiting:
        st.caption("A new file comes in on the page Import, as a folder of videos.")
    videos = usable_videos(workspace)
    for entry in waiting:
        _form(workspace, person, entry, videos)
    if finished:
        show_table(
            {
                "Replaced": [entry.uid for entry in finished],
                "Video now": [entry.video for entry in finished],
                "Why": [entry.reason for entry in finished],
            }
        )


def _form(workspace: Workspace, person: Person, entry: Replacement, videos: list[str]) -> None:
    with workspace.store.read() as database:
        effect = effect_of(database, entry.question_id, "clip")
    others = [name for name in videos if name != entry.video]
    key = f"new video {entry.question_id}"
    with st.container(border=True):
        st.markdown(f"**{plain(entry.uid)}** · {plain(entry.text)}")
        why = f" · {plain(entry.reason)}" if entry.reason else ""
        st.caption(f"Now: {plain(entry.video)}{why}. With another video: {effect.words}.")
        video_at, start_at, end_at, button_at = st.columns(
            [5, 2, 2, 2], vertical_alignment="bottom"
        )
        video_at.selectbox(
            "New video", others, index=None, placeholder="choose a video", key=f"{key} name"
        )
        start_at.number_input("From, s", min_value=0.0, value=0.0, key=f"{key} start")
        end_at.number_input(
            "To, s", min_value=0.0, value=None, placeholder="the end", key=f"{key} end"
        )
        button_at.button(
            "Replace",
            key=f"{key} go",
            type="primary",
            width="stretch",
            on_click=callback(_replace),
            args=(workspace, person, entry, key),
        )


def _replace(workspace: Workspace, person: Person, entry: Replacement, key: str) -> None:
    state = st.session_state
    video: str | None = state[f"{key} name"]
    if video is None:
        state[_DONE] = "error", f"{plain(entry.uid)}: choose a video first."
        return
    start, end = float(state[f"{key} start"]), state[f"{key} end"]
    try:
        effect: Effect = replace_clip(
            workspace, entry.question_id, video, start, end, author=person
        )
    except Refusal as error:
        state[_DONE] = "error", plain(str(error))
        return
    state[_DONE] = "success", f"{plain(entry.uid)} is about {plain(video)} now: {effect.words}."
