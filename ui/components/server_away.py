"""A notice while the server does not answer, in the reader's language, on every page.

Streamlit opens a window instead that asks whether `streamlit run` still runs, which is no help to
anybody here. The desk goes on without the server and says so itself: its page hides the notice.
"""

from streamlit.components.v2 import component

from ui.components.beside import beside
from ui.components.language import language_of_reader
from ui.languages import say

WORDS = (
    "The server does not answer. What you see may be out of date; this page goes on by itself as"
    " soon as the server is back."
)
HTML = '<div role="status"></div>'
CSS = """
[role=status] { position: fixed; inset: auto 0 1.5rem; z-index: 1000000; width: fit-content;
  max-width: min(40rem, 90vw); margin: auto; padding: .7rem 1rem; border-radius: .5rem;
  background: var(--st-text-color); color: var(--st-background-color);
  font: 500 .95rem/1.4 var(--st-font); box-shadow: 0 2px 12px rgb(0 0 0 / .3); }
[role=status]:empty { display: none; }
"""


def server_away() -> None:
    """Watch the connection; nothing is to be seen of it while the server answers."""
    watch = component(
        "rushes_server_away", html=HTML, css=CSS, js=beside(__file__, "server_away.js")
    )
    watch(key="server-away", data={"words": say(language_of_reader(), WORDS)})
