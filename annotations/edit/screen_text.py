"""Text in a video: found, shown where it is, blurred in a copy, and read again until it is gone.

One reading is not enough: what stands on screen between two readings is missed. The copy is read at
other frames than before, and what is still found becomes a region of the next copy.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import cv2
import numpy as np

from annotations.edit.edit_store import StoredEdit, plan_edit, stored_edit
from annotations.edit.make_edits import make_edit
from annotations.people import Person
from annotations.workspace import Workspace
from core.editing.recipe import make_recipe
from core.edits.blur import Blurred
from core.model import Ocr
from core.question.text_boxes import (
    SAME_LETTERS,
    Box,
    SeenLine,
    TextTrack,
    alike,
    gives_away,
    letters,
    linked,
    overlap,
    union,
)
from core.refusal import Missing, Refusal
from core.video.geometry import Image
from core.video.sample import sample_frames
from core.video.table import FrameTable

RATE = 4.0  # readings a second
SCENE_CHANGE = 10.0  # mean difference of small grey pictures
ROUNDS = 5
FEWEST_LETTERS, LEAST_SURE = 2, 0.5
AT_ONCE = 16
SMALL_SIDE = 64

Tell = Callable[[str, int, int], None]


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
class Blurring:
    """What blurring came to.

    Attributes:
        edit: the copy.
        rounds: how often it was read again.
        before: lines that were to go.
        left: readings of them that are still found, with the time of each, s; () when all is gone.
        readings: how many readings each round added.
    """

    edit: StoredEdit
    rounds: int
    before: tuple[str, ...]
    left: tuple[tuple[float, str], ...] = ()
    readings: tuple[int, ...] = field(default=())


def find_text(
    workspace: Workspace,
    sha256: str,
    model: Ocr,
    start_s: float = 0.0,
    end_s: float | None = None,
    tell: Tell | None = None,
) -> ScreenText:
    """The lines of text of a clip, read four times a second and wherever the picture changes.

    Raises:
        Missing: if the video's file is not here.
    """
    frames = reading_frames(workspace, sha256, start_s, end_s)
    lines = _read(workspace, sha256, model, frames, (), tell, "reading")
    return ScreenText(sha256, tuple(linked(lines, _longest_gap())), tuple(frames))


def reading_frames(
    workspace: Workspace, sha256: str, start_s: float, end_s: float | None, phase: float = 0.0
) -> list[int]:
    """Indices of the frames to read: at each tick, and where the picture has just changed.

    Args:
        workspace: where the video is.
        sha256: of its content.
        start_s: of the clip, s; `end_s` None: the end of the video.
        phase: 0 to 1; moves the ticks by this part of a step.
    """
    table = workspace.media.frame_table(sha256)
    end = table.duration_s if end_s is None else min(end_s, table.duration_s)
    ticks = max(1, int((end - start_s) * RATE) + 1)
    times = [start_s + (tick + phase) / RATE for tick in range(ticks)]
    frames = {table.index_at(time) for time in times if time < end} or {table.index_at(start_s)}
    inside = range(min(frames), table.index_at(max(start_s, end - 1e-6)) + 1)
    changes = _scene_changes(workspace, sha256, table, inside)
    # With the phase, of a new picture its second frame is read, and so on.
    shift = round(4 * phase)
    frames |= {min(index + shift, inside[-1]) for index in changes}
    return sorted(frames)


def _scene_changes(
    workspace: Workspace, sha256: str, table: FrameTable, inside: range
) -> list[int]:
    path = workspace.media.find_original(sha256)
    if path is None:
        raise Missing(f"The file of {sha256[:12]} is not here any more. Import it again.")
    changes: list[int] = []
    previous: np.ndarray | None = None
    for at in range(inside.start, inside.stop, 256):
        part = range(at, min(inside.stop, at + 256))
        for frame in sample_frames(path, part, longest_side=SMALL_SIDE, table=table):
            if frame.image is None:
                continue
            grey = cv2.cvtColor(frame.image, cv2.COLOR_RGB2GRAY).astype(np.float32)
            if previous is not None and float(np.abs(grey - previous).mean()) > SCENE_CHANGE:
                changes.append(frame.index)
            previous = grey
    return changes


def _read(
    workspace: Workspace,
    sha256: str,
    model: Ocr,
    frames: Sequence[int],
    regions: Sequence[Sequence[object]],
    tell: Tell | None,
    what: str,
) -> list[SeenLine]:
    """What is read on frames of a video, with regions of it blurred before."""
    path, table = workspace.media.find_original(sha256), workspace.media.frame_table(sha256)
    if path is None:
        raise Missing(f"The file of {sha256[:12]} is not here any more. Import it again.")
    lines: list[SeenLine] = []
    for at in range(0, len(frames), AT_ONCE):
        part = frames[at : at + AT_ONCE]
        for frame in sample_frames(path, part, table=table):
            if frame.image is not None:
                end = (*table.times, table.duration_s)[frame.index + 1]
                image = _blurred(frame.image, frame.time_s, end, regions)
                lines += _lines(model, image, frame.time_s)
        if tell is not None:
            tell(what, min(len(frames), at + AT_ONCE), len(frames))
    return lines


def _blurred(image: Image, start: float, end: float, regions: Sequence[Sequence[object]]) -> Image:
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


def _longest_gap() -> float:
    return 2.5 / RATE


def choose(
    text: ScreenText, question: str, options: Sequence[str], key: int | None
) -> list[TextTrack]:
    """The lines that give the answer away; those that the question itself says are left alone."""
    if key is None:
        return []
    others = [option for index, option in enumerate(options) if index != key]
    return [
        track
        for track in text.tracks
        if any(gives_away(reading, options[key], others) for reading in track.texts)
        and letters(track.text) not in letters(question)
    ]


def regions_of(tracks: Sequence[TextTrack], hold: float = 1 / RATE) -> list[list[object]]:
    """Regions of the blur: between two sightings the box around both, a step before and after."""
    regions: list[list[object]] = []
    for track in tracks:
        lines = track.lines
        spans = [
            (max(0.0, lines[0].time - hold), lines[0].time, lines[0].box),
            *(
                (earlier.time, later.time, union([earlier.box, later.box]))
                for earlier, later in pairwise(lines)
            ),
            (lines[-1].time, lines[-1].time + hold, lines[-1].box),
        ]
        regions += [_region(*span) for span in spans if span[1] > span[0]]
    return regions


def _region(start: float, end: float, box: Box) -> list[object]:
    left, top, right, bottom = box
    times = (Fraction(value).limit_denominator(1_000_000) for value in (start, end))
    sides = (int(left), int(top), int(-(-right // 1)), int(-(-bottom // 1)))
    return [*(str(time) for time in times), *sides]


def blur_text(
    workspace: Workspace,
    text: ScreenText,
    chosen: Sequence[TextTrack],
    model: Ocr,
    *,
    start_s: float = 0.0,
    end_s: float | None = None,
    author: Person | None = None,
    tell: Tell | None = None,
) -> Blurring:
    """A copy in which the chosen lines cannot be read, read again until they are gone.

    Each round reads at other frames; a line that is still found becomes another region. At most
    five rounds; what is left then is named with its times.

    Args:
        workspace: where the video is.
        text: from `find_text`.
        chosen: tracks of it that are to go.
        model: reads the pictures.
        start_s: of the clip, s; `end_s` None: the end of the video.
        author: who asks; None on the command line.
        tell: called with (what is done, frames read, frames to read).

    Raises:
        Refusal: for no lines.
    """
    if not chosen:
        raise Refusal("No line is chosen. There is nothing to blur.")
    regions = regions_of(chosen)
    wanted = tuple(dict.fromkeys(reading for track in chosen for reading in track.texts))
    readings: list[int] = []
    clean = 0
    for number in range(1, ROUNDS + 1):
        phase = (number % 4) / 4
        frames = reading_frames(workspace, text.sha256, start_s, end_s, phase)
        lines = _read(workspace, text.sha256, model, frames, regions, tell, f"round {number}")
        still = [line for line in lines if _is_wanted(line, wanted, chosen)]
        readings.append(len(still))
        if not still:
            clean += 1
            if clean == 2 or number == ROUNDS:
                break
            continue
        clean = 0
        regions += regions_of(linked(still, _longest_gap()))
    recipe = make_recipe([("blur", {"regions": regions})])
    edit_id = plan_edit(workspace, [text.sha256], recipe, author)
    edit = make_edit(workspace, edit_id)
    frames = reading_frames(workspace, text.sha256, start_s, end_s, 0.5)
    lines = _read(workspace, edit.sha256, model, frames, (), tell, "last reading")
    left_over = tuple((line.time, line.text) for line in lines if _is_wanted(line, wanted, chosen))
    return Blurring(
        stored_edit(workspace, edit_id), len(readings) + 1, wanted, left_over, tuple(readings)
    )


def _is_wanted(line: SeenLine, wanted: Sequence[str], chosen: Sequence[TextTrack]) -> bool:
    """Whether a reading is one of the lines that are to go: by its letters, or by its place."""
    if any(alike(line.text, reading) > SAME_LETTERS for reading in wanted):
        return True
    boxes = [box for track in chosen if (box := track.box_at(line.time, 1 / RATE)) is not None]
    return any(overlap(line.box, box) > 0.5 for box in boxes)
