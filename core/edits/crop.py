"""A region of a video, in pixels of the picture as people see it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.edit import Image, Settings, Timeline, only_known
from core.refusal import Refusal

TITLE = "Crop"
HELP = "Keep a region: x, y of its upper left corner, width and height, px of the shown picture."
DEFAULTS: Settings = {"x": None, "y": None, "width": None, "height": None}
OTHERS = 0
SMALLEST = 16


@dataclass(frozen=True)
class Region:
    """Cuts a region out of a picture."""

    x: int
    y: int
    width: int
    height: int

    def __call__(self, image: Image) -> Image:
        """The region."""
        part = image[self.y : self.y + self.height, self.x : self.x + self.width]
        return np.ascontiguousarray(part)


def check(settings: Settings) -> Settings:
    """The region; an odd width or height is made even by leaving out the last column or row.

    Raises:
        ValueError: if it is smaller than 16 × 16 px or a number is none.
    """
    merged = only_known(settings, DEFAULTS)
    numbers: dict[str, int] = {}
    for name, value in merged.items():
        if isinstance(value, bool) or not str(value).strip().lstrip("-").isdecimal():
            raise Refusal(f"Crop: {name} is {value!r}; it has to be a whole number of px.")
        numbers[name] = int(value)
    numbers["width"] -= numbers["width"] % 2
    numbers["height"] -= numbers["height"] % 2
    if min(numbers["x"], numbers["y"]) < 0:
        raise Refusal("Crop: x and y count from the upper left corner and are 0 or more.")
    if min(numbers["width"], numbers["height"]) < SMALLEST:
        raise Refusal(
            f"Crop: {merged['width']} × {merged['height']} px is too small; at least {SMALLEST} ×"
            f" {SMALLEST}."
        )
    return dict(numbers)


def apply(timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
    """The same frames at the same times, each cut to the region.

    Raises:
        ValueError: if the region is not inside the picture.
    """
    del others
    region = Region(**settings)
    if region.x + region.width > timeline.width or region.y + region.height > timeline.height:
        raise Refusal(
            f"Crop: the region ends at {region.x + region.width}, {region.y + region.height}, but"
            f" the picture as shown is {timeline.width} × {timeline.height} px."
        )
    return timeline.changed(region, region.width, region.height)


def label(settings: Settings) -> str:
    """Such as 'crop10-20-320-180'."""
    return "crop" + "-".join(str(settings[name]) for name in ("x", "y", "width", "height"))
