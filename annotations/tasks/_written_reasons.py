"""Reasons that people wrote in their own words, from which an author makes a list."""

import re
from collections import Counter
from collections.abc import Iterable

from annotations.task_parts import Summary


def collected(notes: Iterable[str]) -> list[tuple[str, int]]:
    """Reasons written in notes, with how many notes name each, most first.

    Each line, or each part between semicolons, is one; case and blanks make no difference.
    """
    counts: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    for note in notes:
        parts = [" ".join(part.split()) for part in re.split(r"[;\n]", note)]
        folded = {part.casefold().rstrip("."): part for part in parts if part}
        for key, reason in folded.items():
            spelling.setdefault(key, reason)
        counts.update(folded.keys())
    return [(spelling[key], count) for key, count in counts.most_common()]


def reasons_summary(notes: list[str]) -> Summary | None:
    """The reasons in the notes of rejections, as a table; None if there are none."""
    reasons = collected(notes)
    if not reasons:
        return None
    number = f"{len(reasons)} reason{'s'[: len(reasons) != 1]}"
    return Summary(
        f"{number} written in {len(notes)} rejection{'s'[: len(notes) != 1]}. Take those worth"
        " keeping as the list of reasons of a structured pass.",
        {"Reason": [reason for reason, _ in reasons], "Rejections": [n for _, n in reasons]},
    )
