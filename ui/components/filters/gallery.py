"""Cards of clips with thumbnails; one can be opened."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import streamlit as st
from streamlit.components.v2 import component

from ui.access import callback
from ui.components.beside import beside
from ui.theme import Palette

Tone = Literal["accept", "reject", "muted"]


@dataclass(frozen=True)
class Badge:
    """A few words in a frame."""

    text: str
    tone: Tone = "muted"


@dataclass(frozen=True)
class Card:
    """A clip.

    Attributes:
        id: comes back when the card is opened.
        src: address of its thumbnail; '' for none.
        lines: below the badges, two screen lines each at most.
        help: shown while the pointer rests on it.
        play: address of its video, which plays while the pointer rests on it; '' for none.
        start_s: where it begins to play, and `end_s` where it begins anew; None: at its end.
    """

    id: str
    title: str
    src: str
    badges: tuple[Badge, ...] = ()
    lines: tuple[str, ...] = ()
    help: str = ""
    play: str = ""
    start_s: float = 0.0
    end_s: float | None = None


def colours(palette: Palette) -> dict[str, str]:
    """The colours of verdicts: accept is blue, reject is orange, so that everybody tells them."""
    return {
        "accept": palette.series[1],
        "reject": palette.series[0],
        "muted": palette.muted,
    }


def gallery(
    cards: Sequence[Card],
    palette: Palette,
    key: str,
    width: str = "11rem",
    on_open: Callable[[str], None] | None = None,
) -> str | None:
    """Draw the cards; the id of the one that was opened just now, else None.

    Args:
        cards: in order.
        palette: colours of the current theme.
        key: fixed per place on the page.
        width: least width of a card, as CSS.
        on_open: gets the id before the page is drawn again, which then need not be drawn twice.
    """

    def tell() -> None:
        state: Any = st.session_state.get(key)
        if on_open is not None and state and state.get("open") is not None:
            on_open(str(state["open"]))

    mounted = component(
        "rushes_gallery", js=beside(__file__, "gallery.js"), css=beside(__file__, "gallery.css")
    )
    mounted_gallery: Any = mounted(
        data={
            "cards": [asdict(card) for card in cards],
            "colours": colours(palette),
            "width": width,
        },
        key=key,
        on_open_change=callback(tell),
    )
    opened = mounted_gallery.open
    return None if opened is None else str(opened)
