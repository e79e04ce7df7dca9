"""Dawid-Skene: what is true and how each rater errs, estimated together from answers alone."""

from dataclasses import dataclass

import numpy as np

from core.refusal import Refusal
from core.statistics.metric import Floats
from core.statistics.ratings import Bools, Ints, Ratings, distinct_rows

ROUNDS = 200
TOLERANCE = 1e-4
SMOOTHING = 0.01


@dataclass(frozen=True, eq=False)
class Truth:
    """What Dawid-Skene concludes.

    Attributes:
        shares: (highest item code + 1, labels) probability of each label; zeros without answers.
        confusion: (highest rater code + 1, labels, labels) probability that a rater answers the
            third's label where the second's is true.
        prior: (labels,) how common each label is.
        rounds: of EM that were run.
        converged: whether the probabilities had stopped moving by then.
    """

    shares: Floats
    confusion: Floats
    prior: Floats
    rounds: int
    converged: bool

    @property
    def label(self) -> Ints:
        """The most probable label of each item, (items,); -1 without answers or where two tie."""
        ranked = np.sort(self.shares, axis=1)
        second = ranked[:, -2] if ranked.shape[1] > 1 else np.zeros(len(ranked))
        clear: Bools = ranked[:, -1] - second > 1e-9
        return np.where(clear, self.shares.argmax(axis=1), -1)


def dawid_skene(ratings: Ratings, *, rounds: int = ROUNDS, tolerance: float = TOLERANCE) -> Truth:
    """Probabilities of the labels of every item (Dawid and Skene 1979, equations 2.3 to 2.5).

    EM from the shares of the votes. Each cell of a confusion matrix gets `SMOOTHING` answers
    beforehand, so that a rater who never erred so far can still err. Deterministic; items with the
    same answers of the same raters are computed once.

    Args:
        ratings: the answers; items with one answer take part.
        rounds: at most so many.
        tolerance: it ends when no probability moves by more.

    Raises:
        ValueError: without any answers.
    """
    if not len(ratings.item):
        raise Refusal("Dawid-Skene needs answers; got none.")
    labels = len(ratings.labels)
    of, sizes, pattern, rater, value = _patterns(ratings)
    raters = int(rater.max()) + 1
    votes = np.bincount(pattern * labels + value, minlength=len(sizes) * labels)
    shares = votes.reshape(-1, labels) / np.bincount(pattern, minlength=len(sizes))[:, None]
    begins = np.flatnonzero(np.diff(pattern, prepend=-1))
    cell = rater * labels + value
    iterations, moved = 0, np.inf
    while True:
        weighted = shares * sizes[:, None]
        prior = weighted.sum(axis=0) / sizes.sum()
        confusion = _confusion(weighted[pattern], cell, raters)
        if moved <= tolerance or iterations == rounds:
            break
        likely = np.log(confusion).transpose(0, 2, 1).reshape(raters * labels, labels)
        with np.errstate(divide="ignore"):
            logs = np.log(prior) + np.add.reduceat(likely[cell], begins, axis=0)
        updated = np.exp(logs - logs.max(axis=1, keepdims=True))
        updated /= updated.sum(axis=1, keepdims=True)
        moved = float(np.abs(updated - shares).max())
        shares, iterations = updated, iterations + 1
    posterior = np.zeros((len(ratings.counts), labels))
    posterior[ratings.counts > 0] = shares[of]
    return Truth(posterior, confusion, prior, iterations, moved <= tolerance)


def _confusion(weights: Floats, cell: Ints, raters: int) -> Floats:
    """Confusion matrices (raters, labels, labels) from how probable each label is at each answer.

    Args:
        weights: (answers, labels).
        cell: (answers,) rater * labels + value.
        raters: how many.
    """
    labels = weights.shape[1]
    confusion = np.empty((raters, labels, labels))
    for true in range(labels):
        counts = np.bincount(cell, weights=weights[:, true], minlength=raters * labels)
        confusion[:, true] = counts.reshape(raters, labels) + SMOOTHING
    confusion /= confusion.sum(axis=2, keepdims=True)
    return confusion


def _patterns(ratings: Ratings) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Items by who answered what: pattern of each item, sizes, and the answers of the patterns."""
    labels = len(ratings.labels)
    slots = ratings.slots(ratings.rater * labels + ratings.value, least=1)
    representatives, of, sizes = distinct_rows(slots)
    pattern, column = np.nonzero(slots[representatives] >= 0)
    combined = slots[representatives][pattern, column]
    return of, sizes, pattern, combined // labels, combined % labels
