"""Every video with its health: usable, missing or broken, and why."""

import streamlit as st

from annotations.importing.import_reports import newest_reports
from annotations.people import Person
from annotations.reading.checks import read_link
from annotations.record.video import Video, videos_in
from annotations.video.video_health import weaknesses
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
    with workspace.store.single() as database:
        videos = videos_in(database)
    if not videos:
        st.info("No videos yet. Import a folder of them:")
        st.code(f"rushes import FOLDER --workspace {workspace.root}", language="bash")
        return
    counts = {state: sum(video.status == state for video in videos) for state in STATES[1:]}
    counts["all"] = len(videos)
    state = st.segmented_control(
        "Show",
        STATES,
        default="all",
        format_func=lambda name: f"{name} {counts[name]:,}",
        label_visibility="collapsed",
        key="videos-state",
    )
    shown = [video for video in videos if state in (None, "all", video.status)]
    show_table(
        _columns(shown),
        height=480,
        formats={"Duration s": "%.2f"},
        links=["Source"],
        wide=["Why", "Damage"],
    )
    _imports(workspace)


def _columns(videos: list[Video]) -> dict[str, list[object]]:
    """Columns of the table; what no video has is left out."""
    known = [video.facts for video in videos]
    columns: dict[str, list[object]] = {
        "Video": [video.name for video in videos],
        "Title": [facts.get("title") or "" for facts in known],
        "State": [video.status for video in videos],
        "Why": [video.reason for video in videos],
        "Damage": [
            "; ".join(weaknesses(video.facts)) if video.status == "usable" else ""
            for video in videos
        ],
        "Duration s": [facts.get("duration_s") for facts in known],
        "Frames": [facts.get("n_frames") for facts in known],
        "Size": [
            f"{facts['width']}×{facts['height']}" if facts.get("width") else "" for facts in known
        ],
        "Codec": [facts.get("codec") or "" for facts in known],
        "Uploader": [facts.get("uploader") or "" for facts in known],
        "Licence": [facts.get("licence") or "" for facts in known],
        "Source": [read_link(video.source_url) or None for video in videos],
    }
    optional = ("Title", "Uploader", "Source", "Why", "Damage", "Licence")
    return {name: cells for name, cells in columns.items() if name not in optional or any(cells)}


def _imports(workspace: Workspace) -> None:
    reports = newest_reports(workspace)
    if not reports:
        return
    st.subheader("Imports")
    for report in reports:
        with st.expander(f"{report.created_at} · {report.format} · {report.path}"):
            st.json(report.counts, expanded=2)
