"""The page shell: who is here, and where they may go."""

from functools import partial
from typing import cast

import streamlit as st

from annotations.people import signed_in
from core import plugins
from ui.app_pages import PAGES, SECTIONS
from ui.door import render_door
from ui.page import Page
from ui.routes.sessions import cookie_name
from ui.serving import workspace


def main() -> None:
    """Draw the page that was asked for."""
    served = workspace()
    st.set_page_config(page_title=f"{served.settings.name} · Rushes", page_icon="🎬", layout="wide")
    person = signed_in(served, st.context.cookies.get(cookie_name(served)))
    if person is None:
        st.navigation(
            [st.Page(partial(render_door, served), title="Rushes")], position="hidden"
        ).run()
        return
    modules = {name: cast("Page", plugins.load("ui.pages", name)) for name in PAGES}
    allowed = {name: page for name, page in modules.items() if person.role in page.ROLES}
    pages = {
        name: st.Page(
            partial(page.render, served, person),
            title=page.TITLE,
            icon=page.ICON,
            url_path=name,
            default=name == "start",
        )
        for name, page in allowed.items()
    }
    sections = {
        heading: [pages[name] for name in names if name in pages]
        for heading, names in SECTIONS.items()
    }
    st.navigation({at: found for at, found in sections.items() if found}, position="top").run()
