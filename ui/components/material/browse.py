"""What the galleries of videos and questions share: choices in the address, pages, one thing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st
from sqlite_utils import Database
from streamlit.delta_generator import DeltaGenerator

from annotations.workspace import Workspace
from core.refusal import Missing
from ui.access import callback, fragment
from ui.components.filters.gallery import Card, gallery
from ui.theme import DARK, LIGHT

SIZE = 48
PAGE = "page"
Row = TypeVar("Row")
Story = TypeVar("Story")


def choice(
    label: str, name: str, options: Mapping[str, str], column: Any, *, labelled: bool = False
) -> str:
    """One of some choices, kept in the address as ?NAME=VALUE so that a link leads to it."""
    asked = st.query_params.get(name, "")
    values = list(options)
    chosen = column.selectbox(
        label, values, values.index(asked) if asked in values else 0,
        format_func=options.__getitem__, key=f"browse-{label}-{name}",
        label_visibility="visible" if labelled else "collapsed", persist_state="session",
    )  # fmt: skip
    note(name, str(chosen or ""))
    return str(chosen or "")


def more_choices(
    column: Any, choices: Sequence[tuple[str, str, Mapping[str, str]]]
) -> dict[str, str]:
    """Choices behind a button that says how many of them are made, by name.

    Args:
        column: where the button stands.
        choices: label, name and options of each, as `choice` takes them. A browser draws a box for
            each only once somebody opens them, which makes the page quick.
    """
    made = sum(bool(st.query_params.get(name)) for _, name, _ in choices)
    words = f"Filters: {made}" if made else "Filters"
    place = column.popover(words, icon=":material/tune:", width="stretch")
    return {
        name: choice(label, name, options, place, labelled=True) for label, name, options in choices
    }


def words(column: Any, name: str, placeholder: str) -> str:
    """The words that somebody looks for, kept in the address."""
    typed = column.text_input(
        "Search", st.query_params.get(name, ""), placeholder=placeholder, icon=":material/search:",
        label_visibility="collapsed", key=f"browse-{placeholder}",
    )  # fmt: skip
    note(name, typed.strip())
    return typed.strip()


def note(name: str, value: str) -> None:
    """Keep a choice in the address; what is left out does not stand there.

    Another choice makes another list, which begins with its first page.
    """
    if st.query_params.get(name, "") == value:
        return
    if value:
        st.query_params[name] = value
    else:
        del st.query_params[name]
    if name != PAGE and PAGE in st.query_params:
        del st.query_params[PAGE]


def named(values: Sequence[str], everything: str) -> dict[str, str]:
    """Choices that are called what they are, below one that leaves all in."""
    return {"": everything, **{value: value for value in values}}


def turn_pages(total: int, key: str) -> int:
    """The first of the things on this page, with buttons for the pages beside."""
    last_page = max(0, (total - 1) // SIZE)
    asked = st.query_params.get(PAGE, "1")
    page = min(last_page, max(0, int(asked) - 1)) if asked.isdecimal() else 0
    words_at, back_at, on_at = st.columns([8, 1, 1], vertical_alignment="center")
    if total:
        start = page * SIZE + 1
        words_at.caption(f"{start:,} to {min(total, start + SIZE - 1):,} of {total:,}")
    for label, to, at in (("Back", page - 1, back_at), ("Next", page + 1, on_at)):
        # A callback: the page is turned before it is drawn, and drawn once.
        at.button(
            label, disabled=not 0 <= to <= last_page, key=f"{key}-{label.lower()}",
            icon=f":material/chevron_{'left' if label == 'Back' else 'right'}:", width="stretch",
            on_click=callback(note), args=(PAGE, str(to + 1)),
        )  # fmt: skip
    return page * SIZE


def show_page(
    workspace: Workspace,
    noun: str,
    count: Callable[[Database], int],
    rows_from: Callable[[Database, int], Sequence[Row]],
    cards: Callable[[Sequence[Row]], Sequence[Card]],
    height: str,
) -> None:
    """Draw a page of what is left under a filter; what is opened goes into the address.

    It is drawn again by itself when a page is turned.

    Args:
        workspace: which is read.
        noun: what each is called, in words and in the address: 'question' or 'video'.
        count: how many there are.
        rows_from: those of the page that begins at a number, `SIZE` at most.
        cards: their cards.
        height: of a card's picture.
    """
    _draw_page(workspace, noun, count, rows_from, cards, height)


@fragment()
def _draw_page(
    workspace: Workspace,
    noun: str,
    count: Callable[[Database], int],
    rows_from: Callable[[Database, int], Sequence[Any]],
    cards: Callable[[Sequence[Any]], Sequence[Card]],
    height: str,
) -> None:
    if st.query_params.get(noun, "").isdecimal():  # one of them was opened just now
        st.rerun(scope="app")
    with workspace.store.read() as database:
        total = count(database)
        start = turn_pages(total, f"{noun}s")
        rows = rows_from(database, start) if total else ()
    if not total:
        st.info(f"No {noun} is left under these filters. Take one back, or search for less.")
        return
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    gallery(cards(rows), palette, f"{noun}s-gallery", height, lambda card: _open(noun, card))


def _open(noun: str, card: str) -> None:
    """Lead to one thing; the way back is to the page of the list that it was opened from."""
    if card:
        st.query_params[noun] = card
    else:
        st.query_params.pop(noun, None)


def open_story(noun: str, story_of: Callable[[], Story]) -> tuple[DeltaGenerator, Story | None]:
    """Where the title of one thing goes, and its story, with a button that leads back to all.

    Without a story it is said that there is no such thing.
    """
    title_at, back_at = st.columns([6, 1], vertical_alignment="bottom")
    back_at.button(
        f"All {noun}s", icon=":material/arrow_back:", width="stretch",
        on_click=callback(_open), args=(noun, ""),
    )  # fmt: skip
    try:
        return title_at, story_of()
    except Missing as missing:
        st.warning(str(missing))
        return title_at, None
