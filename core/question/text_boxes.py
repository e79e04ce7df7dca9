"""Lines of text in a video: found on frames, linked over time, and where they stand in between."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from core.question.words import content_stems, folded

SAME_LETTERS = 0.6
SAME_PLACE = 0.3
ALIKE = 0.8

Box = tuple[float, float, float, float]  # left, top, right, bottom, px


@dataclass(frozen=True)
class SeenLine:
    """A line of text on one frame.

    Attributes:
        time: of the frame, s.
        box: in px of the shown picture.
        text: as it was read.
    """

    time: float
    box: Box
    text: str


@dataclass
class TextTrack:
    """One line of text over time.

    Attributes:
        lines: sightings in order of time.
    """

    lines: list[SeenLine] = field(default_factory=list[SeenLine])

    @property
    def text(self) -> str:
        """The longest reading."""
        return max((line.text for line in self.lines), key=len, default="")

    @property
    def texts(self) -> tuple[str, ...]:
        """All its readings, each once."""
        return tuple(dict.fromkeys(line.text for line in self.lines))

    @property
    def start(self) -> float:
        """When it was first seen, s; `end` when last."""
        return self.lines[0].time

    @property
    def end(self) -> float:
        """When it was last seen, s."""
        return self.lines[-1].time

    def box_at(self, time: float, hold: float) -> Box | None:
        """Where the line stands at a moment; None before and after.

        Between two sightings the box covers both and what lies between; up to `hold` seconds before
        the first and after the last it stays where it was.
        """
        if not self.start - hold <= time <= self.end + hold:
            return None
        times = [line.time for line in self.lines]
        at = bisect_right(times, time)
        around = self.lines[max(0, at - 1) : at + 1]
        return union([line.box for line in around])


def union(boxes: Sequence[Box]) -> Box:
    """The smallest box around some boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def overlap(first: Box, second: Box) -> float:
    """Area that two boxes share over the area that they cover, 0 to 1."""
    wide = min(first[2], second[2]) - max(first[0], second[0])
    high = min(first[3], second[3]) - max(first[1], second[1])
    shared = max(0.0, wide) * max(0.0, high)
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return shared / (areas - shared) if areas > shared else 0.0


def letters(text: str) -> str:
    """A text without what readers of pictures mix up: case, spaces and signs."""
    return "".join(sign for sign in folded(text) if sign.isalnum())


def alike(first: str, second: str) -> float:
    """How alike two readings are by their letters, 0 to 1."""
    one, two = letters(first), letters(second)
    return SequenceMatcher(None, one, two, autojunk=False).ratio() if one and two else 0.0


def linked(lines: Sequence[SeenLine], longest_gap: float) -> list[TextTrack]:
    """Sightings of the same line as tracks, in the order in which they begin.

    Two sightings are of one line when they say nearly the same or stand nearly at one place, and
    are at most `longest_gap` seconds apart.
    """
    tracks: list[TextTrack] = []
    for line in sorted(lines, key=lambda line: line.time):
        best, near = None, 0.0
        for track in tracks:
            previous = track.lines[-1]
            if previous.time == line.time or line.time - previous.time > longest_gap:
                continue
            overlapping, likeness = overlap(previous.box, line.box), alike(previous.text, line.text)
            fits = overlapping > SAME_PLACE or likeness > SAME_LETTERS
            if fits and overlapping + likeness > near:
                best, near = track, overlapping + likeness
        if best is None:
            tracks.append(TextTrack([line]))
        else:
            best.lines.append(line)
    return tracks


def gives_away(text: str, key: str, others: Sequence[str]) -> bool:
    """Whether a line says the right answer: it is like it, or has a word that only it has."""
    if alike(text, key) >= ALIKE:
        return True
    stems = content_stems(key)
    shared = frozenset(stem for other in others for stem in content_stems(other))
    own = stems - shared
    return bool(own) and bool(own & content_stems(text))
