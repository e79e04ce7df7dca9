"""Footage: from titles to clips, with what each step kept and threw away, and lists of actions."""

import streamlit as st

from annotations.footage.overview import footage_counts
from annotations.footage.store import footage_file, open_store
from annotations.people import Person
from annotations.workspace import Workspace
from ui.components.footage.action_lists import show_action_lists
from ui.components.footage.found import show_downloads, show_search
from ui.components.footage.funnel import show_pipelines

TITLE = "Footage"
ICON = ":material/travel_explore:"
ROLES = frozenset({"author", "admin"})
TABS = ("Pipelines", "Titles", "Downloads", "Actions")


def render(workspace: Workspace, person: Person) -> None:
    """Pipelines with their funnels, the search of titles, downloads, and lists of actions."""
    st.title("Footage")
    if not footage_file(workspace).exists():
        st.info("No metadata yet. Search for videos, or add what was searched for elsewhere:")
        st.code(
            f"rushes footage search WORDS --workspace {workspace.root}\n"
            f"rushes footage add METADATA --workspace {workspace.root}",
            language="bash",
        )
        return
    store = open_store(workspace)
    try:
        counts = footage_counts(store)
        st.caption(
            f"{counts.videos:,} videos are known by their metadata, "
            f"{counts.downloads.get('done', 0):,} are downloaded ({counts.bytes / 2**30:.1f} GB)."
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
