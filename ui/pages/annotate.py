"""The desk, where people answer one item after the other."""

import streamlit as st

from annotations.evaluation import all_tasks
from annotations.people import Person
from annotations.workspace import Workspace
from ui.components.desk.desk import mount_desk
from ui.routes.assets import assets_url
from ui.routes.sessions import cookie_name

TITLE = "Annotate"
ICON = ":material/edit_square:"
ROLES = frozenset({"annotator", "author", "admin"})


def render(workspace: Workspace, person: Person) -> None:
    """The desk of the chosen task."""
    tasks = {str(task["id"]): task for task in all_tasks(workspace) if task["items"]}
    if not tasks:
        st.info("There is nothing to annotate yet. An author adds tasks by importing questions.")
        return
    chosen = st.query_params.get("task", "")
    if chosen not in tasks:
        chosen = next(iter(tasks))
        st.query_params["task"] = chosen
    st.html(WHOLE_WINDOW)
    mount_desk(
        {
            "base": "/desk",
            "task": int(chosen),
            "assets": assets_url(),
            "person": person.name,
            "workspace": cookie_name(workspace),
        },
        key="desk",
    )


# The desk fills the window below the navigation; nothing scrolls but its own parts.
WHOLE_WINDOW = """
<style>
[data-testid="stMainBlockContainer"] { padding: 3.9rem 1rem 0 1rem; max-width: none; }
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0; }
:root { --desk-height: calc(100vh - 4.4rem); }
</style>
"""
