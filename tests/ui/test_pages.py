"""Every page that is there draws for whoever may open it, in an empty workspace or a used one."""

from typing import Any

import pytest
from building import content_hash, keep_frame_table, make_video
from streamlit.testing.v1 import AppTest

from annotations.people import invite
from annotations.planning.task_store import ensure_tasks
from annotations.workspace import Workspace
from core import plugins
from ui.shell.app_pages import PAGES

SCRIPT = """
from pathlib import Path
from core import plugins
from annotations.people import Person
from ui.serving import workspace

plugins.load("ui.pages", {page!r}).render(workspace(), Person({number}, "Clara", {role!r}))
"""
DRAWN_BY = [
    (page, role)
    for page in PAGES
    for role in sorted(plugins.load("ui.pages", page).ROLES - {"admin"})
]


def draw(page: str, role: str, number: int) -> AppTest:
    return AppTest.from_string(
        SCRIPT.format(page=page, role=role, number=number), default_timeout=60
    ).run()


def words_of(app: AppTest) -> str:
    shown: list[Any] = [*app.title, *app.markdown, *app.info, *app.caption, *app.subheader]
    return " ".join(str(one.value) for one in shown)


@pytest.mark.parametrize(("page", "role"), DRAWN_BY)
def test_a_page_of_an_empty_workspace_says_something(page: str, role: str, served: Workspace):
    number = 1
    invite(served, "Clara", role)
    app = draw(page, role, number)
    assert not app.exception
    assert words_of(app).strip()
    if role == "author":
        assert leads_on(app)


def leads_on(app: AppTest) -> bool:
    """Whether there is something to do: a way to another page, a command, a form to fill in."""
    return bool(app.button or app.code or app.get("file_uploader"))


@pytest.mark.parametrize("questions", [False, True], ids=["videos only", "questions, no answers"])
@pytest.mark.parametrize(("page", "role"), DRAWN_BY)
def test_a_page_with_nothing_of_its_own_yet_leads_on(
    page: str, role: str, questions: bool, served: Workspace, add_question
):
    invite(served, "Clara", role)
    for number in range(3):
        if questions:
            add_question(f"count/{number}")
            continue
        name = f"clip {number}.mp4"
        keep_frame_table(served, content_hash(name))
        with served.store.write() as database:
            make_video(database, name, facts={"duration_s": 2.0, "n_frames": 60})
    ensure_tasks(served)
    app = draw(page, role, 1)
    assert not app.exception
    if role == "author" and app.info:
        assert leads_on(app), words_of(app)


def test_annotators_are_offered_no_page_that_shows_keys_or_other_people():
    offered = {p for p in PAGES if "annotator" in plugins.load("ui.pages", p).ROLES}
    assert offered == {"start", "annotate"}


def test_the_hidden_options_that_the_launcher_relies_on_are_still_there():
    from streamlit import config

    from ui.shell.serve import OPTIONS
    from ui.theme import streamlit_options

    known = config.get_config_options()
    for name in OPTIONS | streamlit_options("/x/"):
        assert name in known, name
