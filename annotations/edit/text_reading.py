"""Text in a video, read four times a second and wherever the picture changes."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np

from annotations.workspace import Workspace
from core.edits.blur import Blurred
from core.model import Ocr
from core.question.text_boxes import SeenLine, TextTrack, letters, linked
from core.refusal import Missing
from core.video.geometry import Image
from core.video.sample import sample_frames
from core.video.table import FrameTable

RATE = 4.0  # readings a second
SCENE_CHANGE = 10.0  # mean difference of small grey pictures
FEWEST_LETTERS, LEAST_SURE = 2, 0.5
LONGEST_GAP_S = 2.5 / RATE
AT_ONCE = 16
SMALL_SIDE = 64

Tell = Callable[[str, int, int], None]
Keep = Callable[[int, list[SeenLine]], None]
Region = list[object]  # start and end, s as fractions, and left, top, right, bottom, px


@dataclass(frozen=True)
class ScreenText:
    """What is written in a clip.

    Attributes:
        sha256: content of the video.
        tracks: lines over time, in the order in which they begin.
        frames: indices of the frames that were read.
    """

    sha256: str
    tracks: tuple[TextTrack, ...]
    frames: tuple[int, ...]


@dataclass(frozen=True)
class Film:
    """A video file that is read: one of the workspace, or a copy that is not kept yet."""

    path: Path
    table: FrameTable


def film_of(workspace: Workspace, sha256: str) -> Film:
    """The file of a content with its frame table.

    Raises:
        Missing: if it is not here.
    """
    path = workspace.media.find_original(sha256)
    if path is None:
        raise Missing(f"The file of {sha256[:12]} is not here any more. Import it again.")
    return Film(path, workspace.media.frame_table(sha256))


def find_text(
    workspace: Workspace,
    sha256: str,
    model: Ocr,
    start_s: float = 0.0,
    end_s: float | None = None,
    tell: Tell | None = None,
) -> ScreenText:
    """The lines of text of a clip.

    Raises:
        Missing: if the video's file is not here.
    """
    film = film_of(workspace, sha256)
    frames = reading_frames(film, start_s, end_s)
    return text_of(sha256, read_frames(film, model, frames, tell=tell), frames)


def text_of(sha256: str, lines: Sequence[SeenLine], frames: Sequence[int]) -> ScreenText:
    """Sightings of lines as lines over time."""
    return ScreenText(sha256, tuple(linked(lines, LONGEST_GAP_S)), tuple(frames))


def reading_frames(
    film: Film, start_s: float, end_s: float | None, phase: float = 0.0
) -> list[int]:
    """Indices of the frames to read: at each tick, and where the picture has just changed.

    Args:
        film: what is read.
        start_s: of the clip, s; `end_s` None: the end of the video.
        phase: 0 to 1; moves the ticks by this part of a step.
    """
    table = film.table
    end = table.duration_s if end_s is None else min(end_s, table.duration_s)
    ticks = max(1, int((end - start_s) * RATE) + 1)
    times = [start_s + (tick + phase) / RATE for tick in range(ticks)]
    frames = {table.index_at(time) for time in times if time < end} or {table.index_at(start_s)}
    inside = range(min(frames), table.index_at(max(start_s, end - 1e-6)) + 1)
    changes = _scene_changes(film, inside)
    # With the phase, of a new picture its second frame is read, and so on.
    shift = round(4 * phase)
    frames |= {min(index + shift, inside[-1]) for index in changes}
    return sorted(frames)


def _scene_changes(film: Film, inside: range) -> list[int]:
    changes: list[int] = []
    previous: np.ndarray | None = None
    for at in range(inside.start, inside.stop, 256):
        part = range(at, min(inside.stop, at + 256))
        for frame in sample_frames(film.path, part, longest_side=SMALL_SIDE, table=film.table):
            if frame.image is None:
                continue
            grey = cv2.cvtColor(frame.image, cv2.COLOR_RGB2GRAY).astype(np.float32)
            if previous is not None and float(np.abs(grey - previous).mean()) > SCENE_CHANGE:
                changes.append(frame.index)
            previous = grey
    return changes


def read_frames(
    film: Film,
    model: Ocr,
    frames: Sequence[int],
    *,
    regions: Sequence[Region] = (),
    known: Collection[int] = (),
    keep: Keep | None = None,
    tell: Tell | None = None,
    step: str = "reading",
) -> list[SeenLine]:
    """What is read on frames of a video, with regions of it blurred before.

    Args:
        film: what is read.
        model: reads the pictures.
        frames: indices in rising order.
        regions: as in the edit 'blur'.
        known: frames that were read before; they are left out.
        keep: called with each frame that was read, and its lines.
        tell: called with (step, frames read, frames to read) after each.
        step: what is being done.
    """
    lines: list[SeenLine] = []
    unread = [index for index in frames if index not in known]
    through = len(frames) - len(unread)
    for at in range(0, len(unread), AT_ONCE):
        for frame in sample_frames(film.path, unread[at : at + AT_ONCE], table=film.table):
            seen: list[SeenLine] = []
            if frame.image is not None:
                end = (*film.table.times, film.table.duration_s)[frame.index + 1]
                image = _blurred(frame.image, frame.time_s, end, regions)
                seen = _lines(model, image, frame.time_s)
            lines += seen
            through += 1
            if keep is not None:
                keep(frame.index, seen)
            if tell is not None:
                tell(step, through, len(frames))
    return lines


def _blurred(image: Image, start: float, end: float, regions: Sequence[Region]) -> Image:
    boxes: list[tuple[int, int, int, int]] = []
    for begins, ends, *box in regions:
        if float(Fraction(str(begins))) < end and start < float(Fraction(str(ends))):
            left, top, right, bottom = (int(str(side)) for side in box)
            boxes.append((left, top, right, bottom))
    return Blurred(tuple(boxes))(image) if boxes else image


def _lines(model: Ocr, image: Image, time: float) -> list[SeenLine]:
    lines: list[SeenLine] = []
    for line in model.read(image):
        if line.confidence >= LEAST_SURE and len(letters(line.text)) >= FEWEST_LETTERS:
            across, down = zip(*line.box, strict=True)
            box = (min(across), min(down), max(across), max(down))
            lines.append(SeenLine(round(time, 6), box, line.text.strip()))
    return lines
