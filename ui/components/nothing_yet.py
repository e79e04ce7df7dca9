"""What a page says while it has nothing to show, and what to do next: other pages, a command."""

from pathlib import Path

import streamlit as st

from ui.going import go_to

IMPORT = ("bring_in", "Import files", ":material/upload:")
PEOPLE = ("people", "Invite people", ":material/person_add:")
PIPELINE = ("pipeline", "Let a model annotate", ":material/smart_toy:")
RUNS = ("runs", "Runs of models", ":material/leaderboard:")
STUDIO = ("studio", "Write a question", ":material/edit_note:")
TASKS = ("tasks", "Make a task", ":material/add:")
_NEW = {"tasks": {"new": "1"}, "pipeline": {"new": "1"}}  # where they lead to a form at once

Way = tuple[str, str, str]


def nothing_yet(words: str, *ways: Way, command: str = "", root: Path | None = None) -> None:
    """Draw why nothing is here, a button for each way on, and what does it on the server.

    Args:
        words: sentences, the last of which says what comes here and when.
        ways: page, label and icon of each button.
        command: lines of `rushes`, to which the workspace is added.
        root: of the workspace.
    """
    st.info(words)
    with st.container(horizontal=True):
        for page, label, icon in ways:
            if st.button(label, icon=icon, key=f"next {page}"):
                go_to(page, **_NEW.get(page, {}))
    if command:
        st.caption("On the server, by command:" if ways else "On the server:")
        lines = [f"{line} --workspace {root}" for line in command.splitlines()]
        st.code("\n".join(lines), language="bash")
