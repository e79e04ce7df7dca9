"""Most frequent option: what somebody gets who always ticks the same place in the list.

The place (A, B, C, ...) is the one that holds the key most often among the very questions that are
scored, so it is the best that position alone can give. Places are those of the stored order of
options, not of the shuffled order that a person saw. A question that has no such place is a miss.

TOMATO's Table 5 has a row 'Frequent Choice' without a definition. On its released questions this
one gives the printed value for two of six reasoning types and a higher one for the others.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.statistics.metric import Floats

NAME = "Most frequent option"
RANGE = (0.0, 1.0)
HIGHER_IS_BETTER = True


def rows(keys: Sequence[int] | npt.NDArray[np.int64], columns: int | None = None) -> Floats:
    """What each question adds, (questions, places): 1 at the place of its key.

    Args:
        keys: 0-based place of the right option.
        places: number of columns; by default as many as the keys need.

    Raises:
        ValueError: if a key lies outside the places.
    """
    indices = np.asarray(keys, dtype=np.int64)
    width = columns or (int(indices.max()) + 1 if indices.size else 1)
    if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < width:
        raise ValueError(
            f"Keys go from {indices.min()} to {indices.max()}; allowed are 0 to {width - 1}."
        )
    return np.eye(width, dtype=np.float64)[indices]


def value(totals: Floats) -> Floats:
    """Share of questions whose key stands at the most frequent place; undefined without questions.

    The place is looked for anew in each set of totals.
    """
    best, questions = totals.max(axis=-1), totals.sum(axis=-1)
    return np.divide(best, questions, out=np.full_like(best, np.nan), where=questions > 0)


def undefined(totals: Floats) -> str:
    """Why there is no baseline: only ever for want of questions."""
    return "no questions" if totals.sum() <= 0 else ""
