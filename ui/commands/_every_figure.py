"""Every statistic and every coefficient of agreement as plain JSON values and as lines."""

from typing import TYPE_CHECKING, Any

from ui.commands._run_report import estimate_values

if TYPE_CHECKING:
    from annotations.agreement.groups import Among
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


def several_right_report(snapshot: "Snapshot", resample: "Resampled") -> list[dict[str, Any]]:
    """How often people and models choose the very set, where several options may be right."""
    from annotations.free_answers.several_right import several_right

    return [
        {
            "who": line.who,
            "condition": line.condition,
            "questions": line.questions,
            "people": line.people,
            **estimate_values(line.exact),
            "people_like_these": None if line.like_these is None else {
                "low": line.like_these.low, "high": line.like_these.high,
                "reason": line.like_these.reason,
            },
        }
        for line in several_right(snapshot, resample)
    ]  # fmt: skip


def agreement_report(workspace: "Workspace", snapshot: "Snapshot") -> list[dict[str, Any]]:
    """Every coefficient of ``core/agreements``: among whoever decides a task, and among models."""
    from annotations.agreement.coefficients import agreement_table
    from core.statistics.agreement import coefficient

    return [
        {
            "task": name,
            "among": among,
            "coefficient": row.coefficient,
            "label": coefficient(row.coefficient).NAME,
            "distance": row.distance,
            **estimate_values(row.estimate),
        }
        for name, number, among in _tasks_among(workspace, snapshot)
        for row in agreement_table(snapshot, number, among=among)
    ]


def agreement_populations(workspace: "Workspace", snapshot: "Snapshot") -> list[dict[str, Any]]:
    """Which answers the agreement of each task stands on, and what is left out."""
    from annotations.agreement.agreement_population import agreement_population

    return [
        {"task": name, "among": among, **agreement_population(snapshot, number, among).as_dict()}
        for name, number, among in _tasks_among(workspace, snapshot)
    ]


def _tasks_among(workspace: "Workspace", snapshot: "Snapshot") -> "list[tuple[str, int, Among]]":
    """Name and id of each task that has answers, and whose: of those who decide, or of runs."""
    from annotations.agreement.groups import tasks_of_runs
    from annotations.planning.task_store import all_tasks

    of_runs = tasks_of_runs(snapshot)
    listed: list[tuple[str, int, Among]] = []
    for task in all_tasks(workspace):
        if task.answers:
            listed.append((task.name, task.id, "everybody"))
        if task.id in of_runs:
            listed.append((task.name, task.id, "models"))
    return listed


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
            f"{_cut(_task_words(entry), 32)}{_cut(entry['label'], 32)}{_numbers(entry)}"
            for entry in report["agreement"]
        ]
        lines += [f"{'; '.join(entry['words'])}." for entry in report["agreement_population"]]
    return lines


def _task_words(entry: dict[str, Any]) -> str:
    return f"{entry['task']}, models" if entry["among"] == "models" else str(entry["task"])


def _numbers(entry: dict[str, Any]) -> str:
    low, high = entry["exact"] or (entry["low"], entry["high"])
    texts = ["–" if value is None else f"{value:.3f}" for value in (entry["value"], low, high)]
    note = f"  {entry['reason']}" if entry["value"] is None and entry["reason"] else ""
    return f"{texts[0]:>8}{texts[1]:>8}{texts[2]:>8}{entry['n']:>8,}{note}"


def _cut(text: str, width: int) -> str:
    return f"{text if len(text) < width else text[: width - 2] + '…':<{width}}"
