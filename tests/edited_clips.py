"""Edits written to files, and what is seen and heard in them."""

from fractions import Fraction
from pathlib import Path

import numpy as np

from core.edit import EditedFrame, Timeline
from core.editing.recipe import Recipe, source_timeline, timeline_of
from core.editing.write_edit import SourceVideo, write_edit
from core.video.probe import probe
from core.video.sound import sound_stretches

# Irregular times: 0, 0.1, 0.35, 0.4 and 1.0 s.
UNEVEN = {"n": 5, "rate": Fraction(10), "base": Fraction(1, 20), "pts": (0, 2, 7, 8, 20)}


def timeline(path: Path, source: int = 0) -> Timeline:
    """The frames of a file that is nobody's edit."""
    facts, table = probe(path)
    return source_timeline(source, table, facts)


def edited(target: Path, recipe: Recipe, *paths: Path, marks_damage: bool = False) -> Timeline:
    """Writes the edit of these clips and gives its timeline."""
    made = timeline_of(recipe, [timeline(path, i) for i, path in enumerate(paths)])
    sources = [SourceVideo(path, probe(path)[1]) for path in paths]
    write_edit(sources, made, target, marks_damage=marks_damage)
    return made


def samples(path: Path) -> np.ndarray:
    """What is heard, (2, S) at 48 kHz."""
    facts, table = probe(path)
    return np.concatenate(list(sound_stretches(path, table.start_s, facts.duration_s)), axis=1)


def timeline_frame() -> EditedFrame:
    """The first frame of the first video."""
    return EditedFrame(0, 0, Fraction(0))
