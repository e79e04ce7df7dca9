"""A video from its last frame to its first; every frame stays on screen as long as it did."""

from collections.abc import Sequence
from dataclasses import replace

from core.edit import ReversedSound, Settings, Timeline, only_known

TITLE = "Reverse"
HELP = "Play it backwards, picture and sound."
DEFAULTS: Settings = {}
OTHERS = 0


def check(settings: Settings) -> Settings:
    """No settings."""
    return only_known(settings, DEFAULTS)


def apply(timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
    """Frame i is frame n - 1 - i and begins as long after 0 as that one ends before the end."""
    del settings, others
    frames = tuple(
        replace(frame, time=timeline.end - end)
        for frame, end in zip(reversed(timeline.frames), reversed(timeline.ends()), strict=True)
    )
    sound = None if timeline.sound is None else ReversedSound(timeline.sound)
    return replace(timeline, frames=frames, sound=sound)


def label(settings: Settings) -> str:
    """'reverse'."""
    del settings
    return "reverse"
