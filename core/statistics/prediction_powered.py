"""Means and ratios from few labels of people and a model's labels of everything.

Prediction-powered inference (Angelopoulos et al. 2023): the model's mean over everything, put
right by how far it is from people where they labelled. The model is trusted as far as it deserves
(PPI++, Angelopoulos, Duchi and Zrnic 2023): `power` is 0 for a useless one, and the estimate is
then that of the people alone. What people label may be drawn with unequal chances, such as more
often where models disagree (active statistical inference, Zrnic and Candès 2024); each label then
weighs by one over its chance, so those chances have to be stored when they are drawn.

Bounds are those of Student's t on the scale of log odds, since labels are few.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit, ndtri, stdtrit  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from core.statistics.bootstrap import LEVEL
from core.statistics.metric import Estimate, Floats
from core.statistics.ratings import Bools
from core.statistics.share import bounds

LEAST_LABELS = 10


@dataclass(frozen=True)
class Powered:
    """An estimate from people's labels and a model's, beside that of people's labels alone.

    Attributes:
        estimate: its `n` is how many labels of people it rests on.
        alone: the same from people's labels alone.
        power: how far the model is trusted, 0 to 1.
        sd: standard deviation that one label of people adds, after what the model explains.
        saved: share of labels that people alone would have needed on top for the same width.
    """

    estimate: Estimate
    alone: Estimate
    power: float
    sd: float
    saved: float

    def more_until(self, width: float) -> int | None:
        """How many further labels until the bounds are plus or minus `width`; None if unknown.

        As many again as the variance exceeds the wanted one; the labels that are there count.
        """
        value, low, high = self.estimate.value, self.estimate.low, self.estimate.high
        if value is None or low is None or high is None:
            return None
        wanted = (float(ndtri((1 + LEVEL) / 2)) * self.sd / width) ** 2
        return max(0, int(np.ceil(wanted)) - self.estimate.n)


def mean(
    labels: Floats, predicted: Floats, everything: Floats, chances: Floats | None = None
) -> Powered:
    """The mean of what people would say about everything.

    Args:
        labels: (labelled,) what people said.
        predicted: (labelled,) what the model said about the same.
        everything: (all,) what the model said about everything, the labelled among it.
        chances: (labelled,) with what probability each was drawn to be labelled; None for a plain
            random sample.
    """
    return ratio(
        np.stack([labels, np.ones_like(labels)], axis=1),
        np.stack([predicted, np.ones_like(predicted)], axis=1),
        np.stack([everything, np.ones_like(everything)], axis=1),
        chances,
    )


def ratio(
    labels: Floats, predicted: Floats, everything: Floats, chances: Floats | None = None
) -> Powered:
    """The ratio of two means, such as recall: kept and good over good.

    To first order a ratio moves by the mean of (numerator - ratio * denominator) / denominator, and
    that mean is what is estimated.

    Args:
        labels: (labelled, 2) numerator and denominator by what people said.
        predicted: (labelled, 2) by what the model said about the same.
        everything: (all, 2) by what the model said about everything.
        chances: as in `mean`.
    """
    count = len(labels)
    if count < 3:
        nothing = Estimate(None, n=count, reason="fewer than three labels of people")
        return Powered(nothing, nothing, 0.0, 0.0, 0.0)
    weights = np.ones(count) if chances is None else 1 / chances
    weights = weights / weights.mean()  # Hájek: what is drawn stands for everything
    alone = _ratio(_weighted(labels, weights))
    if alone is None:
        nothing = Estimate(None, n=count, reason="no label of people is in the denominator")
        return Powered(nothing, nothing, 0.0, 0.0, 0.0)
    below = float(_weighted(labels, weights)[1])
    own = (labels[:, 0] - alone * labels[:, 1]) / below
    model = (predicted[:, 0] - alone * predicted[:, 1]) / below
    whole = (everything[:, 0] - alone * everything[:, 1]) / below
    power = _power(own, model, whole, weights)
    moved = alone + power * float(whole.mean() - (weights * model).mean())
    if power and not _is_mean(labels):
        # Once more around the better value, where the first-order step is shorter.
        own = (labels[:, 0] - moved * labels[:, 1]) / below
        model = (predicted[:, 0] - moved * predicted[:, 1]) / below
        whole = (everything[:, 0] - moved * everything[:, 1]) / below
        correction = float((weights * (own - power * model)).mean()) + power * float(whole.mean())
        moved += correction
    sd_alone = _sd(own, weights)
    # One more degree of freedom is spent on the power.
    rest = _sd(own - power * model, weights) * (np.sqrt((count - 1) / (count - 2)) if power else 1)
    error = np.sqrt(rest**2 / count + (power * _sd(whole)) ** 2 / len(whole))
    error_alone = sd_alone / np.sqrt(count)
    saved = 1 - (error / error_alone) ** 2 if error_alone > 0 else 0.0
    return Powered(
        _estimate(moved, float(error), count),
        _estimate(alone, float(error_alone), count),
        power,
        float(rest),
        max(0.0, float(saved)),
    )


def _weighted(rows: Floats, weights: Floats) -> Floats:
    return np.asarray((weights[:, None] * rows).mean(axis=0), dtype=np.float64)


def _ratio(means: Floats) -> float | None:
    return float(means[0] / means[1]) if means[1] > 0 else None


def _is_mean(labels: Floats) -> bool:
    return bool((labels[:, 1] == 1).all())


def _power(own: Floats, model: Floats, whole: Floats, weights: Floats) -> float:
    """How far the model is trusted: what makes the variance least, 0 to 1."""
    weighted_own, weighted_model = weights * own, weights * model
    if len(own) < LEAST_LABELS:
        return 0.0
    covariance = float(np.cov(weighted_own, weighted_model)[0, 1])
    share = len(own) / len(whole)
    variance = float(weighted_model.var(ddof=1)) + share * float(whole.var(ddof=1))
    return float(np.clip(covariance / variance, 0.0, 1.0)) if variance > 0 else 0.0


def _sd(values: Floats, weights: Floats | None = None) -> float:
    return float((values if weights is None else weights * values).std(ddof=1))


def _estimate(value: float, error: float, count: int) -> Estimate:
    """The share with bounds on the scale of its log odds, which hold near 0 and 1 as well."""
    share = min(1.0, max(0.0, value))
    point = Estimate(share, n=count, clusters=count)
    if not error or not 0 < share < 1:
        exact = bounds(count if share == 1 else 0, count) if share in (0.0, 1.0) else None
        return replace(point, exact=exact, reason="the labels cannot show how uncertain that is")
    width = float(stdtrit(count - 1, (1 + LEVEL) / 2)) * error / (share * (1 - share))
    odds = float(logit(share))
    return replace(point, low=float(expit(odds - width)), high=float(expit(odds + width)))


def chances(doubt: Floats, budget: int, *, even: float = 0.5) -> Floats:
    """With what probability each is drawn to be labelled: more where the model is in doubt.

    Args:
        doubt: (all,) at least 0, such as the standard deviation p (1 - p) of a score, or the share
            of models that differ from the others.
        budget: how many labels are wanted; the probabilities add up to it, or to everything.
        even: which part is drawn evenly, so that nothing has no chance and no label a great weight.

    Returns:
        (all,) in (0, 1].
    """
    count = len(doubt)
    if budget >= count:
        return np.ones(count)
    total = float(doubt.sum())
    uneven = doubt / total if total > 0 else np.full(count, 1 / count)
    result = budget * (even / count + (1 - even) * uneven)
    for _ in range(50):
        full = result >= 1
        if not full.any() or abs(result.clip(max=1).sum() - budget) < 1e-9:
            break
        result = np.where(full, 1.0, result)
        rest = budget - float(full.sum())
        result[~full] *= rest / float(result[~full].sum())
    return np.asarray(result.clip(max=1.0), dtype=np.float64)


def drawn(probability: Floats, seed: int) -> Bools:
    """Which are drawn, each once with its probability; as many as the probabilities add up to.

    Systematic sampling in a random order: the number drawn hardly varies.
    """
    random = np.random.default_rng(seed)
    order = random.permutation(len(probability))
    ends = np.cumsum(probability[order])
    start = random.random()
    steps = np.floor(ends - start + 1).astype(np.int64)
    chosen = np.zeros(len(probability), dtype=np.bool_)
    chosen[order] = np.diff(steps, prepend=0 if start > 0 else 1) > 0
    return chosen
