"""Every video with its health: usable, missing or broken, and why."""

import json
from typing import Any

import streamlit as st

from annotations.people import Person
from annotations.reading.checks import read_link
from annotations.workspace import Workspace
from ui.components.tables import show_table

TITLE = "Videos"
ICON = ":material/movie:"
ROLES = frozenset({"author", "admin"})
STATES = ("all", "usable", "missing", "broken")
_FACTS = ("title", "uploader", "duration_s", "n_frames", "width", "height", "codec")
_VIDEOS = f"""
  SELECT name, status, reason, source_url,
    {", ".join(f"json_extract(facts, '$.{fact}') AS {fact}" for fact in _FACTS)}
  FROM video ORDER BY status = 'usable', name
"""


def render(workspace: Workspace, person: Person) -> None:
    """A table of videos with filter, and what the last imports reported."""
    del person
    st.title("Videos")
    rows = workspace.store.rows(_VIDEOS)
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
    show_table(
        _columns(shown), height=480, formats={"Duration s": "%.2f"}, links=["Source"], wide=["Why"]
    )
    _imports(workspace)


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[object]]:
    """Columns of the table; what no video has is left out."""
    columns: dict[str, list[object]] = {
        "Video": [row["name"] for row in rows],
        "Title": [row["title"] or "" for row in rows],
        "State": [row["status"] for row in rows],
        "Why": [row["reason"] for row in rows],
        "Duration s": [row["duration_s"] for row in rows],
        "Frames": [row["n_frames"] for row in rows],
        "Size": [f"{row['width']}×{row['height']}" if row["width"] else "" for row in rows],
        "Codec": [row["codec"] or "" for row in rows],
        "Uploader": [row["uploader"] or "" for row in rows],
        "Source": [read_link(row["source_url"]) or None for row in rows],
    }
    optional = ("Title", "Uploader", "Source", "Why")
    return {name: cells for name, cells in columns.items() if name not in optional or any(cells)}


def _imports(workspace: Workspace) -> None:
    rows = workspace.store.rows("SELECT * FROM import ORDER BY id DESC LIMIT 20")
    if not rows:
        return
    st.subheader("Imports")
    for row in rows:
        report = json.loads(row["report"])
        with st.expander(f"{row['created_at']} · {row['format']} · {row['path']}"):
            st.json(report, expanded=2)
