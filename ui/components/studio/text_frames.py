"""Frames with the lines of text that stand on them, and the same frames blurred, as HTML."""

from collections.abc import Collection, Sequence
from html import escape

from annotations.edit.edit_store import facts_of
from annotations.edit.text_reading import ScreenText
from annotations.edit.text_work import StoredBlurring
from annotations.people import Person
from annotations.workspace import Workspace
from core.question.text_boxes import SeenLine, TextTrack
from ui.routes.media import address

MOST_FRAMES, MOST_COMPARED = 12, 6
LATER_S = 1e-5  # times of lines are rounded


def frames_with_lines(
    workspace: Workspace, person: Person, text: ScreenText, chosen: Collection[int]
) -> str:
    """A few frames that show every line at least once, each with a numbered box."""
    times = frames_to_show(text.tracks)
    figures = [
        _figure(workspace, person, text.sha256, time, lines_at(text.tracks, time), chosen)
        for time in times[:MOST_FRAMES]
    ]
    more = len(times) - MOST_FRAMES
    rest = f"<p>{more} more frames with text are not drawn.</p>" if more > 0 else ""
    return f'{_STYLE}<div class="studio-text">{"".join(figures)}</div>{rest}'


def compared_frames(
    workspace: Workspace, person: Person, text: ScreenText, blurring: StoredBlurring
) -> str:
    """Frames with the chosen lines, before and after, side by side."""
    assert blurring.edit is not None
    tracks = [text.tracks[number] for number in blurring.chosen]
    pairs = [
        _figure(workspace, person, sha256, time, [], (), word)
        for time in frames_to_show(tracks)[:MOST_COMPARED]
        for sha256, word in ((text.sha256, "before"), (blurring.edit.sha256, "after"))
    ]
    return f'{_STYLE}<div class="studio-text">{"".join(pairs)}</div>'


def frames_to_show(tracks: Sequence[TextTrack]) -> list[float]:
    """Times of few frames on which every line stands once at least, s, in order."""
    at: dict[float, set[int]] = {}
    for number, track in enumerate(tracks):
        for line in track.lines:
            at.setdefault(line.time, set()).add(number)
    shown: set[int] = set()
    times: list[float] = []
    while len(shown) < len(tracks):
        # The frame with most lines that are not shown yet; the earliest of several.
        best = max(at, key=lambda time: (len(at[time] - shown), -time))
        times.append(best)
        shown |= at[best]
    return sorted(times)


def lines_at(tracks: Sequence[TextTrack], time: float) -> list[tuple[int, SeenLine]]:
    """The lines that were read at a moment, each with its number from 0."""
    return [
        (number, line)
        for number, track in enumerate(tracks)
        for line in track.lines
        if line.time == time
    ]


def _figure(
    workspace: Workspace, person: Person, sha256: str, time: float,
    lines: Sequence[tuple[int, SeenLine]], chosen: Collection[int], word: str = "",
) -> str:  # fmt: skip
    index = workspace.media.frame_table(sha256).index_at(time + LATER_S)
    facts = facts_of(workspace, sha256)
    source = escape(address(workspace, person, sha256, f"frames/{index}.jpg"))
    boxes = "".join(
        _box(number, line, number in chosen, (facts.width, facts.height)) for number, line in lines
    )
    caption = f"{word}, {time:.2f} s" if word else f"{time:.2f} s"
    about = "; ".join(f"{number + 1}: {line.text}" for number, line in lines)
    return (
        f'<figure><img src="{source}" loading="lazy" alt="{escape(caption)} {escape(about)}">'
        f"{boxes}<figcaption>{caption}</figcaption></figure>"
    )


def _box(number: int, line: SeenLine, is_chosen: bool, size: tuple[int, int]) -> str:
    width, height = size
    left, top, right, bottom = line.box
    parts = {"left": left / width, "top": top / height, "width": (right - left) / width,
             "height": (bottom - top) / height}  # fmt: skip
    style = ";".join(f"{name}:{100 * part:.2f}%" for name, part in parts.items())
    # The number stands above its line, or below where there is no room.
    name = ("chosen" if is_chosen else "kept") + (" low" if top < 0.08 * height else "")
    return f'<span class="studio-line {name}" style="{style}"><b>{number + 1}</b></span>'


_STYLE = """<style>
.studio-text { display: grid; grid-template-columns: repeat(2, 1fr); gap: 6px; }
.studio-text figure { margin: 0; position: relative; background: #000; border-radius: 2px; }
.studio-text img { width: 100%; display: block; }
.studio-line { position: absolute; border: 2px solid #ffd166; border-radius: 2px; }
.studio-line b { position: absolute; left: -2px; bottom: 100%; padding: 0 4px; color: #111;
  background: #ffd166; font-size: 0.7rem; line-height: 1.3; border-radius: 2px; }
.studio-line.low b { bottom: auto; top: 100%; }
.studio-line.chosen { border-color: #ff5470; background: rgba(255, 84, 112, 0.3); }
.studio-line.chosen b { background: #ff5470; }
.studio-text figcaption { position: absolute; right: 3px; bottom: 2px; padding: 0 4px;
  font-size: 0.7rem; color: #fff; background: rgba(0, 0, 0, 0.65); border-radius: 2px;
  font-variant-numeric: tabular-nums; }
</style>"""
