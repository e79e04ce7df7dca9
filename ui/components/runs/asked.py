"""What the choices on top of a page about runs come to."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotations.scoring.human_accuracy import Resampled
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import Which
from annotations.workspace import Workspace
from ui.theme import Palette

# Five cards stand side by side on a small screen too.
NARROW_CARDS = """<style>.rushes-cards {
  grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)) !important; }
.rushes-value { font-size: 1.75rem !important; }
.rushes-beside { font-size: 0.85rem !important; white-space: nowrap; }</style>"""


@dataclass(frozen=True)
class Asked:
    """The state that is drawn, which questions, what is resampled, and the theme's colours."""

    workspace: Workspace
    snapshot: Snapshot
    which: Which
    resample: Resampled
    palette: Palette


def draw_chart(figure: dict[str, Any], key: str) -> None:
    """Draw a figure over the whole width, without plotly's own buttons."""
    st.plotly_chart(  # pyright: ignore[reportUnknownMemberType]
        figure, width="stretch", theme=None, config={"displayModeBar": False}, key=key
    )
