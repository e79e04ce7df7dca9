"""Agreement over segments: how many cards find a match, by how good a match has to be."""

import json

from annotations import task as tasks
from annotations.agreement.groups import WITH_RUNS, Among, chosen_among
from annotations.agreement.votes import task_votes
from annotations.scoring.snapshot import Snapshot
from annotations.task_parts import HasWindows
from core.statistics import bootstrap
from core.statistics.matching import THRESHOLDS, Cards, tolerance_curve
from core.statistics.metric import Estimate


def segment_curve(
    snapshot: Snapshot,
    task_id: int,
    among: Among = "everybody",
    *,
    resamples: int = bootstrap.RESAMPLES,
) -> list[tuple[float, Estimate]]:
    """The share of people's cards that have a match with each IoU or better, as (IoU, share).

    Empty for a task whose answers are no segments: its kind has no `windows(response)`.

    Raises:
        LookupError: if there is no such task.
    """
    votes = task_votes(snapshot, task_id, runs=among in WITH_RUNS)
    [row] = snapshot.rows("SELECT kind FROM task WHERE id = ?", [task_id])
    kind = tasks.kind(row["kind"])
    if not isinstance(kind, HasWindows) or not len(votes.ratings.item):
        return []
    key = ("segment curve", among, resamples)
    if key not in votes.memo:
        ratings = votes.ratings.where(chosen_among(snapshot, votes, among))
        cards = Cards.of([kind.windows(json.loads(label)) for label in ratings.labels])
        curve = tolerance_curve(ratings, cards, resamples=resamples)
        votes.memo[key] = list(zip(THRESHOLDS, curve, strict=True))
    return votes.memo[key]
