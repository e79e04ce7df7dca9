"""`rushes report`: funnel, metrics, runs, agreement and shortcuts as one HTML file."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.commands import metrics
from ui.commands._every_figure import several_right_report
from ui.commands._run_report import run_report

if TYPE_CHECKING:
    from annotations.publishing.html_report import Section
    from annotations.scoring.snapshot import Snapshot
    from annotations.workspace import Workspace

NAME = "report"
HELP = "write metrics, runs, agreement and shortcuts to one HTML file"
_ESTIMATE = ("%", "from", "to", "n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file and the workspace."""
    parser.add_argument("file", type=Path, metavar="FILE.html")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("--resample", choices=("video", "question"), default="video")
    parser.add_argument(
        "--leave-out-seen",
        action="store_true",
        help="leave out people's answers about clips that they had met under a richer condition",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the report of the answers stored at this moment."""
    from annotations.publishing.html_report import html_report
    from annotations.scoring.snapshot import take
    from annotations.workspace import Workspace

    if arguments.file.is_dir():
        raise ValueError(f"{arguments.file} is a folder. Name a file, such as report.html.")
    workspace = Workspace.open(arguments.workspace)
    try:
        with take(workspace, leave_out_seen=arguments.leave_out_seen) as snapshot:
            figures = metrics.report(snapshot, arguments.resample)
            figures |= run_report(snapshot, arguments.resample)
            sections = [
                _funnel(workspace), *_people(figures), *_runs(figures),
                *_several(several_right_report(snapshot, arguments.resample)), _shortcuts(figures),
                *_agreement(snapshot), _population(snapshot),
            ]  # fmt: skip
        method = figures["method"]
        notes = [
            f"Written {datetime.now(UTC):%Y-%m-%d %H:%M} UTC from what was stored at that moment.",
            f"Intervals: {method['interval']}, {method['resamples']:,} resamples of "
            f"{method['resampled']}s, seed {method['seed']}.",
        ]
        page = html_report(f"{workspace.settings.name}: report", notes, sections)
    finally:
        workspace.close()
    arguments.file.parent.mkdir(parents=True, exist_ok=True)
    arguments.file.write_text(page, encoding="utf-8")
    print(f"{arguments.file}\t{len(page.encode()):,} bytes")
    return 0


def _funnel(workspace: "Workspace") -> "Section":
    """The stages of the page Start: what came through each, and what waits for whom."""
    from annotations.funnel.stages import stages
    from annotations.publishing.html_report import Bar, Section

    life = stages(workspace)
    if not life:
        return Section("Funnel", ["Nothing has come in yet."])
    cells = [
        (stage.name, stage.count, stage.unit if stage.count == 1 else f"{stage.unit}s", stage.of,
         None if stage.share is None else 100 * stage.share, stage.waits)
        for stage in life
    ]  # fmt: skip
    bars = [Bar(stage.name, stage.share) for stage in life if stage.share is not None]
    columns = ("Stage", "Count", "Of what", "Of how many", "Kept, %", "Waits")
    notes = ["What came through each stage, from footage to answers, and what waits for whom."]
    return Section("Funnel", notes, columns, cells, bars)


def _people(figures: dict[str, Any]) -> list["Section"]:
    from annotations.publishing.html_report import Bar, Section

    sections: list[Section] = []
    parts = [("Accuracy of people by condition", figures["conditions"]),
             ("Accuracy of people by category", figures["categories"]),
             *((f"Accuracy of people by {name}", rows) for name, rows in figures["tags"].items()),
             ("Accuracy by person", figures["people"])]  # fmt: skip
    for title, rows in parts:
        if not rows:
            continue
        bars = [
            Bar(f"{row['group']} {row['condition']}".strip(), row["value"], row["low"], row["high"])
            for row in rows
        ]
        cells = [
            (row["group"], row["condition"], *_numbers(row), row["questions"], row["videos"])
            for row in rows
        ]
        columns = ("Group", "Condition", *_ESTIMATE, "Questions", "Videos")
        sections.append(Section(title, (), columns, cells, bars))
    if not sections:
        sections.append(Section("Accuracy of people", ["No person has answered yet."]))
    return sections


def _runs(figures: dict[str, Any]) -> list["Section"]:
    from annotations.publishing.html_report import Bar, Section

    rows = figures["runs"]
    if not rows:
        return [Section("Runs", ["No run has answered yet."])]
    cells = [
        (row["model"], row["condition"], *_numbers(row), row["answered"], row["asked"],
         sum(number for state, number in row["states"].items() if state != "read"), row["failed"])
        for row in rows
    ]  # fmt: skip
    bars = [
        Bar(f"{row['model']} · {row['condition']}", row["value"], row["low"], row["high"])
        for row in rows
    ]
    columns = ("Model", "Condition", *_ESTIMATE, "Answered", "Asked", "Not read", "Failed")
    return [Section("Runs", ["Replies that no rule reads count as wrong."], columns, cells, bars)]


def _several(rows: list[dict[str, Any]]) -> list["Section"]:
    from annotations.publishing.html_report import Section

    notes = ["An answer is right where it holds all the right options and no other."]
    cells = [(row["who"], row["condition"], *_numbers(row), row["questions"]) for row in rows]
    columns = ("Who", "Condition", *_ESTIMATE, "Questions")
    return [Section("Several options may be right", notes, columns, cells)] if cells else []


def _shortcuts(figures: dict[str, Any]) -> "Section":
    from annotations.publishing.html_report import Section

    rows = figures["shortcut_metrics"]
    if not rows:
        return Section("Shortcuts", ["No model has answered under two conditions yet."])
    cells = [
        (row["model"], row["metric"], row["above"], row["below"], *_numbers(row), row["reason"])
        for row in rows
    ]
    columns = ("Model", "Metric", "Above", "Below", *_ESTIMATE, "Why undefined")
    return Section("Shortcuts", (), columns, cells)


def _agreement(snapshot: "Snapshot") -> list["Section"]:
    from annotations.agreement.agreement_population import agreement_population
    from annotations.agreement.coefficients import agreement_table
    from annotations.publishing.html_report import Section
    from annotations.record.task import task_counts

    cells: list[tuple[object, ...]] = []
    notes: list[str] = []
    for task in task_counts(snapshot.database):
        if not task.answers:
            continue
        stands_on = agreement_population(snapshot, task.id, "people")
        notes.append("; ".join([stands_on.words, *stands_on.sentences()]) + ".")
        for row in agreement_table(snapshot, task.id, among="people"):
            estimate = row.estimate
            value = None if estimate.value is None else f"{estimate.value:.3f}"
            bounds = ["" if end is None else f"{end:.3f}" for end in estimate.bounds]
            cells.append((task.name, row.coefficient, row.distance, value, *bounds, row.answers,
                          estimate.reason))  # fmt: skip
    if not cells:
        return [Section("Agreement", ["No answers yet."])]
    columns = ("Task", "Coefficient", "Distance", "Value", "From", "To", "Answers", "Why undefined")
    return [Section("Agreement between people", notes, columns, cells)]


def _population(snapshot: "Snapshot") -> "Section":
    """Which answers of people and models the figures stand on, and what is left out of them."""
    from annotations.publishing.html_report import Section
    from annotations.scoring.run_counts import left_out
    from annotations.scoring.score_coverage import population
    from annotations.scoring.solved_table import EVERY_QUESTION

    people = population(snapshot)
    sentences = [people.words, *(people.sentences() or ["Nothing is left out"])]
    sentences += [f"Runs: {words}" for words in left_out(snapshot, EVERY_QUESTION)]
    return Section("What is left out", [f"{words}." for words in sentences])


def _numbers(row: dict[str, Any]) -> tuple[object, ...]:
    """Percent with its interval, and n."""
    low, high = row["exact"] or (row["low"], row["high"])
    shares = [None if share is None else 100.0 * share for share in (row["value"], low, high)]
    return (*shares, row["n"])
