"""A video faster or slower; no frame is dropped, doubled or blended."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from core.edit import FasterSound, Settings, Timeline, fraction, only_known
from core.refusal import Refusal

TITLE = "Speed"
HELP = "Faster (2 takes half the time) or slower (1/2), 1/4 to 4; the sound keeps its pitch."
DEFAULTS: Settings = {"factor": None}
OTHERS = 0
SLOWEST, FASTEST = Fraction(1, 4), Fraction(4)


def check(settings: Settings) -> Settings:
    """The factor as a fraction, such as '3/2'.

    Raises:
        ValueError: if it is no number from 1/4 to 4, or 1.
    """
    factor = fraction(only_known(settings, DEFAULTS)["factor"], "Speed")
    if not SLOWEST <= factor <= FASTEST or factor == 1:
        raise Refusal(f"Speed is {factor}; allowed are 1/4 to 4, but not 1.")
    return {"factor": str(factor)}


def apply(timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
    """The same frames, each at its time divided by the factor."""
    del others
    factor = Fraction(settings["factor"])
    frames = tuple(replace(frame, time=frame.time / factor) for frame in timeline.frames)
    sound = None if timeline.sound is None else FasterSound(timeline.sound, factor)
    return replace(timeline, frames=frames, end=timeline.end / factor, sound=sound)


def label(settings: Settings) -> str:
    """Such as 'speed2' or 'speed1of2'."""
    factor = Fraction(settings["factor"])
    return f"speed{factor}".replace("/", "of")
