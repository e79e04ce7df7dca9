"""Draws the page again when its colours change from light to dark, or back, while it is open.

Charts, galleries and the funnel get their colours from here: those of the other mode would stay,
dark words on a dark page.
"""

from functools import cache
from pathlib import Path

from streamlit.components.v2 import component


def theme_change() -> None:
    """Watch the colours; nothing is to be seen of it."""
    watch = component("rushes_theme_change", js=_script())
    watch(key="theme-change", on_changed_change=lambda: None)


@cache
def _script() -> str:
    return Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
