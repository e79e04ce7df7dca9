"""Which of a filter's items people label: drawn by chance, more where the filter is in doubt.

What is near the threshold, or on which filters of the same task differ, is drawn more often, since
a label there says more (active statistical inference, Zrnic and Candès 2024). Each chance is
stored, because every estimate weighs a label by one over it.
"""

import numpy as np

from annotations.filter.filter_audit import verdicts
from annotations.filter.filter_table import Filtered, filtered
from annotations.filter.send_to_people import send_as_task
from annotations.filter_kind import is_filter
from annotations.people import now_text
from annotations.run.runs import runs_in
from annotations.scoring.snapshot import Snapshot
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.statistics import prediction_powered as powered
from core.statistics.metric import Floats
from core.statistics.threshold import REJECTED, UNJUDGED
from db.connection import rows

EVEN = 0.3  # which part of the labels is drawn evenly


def rejects(table: Filtered, threshold: float | None) -> Floats:
    """How likely the filter holds a rejection to be right, (items,) in [0, 1]; NaN without verdict.

    By its score, as far from the threshold as scores vary; without scores its verdict.
    """
    verdict = verdicts(table, threshold)
    judged = verdict != UNJUDGED
    likely = np.where(judged, (verdict == REJECTED).astype(np.float64), np.nan)
    scored = judged & np.isfinite(table.score)
    if threshold is None or not scored.any():
        return likely
    spread = float(np.std(table.score[scored])) or 1.0
    far = np.clip((table.score[scored] - threshold) / (spread / 3), -30, 30)
    likely[scored] = 1 / (1 + np.exp(far))
    return likely


def doubt(snapshot: Snapshot, table: Filtered, threshold: float | None) -> Floats:
    """How much a label of each item would say, (items,), 0 without a verdict.

    The spread of what the filter holds for likely, and which part of the other filters on the task
    says otherwise.
    """
    likely = rejects(table, threshold)
    known = np.isfinite(likely)
    spread = np.sqrt(np.where(known, likely * (1 - likely), 0.0))
    verdict = verdicts(table, threshold)
    others = [
        filtered(snapshot, run.id).model
        for run in runs_in(snapshot.database)
        if run.task_id == table.run.task_id and run.id != table.run.id and is_filter(run.kind)
    ]
    apart = np.zeros(len(likely))
    for other in others:
        apart += (other != UNJUDGED) & (other != verdict)
    return np.where(known, spread + apart / max(len(others), 1), 0.0)


def draw(
    workspace: Workspace,
    snapshot: Snapshot,
    table: Filtered,
    budget: int,
    name: str,
    *,
    threshold: float | None = None,
    overlap: int = 1,
) -> int:
    """The id of a new task in which people label what was drawn; the chances are stored.

    What an earlier sample of this filter has drawn is not drawn again.

    Args:
        budget: how many labels, at least 10.
        threshold: near which more is drawn; None for the filter's own verdicts.

    Raises:
        ValueError: for too small a budget, or as `send_as_task`.
    """
    if budget < powered.LEAST_LABELS:
        raise Refusal(f"{budget} labels say too little. Draw {powered.LEAST_LABELS} or more.")
    known = np.flatnonzero(np.isfinite(rejects(table, threshold)))
    if not len(known):
        raise Refusal("The filter has given no verdict yet, so there is nothing to draw from.")
    earlier = _samples(snapshot, table.run.id)
    seed = len(earlier)
    chance = powered.chances(doubt(snapshot, table, threshold)[known], budget, even=EVEN)
    fresh = ~np.isin(table.item_id[known], [item for _, items in earlier for item in items])
    chosen = powered.drawn(chance * fresh, seed) & fresh
    if not chosen.any():
        raise Refusal("Everything that could be drawn was drawn already.")
    task_id = send_as_task(workspace, table, known[chosen], name, overlap)
    with workspace.store.write() as database:
        sample = database.conn.execute(
            "INSERT INTO label_sample (run_id, task_id, seed, threshold, created_at)"
            " VALUES (?, ?, ?, ?, ?) RETURNING id",
            [table.run.id, task_id, seed, threshold, now_text()],
        ).fetchone()[0]
        database.conn.executemany(
            "INSERT INTO label_chance (sample_id, item_id, chance, drawn) VALUES (?, ?, ?, ?)",
            [
                [sample, int(table.item_id[row]), float(probability), int(is_drawn)]
                for row, probability, is_drawn in zip(known, chance, chosen, strict=True)
            ],
        )
    return task_id


def _samples(snapshot: Snapshot, run_id: int) -> list[tuple[int, list[int]]]:
    """Each sample of a filter and the items that it has drawn."""
    samples: dict[int, list[int]] = {}
    for row in rows(
        snapshot.database,
        "SELECT s.id, c.item_id FROM label_sample s LEFT JOIN label_chance c ON c.sample_id = s.id"
        " AND c.drawn WHERE s.run_id = ? ORDER BY s.id",
        [run_id],
    ):
        samples.setdefault(row["id"], [])
        if row["item_id"] is not None:
            samples[row["id"]].append(row["item_id"])
    return list(samples.items())


def stored_chances(snapshot: Snapshot, table: Filtered) -> tuple[Floats, Floats]:
    """For each item whether a sample has drawn it, and with what chance any sample would, (items,).

    With several samples the chance is that of being drawn by at least one of them.
    """
    index = {int(item): row for row, item in enumerate(table.item_id.tolist())}
    drawn, missed = np.zeros(len(index)), np.ones(len(index))
    for item, chance, is_drawn in snapshot.tuples(
        "SELECT c.item_id, c.chance, c.drawn FROM label_chance c"
        " JOIN label_sample s ON s.id = c.sample_id WHERE s.run_id = ?",
        [table.run.id],
    ):
        row = index.get(item)
        if row is not None:
            drawn[row] = max(drawn[row], is_drawn)
            missed[row] *= 1 - chance
    return drawn, 1 - missed
