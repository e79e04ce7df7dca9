"""Verdicts on videos on the terminal: a filter's or people's, shown, then written."""

import argparse
from typing import TYPE_CHECKING

from core.refusal import Refusal
from ui.commands import _asking as asking

if TYPE_CHECKING:
    from annotations.importing.verdict_plan import VerdictPlan
    from annotations.video.library import Progress
    from annotations.workspace import Workspace

MOST_REASONS = 12


def bring_in(
    workspace: "Workspace",
    arguments: argparse.Namespace,
    columns: tuple[tuple[str, str], ...],
    progress: "Progress",
) -> int:
    """The exit status of importing tables with one verdict a row."""
    from annotations.importing.verdict_import import write_verdicts
    from annotations.importing.verdict_plan import plan_verdicts
    from annotations.prediction_format import PredictionChoices
    from annotations.prediction_formats.table import SUFFIXES, open_table

    progress("Reading verdicts", 0, len(arguments.paths))
    for path in arguments.paths:
        if not path.is_file() or path.suffix.lower() not in SUFFIXES:
            raise Refusal(f"{path} is no table. Allowed: {', '.join(SUFFIXES)}.")
    tables = [open_table(path, arguments.encoding) for path in arguments.paths]
    plan = plan_verdicts(workspace, tables, PredictionChoices(arguments.model, "", columns))
    progress("Reading verdicts", len(arguments.paths), len(arguments.paths))
    empty = "" if plan.drafts else "no verdict is about a video that is here"
    return asking.write_plan(
        arguments,
        plan,
        empty,
        described=lambda: described(plan),
        write=lambda: asking.counts_of(write_verdicts(workspace, plan)),
        written=lambda counts: (
            f"{counts['new']:,} new verdicts, {counts['changed']:,} changed, "
            f"{counts['same']:,} there already. The page Filters compares models with people."
        ),
    )


def described(plan: "VerdictPlan") -> str:
    """What will be written, for a person to check."""
    lines = [f"Verdicts   {', '.join(path.name for path in plan.files)}"]
    width = max(len(field) for field, _ in plan.mapping)
    lines += [f"  {field:<{width}}  <- {column}" for field, column in plan.mapping]
    whose: dict[str, int] = {}
    for by, _ in plan.drafts:
        whose[by] = whose.get(by, 0) + 1
    counts = plan.counts
    lines += ["", f"{counts['accept']:,} accepted, {counts['reject']:,} rejected, by "]
    lines[-1] += (
        ", ".join(f"{name} ({count:,})" for name, count in whose.items())
        if plan.of_models
        else f"{len(whose):,} people, who get pseudonyms"
    )
    reasons = plan.reasons.most_common(MOST_REASONS)
    if reasons:
        lines.append("  reasons   " + ", ".join(f"{name} {count:,}" for name, count in reasons))
    if plan.unmatched:
        lines.append(f"  not taken {plan.unmatched:,} rows about no video that is here")
    return "\n".join([*lines, *asking.problem_lines(plan.problems)])
