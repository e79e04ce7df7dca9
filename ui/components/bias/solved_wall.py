"""Videos that objects alone solve, as cards with the objects that give them away."""

import streamlit as st

from annotations.bias.instructions import Job
from annotations.bias.result import Result
from annotations.bias.solved_videos import SolvedVideo, solved_videos
from annotations.people import Person
from annotations.workspace import Workspace
from ui.components.filters.clips import thumb
from ui.components.filters.gallery import Badge, Card, gallery
from ui.components.runs.words import count
from ui.components.tables import show_table
from ui.going import go_to
from ui.routes.media import address
from ui.theme import Palette

_EVERY = "Every class"
ONE_ROW = 4


def solved_wall(
    workspace: Workspace, person: Person, result: Result, job: Job, palette: Palette
) -> None:
    """Draw the share of each class and the wall of solved videos."""
    st.subheader("Solved from objects alone")
    label = ""
    if job == "classification":
        classes = result.figures["classification"]["per_class"]
        table_at, wall_at = st.columns([2, 3], gap="large")
        with table_at:
            show_table(
                {
                    "Class": [row["class"] for row in classes],
                    "Videos": [row["videos"] for row in classes],
                    "Solved": [row["removed"] for row in classes],
                    "Solved %": [100 * row["removed"] / row["videos"] for row in classes],
                    "Balanced": [row["removed_balanced"] for row in classes],
                },
                formats={"Solved %": "%.0f"},
                height=420 if len(classes) > 10 else None,
            )
        with wall_at:
            names = [_EVERY, *(row["class"] for row in classes if row["removed"])]
            chosen = st.selectbox("Class", names, key="bias wall class")
            label = "" if chosen == _EVERY else str(chosen)
            _wall(workspace, person, result, job, label, palette)
        return
    _wall(workspace, person, result, job, label, palette)


def _wall(
    workspace: Workspace, person: Person, result: Result, job: Job, label: str, palette: Palette
) -> None:
    videos, total = solved_videos(workspace, result, job, label)
    if not videos:
        st.info("No video is solved from objects alone by all nine models.")
        return
    more = f", the first {len(videos)} are shown" if total > len(videos) else ""
    st.caption(f"{count(total, 'video')} solved by all nine{more}. Click one to watch it.")
    # Several rows scroll in a window of their own, so that the split below stays in reach.
    with st.container(height=340 if len(videos) > ONE_ROW else "content", border=False):
        shown = [_card(workspace, person, video) for video in videos]
        opened = gallery(shown, palette, f"bias wall {label}")
    if opened:
        go_to("videos", video=opened)


def _card(workspace: Workspace, person: Person, video: SolvedVideo) -> Card:
    picture = thumb(workspace, person, video.sha256, (0.0, None))
    objects = ", ".join(video.objects)
    return Card(
        str(video.video_id), video.label or video.name, picture, (Badge(video.name),), (objects,),
        f"{video.name}: {objects}",
        play=address(workspace, person, video.sha256, "player") if video.sha256 else "",
    )  # fmt: skip
