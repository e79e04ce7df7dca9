"""Reasons that people wrote in their own words, from which an author makes a list."""

import re
from collections import Counter
from collections.abc import Iterable


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
