"""Filters against people: how far a model's accept and reject is that of people (K9-Bench B.3).

What is to be found are rejections, as in K9's Table 7: a true positive is a video that both
reject. A row of a reason holds the videos that people reject for it, and beside them those that
only the filter rejects, for that reason. Reasons of one video are counted each in its row, so rows
need not sum to the totals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from annotations.filter.filter_table import Filtered
from annotations.filter.filter_verdicts import Reasons
from core.metrics import accuracy, precision, reason_match, recall
from core.statistics import bootstrap, share
from core.statistics.metric import OF_FILTERS, Estimate, Statistic, needs, statistics_of
from core.statistics.ratings import Bools, Ints
from core.statistics.threshold import ACCEPTED, REJECTED, UNJUDGED


@dataclass(frozen=True)
class Counts:
    """How rejections of filter and people fall together."""

    both: int
    only_people: int
    only_filter: int
    neither: int

    @property
    def judged(self) -> int:
        """Items with a verdict of both."""
        return self.both + self.only_people + self.only_filter + self.neither


@dataclass(frozen=True)
class ReasonRow:
    """A reason for rejecting.

    Attributes:
        both: people reject for it, and the filter rejects for whatever reason.
        only_people: people reject for it, the filter accepts.
        only_filter: the filter rejects for it, people accept.
        recall: of what people reject for it, the share that the filter rejects.
        precision: `both` of `both` and `only_filter`.
        same: of `both`, those for which the filter names this reason too.
        match: that share of `both`.
    """

    reason: str
    label: str
    both: int
    only_people: int
    only_filter: int
    recall: Estimate
    precision: Estimate
    same: int
    match: Estimate


@dataclass(frozen=True)
class Audit:
    """A filter against people.

    Attributes:
        counts: of items that both judged.
        accuracy: share of equal verdicts.
        recall: of what people reject, the share that the filter rejects.
        precision: of what the filter rejects, the share that people reject.
        match: where both reject and both say why, the share with a reason in common.
        identical: the same, with exactly the same reasons.
        same: how many have a reason in common.
        rows: by reason, in the order of the task's list.
        left_out: why items are not compared, with how many.
        further: every other statistic of ``core/metrics`` that compares a filter with people, by
            its name in words.
    """

    counts: Counts
    accuracy: Estimate
    recall: Estimate
    precision: Estimate
    match: Estimate
    identical: Estimate
    same: int
    rows: tuple[ReasonRow, ...]
    left_out: tuple[tuple[str, int], ...]
    further: tuple[tuple[str, Estimate], ...] = ()


def verdicts(table: Filtered, threshold: float | None = None) -> Ints:
    """The filter's verdict on each item, (items,): its own, or by a threshold on its score."""
    if threshold is None:
        return table.model
    has_score = np.isfinite(table.score)
    verdicts_of = np.full(len(table.score), UNJUDGED, dtype=np.int64)
    verdicts_of[has_score] = np.where(table.score[has_score] >= threshold, ACCEPTED, REJECTED)
    return verdicts_of


def audit(
    table: Filtered, threshold: float | None = None, *, resamples: int = bootstrap.RESAMPLES
) -> Audit:
    """The filter against people, by its own verdicts or by a threshold on its score.

    Intervals are 95 % bootstrap over videos. By a threshold the reasons are still those that the
    filter gave; an item that it rejects by the threshold alone has none.
    """
    model = verdicts(table, threshold)
    compared = (model != UNJUDGED) & (table.people != UNJUDGED)
    rejected, wanted = model[compared] == REJECTED, table.people[compared] == REJECTED
    videos, indices = table.video[compared], np.flatnonzero(compared)
    ours, theirs = ([of[index] for index in indices] for of in
                    (table.model_reasons, table.people_reasons))  # fmt: skip
    right = bootstrap.estimate(accuracy, accuracy.rows(rejected == wanted), videos,
                               resamples=resamples)  # fmt: skip
    [recalled] = share.estimates(recall, recall.rows(rejected, wanted)[:, None], videos,
                                 resamples=resamples)  # fmt: skip
    [precise] = share.estimates(precision, precision.rows(rejected, wanted)[:, None], videos,
                                resamples=resamples)  # fmt: skip
    alike, named = _alike(ours, theirs, rejected & wanted)
    match, identical = share.estimates(reason_match, reason_match.rows(alike, named), videos,
                                       resamples=resamples)  # fmt: skip
    return Audit(
        Counts(
            int((rejected & wanted).sum()), int((wanted & ~rejected).sum()),
            int((rejected & ~wanted).sum()), int((~rejected & ~wanted).sum()),
        ),
        accuracy.with_bound(right), recalled, precise, match, identical,
        int((alike & named)[:, 0].sum()),
        tuple(_reason_rows(table, rejected, wanted, videos, ours, theirs, resamples)),
        _left_out(table, model),
        tuple(_further({"rejected": rejected, "wanted": wanted, "same": (alike & named)[:, 0],
                        "both": named[:, 0]}, videos, resamples)),
    )  # fmt: skip


def _further(
    inputs: dict[str, Bools], videos: Ints, resamples: int
) -> Iterator[tuple[str, Estimate]]:
    """Name and estimate of each statistic that has no card of its own."""
    for statistic in statistics_of(OF_FILTERS).values():
        if statistic not in (precision, recall, reason_match):
            rows = statistic.rows(*(inputs[name] for name in needs(statistic)))
            yield (
                str(statistic.NAME),
                bootstrap.estimate(cast("Statistic", statistic), rows, videos, resamples=resamples),
            )


def _alike(ours: Sequence[Reasons], theirs: Sequence[Reasons], both: Bools) -> tuple[Bools, Bools]:
    """Whether reasons overlap and whether they are equal, (items, 2); and where both are given."""
    pairs = list(zip(ours, theirs, strict=True))
    alike = np.array([(bool(a & b), a == b) for a, b in pairs], dtype=np.bool_).reshape(-1, 2)
    named = np.array([bool(a) and bool(b) for a, b in pairs], dtype=np.bool_) & both
    return alike, np.stack([named, named], axis=1)


def _reason_rows(
    table: Filtered,
    rejected_by_model: Bools,
    wanted: Bools,
    videos: Ints,
    ours: Sequence[Reasons],
    theirs: Sequence[Reasons],
    resamples: int,
) -> list[ReasonRow]:
    named = dict(table.labels)
    for reason in sorted(frozenset[str]().union(*ours, *theirs)):
        named.setdefault(reason, reason)
    if not named or not len(rejected_by_model):
        return []
    reasons = list(named)
    by_model = np.array([[r in mentioned for r in reasons] for mentioned in ours], dtype=np.bool_)
    by_people = np.array(
        [[r in mentioned for r in reasons] for mentioned in theirs], dtype=np.bool_
    )
    by_people &= wanted[:, None]
    rejected = np.repeat(rejected_by_model[:, None], len(reasons), axis=1)
    both, same = rejected & by_people, rejected & by_people & by_model
    only_filter = rejected & by_model & ~wanted[:, None]
    recalled = share.estimates(recall, recall.rows(rejected, by_people), videos,
                               resamples=resamples)  # fmt: skip
    precise = share.estimates(precision, precision.rows(both | only_filter, by_people), videos,
                              resamples=resamples)  # fmt: skip
    matched = share.estimates(reason_match, reason_match.rows(same, both), videos,
                              resamples=resamples)  # fmt: skip
    return [
        ReasonRow(
            reason, named[reason], int(both[:, i].sum()), int((by_people & ~rejected)[:, i].sum()),
            int(only_filter[:, i].sum()), recalled[i], precise[i], int(same[:, i].sum()),
            matched[i],
        )
        for i, reason in enumerate(reasons)
    ]  # fmt: skip


def _left_out(table: Filtered, model: Ints) -> tuple[tuple[str, int], ...]:
    unjudged = table.people == UNJUDGED
    counts = (
        ("not judged by people", int((unjudged & ~table.tie).sum())),
        ("on which people are tied", int(table.tie.sum())),
        ("without a verdict of the filter", int((~unjudged & (model == UNJUDGED)).sum())),
    )
    return tuple(entry for entry in counts if entry[1])


SIDES: tuple[str, ...] = ("the filter rejects, people accept", "the filter accepts, people reject",
         "both reject, for different reasons")  # fmt: skip


def differing(table: Filtered, threshold: float | None = None) -> tuple[Ints, Ints, Ints]:
    """Places of the items on which filter and people differ, in the three groups of `SIDES`.

    The first two are sorted by the score, the most certain of the filter first.
    """
    model = verdicts(table, threshold)
    accepted, rejected = table.people == ACCEPTED, table.people == REJECTED
    score = np.nan_to_num(table.score)
    lost = np.flatnonzero((model == REJECTED) & accepted)
    kept = np.flatnonzero((model == ACCEPTED) & rejected)
    differing_reasons = [
        index
        for index in np.flatnonzero((model == REJECTED) & rejected).tolist()
        if table.model_reasons[index] and table.people_reasons[index]
        and not table.model_reasons[index] & table.people_reasons[index]
    ]  # fmt: skip
    return (
        lost[np.argsort(score[lost], kind="stable")],
        kept[np.argsort(-score[kept], kind="stable")],
        np.array(differing_reasons, dtype=np.int64),
    )
