"""A stretch of a video."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from core.edit import PartOfSound, Settings, Timeline, fraction, only_known
from core.refusal import Refusal

TITLE = "Trim"
HELP = "Keep the stretch from one moment to another, s."
DEFAULTS: Settings = {"start": None, "end": None}
OTHERS = 0


def check(settings: Settings) -> Settings:
    """Start and end in s, as fractions.

    Raises:
        ValueError: if the end is not after the start, or the start is before 0.
    """
    merged = only_known(settings, DEFAULTS)
    start, end = (fraction(merged[name], f"Trim: the {name}") for name in ("start", "end"))
    if not 0 <= start < end:
        raise Refusal(f"Trim: {start} to {end} s is no stretch; 0 or more, and end after start.")
    return {"start": str(start), "end": str(end)}


def apply(timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
    """The frames on screen from start to before end; the one on screen at the start comes first.

    Raises:
        ValueError: if the stretch begins after the video ends.
    """
    del others
    start, end = Fraction(settings["start"]), min(Fraction(settings["end"]), timeline.end)
    if start >= timeline.end:
        raise Refusal(
            f"Trim: it begins at {float(start):g} s, but the video ends at"
            f" {float(timeline.end):.3f} s."
        )
    frames = tuple(
        replace(frame, time=max(Fraction(0), frame.time - start))
        for frame, until in zip(timeline.frames, timeline.ends(), strict=True)
        if until > start and frame.time < end
    )
    sound = None if timeline.sound is None else PartOfSound(timeline.sound, start, end)
    return replace(timeline, frames=frames, end=end - start, sound=sound)


def label(settings: Settings) -> str:
    """Such as 'trim1.5-4'."""
    return "-".join(
        f"{prefix}{float(Fraction(settings[name])):g}"
        for prefix, name in (("trim", "start"), ("", "end"))
    )
