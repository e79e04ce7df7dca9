"""A bar in the terminal for long work; a line now and then where there is no terminal."""

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotations.engine.engine_hold import Progress

_WIDTH = 24
_LINE_EVERY_S = 10.0


class ProgressBar:
    """Shows how far a run is on standard error."""

    def __init__(self, name: str):
        self._name = name
        self._live = sys.stderr.isatty()
        self._last = 0.0
        self._length = 0

    def show(self, progress: "Progress") -> None:
        """Show the newest state."""
        moment = time.monotonic()
        if not self._live and moment - self._last < _LINE_EVERY_S:
            return
        self._last = moment
        text = line(progress, self._name)
        if self._live:
            print(f"\r{text:<{self._length}}", end="", file=sys.stderr, flush=True)
            self._length = len(text)
        else:
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line of the bar."""
        if self._live and self._length:
            print(file=sys.stderr)


def line(progress: "Progress", name: str = "") -> str:
    """How far a run is, in one line."""
    through = progress.done + progress.failed
    share = through / progress.wanted if progress.wanted else 0.0
    filled = int(share * _WIDTH)
    parts = [
        f"[{'#' * filled}{'-' * (_WIDTH - filled)}]",
        f"{through:,}/{progress.wanted:,}",
        progress.note or progress.status,
    ]
    if progress.rate:
        parts.append(f"{progress.rate:.1f}/s")
    if progress.left_s is not None:
        parts.append(f"{duration(progress.left_s)} left")
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    return "  ".join([*parts, name[:40]])


def duration(seconds: float) -> str:
    """'8 s', '5 min', '2 h 10 min'."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


class FrameBar:
    """Shows on standard error how many frames of a video are written."""

    def __init__(self, name: str):
        self._name = name
        self._live = sys.stderr.isatty()
        self._last = time.monotonic()
        self._length = 0

    def show(self, finished: int, wanted: int) -> None:
        """Show the newest state, about once a second; a line every ten where nobody watches."""
        moment = time.monotonic()
        if moment - self._last < (1.0 if self._live else _LINE_EVERY_S):
            return
        self._last = moment
        text = f"{finished:,} of {wanted:,} frames  {self._name[:60]}"
        ending = "" if self._live else "\n"
        start = "\r" if self._live else ""
        print(f"{start}{text:<{self._length}}", end=ending, file=sys.stderr, flush=True)
        self._length = len(text)

    def end(self) -> None:
        """Leave the line of the bar, once."""
        if self._live and self._length:
            print(file=sys.stderr)
        self._length = 0
