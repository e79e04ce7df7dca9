"""Draws the page again when its colours change from light to dark, or back, while it is open.

Charts, galleries and the funnel get their colours from here: those of the other mode would stay,
dark words on a dark page.
"""

from streamlit.components.v2 import component

from ui.components.beside import beside


def theme_change() -> None:
    """Watch the colours; nothing is to be seen of it."""
    watch = component("rushes_theme_change", js=beside(__file__, "theme_change.js"))
    watch(key="theme-change", on_changed_change=lambda: None)
