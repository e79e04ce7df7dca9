"""Data-set bias: logistic regression on the training videos' vectors (UTD, section 3.3.2).

What is learned here and not known by common sense goes with the data set: an odd thing that always
stands beside a class. scikit-learn's regression is the reference; nothing is standardised.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.bias.representation import NOTHING, Floats32, Ints, is_empty
from core.model_sources import INSTALL, needed
from core.refusal import Refusal

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Regularisation:
    """How a regression is fitted; stored with what it found.

    Attributes:
        c: inverse strength of the L2 penalty.
        iterations: of L-BFGS at most.
    """

    c: float = 1.0
    iterations: int = 1000


@dataclass(frozen=True, eq=False)
class Learned:
    """A fitted regression.

    Attributes:
        classes: how many there are, those included that no training video has.
        converged: whether it came to an end before the limit.
        left_out: training videos without text.
    """

    classes: int
    converged: bool
    left_out: int
    _model: Any

    def probabilities(self, vectors: Floats32) -> Floats:
        """(V, C) of the classes, which sum to 1; 0 for a class that no training video has."""
        table = np.zeros((len(vectors), self.classes))
        if len(vectors):
            table[:, self._model.classes_] = self._model.predict_proba(vectors)
        return table

    def predict(self, vectors: Floats32) -> tuple[Ints, Floats]:
        """(V,) the most probable class, -1 where there is no text, and (V, C) probabilities."""
        table = self.probabilities(vectors)
        best = table.argmax(axis=1) if len(table) else np.zeros(0, np.int64)
        return np.where(is_empty(vectors), NOTHING, best).astype(np.int64), table


def learn(
    vectors: Floats32,
    labels: Ints,
    classes: int,
    how: Regularisation = Regularisation(),
    times: Ints | None = None,
) -> Learned:
    """A multinomial logistic regression of labels on vectors; videos without text are left out.

    Args:
        vectors: (V, D).
        labels: (V,) index of each video's class.
        classes: how many classes there are.
        how: of the penalty.
        times: (V,) how often each video counts, as in a bootstrap; None for once each. A third of
            the work is spared where a bootstrap is given so and not by repeated rows.

    Raises:
        NotInstalled: without scikit-learn.
        Refusal: if fewer than two classes have a training video with text.
    """
    linear = needed("sklearn.linear_model", INSTALL, "The bias of a data set")
    told = ~is_empty(vectors) & (True if times is None else times > 0)
    if len(np.unique(labels[told])) < 2:
        raise Refusal(
            "Fewer than two classes have a training video with a description; there is nothing to "
            "learn. Bring in training videos with their classes and descriptions."
        )
    model = linear.LogisticRegression(C=how.c, max_iter=how.iterations)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it would warn of is told by `converged`
        model.fit(vectors[told], labels[told], None if times is None else times[told])
    converged = bool((np.asarray(model.n_iter_) < how.iterations).all())
    return Learned(classes, converged, int(is_empty(vectors).sum()), model)


def bootstrapped(count: int, seed: int) -> Ints:
    """(count,) how often each video is drawn into a set of the same size, with replacement."""
    drawn = np.random.default_rng(seed).integers(0, count, count)
    return np.bincount(drawn, minlength=count)
