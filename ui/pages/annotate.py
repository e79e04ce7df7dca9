"""The desk, where people answer one item after the other."""

import streamlit as st

from annotations.people import Person
from annotations.planning.own_tasks import next_task, tasks_of_person
from annotations.workspace import Workspace
from ui.access import cookie_name
from ui.components.desk.desk import mount_desk
from ui.components.language import language_of_reader
from ui.components.nothing_yet import IMPORT, TASKS, nothing_yet
from ui.languages import say, texts
from ui.routes.assets import assets_url

TITLE = "Annotate"
ICON = ":material/edit_square:"
ROLES = frozenset({"annotator", "author", "admin"})


def render(workspace: Workspace, person: Person) -> None:
    """Draw the desk of the chosen task; for authors also as a preview that stores nothing."""
    language = language_of_reader()
    tasks = {str(own.task.id): own.task for own in tasks_of_person(workspace, person)}
    if not tasks:
        if person.is_author:
            words = (
                "There is nothing to annotate yet: there is no task. Importing questions makes one"
                " for each condition."
            )
            nothing_yet(words, IMPORT, TASKS)
        else:
            words = "There is nothing to do yet. An author will add tasks; come back later."
            st.info(say(language, words))
        return
    chosen = st.query_params.get("task", "")
    if chosen not in tasks:
        # Without a choice: what is open to this person, not what happens to come first.
        following = next_task(workspace, person)
        chosen = str(following.id) if following else next(iter(tasks))
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
            "language": language,
            "texts": dict(texts(language)),
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

# The desk fills the window below the navigation; nothing scrolls but its own parts. It says itself
# when the server does not answer.
WHOLE_WINDOW = """
<style>
[data-testid="stMainBlockContainer"] { padding: 3.9rem 1rem 0 1rem; max-width: none; }
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0; }
.st-key-server-away { display: none; }
</style>
"""
