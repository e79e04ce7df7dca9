"""How far answers to the same item are apart: within an item, and of each from the others."""

from itertools import combinations

import numpy as np

from core.statistics.distance import Distance
from core.statistics.metric import Floats
from core.statistics.ratings import Ints, Ratings


def disagreement(values: Ints, distance: Distance) -> tuple[Floats, Ints]:
    """The mean distance of two answers within each row, and how many answers it has.

    Args:
        values: (rows, most answers) value codes, -1 where there is none.
        distance: between value codes.

    Returns:
        (rows,) and (rows,); 0 for rows of fewer than two answers.
    """
    answers = (values >= 0).sum(axis=1)
    total = np.zeros(len(values))
    for column, second in combinations(range(values.shape[1]), 2):
        both = np.flatnonzero((values[:, column] >= 0) & (values[:, second] >= 0))
        if len(both):
            total[both] += distance.between(values[both, column], values[both, second])
    pairs = answers * (answers - 1) / 2
    return np.divide(total, pairs, out=np.zeros_like(total), where=pairs > 0), answers


def agreement_with_others(ratings: Ratings, distance: Distance) -> tuple[Ints, Ints, Floats]:
    """Rater, item and agreement with the others' answers, of each answer on a shared item.

    Agreement is 1 minus the mean distance from each other answer to the item; (answers,) each.
    """
    values, raters = ratings.answers, ratings.slots(ratings.rater)
    total = np.zeros(values.shape)
    for column_a, second in combinations(range(values.shape[1]), 2):
        both = np.flatnonzero((values[:, column_a] >= 0) & (values[:, second] >= 0))
        near = 1 - distance.between(values[both, column_a], values[both, second])
        total[both, column_a] += near
        total[both, second] += near
    row, column = np.nonzero(values >= 0)
    others = (values >= 0).sum(axis=1)[row] - 1
    items = np.flatnonzero(ratings.counts > 1)
    return raters[row, column], items[row], total[row, column] / others
