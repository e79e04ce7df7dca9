"""The search of titles on the page, downloads with what failed, and searches that wait."""

import time

import streamlit as st

from annotations.annotator import number_words
from annotations.footage.download_choice import choose, try_again
from annotations.footage.overview import FootageCounts, failed_downloads, recent_queries
from annotations.footage.search_queue import A_SEED, expand_seeds, search_time_words
from annotations.footage.store import FootageStore
from annotations.footage.title_search import find_titles, most_viewed_first
from core.footage.candidate import views_text
from core.footage.lookup import Pace
from ui.components.downloads import csv_button
from ui.components.tables import show_table

FITS = 10  # rows that a table shows without a height of its own


def show_search(store: FootageStore) -> None:
    """A field for words, the fewest views, and the hits."""
    words, views = st.columns([3, 1])
    text = words.text_input(
        "Words of a title", placeholder="bicycle kick", key="footage-words", max_chars=300
    )
    fewest = views.number_input("Views at least", 0, 10**9, 0, step=1000, key="footage-views")
    order, known = st.columns([3, 1], vertical_alignment="center")
    by_views = order.radio(
        "Order", ["nearest first", "most viewed first"], horizontal=True, key="footage-order",
        label_visibility="collapsed",
    ) == "most viewed first"  # fmt: skip
    is_known = known.checkbox(
        "Known views only", key="footage-known",
        help="Leaves out videos of which no number of views is known, which is not 0.",
    )  # fmt: skip
    if not text.strip():
        st.caption("Any script; nothing in it is syntax. Titles with the phrase come first.")
        return
    found = find_titles(store, text, min_views=int(fewest), known_views=is_known)
    if found.hint:
        st.info(found.hint)
        return
    searched = ", ".join(f"“{word}”" for word in found.searched)
    if not found.hits:
        st.info(f"No title, description or channel fits {searched}.")
        return
    st.caption(f"{number_words(len(found.hits), 'hit')} for {searched}")
    hits = most_viewed_first(found.hits) if by_views else found.hits
    columns: dict[str, list[object]] = {
        "Title": [hit.title for hit in hits],
        "Fits": [hit.kind for hit in hits],
        "Views": [views_text(hit.views) for hit in hits],
        "Seconds": [hit.duration_s for hit in hits],
        "Channel": [hit.channel for hit in hits],
        "Source": [hit.url or None for hit in hits],
    }
    show_table(
        columns, height=480 if len(hits) > FITS else None, formats={"Seconds": "%.0f"},
        links=["Source"], wide=["Title"],
    )  # fmt: skip
    left, middle, right = st.columns([1, 2, 2])
    with left:
        csv_button("titles", {"id": [hit.key for hit in hits], **columns})
    ids = [hit.id for hit in hits]
    these = "this one" if len(ids) == 1 else f"these {len(ids)}"
    if middle.button(f"Choose {these} for download", key="footage-choose"):
        added = choose(store, ids)
        st.toast(f"{added:,} are chosen; the others were before.")
    if right.button(
        "Look for more like these", key="footage-seeds",
        help="Adds a search for each title, and one for each channel that is known.",
    ):  # fmt: skip
        _look_for_more(store, ids)


def _look_for_more(store: FootageStore, ids: list[int]) -> None:
    """Add searches from the hits, and say how long they take and who goes through them."""
    added = expand_seeds(store, ids)
    if not added:
        st.toast("All of their titles and channels are searched for already.")
        return
    st.toast(
        f"{added:,} more searches wait, {search_time_words(added, A_SEED, Pace())}:"
        " `rushes footage search` goes through them."
    )


def show_downloads(store: FootageStore, counts: FootageCounts) -> None:
    """Counts, pauses, what failed with its kind, and a button that tries it again."""
    states = counts.downloads
    columns = st.columns(3)
    columns[0].metric("Came", f"{states.get('done', 0):,}")
    columns[1].metric("Wait", f"{states.get('waiting', 0):,}")
    columns[2].metric("Failed", f"{states.get('failed', 0):,}")
    for source, until, why in counts.pauses:
        clock = time.strftime("%H:%M", time.localtime(until))
        st.warning(f"{source}: {why}; waiting until {clock}.")
    if states.get("waiting"):
        st.caption("Downloads run in a pipeline, or by `rushes footage download`.")
    if counts.failures:
        st.subheader("What failed")
        kinds = st.pills(
            "Kinds", list(counts.failures), selection_mode="multi", key="footage-kinds",
            format_func=lambda kind: f"{kind} {counts.failures[kind]:,}",
            label_visibility="collapsed",
        )  # fmt: skip
        chosen = list(kinds) or list(counts.failures)
        if st.button("Try these again", key="footage-retry"):
            again = try_again(store, chosen)
            st.toast(f"{again:,} wait again.")
            st.rerun()
        rows = [row for row in failed_downloads(store) if row.failure in chosen]
        show_table(
            {
                "Title": [row.title for row in rows],
                "Kind": [row.failure for row in rows],
                "What was said": [row.message for row in rows],
                "Source": [row.url or None for row in rows],
            },
            links=["Source"],
            wide=["Title", "What was said"],
        )
    _queries(store)


def _queries(store: FootageStore) -> None:
    rows = recent_queries(store)
    if not rows:
        return
    st.subheader("Searches")
    show_table(
        {
            "How": [row.how for row in rows],
            "What": [row.target for row in rows],
            "Found": [row.reached for row in rows],
            "State": [row.state for row in rows],
            "Why": [f"{row.failure} {row.message}".strip() for row in rows],
        },
        wide=["What", "Why"],
    )
