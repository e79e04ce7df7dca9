"""The page for somebody who is not signed in."""

from html import escape

import streamlit as st

from annotations.people import invite
from annotations.workspace import Workspace
from ui.components.language import language_of_reader
from ui.languages import say
from ui.routes.plain_page import Reader

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
            st.html(f"<nav>{_demo_links(workspace, language)}</nav>{STYLE}")
        else:
            st.info(say(language, NO_LINK), icon=":material/key:")


def door_html(workspace: Workspace, reader: Reader) -> str:
    """Return the page for somebody who is not signed in; it needs nothing but itself."""
    sign_in = workspace.settings.sign_in
    if workspace.settings.demo:
        links = _demo_links(workspace, reader.language)
        content = f"<p>{reader.say(DEMO)}</p><nav>{links}</nav>"
    elif sign_in is not None:
        content = (
            f'<nav><a class="rushes-door" href="/sign-in">'
            f"<b>{reader.say('Sign in with {name}', name=sign_in.name)}</b>"
            f"<span>{reader.say('if you have an account there')}</span></a></nav>"
            f"<p>{reader.say(NO_LINK)}</p>"
        )
    else:
        content = f"<p>{reader.say(NO_LINK)}</p>"
    return reader.page("Rushes", f"{STYLE}<h1>Rushes</h1><p>{reader.say(SUBTITLE)}</p>{content}")


def _demo_links(workspace: Workspace, language: str) -> str:
    """Links that sign in as one of the people of a demo, as HTML."""
    return "".join(
        f'<a class="rushes-door" target="_self" href="/join/'
        f'{escape(invite(workspace, name, role))}">'
        f"<b>{escape(name)}</b><span>{escape(say(language, description))}</span></a>"
        for name, role, description in DEMO_PEOPLE
    )


def render_refusal(title: str) -> None:
    """What somebody sees who opened the address of a page that is not for them."""
    st.info(say(language_of_reader(), NOT_YOURS, title=title), icon=":material/lock:")


STYLE = """
<style>
nav:has(.rushes-door) { display: grid; gap: 1rem; }
.rushes-door { display: flex; flex-direction: column; gap: .15rem; padding: .9rem 1.1rem;
  border: 1px solid color-mix(in srgb, currentColor 22%, transparent); border-radius: .5rem;
  text-decoration: none !important; color: inherit !important; }
.rushes-door:hover, .rushes-door:focus-visible { border-color: currentColor; }
.rushes-door span { opacity: .72; }
</style>
"""
