"""Dawid-Skene beside the majority: what each concludes over the answers to a task."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from annotations.agreement.groups import WITH_RUNS, Among, chosen_among, item_facts, names
from annotations.agreement.votes import TaskVotes, task_votes
from annotations.scoring.snapshot import Snapshot
from core.statistics.dawid_skene import Truth, dawid_skene
from core.statistics.metric import Floats
from core.statistics.ratings import Ints, Ratings

MOST_LABELS = 60


@dataclass(frozen=True)
class Differing:
    """An item on which the two conclude differently.

    Attributes:
        votes: (answer, how many gave it), the most frequent first.
        majority: the answer of most; None where it is a tie.
        truth: the most probable answer by Dawid-Skene.
        probability: of it.
    """

    item_id: int
    uid: str
    category: str
    votes: tuple[tuple[object, int], ...]
    majority: object
    truth: object
    probability: float


@dataclass(frozen=True)
class Truths:
    """Majority and Dawid-Skene over one task.

    Attributes:
        items: with at least two answers.
        ties: items on which the majority is a tie.
        differing: items on which both conclude something, but not the same, and ties that
            Dawid-Skene decides; the least probable first.
        accuracy: by annotator, how probable their answer is to be the truth by Dawid-Skene.
        converged: whether Dawid-Skene had come to rest.
        reason: why there is nothing to compare; '' if there is.
    """

    items: int = 0
    ties: int = 0
    differing: tuple[Differing, ...] = ()
    accuracy: tuple[tuple[str, float], ...] = ()
    converged: bool = True
    reason: str = ""


def truths(snapshot: Snapshot, task_id: int, among: Among = "everybody") -> Truths:
    """What the majority and Dawid-Skene conclude over the counted answers to a task.

    Both need answers that are equal or not: where a task kind has a distance of its own, or more
    than `MOST_LABELS` different answers were given, there is a reason instead.

    Raises:
        LookupError: if there is no such task.
    """
    votes = task_votes(snapshot, task_id, runs=among in WITH_RUNS, decisions=True)
    key = ("truths", among)
    if key not in votes.memo:
        ratings = votes.ratings.where(chosen_among(snapshot, votes, among))
        reason = _reason(votes, ratings)
        votes.memo[key] = Truths(reason=reason) if reason else _truths(snapshot, votes, ratings)
    return votes.memo[key]


def _reason(votes: TaskVotes, ratings: Ratings) -> str:
    if not isinstance(votes.distance, str):
        return "answers of this kind are more or less alike, not equal or different"
    if len(ratings.raters) < 2 or not ratings.shared_items:
        return "no item has answers of two people"
    used = len(np.unique(ratings.value))
    if used > MOST_LABELS:
        return f"{used:,} different answers were given; at most {MOST_LABELS} can be compared"
    return ""


def _truths(snapshot: Snapshot, votes: TaskVotes, ratings: Ratings) -> Truths:
    used, value = np.unique(ratings.value, return_inverse=True)
    labels = [ratings.labels[code] for code in used.tolist()]
    ratings = Ratings.from_arrays(ratings.item, ratings.rater, value, labels)
    truth = dawid_skene(ratings)
    shared = np.flatnonzero(ratings.counts > 1)
    counts = np.zeros((len(ratings.counts), len(labels)), dtype=np.int64)
    np.add.at(counts, (ratings.item, ratings.value), 1)
    ranked = np.sort(counts, axis=1)
    tied = ranked[:, -1] == ranked[:, -2] if len(labels) > 1 else np.zeros(len(counts), np.bool_)
    majority = np.where(tied, -1, counts.argmax(axis=1))
    chosen = truth.label
    apart = shared[(majority[shared] != chosen[shared]) & (chosen[shared] >= 0)]
    sure = truth.shares[apart, chosen[apart]]
    order = apart[np.argsort(sure, kind="stable")]
    return Truths(
        items=len(shared),
        ties=int(tied[shared].sum()),
        differing=tuple(_differing(snapshot, votes, ratings, truth, majority, order)),
        accuracy=_accuracy(snapshot, votes, ratings, truth),
        converged=truth.converged,
    )


def _differing(
    snapshot: Snapshot,
    votes: TaskVotes,
    ratings: Ratings,
    truth: Truth,
    majority: Ints,
    indices: Ints,
) -> list[Differing]:
    categories, category_of = item_facts(snapshot, votes, "category")
    uids = {
        row["id"]: row["uid"]
        for row in snapshot.rows("SELECT id, uid FROM item WHERE task_id = ?",
                                        [votes.task_id])
    }  # fmt: skip
    differings: list[Differing] = []
    for index in map(int, indices):
        begin, end = np.searchsorted(ratings.item, [index, index + 1])
        tallied = Counter(ratings.labels[code] for code in ratings.value[begin:end].tolist())
        label, item_id = int(truth.label[index]), int(votes.items[index])
        differings.append(
            Differing(
                item_id,
                uids[item_id],
                categories[int(category_of[index])],
                tuple(tallied.most_common()),
                None if majority[index] < 0 else ratings.labels[int(majority[index])],
                ratings.labels[label],
                float(truth.shares[index, label]),
            )
        )
    return differings


def _accuracy(
    snapshot: Snapshot, votes: TaskVotes, ratings: Ratings, truth: Truth
) -> tuple[tuple[str, float], ...]:
    """How probable each annotator's answers are on average, by Dawid-Skene."""
    everyone = names(snapshot, votes)
    share: Floats = truth.shares[ratings.item, ratings.value]
    total = np.bincount(ratings.rater, weights=share)
    count = np.bincount(ratings.rater)
    return tuple(
        (everyone[rater], float(total[rater] / count[rater])) for rater in map(int, ratings.raters)
    )
