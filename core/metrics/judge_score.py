"""Judge score: the mean of what a judge model gave to free-form answers (K9-Bench: 0 to 10)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.statistics.metric import Floats

NAME = "Judge score"
RANGE = (0.0, 10.0)
HIGHER_IS_BETTER = True


def rows(scores: Sequence[float] | npt.NDArray[np.float64]) -> Floats:
    """What each judged answer adds, (answers, 2): its score, and 1."""
    values = np.asarray(scores, dtype=np.float64)
    return np.stack([values, np.ones_like(values)], axis=1)


def value(totals: Floats) -> Floats:
    """The mean score; undefined without judged answers."""
    total, answers = totals[..., 0], totals[..., 1]
    return np.divide(total, answers, out=np.full_like(total, np.nan), where=answers > 0)


def undefined(totals: Floats) -> str:
    """Why there is no score: only ever for want of judged answers."""
    return "no judged answers" if totals[1] <= 0 else ""
