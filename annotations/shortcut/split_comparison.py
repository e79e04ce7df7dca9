"""Runs on all questions of a split beside those that it kept."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from annotations.scoring.human_accuracy import Resampled
from annotations.scoring.leaderboard import clusters
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import EVERY_QUESTION, Entry, Which, chosen_rows, solved_table
from core.metrics import accuracy
from core.statistics import bootstrap
from core.statistics.metric import Estimate


@dataclass(frozen=True)
class SideBySide:
    """Accuracy of a run on all questions of a split and on those it kept."""

    entry: Entry
    full: Estimate
    kept: Estimate
    difference: Estimate


def side_by_side(
    snapshot: Snapshot,
    split_id: int,
    which: Which = EVERY_QUESTION,
    resample: Resampled = "video",
) -> list[SideBySide]:
    """Every run on all questions of a split and on those it kept, with the paired difference."""
    memo = snapshot.predictions.memo
    memo_key = ("split", split_id, which, resample)
    if memo_key not in memo:
        memo[memo_key] = _side_by_side(snapshot, split_id, which, resample)
    return cast("list[SideBySide]", memo[memo_key])


def _side_by_side(
    snapshot: Snapshot, split_id: int, which: Which, resample: Resampled
) -> list[SideBySide]:
    solved = solved_table(snapshot)
    rows = snapshot.rows(
        "SELECT question_id, kept FROM split_question WHERE split_id = ? ORDER BY question_id",
        [split_id],
    )
    kept = np.array([row["question_id"] for row in rows if row["kept"]], dtype=np.int64)
    inside = np.isin(solved.question_id, [row["question_id"] for row in rows])
    inside &= chosen_rows(snapshot, which)
    stays = np.isin(solved.question_id, kept)
    drawn = clusters(solved, resample)
    result: list[SideBySide] = []
    for index, entry in enumerate(solved.entries):
        asked = inside & (solved.answers[:, index] > 0)
        table = np.stack([solved.right[:, index], solved.answers[:, index]], axis=1)
        remaining = table * stays[:, None]
        full, part = (
            bootstrap.estimate(accuracy, table[mask], drawn[mask], cluster_word=resample)
            for mask in (asked, asked & stays)
        )
        difference = bootstrap.difference(
            accuracy, remaining[asked], table[asked], drawn[asked], cluster_word=resample
        )
        full, part = (accuracy.with_bound(estimate, resample) for estimate in (full, part))
        result.append(SideBySide(entry, full, part, difference))
    return result
