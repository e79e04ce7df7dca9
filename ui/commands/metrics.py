"""`rushes metrics`: how often people and runs are right, with intervals and what is left out."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.number_text import percent_text
from ui.commands._every_figure import (
    agreement_populations,
    agreement_report,
    figure_lines,
    several_right_report,
    statistics_report,
)
from ui.commands._run_report import estimate_values, run_lines, run_report

if TYPE_CHECKING:
    from annotations.scoring.human_accuracy import Resampled, Row
    from annotations.scoring.snapshot import Snapshot

NAME = "metrics"
HELP = "show how often people and models answer right"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The workspace, what the intervals resample, and whether to print JSON."""
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--resample",
        choices=("video", "question"),
        default="video",
        help="what the 95 %% bootstrap intervals draw again (default: video)",
    )
    parser.add_argument(
        "--table",
        metavar="BY",
        help="models by category, duration or a tag under --condition, as Markdown with ±",
    )
    parser.add_argument(
        "--condition", default="full video", help="of --table (default: %(default)s)"
    )
    parser.add_argument(
        "--common", action="store_true", help="--table on questions that every model answered"
    )
    parser.add_argument(
        "--leave-out-seen",
        action="store_true",
        help="leave out people's answers about clips that they had met under a richer condition",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the metrics of the answers stored at this moment."""
    from annotations.scoring.snapshot import take
    from annotations.workspace import Workspace

    workspace = Workspace.open(arguments.workspace)
    with take(workspace, leave_out_seen=arguments.leave_out_seen) as snapshot:
        if arguments.table:
            print("\n".join(table_lines(snapshot, arguments)))
            return 0
        values = report(snapshot, arguments.resample) | run_report(snapshot, arguments.resample)
        values["several_right"] = several_right_report(snapshot, arguments.resample)
        values["agreement"] = agreement_report(workspace, snapshot)
        values["agreement_population"] = agreement_populations(workspace, snapshot)
    if arguments.json:
        print(json.dumps(values, ensure_ascii=False, indent=2))
    else:
        print("\n".join([*_lines(values), *run_lines(values), *figure_lines(values)]))
    return 0


def table_lines(snapshot: "Snapshot", arguments: argparse.Namespace) -> list[str]:
    """The table of models by groups of questions, and what its people stand on."""
    from annotations.scoring.pivot import pivot
    from annotations.scoring.score_coverage import population
    from annotations.scoring.solved_table import Which

    which = Which(common=arguments.common)
    table = pivot(snapshot, arguments.table, arguments.condition, which, arguments.resample)
    people = population(snapshot)
    sentences = (*table.without_interval(), people.words, *people.sentences())
    return [*table.as_lines(), "", *[f"{words}." for words in sentences]]


def report(snapshot: "Snapshot", resample: "Resampled") -> dict[str, Any]:
    """Everything the metrics page shows, as plain JSON values; shares in [0, 1], None undefined."""
    from annotations.scoring import human_accuracy, score_coverage
    from core.statistics import bootstrap

    def table(by: str, condition: str | None = None) -> list[dict[str, Any]]:
        rows = human_accuracy.accuracy_table(
            snapshot, by=by, condition=condition, resample=resample
        )
        return [_row(row) for row in rows]

    guess, frequent = human_accuracy.baselines(snapshot, resample)
    population = score_coverage.population(snapshot)
    return {
        "method": {
            "interval": f"{percent_text(bootstrap.LEVEL, 0)} percentile bootstrap",
            "resampled": resample,
            "resamples": bootstrap.RESAMPLES,
            "seed": bootstrap.SEED,
        },
        "overall": next(iter(table("condition", human_accuracy.EVERYTHING))),
        "conditions": table("condition"),
        "categories": table("category"),
        "tags": {name: table(name) for name in human_accuracy.tags(snapshot)},
        "people": table("person"),
        "differences": [
            {
                "first": entry.first,
                "second": entry.second,
                "questions": entry.questions,
                **estimate_values(entry.estimate),
            }
            for entry in human_accuracy.differences(snapshot, resample)
        ],
        "baselines": {
            "random_guess": {
                **estimate_values(guess.estimate),
                "drawn": guess.drawn,
                "drawn_seed": human_accuracy.DRAW_SEED,
            },
            "most_frequent_option": estimate_values(frequent.estimate),
        },
        "progress": [
            {"condition": entry.condition, "answers": entry.answers, "wanted": entry.wanted}
            for entry in score_coverage.progress(snapshot)
        ],
        "statistics": statistics_report(snapshot, resample),
        "weighted_to_all_questions": {
            condition: estimate_values(estimate)
            for condition, estimate in human_accuracy.weighted(snapshot, resample)
        },
        "population": population.as_dict(),
        "left_out": {
            "answers": dict(population.answers),
            "videos": dict(population.videos_lost),
            "questions": population.questions_lost,
            "seen_before": population.seen,
            "earlier_version": population.earlier,
            "words": population.sentences(),
        },
    }


def _row(row: "Row") -> dict[str, Any]:
    return {
        "group": row.group,
        "condition": row.condition,
        **estimate_values(row.accuracy),
        "people_like_these": {
            "low": row.like_these.low,
            "high": row.like_these.high,
            "reason": row.like_these.reason,
        },
        "beside_the_options": dict(row.beside),
        "questions": row.questions,
        "videos": row.videos,
        "active_s": round(row.active_s, 3),
        "random_guess": row.random_guess,
        "most_frequent_option": row.frequent_choice,
    }


def _lines(report: dict[str, Any]) -> list[str]:
    """The report as text for a terminal."""
    sections = [
        ("Condition", report["conditions"]),
        ("Category", report["categories"]),
        *((name.replace("_", " ").capitalize(), rows) for name, rows in report["tags"].items()),
        ("Person", report["people"]),
    ]
    lines: list[str] = []
    for heading, rows in sections:
        if rows:
            lines += ["", *_table(heading, rows)]
    if report["several_right"]:
        lines += ["", f"{'Several right, the very set':<43}{_HEADINGS}"]
    for entry in report["several_right"]:
        name = f"{entry['who']}, {entry['condition']}"
        lines.append(f"{_cut(name, 43)}{_numbers(entry)}")
    if report["differences"]:
        lines += ["", "Difference, in percentage points"]
    for entry in report["differences"]:
        name = f"{entry['first']} - {entry['second']}"
        lines.append(f"{_cut(name, 43)}{_numbers(entry, '+')}")
    lines += ["", f"{'Baseline':<43}{_HEADINGS}"]
    lines.append(f"{'Random guess':<43}{_numbers(report['baselines']['random_guess'])}")
    lines.append(
        f"{'Most frequent option':<43}{_numbers(report['baselines']['most_frequent_option'])}"
    )
    method = report["method"]
    lines += [
        "",
        report["population"]["words"][0],
        *(report["left_out"]["words"] or ["Nothing is left out"]),
        f"Intervals: {method['interval']}, {method['resamples']:,} resamples of "
        f"{method['resampled']}s. * every answer right, or every one wrong: exact bounds.",
    ]
    return lines[1:] if lines[0] == "" else lines


_HEADINGS = f"{'%':>7}{'low':>8}{'high':>8}{'n':>9}"


def _table(heading: str, rows: list[dict[str, Any]]) -> list[str]:
    grouped = heading != "Condition"
    title = f"{heading:<24}{'Condition':<19}" if grouped else f"{heading:<43}"
    lines = [f"{title}{_HEADINGS}"]
    for row in rows:
        name = (
            f"{_cut(row['group'], 24)}{_cut(row['condition'], 19)}"
            if grouped
            else _cut(row["condition"], 43)
        )
        lines.append(f"{name}{_numbers(row)}")
    return lines


def _numbers(entry: dict[str, Any], sign: str = "") -> str:
    low, high = entry["exact"] or (entry["low"], entry["high"])
    shares = [entry["value"], low, high]
    texts = ["–" if share is None else f"{100 * share:{sign}.1f}" for share in shares]
    mark = "*" if entry["exact"] else ""
    note = f"  {entry['reason']}" if entry["low"] is None and entry["reason"] else ""
    return f"{texts[0]:>7}{texts[1]:>8}{texts[2] + mark:>8}{entry['n']:>9,}{note}"


def _cut(text: str, width: int) -> str:
    return f"{text if len(text) < width else text[: width - 2] + '…':<{width}}"
