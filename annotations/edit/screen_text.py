"""Text that gives the answer away: blurred in a copy, and read again until it is gone.

One reading is not enough: what stands on screen between two readings is missed. Pictures are read
blurred at other frames than before, and what is still found becomes a region too. Then the copy is
written and read as well, since compression may bring out what blurring left; what is found there
becomes a region of the next copy.
"""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from annotations.edit import edit_store
from annotations.edit.edit_store import StoredEdit, plan_edit
from annotations.edit.make_edits import SCRATCH, make_edit
from annotations.edit.text_reading import (
    LONGEST_GAP_S,
    RATE,
    Film,
    Region,
    ScreenText,
    Tell,
    film_of,
    read_frames,
    reading_frames,
)
from annotations.people import Person
from annotations.workspace import Workspace
from core.editing.recipe import Recipe, make_recipe, timeline_of
from core.editing.write_edit import SourceVideo, write_edit
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
from core.refusal import Refusal
from core.video.probe import probe

ROUNDS = 5
COPIES = 3
CLEAN = 2  # rounds after each other that find nothing
COPY_PHASES = (0.0, 0.5)

KeepRound = Callable[["Round"], None]


@dataclass(frozen=True)
class Round:
    """One reading of blurred pictures, or of a written copy.

    Attributes:
        readings: lines that were still read.
        regions: that they became.
        of_copy: whether the written copy was read.
    """

    readings: int
    regions: list[Region]
    of_copy: bool = False


@dataclass(frozen=True)
class Blurring:
    """What blurring came to.

    Attributes:
        edit: the copy.
        rounds: how often it was read again.
        lines: that were to go.
        still_read: readings of them in the copy, with the time of each, s; () when all is gone.
        readings: how many readings each round added.
    """

    edit: StoredEdit
    rounds: int
    lines: tuple[str, ...]
    still_read: tuple[tuple[float, str], ...] = ()
    readings: tuple[int, ...] = field(default=())


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


def regions_of(tracks: Sequence[TextTrack], hold: float = 1 / RATE) -> list[Region]:
    """Regions of the blur: between two sightings the box around both, a step before and after."""
    regions: list[Region] = []
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


def _region(start: float, end: float, box: Box) -> Region:
    left, top, right, bottom = box
    times = (Fraction(value).limit_denominator(1_000_000) for value in (start, end))
    sides = (int(left), int(top), int(-(-right // 1)), int(-(-bottom // 1)))
    return [*(str(time) for time in times), *sides]


@dataclass(frozen=True)
class Wanted:
    """The lines that are to go.

    Attributes:
        tracks: chosen of a reading.
        everything: whether all of its lines are chosen; then whatever is read is to go.
    """

    tracks: tuple[TextTrack, ...]
    everything: bool

    @property
    def texts(self) -> tuple[str, ...]:
        """How they were read."""
        return tuple(dict.fromkeys(text for track in self.tracks for text in track.texts))

    def among(self, lines: Sequence[SeenLine]) -> list[SeenLine]:
        """Those of some readings that are to go."""
        return [line for line in lines if self._is_meant(line)]

    def _is_meant(self, line: SeenLine) -> bool:
        """By its letters, or by its place."""
        if self.everything or any(alike(line.text, text) > SAME_LETTERS for text in self.texts):
            return True
        boxes = [box for track in self.tracks if (box := track.box_at(line.time, 1 / RATE))]
        return any(overlap(line.box, box) > 0.5 for box in boxes)


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
    earlier: Sequence[Round] = (),
    keep: KeepRound | None = None,
) -> Blurring:
    """A copy in which the chosen lines cannot be read, read again until they are gone.

    Blurred pictures are read until two rounds in a row find nothing, at most five times; then
    the copy is written and read, at most three times. What is left then is named with its times.

    Args:
        workspace: where the video is.
        text: from `find_text`.
        chosen: tracks of it that are to go.
        model: reads the pictures.
        start_s: of the clip, s; `end_s` None: the end of the video.
        author: who asks; None on the command line.
        tell: called with (what is done, frames read, frames to read).
        earlier: rounds that were done before the work was broken off.
        keep: called with each round when it is done.

    Raises:
        Refusal: for no lines.
    """
    if not chosen:
        raise Refusal("No line is chosen. There is nothing to blur.")
    wanted = Wanted(tuple(chosen), len(chosen) == len(text.tracks))
    work = _Blurring(workspace, text.sha256, wanted, model, start_s, end_s, tell, keep)
    work.rounds += earlier
    work.read_blurred()
    return work.write_copies(author)


class _Blurring:
    """Lines being blurred."""

    def __init__(
        self,
        workspace: Workspace,
        sha256: str,
        wanted: Wanted,
        model: Ocr,
        start_s: float,
        end_s: float | None,
        tell: Tell | None,
        keep: KeepRound | None,
    ):
        self.workspace, self.sha256, self.wanted, self.model = workspace, sha256, wanted, model
        self.film = film_of(workspace, sha256)
        self.span = start_s, end_s
        self.tell, self.keep = tell, keep
        self.rounds: list[Round] = []

    @property
    def regions(self) -> list[Region]:
        """All regions so far."""
        later = [region for reading in self.rounds for region in reading.regions]
        return [*regions_of(self.wanted.tracks), *later]

    def read_blurred(self) -> None:
        """Read pictures that are blurred so far, until two rounds in a row find nothing."""
        rounds = [reading for reading in self.rounds if not reading.of_copy]
        while len(rounds) < ROUNDS and not _ends_clean(rounds):
            number = len(rounds) + 1
            frames = reading_frames(self.film, *self.span, (number % 4) / 4)
            lines = self._read(self.film, frames, self.regions, f"reading again, round {number}")
            rounds.append(self._keep_round(lines, of_copy=False))

    def write_copies(self, author: Person | None) -> Blurring:
        """Write the copy and read it, again with more regions while something is left."""
        readings = (reading_frames(self.film, *self.span, phase) for phase in COPY_PHASES)
        frames = sorted({index for reading in readings for index in reading})
        # The same lines of the same video have the same folder: what a killed process left goes.
        digest = hashlib.sha256(repr((self.sha256, self.wanted.texts, self.span)).encode())
        folder = self.workspace.root / SCRATCH / f"text-{digest.hexdigest()[:16]}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            number = 1
            recipe, copy, lines = self._copy(folder / "video.mp4", frames, number)
            while lines and number < COPIES:
                number += 1
                recipe, copy, lines = self._copy(folder / "video.mp4", frames, number)
            edit_id = plan_edit(self.workspace, [self.sha256], recipe, author)
            edit = make_edit(self.workspace, edit_id, written=copy.path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return Blurring(
            edit, len(self.rounds), self.wanted.texts,
            tuple((line.time, line.text) for line in lines),
            tuple(reading.readings for reading in self.rounds),
        )  # fmt: skip

    def _copy(
        self, target: Path, frames: Sequence[int], number: int
    ) -> tuple[Recipe, Film, list[SeenLine]]:
        """A written copy, with its recipe and the lines that are still read in it."""
        recipe = make_recipe([("blur", {"regions": self.regions})])
        copy = self._written(recipe, target)
        lines = self._read(copy, frames, (), f"reading copy {number}")
        self._keep_round(lines, of_copy=True)
        return recipe, copy, lines

    def _read(
        self, film: Film, frames: Sequence[int], regions: Sequence[Region], step: str
    ) -> list[SeenLine]:
        lines = read_frames(film, self.model, frames, regions=regions, tell=self.tell, step=step)
        return self.wanted.among(lines)

    def _keep_round(self, lines: Sequence[SeenLine], *, of_copy: bool) -> Round:
        reading = Round(len(lines), regions_of(linked(lines, LONGEST_GAP_S)), of_copy)
        self.rounds.append(reading)
        if self.keep is not None:
            self.keep(reading)
        return reading

    def _written(self, recipe: Recipe, target: Path) -> Film:
        sources = edit_store.timelines(self.workspace, [self.sha256])

        def say(frames: int, wanted: int) -> None:
            if self.tell is not None:
                self.tell("writing the copy", frames, wanted)

        write_edit(
            [SourceVideo(self.film.path, self.film.table)], timeline_of(recipe, sources), target,
            tell=say,
        )  # fmt: skip
        return Film(target, probe(target)[1])


def _ends_clean(rounds: Sequence[Round]) -> bool:
    return len(rounds) >= CLEAN and not any(reading.readings for reading in rounds[-CLEAN:])
