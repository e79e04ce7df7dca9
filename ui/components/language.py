"""The language of a page's reader, and the links that change it."""

from html import escape

import streamlit as st

from ui.languages import chosen_language, languages
from ui.routes.language import COOKIE


def language_of_reader() -> str:
    """Code of the language that the person chose, else of their browser, else English."""
    return chosen_language([st.context.cookies.get(COOKIE), st.context.locale])


def language_links(code: str, page: str = "") -> str:
    """Links to the other languages, as HTML; the one in use stands without a link."""
    return " · ".join(
        f'<span aria-current="true">{escape(name)}</span>'
        if other == code
        else f'<a href="/language/{other}?to={escape(page)}" target="_self" lang="{other}"'
        f' style="color: inherit">{escape(name)}</a>'
        for other, name in languages().items()
    )
