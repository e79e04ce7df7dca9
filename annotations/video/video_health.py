"""What is wrong with a video that can be shown all the same, in words, from its stored facts."""

from collections.abc import Mapping
from typing import Any

from core.video.table import CUT_SHORT, DAMAGED_PACKETS, DROPPED_START

SHORT_S = 0.5


def weaknesses(facts: Mapping[str, Any]) -> list[str]:
    """What a person should know of a usable video; [] for a sound one or without facts.

    Args:
        facts: as probing stored them (`core/video/probe.py`).
    """
    if not facts.get("n_frames"):
        return []
    notes, n_frames = facts.get("notes") or (), int(facts["n_frames"])
    duration_s = float(facts.get("duration_s") or 0)
    found: list[str] = []
    if CUT_SHORT in notes:
        claimed = facts.get("header_frames")
        there = f"{n_frames:,} of {claimed:,} frames" if claimed and claimed > n_frames else ""
        found.append(f"cut short: {there or f'it ends at {duration_s:.1f} s'}")
    if DAMAGED_PACKETS in notes:
        found.append("damaged: frames that hang on damaged packets are marked")
    elif facts.get("decodable") == "part" and CUT_SHORT not in notes:
        found.append("its first frame cannot be decoded")
    if DROPPED_START in notes:
        found.append("the beginning is missing: frames before the first keyframe")
    if n_frames == 1:
        found.append("a single frame")
    elif duration_s < SHORT_S:
        found.append(f"only {duration_s:.2f} s long")
    return found
