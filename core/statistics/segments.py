"""Segments in time: reading, checking, temporal IoU of windows, matching several cards."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.refusal import Refusal

Window = tuple[float, float]
MaybeWindow = Sequence[float | None]

UNITS = {"s": 1, "ms": 1_000, "us": 1_000_000}
_PLAIN = re.compile(r"\d{1,15}(\.\d{1,9})?")
_CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:\.\d{1,9})?)")
_BETWEEN = re.compile(r"\s*(?:-|–|—|\bto\b|,)\s*")


@dataclass(frozen=True)
class Overlap:
    """Temporal IoU of a prediction with the truth, or why there is none.

    Attributes:
        iou: in [0, 1]; None if the prediction or the truth is no segment that could overlap.
        status: '' if both are segments, else what is wrong.
    """

    iou: float | None
    status: str = ""


@dataclass(frozen=True)
class Summary:
    """Mean temporal IoU of many pairs; both ways to treat invalid ones, each under its name."""

    mean_valid: float | None
    mean_invalid_as_0: float | None
    valid: int
    invalid: int


def parse_time(text: str) -> float:
    """A time in s from text: '262', '4:22', '00:04:22.0' and '1:02:03.5' (h:min:s).

    Raises:
        ValueError: if it is none, such as '4:75'.
    """
    text = text.strip()
    match = _CLOCK.fullmatch(text)
    if match is not None:
        hours, minutes, seconds = int(match[1] or 0), int(match[2]), Fraction(match[3])
        if seconds < 60 and (match[1] is None or minutes < 60):
            return float(3600 * hours + 60 * minutes + seconds)
    elif _PLAIN.fullmatch(text):
        return float(text)
    raise Refusal(
        f"{text!r} is no time. Allowed: seconds such as 262.5, or 4:22 or 1:02:03.5; minutes and "
        "seconds run to 59."
    )


def parse_window(text: str) -> Window:
    """Start and end in s from text such as '00:12.00-00:22.00' or '12 to 22'; never exchanged.

    Raises:
        ValueError: if it is not two times.
    """
    parts = _BETWEEN.split(text.strip())
    if len(parts) != 2:
        raise Refusal(f"{text!r} is no segment. Allowed: two times such as 0:12-0:22.5.")
    return parse_time(parts[0]), parse_time(parts[1])


def fault(start_s: float | None, end_s: float | None) -> str:
    """Why two times are no segment: 'missing time', 'start after end', 'zero length'; else ''."""
    if start_s is None or end_s is None or not math.isfinite(start_s + end_s):
        return "missing time"
    if start_s > end_s:
        return "start after end"
    return "zero length" if start_s == end_s else ""


def beyond(time_s: float, duration_s: float) -> float | None:
    """By how many s a time lies after the end of its video; None if it lies within."""
    return time_s - duration_s if time_s > duration_s else None


def fitting_units(latest: float, duration_s: float) -> tuple[str, ...]:
    """Units in which the latest time lies within the video, the largest first: of s, ms, us.

    If 's' is not the first, the times are not seconds: ask, or refuse; never store them as such.
    """
    return tuple(unit for unit, per_s in UNITS.items() if latest / per_s <= duration_s)


def overlap(predicted: MaybeWindow, truth: MaybeWindow) -> Overlap:
    """Temporal IoU of one predicted segment with one true one, each (start, end) in s.

    A segment that starts after it ends is never turned round, and two points have no union to
    divide by: None. A point against a segment overlaps in nothing: 0, and its status says so.
    """
    faults = {"prediction": fault(*predicted), "truth": fault(*truth)}
    for wrong in ("missing time", "start after end"):
        if wrong in faults.values():
            return Overlap(None, wrong)
    points = [name for name, wrong in faults.items() if wrong]
    if len(points) == 2:
        return Overlap(None, "both zero length")
    if points:
        return Overlap(0.0, f"zero-length {points[0]}")
    return Overlap(merged_iou([_window(predicted)], [_window(truth)]))


def summary(overlaps: Iterable[Overlap]) -> Summary:
    """Mean temporal IoU over valid pairs, and over all with invalid ones as 0; None without any."""
    ious = [window_overlap.iou for window_overlap in overlaps]
    valid = [window_overlap for window_overlap in ious if window_overlap is not None]
    return Summary(
        mean_valid=math.fsum(valid) / len(valid) if valid else None,
        mean_invalid_as_0=math.fsum(valid) / len(ious) if ious else None,
        valid=len(valid),
        invalid=len(ious) - len(valid),
    )


def merge(windows: Iterable[Window]) -> list[Window]:
    """The same time as windows that do not touch, in order.

    Raises:
        ValueError: for a window that does not end after it starts.
    """
    merged: list[Window] = []
    for start, end in sorted(windows):
        wrong = fault(start, end)
        if wrong:
            raise Refusal(f"A window needs start < end; got {start:g} to {end:g} s ({wrong}).")
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def merged_iou(windows_a: Iterable[Window], second: Iterable[Window]) -> float | None:
    """Time in both sets of windows per time in either; overlaps within a set count once.

    In [0, 1]; None if both sets are empty.

    Raises:
        ValueError: for a window that does not end after it starts.
    """
    ours, theirs = merge(windows_a), merge(second)
    if not ours and not theirs:
        return None
    common, i, j = 0.0, 0, 0
    while i < len(ours) and j < len(theirs):
        common += max(0.0, min(ours[i][1], theirs[j][1]) - max(ours[i][0], theirs[j][0]))
        if ours[i][1] < theirs[j][1]:
            i += 1
        else:
            j += 1
    total = math.fsum(end - start for start, end in (*ours, *theirs))
    return common / (total - common)


def _window(times: MaybeWindow) -> Window:
    start, end = times
    assert start is not None
    assert end is not None
    return start, end
