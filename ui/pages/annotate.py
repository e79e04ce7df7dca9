"""The desk, where people answer one item after the other."""

import streamlit as st

from annotations.answering.assignments import is_for
from annotations.people import Person
from annotations.planning.task_store import all_tasks
from annotations.workspace import Workspace
from ui.access import cookie_name
from ui.components.desk.desk import mount_desk
from ui.routes.assets import assets_url

TITLE = "Annotate"
ICON = ":material/edit_square:"
ROLES = frozenset({"annotator", "author", "admin"})


def render(workspace: Workspace, person: Person) -> None:
    """The desk of the chosen task; for authors also as a preview that stores nothing."""
    tasks = {
        str(task.id): task
        for task in all_tasks(workspace)
        if task.items and (person.is_author or is_for(workspace, task.id, person))
    }
    if not tasks:
        st.info("There is nothing to annotate yet. An author adds tasks by importing questions.")
        return
    chosen = st.query_params.get("task", "")
    if chosen not in tasks:
        chosen = next(iter(tasks))
        st.query_params["task"] = chosen
    preview = person.is_author and "preview" in st.query_params
    above = "6.7rem" if preview else "4.4rem"
    st.html(f"{WHOLE_WINDOW}<style>:root {{ --desk-height: calc(100vh - {above}); }}</style>")
    if preview:
        st.html(PREVIEW)
    mount_desk(
        {
            "base": "/desk/preview" if preview else "/desk",
            "task": int(chosen),
            "assets": assets_url(),
            "person": person.name,
            # What the browser keeps of a preview must never be sent as an answer.
            "workspace": cookie_name(workspace) + (" preview" if preview else ""),
        },
        key="desk",
    )


PREVIEW = """
<style>
.rushes-preview { padding: .3rem .2rem .5rem; font-size: .9rem; }
.rushes-preview a { color: inherit; }
</style>
<div class="rushes-preview"><b>Preview.</b> You see what an annotator sees. Answers are checked,
nothing is stored. <a href="/tasks" target="_self">Back to the tasks</a></div>
"""

# The desk fills the window below the navigation; nothing scrolls but its own parts.
WHOLE_WINDOW = """
<style>
[data-testid="stMainBlockContainer"] { padding: 3.9rem 1rem 0 1rem; max-width: none; }
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0; }
</style>
"""
