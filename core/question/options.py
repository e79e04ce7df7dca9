"""Options that speak of others, and orders in which options are shown."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.lot import drawn_by_lot
from core.question.words import folded

_OTHERS = re.compile(
    r"\b(?:all|none|neither|any|both|either|two|some)\s+(?:of\s+)?(?:the|these|those)?\s*"
    r"(?:above|below|others?|options?|answers?|choices?|previous)\b"
    r"|\b(?:both|neither|either|only|options?|answers?|choices?)\s*\(?[a-h]\)?\s*"
    r"(?:,|and|or|nor|&)\s*\(?[a-h]\b"
    r"|\ball of (?:these|them|the above)\b|\bnone of (?:these|them|the above)\b"
    r"|\b\(?[a-h]\)?\s*(?:and|&)\s*\(?[a-h]\)?$"
    r"|^(?:none|all|both|neither)$"
)


@lru_cache(maxsize=16_384)
def names_others(option: str) -> bool:
    """Whether an option speaks of others: 'Both A and B', 'None of the above'.

    Where it stands among the options is then part of what it says.
    """
    return bool(_OTHERS.search(folded(option).strip(" .")))


def drawn_order(options: Sequence[str], seed: str) -> tuple[int, ...]:
    """An order of the options drawn by the seed, all orders alike likely, the original included.

    Options of which one names others stay as they are: 'Both A and B' means the places. Equal on
    every machine and Python.
    """
    if any(names_others(option) for option in options):
        return tuple(range(len(options)))
    return tuple(drawn_by_lot(range(len(options)), None, f"option order/{seed}/"))
