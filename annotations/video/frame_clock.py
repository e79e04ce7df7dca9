"""The frames' time stamps of a clip, small enough to be kept with everything that was shown."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import Any

from annotations.media import Media
from core.refusal import Refusal

NEAR_S = 0.0005  # the desk's times are the stamps, rounded


@dataclass(frozen=True)
class FrameClock:
    """When the frames of a clip are shown.

    Attributes:
        first: index of the clip's first frame in its video.
        times: time stamp of each frame of the clip, s from the video's first frame.
        end_s: where the clip ends, s; at most `duration_s`.
        duration_s: of the video, to the end of its last frame.
    """

    first: int
    times: tuple[float, ...]
    end_s: float
    duration_s: float

    @property
    def last(self) -> int:
        """Index of the clip's last frame in its video."""
        return self.first + len(self.times) - 1

    def time_of(self, index: int) -> float:
        """The time stamp of one of the clip's frames, given by its index in the video, s."""
        return self.times[index - self.first]

    def start(self, time_s: float) -> float:
        """The exact stamp of the frame at which a segment starts, s.

        Raises:
            ValueError: if no frame of the clip has this time stamp; names the nearest.
        """
        return self._stamp(time_s, self.times)

    def end(self, time_s: float) -> float:
        """The exact stamp of the first frame after a segment, or the clip's end, s.

        Raises:
            ValueError: if it is neither; names the nearest.
        """
        return self._stamp(time_s, (*self.times[1:], self.end_s))

    def _stamp(self, time_s: float, stamps: Sequence[float]) -> float:
        if time_s > self.duration_s + NEAR_S:
            raise Refusal(
                f"{time_s:.3f} s is {time_s - self.duration_s:.3f} s beyond the video, which ends "
                f"at {self.duration_s:.3f} s."
            )
        position = bisect_left(stamps, time_s)
        near = stamps[max(0, position - 1) : position + 1]
        best = min(near, key=lambda stamp: abs(stamp - time_s))
        if abs(best - time_s) <= NEAR_S:
            return best
        raise Refusal(
            f"{time_s:.3f} s is no frame's time stamp here. The nearest: "
            + " and ".join(f"{stamp:.3f} s" for stamp in near)
            + "."
        )


def clock_facts(media: Media, sha256: str, start_s: float, end_s: float | None) -> dict[str, Any]:
    """The clock of a clip as JSON: time stamps as steps in the file's own units, run by run.

    At a constant rate that is a handful of numbers for 30 s, not 900 stamps.

    Raises:
        ValueError: if no frame lies in the clip.
    """
    table = media.frame_table(sha256)
    inside = media.frames_between(sha256, start_s, end_s)
    if not inside:
        raise Refusal(f"No frame of the video lies between {start_s:g} and {end_s} s.")
    pts = [table.pts[index] - table.pts[0] for index in inside]
    steps = groupby(later - earlier for earlier, later in pairwise(pts))
    return {
        "first": inside[0],
        "base": [table.time_base.numerator, table.time_base.denominator],
        "at": pts[0],
        "steps": [[step, len(list(run))] for step, run in steps],
        "end": table.duration_s if end_s is None else min(end_s, table.duration_s),
        "duration": table.duration_s,
    }


def clock_of(facts: dict[str, Any]) -> FrameClock:
    """The clock that `clock_facts` wrote."""
    steps = (step for step, count in facts["steps"] for _ in range(count))
    numerator, denominator = facts["base"]
    return FrameClock(
        facts["first"],
        tuple(at * numerator / denominator for at in accumulate(steps, initial=facts["at"])),
        facts["end"],
        facts["duration"],
    )
