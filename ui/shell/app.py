"""The page shell: who is here, and where they may go."""

from collections.abc import Callable
from functools import partial
from typing import cast

import streamlit as st
from streamlit.navigation.page import Page as StreamlitPage

from annotations.people import Person
from annotations.workspace import Workspace
from core import plugins
from ui import access
from ui.components.language import language_of_reader
from ui.components.server_away import server_away
from ui.components.theme_change import theme_change
from ui.database_trouble import database_trouble_told
from ui.languages import say
from ui.page import Page
from ui.serving import workspace
from ui.shell.app_pages import PAGES, SECTIONS
from ui.shell.door import render_door, render_refusal
from ui.theme import CONTRAST


def main() -> None:
    """Draw the page that was asked for, or what the database cannot do."""
    with database_trouble_told():
        _draw()


def _draw() -> None:
    served = workspace()
    person = access.person_here()
    modules = {name: cast("Page", plugins.load("ui.pages", name)) for name in PAGES}
    pages = {name: _page(served, person, name, page) for name, page in modules.items()}
    sections = {heading: [pages[name] for name in names] for heading, names in SECTIONS.items()}
    page = st.navigation(sections, position="hidden" if person is None else "top")
    title = f"{page.title} · {served.settings.name}" if person else served.settings.name
    st.set_page_config(page_title=f"{title} · Rushes", page_icon="🎬", layout="wide")
    st.html(CONTRAST)
    server_away()
    if person and person.is_author:
        theme_change()
    page.run()


def drawing(served: Workspace, person: Person | None, page: Page) -> Callable[[], None]:
    """Return what draws a page for a person: the page, the door, or why they are not let in."""
    if person is None:
        return partial(render_door, served)
    if not access.may(person, page.ROLES):
        return partial(render_refusal, page.TITLE)
    return partial(page.render, served, person)


def _title(title: str, person: Person | None) -> str:
    """The title of a page; authors' pages are English."""
    if person is None:
        return "Rushes"
    return title if person.is_author else say(language_of_reader(), title)


def _page(served: Workspace, person: Person | None, name: str, page: Page) -> StreamlitPage:
    """A page as this person gets it: whoever is not let in is told so under the same address."""
    allowed = access.may(person, page.ROLES)
    return st.Page(
        drawing(served, person, page),
        title=_title(page.TITLE, person),
        icon=page.ICON,
        url_path=name,
        default=name == "start",
        visibility="visible" if allowed else "hidden",
    )
