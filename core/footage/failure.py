"""Tell the kinds of failure of yt-dlp apart, and whether they concern one video or all."""

import re
from dataclasses import dataclass
from typing import Any, Literal

PRIVATE, LIVE, UPCOMING, AGE, REGION, GONE, MEMBERS = (
    "private", "live", "upcoming", "age restricted", "region", "gone", "members only",
)  # fmt: skip
WAIT, UNREACHABLE, REFUSED = "asked to wait", "not reachable", "refused"
NO_FORMAT, TOO_LARGE, TOO_LONG, NO_VIDEO, CUT_SHORT, EMPTY = (
    "no fitting format", "too large", "took too long", "no video", "cut short", "empty reply",
)  # fmt: skip
NEEDS, UNSUPPORTED, NOT_ALLOWED, OTHER = "needs a program", "not supported", "not allowed", "other"
# A later try of the same video can succeed by itself; the others need a person or another place.
PASSING = frozenset((WAIT, UNREACHABLE, LIVE, UPCOMING, CUT_SHORT, EMPTY, TOO_LONG))

# The first that fits counts; of yt-dlp's messages, which are the only place where these stand.
_WORDS: tuple[tuple[str, str], ...] = (
    (WAIT, r"not a bot|try again later|rate.?limit|too many requests|HTTP Error 429"),
    (NO_FORMAT, r"requested format is not available|no video formats"),
    (MEMBERS, r"members.only|join this channel|subscriber"),
    (AGE, r"age.?restrict|confirm your age|age.?gate|inappropriate for some users"),
    (PRIVATE, r"private video|video is private|is private|log ?in required|sign in"),
    (UPCOMING, r"will begin|premieres? in|upcoming|has not started|not yet (?:started|available)"),
    (LIVE, r"live (?:event|stream)|is live|currently live"),
    (REGION, r"in your (?:country|region|location)|geo.?restrict|geo.?block|available from your"),
    (GONE, r"removed|deleted|no longer (?:available|exists)|terminated|does not exist|unavailable"
           r"|not available|HTTP Error (?:404|410)"),
    (NEEDS, r"ffmpeg is not installed|javascript runtime|not installed"),
    (TOO_LARGE, r"larger than max|file is larger|too large"),
    (EMPTY, r"did not get any data blocks|empty file"),
    (CUT_SHORT, r"bytes read|content too short|more expected"),
    (UNSUPPORTED, r"unsupported url|no suitable extractor|not a valid url"),
    (NOT_ALLOWED, r"file:///|no connection adapters|scheme|redirect"),
    (REFUSED, r"HTTP Error (?:401|403)|forbidden"),
    (UNREACHABLE, r"timed out|timeout|connection|resolve|unreachable|HTTP Error 5\d\d|reset by"),
)  # fmt: skip


@dataclass(frozen=True)
class Failure:
    """Why a video or a search gave nothing.

    Attributes:
        kind: one of this module's kinds.
        message: what was said, shortened.
        concerns: 'queue' where the source asks everybody to wait, else 'item'.
    """

    kind: str
    message: str
    concerns: Literal["item", "queue"] = "item"


def failure_of(error: BaseException) -> Failure:
    """The kind of an error that yt-dlp raised, by its type and status where it has them."""
    message = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split())
    message = message.removeprefix("ERROR: ")[:400]
    causes = list(_causes(error))
    status = next((cause.status for cause in causes if hasattr(cause, "status")), None)
    if status in (429, 503):
        return Failure(WAIT, message, "queue")
    names = {type(cause).__name__ for cause in causes}
    if "GeoRestrictedError" in names:
        return Failure(REGION, message)
    kind = next((kind for kind, pattern in _WORDS if re.search(pattern, message, re.I)), "")
    if not kind:
        kind = UNREACHABLE if "TransportError" in names else OTHER
    return Failure(kind, message or type(error).__name__, "queue" if kind == WAIT else "item")


def _causes(error: BaseException) -> "list[Any]":
    """The error and what it was raised from, yt-dlp's own way of telling included."""
    chain: list[Any] = []
    waiting: list[Any] = [error]
    while waiting:
        cause = waiting.pop()
        if cause is None or any(cause is known for known in chain) or len(chain) > 20:
            continue
        chain.append(cause)
        information = getattr(cause, "exc_info", None)
        waiting += [cause.__cause__, cause.__context__, getattr(cause, "cause", None)]
        if isinstance(information, tuple):
            waiting.append(information[1])  # pyright: ignore[reportUnknownArgumentType]
    return chain


def unavailable(live: str) -> str:
    """The kind of failure that a video's own metadata foretells; '' where it can be had."""
    return {"is_live": LIVE, "is_upcoming": UPCOMING, "post_live": LIVE}.get(live, "")
