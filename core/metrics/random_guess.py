"""Random guess: what somebody gets who draws an option blindly."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.statistics.metric import Floats

NAME = "Random guess"
RANGE = (0.0, 1.0)
HIGHER_IS_BETTER = True

Counts = Sequence[int] | npt.NDArray[np.int64]


def rows(options: Counts) -> Floats:
    """What each question adds, (questions, 2): its chance 1 / number of options, and 1.

    Raises:
        ValueError: if a question has no options.
    """
    counts = _checked(options)
    return np.stack([1 / counts, np.ones(len(counts))], axis=1)


def value(totals: Floats) -> Floats:
    """Expected share of right guesses, in (0, 1]; undefined without questions."""
    chance, questions = totals[..., 0], totals[..., 1]
    return np.divide(chance, questions, out=np.full_like(chance, np.nan), where=questions > 0)


def undefined(totals: Floats) -> str:
    """Why there is no chance level: only ever for want of questions."""
    return "no questions" if totals[1] <= 0 else ""


def draw(options: Counts, seed: int) -> npt.NDArray[np.int64]:
    """One blind answer to each question, an option index, the same for the same seed.

    A single draw scatters around `value`; papers often print one (TOMATO, Table 5, uses seed 42).

    Raises:
        ValueError: if a question has no options.
    """
    return np.random.default_rng(seed).integers(0, _checked(options), dtype=np.int64)


def _checked(options: Counts) -> npt.NDArray[np.int64]:
    counts = np.asarray(options, dtype=np.int64)
    if counts.size and counts.min() < 1:
        raise ValueError(
            f"Row {int(counts.argmin())} has {int(counts.min())} options; at least 1 is needed. "
            "Leave questions without options out."
        )
    return counts
