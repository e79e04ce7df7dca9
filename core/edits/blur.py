"""Regions of a video made unreadable while they hold text; the rest stays as it is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

import cv2

from core.edit import Image, Settings, Timeline, fraction, only_known
from core.refusal import Refusal

TITLE = "Blur"
HELP = "Make regions unreadable, each from one moment to another; whole px of the shown picture."
DEFAULTS: Settings = {"regions": None}
OTHERS = 0
MARGIN = 0.25  # of the region's height, to each side
STRENGTH = 0.5  # standard deviation of the blur over the height of the text
SMALL = 6  # px; stronger blurs are made on a picture that is smaller
MOST_REGIONS = 100_000


@dataclass(frozen=True)
class Blurred:
    """Blurs boxes (left, top, right, bottom) of a picture, px."""

    boxes: tuple[tuple[int, int, int, int], ...]

    def __call__(self, image: Image) -> Image:
        """The picture with its boxes blurred."""
        result = image.copy()
        for box in self.boxes:
            _blur(result, box)
        return result


def _blur(image: Image, box: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = box
    height = bottom - top
    margin = max(2, round(MARGIN * height))
    x0, y0 = max(0, left - margin), max(0, top - margin)
    x1, y1 = min(image.shape[1], right + margin), min(image.shape[0], bottom + margin)
    if x1 <= x0 or y1 <= y0:
        return
    part = image[y0:y1, x0:x1]
    sigma = max(1.0, STRENGTH * height)
    scale = max(1.0, sigma / SMALL)
    size = (max(1, round((x1 - x0) / scale)), max(1, round((y1 - y0) / scale)))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / scale, borderType=cv2.BORDER_REPLICATE)
    image[y0:y1, x0:x1] = cv2.resize(soft, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)


def check(settings: Settings) -> Settings:
    """The regions: each [start, end, left, top, right, bottom], times in s as fractions, px whole.

    Raises:
        Refusal: for no regions, or one that is none.
    """
    given = only_known(settings, DEFAULTS)["regions"]
    listed = cast("list[Any]", given) if isinstance(given, list) else []
    if not 1 <= len(listed) <= MOST_REGIONS:
        raise Refusal(f"Blur: {len(listed)} regions; give 1 to {MOST_REGIONS:,}.")
    return {"regions": [_region(region) for region in listed]}


def _region(region: object) -> list[Any]:
    parts = cast("list[Any]", region) if isinstance(region, list | tuple) else []
    if len(parts) != 6:
        raise Refusal("Blur: a region is [start, end, left, top, right, bottom].")
    start, end = (fraction(value, "Blur: a time") for value in parts[:2])
    try:
        left, top, right, bottom = (int(value) for value in parts[2:])
    except (TypeError, ValueError):
        raise Refusal(f"Blur: {parts[2:]} are no whole px.") from None
    if not 0 <= start < end or left >= right or top >= bottom:
        raise Refusal(f"Blur: {parts} is empty; end after start, right of left, below top.")
    return [str(start), str(end), left, top, right, bottom]


def apply(timeline: Timeline, settings: Settings, others: Sequence[Timeline]) -> Timeline:
    """The same frames at the same times; those that begin within a region's time are blurred."""
    del others
    regions = [
        (Fraction(region[0]), Fraction(region[1]), tuple(region[2:]))
        for region in settings["regions"]
    ]
    frames = tuple(
        replace(frame, changes=(*frame.changes, Blurred(boxes)))
        if (
            boxes := tuple(box for start, end, box in regions if start < until and frame.time < end)
        )
        else frame
        for frame, until in zip(timeline.frames, timeline.ends(), strict=True)
    )
    return replace(timeline, frames=frames)


def label(settings: Settings) -> str:
    """Such as 'blur', whatever the regions are."""
    del settings
    return "blur"
