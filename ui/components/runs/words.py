"""Numbers of runs as words and cells."""

from core.number_text import percent_text
from core.statistics.metric import Estimate


def percent(share: float | None) -> float | None:
    """A share as a cell in percent, one decimal."""
    return None if share is None else round(100 * share, 1) + 0.0


def share_words(share: float | None) -> str:
    """A share as a headline."""
    return percent_text(share)


def signed(share: float | None, unit: str = "") -> str:
    """A signed share in percent or points."""
    if share is None:
        return "–"
    return f"{round(100 * share, 1) + 0.0:+.1f}{unit}".replace("-", "−").replace("+0.0", "0.0")


def interval(estimate: Estimate) -> str:
    """The interval of a share, or why there is none."""
    low, high = estimate.exact or (estimate.low, estimate.high)
    if low is None or high is None:
        return estimate.reason
    return f"{100 * low:.1f} to {100 * high:.1f}" + (", exact" if estimate.exact else "")


def signed_interval(estimate: Estimate) -> str:
    """The interval of a difference or a gain, or why there is none."""
    low, high = estimate.exact or (estimate.low, estimate.high)
    if low is None or high is None:
        return estimate.reason
    return f"{signed(low)} to {signed(high)}" + (", exact" if estimate.exact else "")


def count(number: int, word: str) -> str:
    """A number with its word, such as '3 runs'."""
    return f"{number:,} {word}{'s'[: number != 1]}"


def short(text: str, longest: int = 34) -> str:
    """A text that fits into a chart."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
