"""A chain of edits as data, and the timeline that it makes of its videos."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from core.edit import EditedFrame, Settings, SourceSound, Timeline, edit
from core.refusal import Refusal
from core.video.player import copy_times
from core.video.probe import Facts
from core.video.table import FrameTable

VERSION = 1
LONGEST_CHAIN = 20


@dataclass(frozen=True)
class Step:
    """One edit of a chain with its checked settings."""

    name: str
    settings: Settings

    @property
    def label(self) -> str:
        """Such as 'speed2'."""
        return edit(self.name).label(self.settings)


@dataclass(frozen=True)
class Recipe:
    """What makes one video of others.

    Attributes:
        steps: the edits in the order in which they are done.
        sound: whether the new video has sound, where its sources have.
        marks_damage: whether a frame that does not decode becomes a grey picture; else refused.
    """

    steps: tuple[Step, ...]
    sound: bool = True
    marks_damage: bool = False

    @property
    def others(self) -> int:
        """How many videos it needs beside the first."""
        return sum(edit(step.name).OTHERS for step in self.steps)

    @property
    def label(self) -> str:
        """The edits in a word that can stand in a file name, such as 'reverse+speed2'."""
        return "+".join(step.label for step in self.steps) + ("" if self.sound else "+silent")

    def to_json(self) -> str:
        """The recipe as JSON with sorted names: equal recipes, equal text."""
        data = {
            "version": VERSION,
            "steps": [{"edit": step.name, **step.settings} for step in self.steps],
            "sound": self.sound,
            "marks_damage": self.marks_damage,
        }
        return json.dumps(data, sort_keys=True, ensure_ascii=False)

    def identity(self, parents: Sequence[str]) -> str:
        """64 hex digits: the same for the same edits of the same contents, wherever it is made."""
        text = json.dumps([list(parents), self.to_json()])
        return hashlib.sha256(text.encode()).hexdigest()

    @classmethod
    def from_json(cls, text: str) -> "Recipe":
        """The recipe that ``to_json`` wrote.

        Raises:
            ValueError: if it was written by a newer Rushes, or is none.
        """
        data = cast("dict[str, Any]", json.loads(text))
        if data.get("version") != VERSION:
            raise Refusal(f"The recipe has version {data.get('version')}; known is {VERSION}.")
        steps = [
            Step(str(step["edit"]), {name: step[name] for name in step if name != "edit"})
            for step in data["steps"]
        ]
        return cls(tuple(steps), data["sound"], data["marks_damage"])


def make_recipe(
    steps: Sequence[tuple[str, Settings]], *, sound: bool = True, marks_damage: bool = False
) -> Recipe:
    """A recipe of edits by name with their settings, checked.

    Raises:
        ValueError: for no edits, too many, one that is not known, or a setting not allowed.
    """
    if not 1 <= len(steps) <= LONGEST_CHAIN:
        raise Refusal(f"{len(steps)} edits; 1 to {LONGEST_CHAIN} can be done in one go.")
    checked: list[Step] = []
    for name, settings in steps:
        try:
            checked.append(Step(name, edit(name).check(settings)))
        except LookupError as error:
            raise Refusal(str(error)) from error
    return Recipe(tuple(checked), sound, marks_damage)


def source_timeline(source: int, table: FrameTable, facts: Facts) -> Timeline:
    """A video as it is: every frame at its own time, exactly as the frame table has it."""
    base, times = copy_times(table)
    exact = [time * base for time in times]
    frames = tuple(EditedFrame(source, index, time) for index, time in enumerate(exact[:-1]))
    end = exact[-1]
    sound = SourceSound(source, end) if facts.has_audio else None
    return Timeline(frames, end, facts.width, facts.height, sound)


def timeline_of(recipe: Recipe, sources: Sequence[Timeline]) -> Timeline:
    """The timeline that a recipe makes of its videos, the first of which is edited.

    Raises:
        ValueError: for too few or too many videos, or an edit that does not fit.
    """
    if len(sources) != 1 + recipe.others:
        raise Refusal(
            f"{len(sources)} videos; these edits need {1 + recipe.others}, the first and one for"
            " each join."
        )
    timeline, *waiting = sources
    for step in recipe.steps:
        module = edit(step.name)
        others, waiting = waiting[: module.OTHERS], waiting[module.OTHERS :]
        timeline = module.apply(timeline, step.settings, others)
    return timeline


def carried_interval(
    timeline: Timeline, original: Timeline, start_s: float, end_s: float | None
) -> tuple[float, float | None] | None:
    """Where a stretch of the first video is in the new one, s; None where nothing of it is left.

    The stretch is that from the first to the last new frame that shows one of its frames. An end of
    None is the video's end, and comes back as None where the stretch reaches the new end.
    """
    end = original.end if end_s is None else Fraction(end_s).limit_denominator(1_000_000)
    start = Fraction(start_s).limit_denominator(1_000_000)
    inside = {
        frame.index
        for frame, until in zip(original.frames, original.ends(), strict=True)
        if until > start and frame.time < end
    }
    spans = [
        (frame.time, until)
        for frame, until in zip(timeline.frames, timeline.ends(), strict=True)
        if frame.source == 0 and frame.index in inside
    ]
    if not spans:
        return None
    earliest, latest = min(time for time, _ in spans), max(until for _, until in spans)
    whole = end_s is None and start_s == 0 and earliest == 0 and latest == timeline.end
    return float(earliest), None if whole else float(latest)
