"""Every statistic and every coefficient of agreement as plain JSON values and as lines."""

from typing import TYPE_CHECKING, Any

from ui.commands._run_report import estimate_values

if TYPE_CHECKING:
    from annotations.scoring.human_accuracy import Resampled
    from annotations.scoring.snapshot import Snapshot
    from annotations.workspace import Workspace


def statistics_report(snapshot: "Snapshot", resample: "Resampled") -> list[dict[str, Any]]:
    """Every statistic of ``core/metrics`` of every run, and of people under every condition."""
    from annotations.scoring.solved_table import EVERY_QUESTION
    from annotations.scoring.statistics import figures

    return [
        {
            "statistic": figure.statistic,
            "label": figure.label,
            "model": figure.entry.model,
            "condition": figure.entry.condition,
            **estimate_values(figure.estimate),
        }
        for figure in figures(snapshot, EVERY_QUESTION, resample)
    ]


def agreement_report(workspace: "Workspace", snapshot: "Snapshot") -> list[dict[str, Any]]:
    """Every coefficient of ``core/agreements`` of every task that has answers."""
    from annotations.agreement.coefficients import agreement_table
    from annotations.planning.task_store import all_tasks
    from core.statistics.agreement import coefficient

    return [
        {
            "task": task.name,
            "coefficient": row.coefficient,
            "label": coefficient(row.coefficient).NAME,
            "distance": row.distance,
            **estimate_values(row.estimate),
        }
        for task in all_tasks(workspace)
        if task.answers
        for row in agreement_table(snapshot, task.id)
    ]


def figure_lines(report: dict[str, Any]) -> list[str]:
    """Both as text; statistics that have a table of their own in the report are not repeated."""
    others = [
        entry
        for entry in report["statistics"]
        if entry["statistic"] not in ("accuracy", "random_guess", "frequent_choice")
    ]
    headings = f"{'value':>8}{'low':>8}{'high':>8}{'n':>8}"
    lines: list[str] = []
    if others:
        lines += ["", f"{'Statistic':<22}{'Who':<24}{'Condition':<18}{headings}"]
        lines += [
            f"{_cut(entry['label'], 22)}{_cut(entry['model'], 24)}{_cut(entry['condition'], 18)}"
            f"{_numbers(entry)}"
            for entry in others
        ]
    if report["agreement"]:
        lines += ["", f"{'Agreement in':<32}{'Coefficient':<32}{headings}"]
        lines += [
            f"{_cut(entry['task'], 32)}{_cut(entry['label'], 32)}{_numbers(entry)}"
            for entry in report["agreement"]
        ]
    return lines


def _numbers(entry: dict[str, Any]) -> str:
    low, high = entry["exact"] or (entry["low"], entry["high"])
    texts = ["–" if value is None else f"{value:.3f}" for value in (entry["value"], low, high)]
    note = f"  {entry['reason']}" if entry["value"] is None and entry["reason"] else ""
    return f"{texts[0]:>8}{texts[1]:>8}{texts[2]:>8}{entry['n']:>8,}{note}"


def _cut(text: str, width: int) -> str:
    return f"{text if len(text) < width else text[: width - 2] + '…':<{width}}"
