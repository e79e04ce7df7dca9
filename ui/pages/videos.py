"""Every video with its health: usable, missing or broken, and why."""

import json

import streamlit as st

from annotations.people import Person
from annotations.workspace import Workspace
from ui.components.tables import show_table

TITLE = "Videos"
ICON = ":material/movie:"
ROLES = frozenset({"author", "admin"})
STATES = ("all", "usable", "missing", "broken")


def render(workspace: Workspace, person: Person) -> None:
    """A table of videos with filter, and what the last imports reported."""
    del person
    st.title("Videos")
    rows = workspace.store.rows("SELECT * FROM video ORDER BY status = 'usable', name")
    if not rows:
        st.info("No videos yet. Import a folder of them:")
        st.code(f"rushes import FOLDER --workspace {workspace.root}", language="bash")
        return
    counts = {state: sum(row["status"] == state for row in rows) for state in STATES[1:]}
    counts["all"] = len(rows)
    state = st.segmented_control(
        "Show",
        STATES,
        default="all",
        format_func=lambda name: f"{name} {counts[name]:,}",
        label_visibility="collapsed",
        key="videos-state",
    )
    shown = [row for row in rows if state in (None, "all", row["status"])]
    show_table(_columns(shown), height=480)
    _imports(workspace)


def _columns(rows: list[dict[str, object]]) -> dict[str, list[object]]:
    facts = [json.loads(str(row["facts"]) or "{}") for row in rows]
    return {
        "Video": [row["name"] for row in rows],
        "State": [row["status"] for row in rows],
        "Why": [row["reason"] for row in rows],
        "Duration s": [fact.get("duration_s") for fact in facts],
        "Frames": [fact.get("n_frames") for fact in facts],
        "Size": [f"{fact['width']}×{fact['height']}" if "width" in fact else "" for fact in facts],
        "Codec": [fact.get("codec", "") for fact in facts],
    }


def _imports(workspace: Workspace) -> None:
    rows = workspace.store.rows("SELECT * FROM import ORDER BY id DESC LIMIT 20")
    if not rows:
        return
    st.subheader("Imports")
    for row in rows:
        report = json.loads(row["report"])
        with st.expander(f"{row['created_at']} · {row['format']} · {row['path']}"):
            st.json(report, expanded=2)
