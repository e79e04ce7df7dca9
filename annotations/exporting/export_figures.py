"""Figures that an export holds beside its rows: every statistic and every coefficient."""

from collections.abc import Iterator
from typing import Any

from annotations.agreement.coefficients import agreement_table
from annotations.exporting.export_files import Columns
from annotations.planning.task_store import all_tasks
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.statistics import figures
from annotations.workspace import Workspace
from core.statistics.agreement import coefficient
from core.statistics.metric import Estimate

Row = dict[str, Any]
_ESTIMATE: Columns = {
    "value": "number", "low": "number", "high": "number", "n": "integer", "clusters": "integer",
    "note": "text",
}  # fmt: skip
STATISTICS: Columns = {
    "statistic": "text", "label": "text", "model": "text", "condition": "text", **_ESTIMATE,
}  # fmt: skip
AGREEMENT: Columns = {
    "task": "text", "coefficient": "text", "label": "text", "distance": "text",
    "answers": "integer", **_ESTIMATE,
}  # fmt: skip


def statistics(snapshot: Snapshot) -> Iterator[Row]:
    """Every statistic of ``core/metrics`` of every run, and of people under every condition."""
    for figure in figures(snapshot):
        yield {
            "statistic": figure.statistic,
            "label": figure.label,
            "model": figure.entry.model,
            "condition": figure.entry.condition,
            **_values(figure.estimate),
        }


def agreement(workspace: Workspace, snapshot: Snapshot) -> Iterator[Row]:
    """Every coefficient of ``core/agreements`` of every task that has answers, among everybody."""
    for task in all_tasks(workspace):
        if not task.answers:
            continue
        for row in agreement_table(snapshot, task.id):
            yield {
                "task": task.name,
                "coefficient": row.coefficient,
                "label": coefficient(row.coefficient).NAME,
                "distance": row.distance,
                "answers": row.answers,
                **_values(row.estimate),
            }


def _values(estimate: Estimate) -> Row:
    low, high = estimate.exact or (estimate.low, estimate.high)
    return {
        "value": estimate.value, "low": low, "high": high, "n": estimate.n,
        "clusters": estimate.clusters, "note": estimate.reason,
    }  # fmt: skip
