"""`rushes checks`: what a machine finds fault with in the questions, each with its reason."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from core.number_text import percent_text

if TYPE_CHECKING:
    from annotations.generation.question_checks import CheckReport

NAME = "checks"
HELP = "find questions that name their action, have uneven or overlapping options, and the like"
SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which workspace."""
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print every flag as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the report. The exit status is 0 whatever is found: flags are for people to look at."""
    from annotations.generation.question_checks import check_workspace
    from annotations.workspace import Workspace

    workspace = Workspace.open(arguments.workspace)
    try:
        report = check_workspace(workspace)
    finally:
        workspace.close()
    if arguments.json:
        print(json.dumps(report.to_dict(), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(report)))
    return 0


def _lines(report: "CheckReport") -> list[str]:
    from core.check import check

    if not report.questions:
        return ["No questions with options yet. Import some: rushes import."]
    lines = [f"{report.flagged:,} of {report.questions:,} questions have something to look at:"]
    lines += [
        f"  {count:6,}  {check(name).TITLE}" for name, count in report.counts.items() if count
    ]
    lines += [f"All together: {entry.flag.reason}." for entry in report.in_set]
    for guess in report.guesses:
        if guess.share is not None:
            chance = 100 * guess.chance / guess.questions
            lines.append(
                f"Without the video, {guess.rule}: {percent_text(guess.share)} right (chance"
                f" {chance:.1f} %)"
            )
    for entry in report.flags[:SHOWN]:
        where = f", {entry.flag.where}" if entry.flag.where else ""
        lines.append(f"{entry.uid}{where}: {entry.flag.reason}")
    if len(report.flags) > SHOWN:
        lines.append(f"and {len(report.flags) - SHOWN:,} more; all of them with --json")
    return lines
