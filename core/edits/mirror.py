"""A video with left and right exchanged."""

from collections.abc import Sequence

import numpy as np

from core.edit import Image, Settings, Timeline, only_known

TITLE = "Mirror"
HELP = "Exchange left and right. Letters and clocks then give the edit away."
DEFAULTS: Settings = {}
OTHERS = 0


def check(settings: Settings) -> Settings:
    """No settings."""
    return only_known(settings, DEFAULTS)


def mirrored(image: Image) -> Image:
    """The picture with its columns in the other order."""
    return np.ascontiguousarray(image[:, ::-1])


def apply(timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
    """The same frames at the same times, each mirrored."""
    del settings, others
    return timeline.changed(mirrored, timeline.width, timeline.height)


def label(settings: Settings) -> str:
    """'mirror'."""
    del settings
    return "mirror"
