"""The desk, where people answer one item after the other."""

import streamlit as st

from annotations.evaluation import all_tasks
from annotations.people import Person
from annotations.workspace import Workspace
from ui.components.desk.desk import mount_desk
from ui.routes.assets import assets_url

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
    mount_desk(
        {
            "base": "/desk",
            "task": int(chosen),
            "assets": assets_url(),
            "person": person.name,
        },
        key="desk",
    )
