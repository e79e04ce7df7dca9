"""Splits without what nine models solve from objects alone (UTD, section 3.3.3).

A sample goes when all nine have it right. The balanced variant removes as many, but from each class
in proportion to its size, those first that the nine are surest of. Samples of one family, such as a
video and its edits, go together: else what the nine solve would stay in another dress.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.bias.representation import Bools, Ints
from core.statistics import agreement, bootstrap
from core.statistics.metric import Estimate
from core.statistics.ratings import Ratings

Floats = npt.NDArray[np.float64]

MODELS = 9
NONE = "no prediction"


@dataclass(frozen=True)
class Kappas:
    """Fleiss' kappa of the models, of two things: a published one seldom says which it is of.

    Attributes:
        classes: over what they predicted.
        right: over whether they were right.
    """

    classes: Estimate
    right: Estimate


def unanimous(right: Bools, families: Ints | None = None) -> Bools:
    """(V,) whether all models are right about a sample, or about another of its family.

    Args:
        right: (models, V).
        families: (V,) number of each sample's family; None: each alone.
    """
    return whole_families(np.asarray(right.all(axis=0), np.bool_), families)


def whole_families(gone: Bools, families: Ints | None) -> Bools:
    """(V,) which samples go once every family of which one goes, goes as a whole.

    Args:
        gone: (V,).
        families: (V,) number of each sample's family; None: each alone.
    """
    return gone if families is None else np.isin(families, families[gone])


def balanced(
    count: int, truth: Ints, confidence: Floats, classes: int, families: Ints | None = None
) -> Bools:
    """(V,) which samples a balanced split removes: from each class in proportion to its size.

    Shares of a class are rounded by the largest remainder, of equal ones the larger class first.
    Of a class go those with the highest confidence; of equal ones those that come first. The rest
    of their families goes with them, so that where there are families it can be more than `count`.

    Args:
        count: how many are removed in all.
        truth: (V,) index of each sample's class.
        confidence: (V,) mean over the models, in the true class.
        classes: how many classes there are.
        families: as in `unanimous`.
    """
    sizes = np.bincount(truth, minlength=classes)
    exact = sizes * (count / max(1, sizes.sum()))
    quota = np.floor(exact + 1e-9).astype(np.int64)
    order = np.lexsort([np.arange(classes), -sizes, -np.round(exact - quota, 9)])
    quota[order[: count - int(quota.sum())]] += 1
    gone = np.zeros(len(truth), np.bool_)
    for label in range(classes):
        members = np.flatnonzero(truth == label)
        surest = members[np.argsort(-confidence[members], kind="stable")]
        gone[surest[: quota[label]]] = True
    return whole_families(gone, families)


def kappas(
    predicted: Ints,
    right: Bools,
    labels: Sequence[str] | None = None,
    clusters: Ints | None = None,
) -> Kappas:
    """Agreement of the models over samples, with intervals.

    Args:
        predicted: (models, V) what each predicted; -1 for nothing, which is an answer of its own.
        right: (models, V).
        labels: names of the classes; numbers where None.
        clusters: (V,) samples that are drawn together, such as edits of a video; None: each alone.
    """
    names = list(labels) if labels is not None else [str(n) for n in range(predicted.max() + 1)]
    return Kappas(
        kappa_of(predicted + 1, [NONE, *names], clusters=clusters),
        kappa_of(right.astype(np.int64), ("wrong", "right"), clusters=clusters),
    )


def kappa_of(
    codes: Ints,
    labels: Sequence[str],
    resamples: int = bootstrap.RESAMPLES,
    clusters: Ints | None = None,
) -> Estimate:
    """Fleiss' kappa of what models said of each sample, with its interval over samples.

    Args:
        codes: (models, V) indices into the labels.
        labels: what can be said.
        resamples: as in `core.statistics.bootstrap.estimate`.
        clusters: (V,) samples that are drawn together; None draws each alone.
    """
    models, count = int(codes.shape[0]), int(codes.shape[1])
    ratings = Ratings.from_arrays(
        np.repeat(np.arange(count), models),
        np.tile(np.arange(models), count),
        codes.T.ravel(),
        labels,
    )
    # Where each sample is its own cluster, those with equal answers are drawn at once.
    alone = clusters is None or len(np.unique(clusters)) == len(clusters)
    return agreement.estimate(
        "fleiss", ratings, clusters=None if alone else clusters, cluster_word="sample",
        resamples=resamples,
    )  # fmt: skip


def by_chance(choices: Sequence[int] | Ints, models: int = MODELS) -> float:
    """How many samples models that guess, each for itself, would remove, expected.

    Args:
        choices: (V,) how many classes or videos each sample's answer is one of.
    """
    return float((1.0 / np.asarray(choices, float) ** models).sum())


def kept_by_class(kept: Bools, truth: Ints, classes: int) -> Floats:
    """(C,) the share of each class that a split keeps; NaN for a class without samples."""
    sizes = np.bincount(truth, minlength=classes)
    stay = np.bincount(truth[kept], minlength=classes)
    return np.divide(stay, sizes, out=np.full(classes, np.nan), where=sizes > 0)


def spread(shares: Floats) -> float:
    """Standard deviation of the classes' kept shares over their mean: 0 where all keep alike."""
    known = shares[~np.isnan(shares)]
    mean = float(known.mean()) if len(known) else 0.0
    return float(known.std()) / mean if mean else 0.0
