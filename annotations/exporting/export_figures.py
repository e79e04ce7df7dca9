"""Figures that an export holds beside its rows: every statistic and every coefficient."""

from collections.abc import Iterator
from typing import Any

from annotations.agreement.agreement_population import agreement_population
from annotations.agreement.coefficients import agreement_table
from annotations.exporting.export_files import Columns
from annotations.free_answers.several_right import several_right
from annotations.planning.task_store import all_tasks
from annotations.scoring.population import LEFT_OUT, SEEN, Population
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.statistics import figures
from annotations.shortcut.option_positions import option_positions
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
POSITIONS: Columns = {
    "model": "text", "condition": "text", "position": "text", "answers": "integer",
    "keys": "integer", "chosen": "integer", "p_value": "number", **_ESTIMATE,
}  # fmt: skip
AGREEMENT: Columns = {
    "task": "text", "coefficient": "text", "label": "text", "distance": "text",
    "answers": "integer", **_ESTIMATE,
}  # fmt: skip

POPULATION: Columns = {"figure": "text", "part": "text", "words": "text", "count": "integer"}
ACCURACY = "accuracy of people"
EARLIER = "to an earlier version of their question, which was not asked again"


def statistics(snapshot: Snapshot) -> Iterator[Row]:
    """Every statistic of ``core/metrics`` of every run, and of people under every condition.

    Where several options may be right, how often exactly these are chosen stands after them.
    """
    for figure in figures(snapshot):
        yield {
            "statistic": figure.statistic,
            "label": figure.label,
            "model": figure.entry.model,
            "condition": figure.entry.condition,
            **_values(figure.estimate),
        }
    for line in several_right(snapshot):
        yield {
            "statistic": "several_right", "label": "Exactly the right options",
            "model": line.who, "condition": line.condition, **_values(line.exact),
        }  # fmt: skip


def positions(snapshot: Snapshot) -> Iterator[Row]:
    """How often each position of an option is chosen and holds the key; the value is the gap."""
    for entry_positions in option_positions(snapshot):
        for share in entry_positions.shares:
            yield {
                "model": entry_positions.entry.model,
                "condition": entry_positions.entry.condition,
                "position": share.position,
                "answers": entry_positions.answers,
                "keys": share.keys,
                "chosen": share.chosen,
                "p_value": share.p_value,
                **_values(share.difference),
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


def populations(workspace: Workspace, snapshot: Snapshot) -> Iterator[Row]:
    """Which answers those figures stand on and what is left out of them, counted, a row each."""
    yield from _population(ACCURACY, population(snapshot))
    for task in all_tasks(workspace):
        if task.answers:
            stands_on = agreement_population(snapshot, task.id)
            yield from _population(f"agreement in {task.name}", stands_on)


def _population(figure: str, stands_on: Population) -> Iterator[Row]:
    parts = [
        ("stands on", stands_on.words, stands_on.stands_on),
        *(("left out", why, count) for why, count in stands_on.answers),
        *(("videos left out", why, count) for why, count in stands_on.videos_lost),
        *(("among them", f"answers that are {whose}", count) for whose, count in stands_on.among),
    ]
    if stands_on.seen:
        parts.append(("among them", LEFT_OUT[SEEN], stands_on.seen))
    if stands_on.earlier:
        parts.append(("among them", EARLIER, stands_on.earlier))
    for part, words, count in parts:
        yield {"figure": figure, "part": part, "words": words, "count": count}


def _values(estimate: Estimate) -> Row:
    low, high = estimate.bounds
    return {
        "value": estimate.value, "low": low, "high": high, "n": estimate.n,
        "clusters": estimate.clusters, "note": estimate.reason,
    }  # fmt: skip
