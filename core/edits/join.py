"""Two videos one after the other; the second is fitted into the size of the first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from core.edit import Image, JoinedSound, Settings, Timeline, only_known

TITLE = "Join"
HELP = "Add another video after it, with borders where its shape is another, never stretched."
DEFAULTS: Settings = {}
OTHERS = 1


@dataclass(frozen=True)
class Fitted:
    """Fits a picture into a size with black borders."""

    width: int
    height: int

    def __call__(self, image: Image) -> Image:
        """The picture, as large as it fits, in the middle."""
        high, wide = image.shape[:2]
        if (wide, high) == (self.width, self.height):
            return image
        scale = min(self.width / wide, self.height / high)
        size = (max(1, round(wide * scale)), max(1, round(high * scale)))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        ground = np.zeros((self.height, self.width, 3), np.uint8)
        top, side = (self.height - size[1]) // 2, (self.width - size[0]) // 2
        small = image if size == (wide, high) else cv2.resize(image, size, interpolation=method)
        ground[top : top + size[1], side : side + size[0]] = small
        return ground


def check(settings: Settings) -> Settings:
    """No settings; the other video is named apart."""
    return only_known(settings, DEFAULTS)


def apply(timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
    """The frames of the one, then those of the other; sound, and silence where one has none."""
    del settings
    [second] = others
    if (second.width, second.height) != (timeline.width, timeline.height):
        second = second.changed(
            Fitted(timeline.width, timeline.height), timeline.width, timeline.height
        )
    later = tuple(replace(frame, time=frame.time + timeline.end) for frame in second.frames)
    sound = None
    if timeline.sound is not None or second.sound is not None:
        sound = JoinedSound(((timeline.sound, timeline.end), (second.sound, second.end)))
    return replace(
        timeline, frames=(*timeline.frames, *later), end=timeline.end + second.end, sound=sound
    )


def label(settings: Settings) -> str:
    """'join'."""
    del settings
    return "join"
