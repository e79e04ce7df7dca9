"""Which threshold keeps a wanted share of what people accept, learned on a random sample."""

from dataclasses import dataclass

import numpy as np

from core.number_text import percent_text
from core.refusal import Refusal
from core.statistics import bootstrap, share
from core.statistics.bootstrap import LEVEL
from core.statistics.coding import coded
from core.statistics.metric import Floats
from core.statistics.ratings import Ints
from core.statistics.threshold import ACCEPTED, RESAMPLES, UNJUDGED, check

_MOST_CELLS = 20_000_000


@dataclass(frozen=True)
class Choice:
    """A threshold for a wanted share, or why there is none.

    Attributes:
        threshold: None where none can be chosen; `reason` says why and what to do.
        low: lower end of the threshold's own bootstrap interval; None without one.
        high: its upper end.
        wanted: the share that was asked for.
        certain: whether the share is to be reached with `LEVEL` certainty, or on the sample only.
        reached: the share on the sample at the threshold.
        at_least: one-sided lower bound of the share, at `LEVEL`; None where nothing is judged.
        cases: judged items that the share is of.
        needed: how many such items the certain choice needs at least.
        reason: why there is no threshold, or what its reader must know; else ''.
    """

    threshold: float | None
    low: float | None
    high: float | None
    wanted: float
    certain: bool
    reached: float | None
    at_least: float | None
    cases: int
    needed: int
    reason: str = ""


def choose(
    scores: Floats,
    verdicts: Ints,
    wanted: float,
    *,
    certain: bool = True,
    clusters: Ints | None = None,
    resamples: int = RESAMPLES,
    seed: int = bootstrap.SEED,
) -> Choice:
    """The highest threshold that keeps a wanted share of what people accept.

    Either so that the sample reaches the share, or, with `certain`, so that its one-sided lower
    bound (`share.at_least`) does: in `LEVEL` of random samples everything that people would accept
    is then kept to at least that share.

    Args:
        scores: (items,) of a random sample.
        verdicts: (items,) of people.
        wanted: in (0, 1].
        certain: whether the bound, not the sample, has to reach it.
        clusters: (items,) such as the video of each item, for the threshold's own interval.
        resamples: for that interval.
        seed: the same seed and data give the same interval.

    Raises:
        ValueError: for a share that cannot be wanted.
    """
    check(scores, verdicts)
    if not 0 < wanted <= 1:
        raise Refusal(f"The wanted share is {wanted}. Allowed: more than 0, at most 1.")
    accepted = verdicts == ACCEPTED
    ordered = np.sort(scores[accepted])[::-1]
    cases, needed = len(ordered), cases_needed(wanted)
    if not cases:
        judged = int((verdicts != UNJUDGED).sum())
        why = (f"people accept none of the {judged:,} items that they judged" if judged
               else "people have judged none of these items")  # fmt: skip
        return Choice(None, None, None, wanted, certain, None, None, 0, needed,
                      f"{why}: there is nothing to keep a share of. Judge more.")  # fmt: skip
    hits = _fewest_hits(cases, wanted, certain)
    if hits is None:
        bound = share.at_least(cases, cases)
        return Choice(None, None, None, wanted, certain, 1.0, bound, cases, needed, _too_few(
            cases, wanted, bound, needed))  # fmt: skip
    threshold = float(ordered[hits - 1])
    kept = int((ordered >= threshold).sum())
    own_clusters = None if clusters is None else clusters[accepted]
    low, high = _threshold_interval(scores[accepted], own_clusters, hits / cases, resamples, seed)
    return Choice(
        threshold, low, high, wanted, certain, kept / cases, share.at_least(kept, cases), cases,
        needed, "" if low is not None else "one accepted item: the threshold has no interval",
    )  # fmt: skip


def cases_needed(wanted: float) -> int:
    """How many accepted items a certain choice needs at least; 0 where no number is enough."""
    return 0 if wanted >= 1 else int(np.ceil(np.log(1 - LEVEL) / np.log(wanted) - 1e-9))


def _too_few(cases: int, wanted: float, bound: float, needed: int) -> str:
    if not needed:
        return "no sample can make it certain that nothing is lost. Ask for less than 100 %."
    return (
        f"people accept {cases:,} of the sample: even keeping all of them makes only "
        f"{percent_text(bound)} certain. {percent_text(wanted, 0)} needs at least {needed:,}; "
        "judge more, or ask for the sample only."
    )


def _fewest_hits(cases: int, wanted: float, certain: bool) -> int | None:
    """The fewest kept items that reach the share; None if even all of them do not."""
    if not certain:
        return max(1, int(np.ceil(wanted * cases - 1e-9)))
    low, high = 1, cases
    if share.at_least(high, cases) < wanted:
        return None
    while low < high:  # the bound rises with the hits
        middle = (low + high) // 2
        if share.at_least(middle, cases) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


def _threshold_interval(
    accepted: Floats, clusters: Ints | None, wanted: float, resamples: int, seed: int
) -> tuple[float | None, float | None]:
    """Between which thresholds the same share is reached when the accepted items are drawn anew."""
    order = np.argsort(-accepted, kind="stable")
    codes = np.arange(len(accepted)) if clusters is None else coded(clusters)[0]
    count = int(codes.max()) + 1
    if count < 2:
        return None, None
    resamples = min(resamples, max(200, _MOST_CELLS // len(accepted)))
    random = np.random.default_rng(seed)
    times = random.multinomial(count, np.full(count, 1 / count), size=resamples)
    kept = np.cumsum(times[:, codes[order]], axis=1)
    reached = kept >= np.ceil(wanted * kept[:, -1:] - 1e-9)
    drawn = accepted[order][np.argmax(reached, axis=1)]
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
