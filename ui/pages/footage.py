"""Footage: from titles to clips, with what each step kept and threw away, and lists of actions."""

import streamlit as st

from annotations.footage.overview import footage_counts
from annotations.footage.store import footage_file, open_store
from annotations.people import Person
from annotations.workspace import Workspace
from core.byte_size import size_words
from ui.components.footage.action_lists import show_action_lists
from ui.components.footage.found import show_downloads, show_search
from ui.components.footage.funnel import show_pipelines
from ui.components.nothing_yet import nothing_yet

TITLE = "Footage"
ICON = ":material/travel_explore:"
ROLES = frozenset({"author", "admin"})
TABS = ("Pipelines", "Titles", "Downloads", "Actions")


def render(workspace: Workspace, person: Person) -> None:
    """Pipelines with their funnels, the search of titles, downloads, and lists of actions."""
    st.title("Footage")
    if not footage_file(workspace).exists():
        nothing_yet(
            "No metadata yet. Once videos were searched for, or what was searched for elsewhere was"
            " added, their titles are found here and downloads chosen.",
            command="rushes footage search WORDS\nrushes footage add METADATA",
            root=workspace.root,
        )
        return
    store = open_store(workspace)
    try:
        counts = footage_counts(store)
        st.caption(
            f"{counts.videos:,} videos are known by their metadata, "
            f"{counts.downloads.get('done', 0):,} are downloaded ({size_words(counts.bytes)})."
        )
        tab = st.segmented_control(
            "Show", TABS, default=TABS[0], label_visibility="collapsed", key="footage-tab"
        )
        if tab == "Titles":
            show_search(store)
        elif tab == "Downloads":
            show_downloads(store, counts)
        elif tab == "Actions":
            show_action_lists(workspace, store, person)
        else:
            show_pipelines(workspace, store)
    finally:
        store.close()
