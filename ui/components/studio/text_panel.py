"""Text on screen in the studio: read, chosen where it stands, blurred in a copy, and compared."""

import streamlit as st

from annotations.edit import background, text_work, work_rows
from annotations.edit.screen_text import choose
from annotations.edit.text_reading import ScreenText
from annotations.edit.text_work import (
    BLURRINGS,
    READINGS,
    StoredBlurring,
    StoredReading,
    sightings,
)
from annotations.edit.work_rows import FAILED, MADE
from annotations.people import Person
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.access import callback, fragment
from ui.components.studio.text_frames import compared_frames, frames_with_lines
from ui.components.words import plain

MOST_LINES = 200
ABOUT = (
    "Letters in the picture can give the answer away. They are read four times a second and at "
    "every cut; you choose which lines are blurred in a copy, and the copy is read again until "
    "they are gone."
)


def text_panel(
    workspace: Workspace, person: Person, sha256: str, start_s: float, end_s: float | None
) -> None:
    """What is written in the clip, and its blurred copies."""
    with st.expander("Text on screen"):
        _panel(workspace, person, sha256, start_s, end_s)


@fragment()
def _panel(
    workspace: Workspace, person: Person, sha256: str, start_s: float, end_s: float | None
) -> None:
    reading = text_work.newest_reading(workspace, sha256, start_s, end_s)
    if reading is None:
        st.caption(ABOUT)
        if st.button("Read what is on screen", key="studio-read"):
            try:
                number = text_work.plan_reading(workspace, sha256, start_s, end_s, person)
            except Refusal as refusal:
                st.error(str(refusal))
                return
            background.start(workspace, readings=[number])
            st.rerun()
    elif reading.status == MADE:
        _lines(workspace, person, reading)
    elif reading.status == FAILED:
        st.error(f"It could not be read: {reading.reason}")
        if st.button("Try again", key="studio-read-again"):
            background.start(workspace, readings=[reading.id])
            st.rerun()
    else:
        _reading_progress(workspace, reading.id)


@fragment(run_every=1)
def _reading_progress(workspace: Workspace, number: int) -> None:
    reading = text_work.stored_reading(workspace, number)
    if reading.status in (MADE, FAILED):
        st.rerun()
    _progress(
        workspace, READINGS, number, reading.stopped, "reading", reading.frames_read,
        reading.wanted,
    )  # fmt: skip


def _progress(
    workspace: Workspace, table: str, number: int, stopped: bool, step: str, finished: int,
    wanted: int,
) -> None:  # fmt: skip
    """How far work is, with the button that stops it or lets it go on."""
    bar, button = st.columns([4, 1], vertical_alignment="center")
    words = f"{step}: {finished:,} of {wanted:,} frames" if wanted else "starts"
    bar.progress(finished / wanted if wanted else 0.0, "stopped" if stopped else words)
    key = f"studio-{table}-{number}"
    if stopped:
        button.button("Go on", key=f"{key}-on", on_click=callback(_go_on),
                      args=(workspace, table, number))  # fmt: skip
    else:
        button.button("Stop", key=f"{key}-stop", on_click=callback(work_rows.stop),
                      args=(workspace, table, [number]))  # fmt: skip


def _go_on(workspace: Workspace, table: str, number: int) -> None:
    if table == READINGS:
        background.start(workspace, readings=[number])
    else:
        background.start(workspace, blurrings=[number])


def _lines(workspace: Workspace, person: Person, reading: StoredReading) -> None:
    """The lines on the frames where they stand, and which of them are to go."""
    text = text_work.text_read(workspace, reading)
    if not text.tracks:
        st.success(f"No line of text was read on {len(text.frames):,} frames.")
        return
    picture = st.container()
    keys = [f"studio-line-{reading.id}-{number}" for number in range(len(text.tracks))]
    st.caption("Choose the lines to blur. Those that say the right answer are ticked.")
    with st.container(horizontal=True):
        for words, value in (("Choose all", True), ("Choose none", False)):
            st.button(words, key=f"studio-lines-{value}", on_click=callback(_tick),
                      args=(keys, value))  # fmt: skip
    chosen = _chosen(text, keys)
    with picture:
        st.html(frames_with_lines(workspace, person, text, chosen))
    count = len(chosen)
    label = f"Blur {count} {'line' if count == 1 else 'lines'} in a copy"
    if st.button(label, disabled=not count, key="studio-blur"):
        number = text_work.plan_blurring(workspace, reading.id, sorted(chosen), person)
        background.start(workspace, blurrings=[number])
        st.rerun()
    for blurring in text_work.blurrings_of(workspace, reading.id):
        _blurring(workspace, person, text, blurring)


def _tick(keys: list[str], value: bool) -> None:
    for key in keys:
        st.session_state[key] = value


def _chosen(text: ScreenText, keys: list[str]) -> set[int]:
    """Numbers of the lines that are ticked."""
    giving_away = {id(track) for track in _giving_away(text)}
    chosen: set[int] = set()
    with st.container(height=min(320, 40 + 38 * len(text.tracks[:MOST_LINES]))):
        for number, track in enumerate(text.tracks[:MOST_LINES]):
            says_answer = id(track) in giving_away
            st.session_state.setdefault(keys[number], says_answer)
            label = f"**{number + 1}** {plain(track.text)} · {sightings(track)}"
            label += " · :orange[says the answer]" if says_answer else ""
            if st.checkbox(label, key=keys[number]):
                chosen.add(number)
    if len(text.tracks) > MOST_LINES:
        st.caption(
            f"{len(text.tracks) - MOST_LINES:,} more lines are not listed. `rushes edit --blur-text"
            " all` blurs every line."
        )
    return chosen


def _giving_away(text: ScreenText) -> list[object]:
    """Lines that say the right answer of the question that is being written."""
    state = st.session_state
    answer = str(state.get("studio-answer", "")).strip()
    wrong = [line.strip() for line in str(state.get("studio-wrong", "")).splitlines()]
    options = [answer, *filter(None, wrong)]
    return list(choose(text, str(state.get("studio-text", "")), options, 0 if answer else None))


def _blurring(
    workspace: Workspace, person: Person, text: ScreenText, blurring: StoredBlurring
) -> None:
    """One blurred copy: how far it is, or before and after."""
    names = "; ".join(text.tracks[number].text for number in blurring.chosen)
    st.markdown(f"**Blurred: {plain(names[:200])}**")
    if blurring.status == FAILED:
        st.error(f"It could not be blurred: {blurring.reason}")
        if st.button("Try again", key=f"studio-blur-again-{blurring.id}"):
            background.start(workspace, blurrings=[blurring.id])
            st.rerun()
        return
    if blurring.edit is None or blurring.status != MADE:
        _blurring_progress(workspace, blurring.id)
        return
    read_again = len(blurring.rounds)
    if blurring.still_read:
        listed = "; ".join(f"{line} at {time:.2f} s" for time, line in blurring.still_read[:10])
        st.warning(f"Read again {read_again} times, and still read: {plain(listed)}")
    else:
        st.success(
            f"Gone. Read again {read_again} times; in {blurring.edit.name} nothing of it is read."
        )
    st.html(compared_frames(workspace, person, text, blurring))


@fragment(run_every=1)
def _blurring_progress(workspace: Workspace, number: int) -> None:
    blurring = text_work.stored_blurring(workspace, number)
    if blurring.status in (MADE, FAILED):
        st.rerun()
    _progress(
        workspace, BLURRINGS, number, blurring.stopped, blurring.step, blurring.frames_read,
        blurring.wanted,
    )  # fmt: skip
