"""The page for somebody who is not signed in."""

from html import escape

import streamlit as st

from annotations.people import invite
from annotations.workspace import Workspace

DEMO_PEOPLE = (
    ("Ada", "annotator", "answer questions as an annotator"),
    ("Ben", "annotator", "be a second annotator, in another browser or a private window"),
    ("Clara", "author", "watch the numbers as the author"),
)


def render_door(workspace: Workspace) -> None:
    """How to sign in; in a demo, three people to choose from."""
    margin, middle, right = st.columns([1, 2, 1])
    del margin, right
    with middle:
        st.space("large")
        st.title("Rushes")
        st.markdown("The review room of a video benchmark.")
        if workspace.settings.demo:
            st.markdown("This is a demo: who would you like to be?")
            for name, role, description in DEMO_PEOPLE:
                token = invite(workspace, name, role)
                st.html(
                    f'<a class="rushes-door" target="_self" href="/join/{escape(token)}">'
                    f"<b>{escape(name)}</b><span>{escape(description)}</span></a>{STYLE}"
                )
        else:
            st.info(
                "Open the invite link that you were sent; it signs you in on this browser. "
                "No link? Ask an author, who makes one on the page People.",
                icon=":material/key:",
            )


def render_refusal(title: str) -> None:
    """What somebody sees who opened the address of a page that is not for them."""
    st.info(
        f"The page {title} is for authors. Yours are in the menu above; if you are an author, open "
        "the invite link that you got as one.",
        icon=":material/lock:",
    )


STYLE = """
<style>
.rushes-door { display: flex; flex-direction: column; gap: .15rem; padding: .9rem 1.1rem;
  border: 1px solid color-mix(in srgb, currentColor 22%, transparent); border-radius: .5rem;
  text-decoration: none !important; color: inherit !important; }
.rushes-door:hover, .rushes-door:focus-visible { border-color: currentColor; }
.rushes-door span { opacity: .72; }
</style>
"""
