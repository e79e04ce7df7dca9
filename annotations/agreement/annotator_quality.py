"""How people work: pace, agreement with the others, and how both go over time."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from annotations.agreement.groups import names
from annotations.agreement.votes import task_votes
from annotations.scoring.snapshot import Snapshot
from core.statistics.disagreement import agreement_with_others
from core.statistics.distance import by_name

GROUP = 20


@dataclass(frozen=True)
class Work:
    """What one person's or model's answers look like beside the others'.

    Attributes:
        compared: answers on items that others answered as well, over all tasks.
        agreement: mean agreement with the others' answers on them, in [0, 1]; None without any.
        quality: (answers compared so far, share of the last group that are as the majority), in
            order of time, a point each `GROUP` answers; the last group may be smaller.
    """

    compared: int = 0
    agreement: float | None = None
    quality: tuple[tuple[int, float], ...] = ()


def work(snapshot: Snapshot) -> dict[str, Work]:
    """Every annotator's work over all tasks, by name; those who share no item are left out.

    An answer is as the majority if more than half of the others' answers to its item agree with
    it; items on which the others are split in halves say nothing and are left out of `quality`.
    Computed again only when answers have changed.
    """
    return snapshot.derived("work of annotators", lambda: _work(snapshot))


def _work(snapshot: Snapshot) -> dict[str, Work]:
    shares: defaultdict[str, list[np.ndarray]] = defaultdict(list)
    judged: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    for row in snapshot.rows("SELECT id FROM task ORDER BY id"):
        votes = task_votes(snapshot, row["id"])
        ratings = votes.ratings
        if not ratings.shared_items:
            continue
        distance = votes.distance
        between = by_name(distance, ratings) if isinstance(distance, str) else distance
        rater, item, share = agreement_with_others(ratings, between)
        everyone = names(snapshot, votes)
        for code in np.unique(rater).tolist():
            answered = rater == code
            shares[everyone[code]].append(share[answered])
            for item_index, agreed in zip(
                item[answered].tolist(), share[answered].tolist(), strict=True
            ):
                if abs(agreed - 0.5) > 1e-9:
                    judged[everyone[code]][int(votes.items[item_index])] = agreed > 0.5
    when = _in_time(snapshot)
    return {
        name: Work(
            compared=sum(map(len, by_item)),
            agreement=float(np.concatenate(by_item).mean()),
            quality=_grouped(
                [judged[name][index] for index in when[name] if index in judged[name]]
            ),
        )
        for name, by_item in shares.items()
    }


def _in_time(snapshot: Snapshot) -> defaultdict[str, list[int]]:
    """Items that each annotator answered, in order of their newest answer."""
    items: defaultdict[str, list[int]] = defaultdict(list)
    for row in snapshot.rows(
        "SELECT p.name, a.item_id FROM annotation a JOIN annotator p ON p.id = a.annotator_id"
        " WHERE a.counted = 1 GROUP BY a.annotator_id, a.item_id ORDER BY max(a.id)"
    ):
        items[row["name"]].append(row["item_id"])
    return items


def _grouped(right: list[bool]) -> tuple[tuple[int, float], ...]:
    return tuple(
        (min(begin + GROUP, len(right)), sum(group) / len(group))
        for begin in range(0, len(right), GROUP)
        if (group := right[begin : begin + GROUP])
    )
