"""Which titles can be the nearest by BM25: told from lists of titles alone, before any is read."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.footage.titles import K1, B


@dataclass(frozen=True)
class Nearness:
    """Titles that hold some words, the most promising first.

    Attributes:
        ids: (titles,) each once.
        weights: (titles,) the weights of the words that a title holds, added up.
        ceilings: (titles,) what BM25 gives a title at most that holds each of its words once: as
            if there were no other words in it. None is smaller than the one after it.
    """

    ids: NDArray[np.int64]
    weights: NDArray[np.float64]
    ceilings: NDArray[np.float64]


def nearness(
    lists: Sequence[NDArray[np.int64]],
    weights: Sequence[float],
    sizes: Sequence[int],
    usual_length: float,
) -> Nearness:
    """Put together the lists of titles of several words.

    Args:
        lists: of each word the ids of titles that hold it, each once.
        weights: of each word, as in BM25.
        sizes: tokens of each word.
        usual_length: mean tokens of a title.
    """
    each = [len(part) for part in lists]
    ids, place = np.unique(
        np.concatenate([*lists, np.empty(0, np.int64)]), return_inverse=True
    )  # fmt: skip
    # Of no titles at all bincount makes whole numbers.
    total = np.bincount(place, np.repeat(weights, each), len(ids)).astype(np.float64)
    shortest = np.bincount(place, np.repeat(sizes, each), len(ids)).astype(np.float64)
    ceilings = total * for_length(shortest, usual_length)
    order = np.argsort(-ceilings, kind="stable")
    return Nearness(ids[order], total[order], ceilings[order])


def for_length(lengths: NDArray[np.float64], usual_length: float) -> NDArray[np.float64]:
    """What BM25 multiplies the weight of a word with that a title of so many tokens holds once."""
    return (K1 + 1) / (1 + K1 * (1 - B + B * lengths / max(usual_length, 1e-9)))
