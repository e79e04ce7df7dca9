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


NO_LINK = (
    "Open the invite link that you were sent; it signs you in on this browser. "
    "No link? Ask an author, who makes one on the page People."
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
                NO_LINK,
                icon=":material/key:",
            )


def door_html(workspace: Workspace) -> str:
    """Return the page for somebody who is not signed in; it needs nothing but itself."""
    if workspace.settings.demo:
        links = "".join(
            f'<a class="rushes-door" href="/join/{escape(invite(workspace, name, role))}">'
            f"<b>{escape(name)}</b><span>{escape(description)}</span></a>"
            for name, role, description in DEMO_PEOPLE
        )
        content = f"<p>This is a demo: who would you like to be?</p><nav>{links}</nav>"
    elif workspace.settings.sign_in is not None:
        name = escape(workspace.settings.sign_in.name)
        content = (
            f'<nav><a class="rushes-door" href="/sign-in"><b>Sign in with {name}</b>'
            f"<span>if you have an account there</span></a></nav><p>{NO_LINK}</p>"
        )
    else:
        content = f"<p>{NO_LINK}</p>"
    return PAGE.format(style=STYLE, content=content)


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

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Rushes</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
main {{ max-width: 34rem; margin: 12vh auto 0; padding: 0 1.25rem; }}
nav {{ display: grid; gap: 1rem; }}
</style>{style}</head>
<body><main><h1>Rushes</h1><p>The review room of a video benchmark.</p>{content}</main></body>
</html>
"""
