"""The clip in the studio: its player, its segment, and sixteen frames of it."""

from html import escape

import streamlit as st

from annotations.people import Person
from annotations.workspace import Workspace
from core.video.plans import uniform
from ui.routes.media import address

FRAMES = 16
STEP_S = 0.01


def choose_segment(duration_s: float, key: str) -> tuple[float, float]:
    """Start and end of the clip, s, as the author sets them."""
    longest = max(STEP_S, round(duration_s, 2))
    start, end = st.slider(
        "Segment, s", 0.0, longest, (0.0, longest), STEP_S, key=key,
        help="The part of the video that the question is about.",
    )  # fmt: skip
    return float(start), float(end)


def draw_stage(
    workspace: Workspace, person: Person, sha256: str, start_s: float, end_s: float | None
) -> None:
    """The player, and the frames of the segment with their times."""
    until = "" if end_s is None else f",{end_s:g}"
    player = escape(address(workspace, person, sha256, "player"))
    inside = workspace.media.frames_between(sha256, start_s, end_s)
    times = workspace.media.frame_table(sha256).times
    chosen = [inside[position] for position in uniform(len(inside), FRAMES)] if inside else []
    tiles = "".join(
        _tile(address(workspace, person, sha256, f"thumbs/{index}.jpg"), index, times[index])
        for index in chosen
    )
    st.html(
        f'{_STYLE}<video class="studio-player" controls preload="metadata"'
        f' src="{player}#t={start_s:g}{until}"></video><div class="studio-sheet">{tiles}</div>'
    )


def _tile(source: str, index: int, time_s: float) -> str:
    picture = f'<img src="{escape(source)}" alt="frame {index}" loading="lazy">'
    return f"<figure>{picture}<figcaption>{time_s:.2f} s</figcaption></figure>"


_STYLE = """<style>
.studio-player { width: 100%; max-height: 40vh; background: #000; border-radius: 0.4rem; }
.studio-sheet { display: grid; grid-template-columns: repeat(4, 1fr); gap: 4px;
  margin-top: 0.5rem; }
.studio-sheet figure { margin: 0; position: relative; }
.studio-sheet img { width: 100%; display: block; border-radius: 2px; }
.studio-sheet figcaption { position: absolute; right: 3px; bottom: 2px; padding: 0 4px;
  font-size: 0.7rem; color: #fff; background: rgba(0, 0, 0, 0.65); border-radius: 2px;
  font-variant-numeric: tabular-nums; }
</style>"""
