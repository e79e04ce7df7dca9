"""Cards with a segment each: when an action happens, and who does it."""

from typing import Any

from annotations.reading.responses import number, text
from annotations.video.frame_clock import FrameClock
from annotations.video.shared_segments import Shared
from core.refusal import Refusal

NONE, NOT_SURE = "none", "not sure"
ABOUT = {
    "who": "who does it",
    "before": "what happens right before",
    "after": "what happens right after",
}


def checked_card(card: dict[str, Any], name: str, clock: FrameClock) -> dict[str, Any]:
    """A card with exact times, s, and texts.

    Raises:
        Refusal: if it is no segment of the clip, or something is lacking.
    """
    start, end = (number(card, edge, f"{name}: the {edge}") for edge in ("start", "end"))
    if end <= start:
        raise Refusal(
            f"{name}: it ends at {end:.3f} s, which is not after its start at {start:.3f} s. Move "
            "one of them; they are never exchanged."
        )
    try:
        times = {"start": round(clock.start(start), 6), "end": round(clock.end(end), 6)}
    except Refusal as error:
        raise Refusal(f"{name}: {error}") from error
    needed = f"Describe it, or write '{NONE}' or '{NOT_SURE}'."
    who = "Describe the person so that nobody else fits, or write 'not sure'."
    texts = {
        field: text(card, field, f"{name}, {label}", needed=who if field == "who" else needed)
        for field, label in ABOUT.items()
    }
    which = text(card, "which", f"{name}, which action")
    return {**times, "which": which, **{field: _plain(value) for field, value in texts.items()}}


def _plain(answer: str) -> str:
    """'None.' and 'NOT SURE' are written alike."""
    short = answer.casefold().rstrip(".")
    return short if short in (NONE, NOT_SURE) else answer


def card_words(card: dict[str, Any]) -> str:
    """A card's times with what is written on it."""
    who = "" if card["who"] in ("", NOT_SURE) else f" ({card['who']})"
    which = f", {card['which']}" if card["which"] else ""
    return f"{card['start']:.3f} to {card['end']:.3f} s{which}{who}"


def segment_words(segment: Shared, people: int) -> str:
    """A decided segment with its edges, s, and how many of the people marked it."""
    iou = "" if segment.mean_iou is None else f", mean IoU {segment.mean_iou:.2f}"
    span = f"{segment.start_s:.3f} to {segment.end_s:.3f} s"
    return f"{span}: median edges of {segment.people} of {people}{iou}"
