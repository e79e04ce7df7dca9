"""The page for somebody who is not signed in."""

from html import escape

import streamlit as st

from annotations.people import invite
from annotations.workspace import Workspace
from ui.components.language import language_of_reader
from ui.languages import ENGLISH, say

DEMO_PEOPLE = (
    ("Ada", "annotator", "answer questions as an annotator"),
    ("Ben", "annotator", "be a second annotator, in another browser or a private window"),
    ("Clara", "author", "watch the numbers as the author"),
)


SUBTITLE = "The review room of a video benchmark."
DEMO = "This is a demo: who would you like to be?"
NO_LINK = (
    "Open the invite link that you were sent; it signs you in on this browser. "
    "No link? Ask an author, who makes one on the page People."
)
NOT_YOURS = (
    "The page {title} is for authors. Yours are in the menu above; if you are an author, open the "
    "invite link that you got as one."
)


def render_door(workspace: Workspace) -> None:
    """How to sign in; in a demo, three people to choose from."""
    language = language_of_reader()
    margin, middle, right = st.columns([1, 2, 1])
    del margin, right
    with middle:
        st.space("large")
        st.title("Rushes")
        st.markdown(say(language, SUBTITLE))
        if workspace.settings.demo:
            st.markdown(say(language, DEMO))
            for name, role, description in DEMO_PEOPLE:
                token = invite(workspace, name, role)
                st.html(
                    f'<a class="rushes-door" target="_self" href="/join/{escape(token)}">'
                    f"<b>{escape(name)}</b><span>{escape(say(language, description))}</span></a>"
                    f"{STYLE}"
                )
        else:
            st.info(say(language, NO_LINK), icon=":material/key:")


def door_html(workspace: Workspace, language: str = ENGLISH) -> str:
    """Return the page for somebody who is not signed in; it needs nothing but itself."""
    no_link = escape(say(language, NO_LINK))
    if workspace.settings.demo:
        links = "".join(
            f'<a class="rushes-door" href="/join/{escape(invite(workspace, name, role))}">'
            f"<b>{escape(name)}</b><span>{escape(say(language, description))}</span></a>"
            for name, role, description in DEMO_PEOPLE
        )
        content = f"<p>{escape(say(language, DEMO))}</p><nav>{links}</nav>"
    elif workspace.settings.sign_in is not None:
        sign_in = say(language, "Sign in with {name}", name=workspace.settings.sign_in.name)
        content = (
            f'<nav><a class="rushes-door" href="/sign-in"><b>{escape(sign_in)}</b>'
            f"<span>{escape(say(language, 'if you have an account there'))}</span></a></nav>"
            f"<p>{no_link}</p>"
        )
    else:
        content = f"<p>{no_link}</p>"
    subtitle = escape(say(language, SUBTITLE))
    return PAGE.format(style=STYLE, content=content, language=language, subtitle=subtitle)


def render_refusal(title: str) -> None:
    """What somebody sees who opened the address of a page that is not for them."""
    st.info(say(language_of_reader(), NOT_YOURS, title=title), icon=":material/lock:")


STYLE = """
<style>
.rushes-door { display: flex; flex-direction: column; gap: .15rem; padding: .9rem 1.1rem;
  border: 1px solid color-mix(in srgb, currentColor 22%, transparent); border-radius: .5rem;
  text-decoration: none !important; color: inherit !important; }
.rushes-door:hover, .rushes-door:focus-visible { border-color: currentColor; }
.rushes-door span { opacity: .72; }
</style>
"""

PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>Rushes</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
main {{ max-width: 34rem; margin: 12vh auto 0; padding: 0 1.25rem; }}
nav {{ display: grid; gap: 1rem; }}
</style>{style}</head>
<body><main><h1>Rushes</h1><p>{subtitle}</p>{content}</main></body>
</html>
"""
