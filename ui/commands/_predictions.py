"""Predictions on the terminal: what they are, how they were matched and read; then writing."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.number_text import percent_text
from ui.commands import _asking as asking

if TYPE_CHECKING:
    from annotations.importing.prediction_plan import PlannedAnswer, PlannedRun, PredictionPlan
    from annotations.video.library import Progress
    from annotations.workspace import Workspace

FIRST = 3
WIDEST = 100


def bring_in(
    workspace: "Workspace",
    arguments: argparse.Namespace,
    columns: tuple[tuple[str, str], ...],
    progress: "Progress",
) -> int:
    """The exit status of importing files of predictions."""
    from annotations.importing.prediction_import import plan_predictions, write_predictions
    from annotations.prediction_format import PredictionChoices

    choices = PredictionChoices(
        arguments.model, arguments.condition, columns, arguments.encoding, arguments.keys
    )
    plan = plan_predictions(
        workspace, arguments.paths, choices, format_name=arguments.format, progress=progress
    )
    empty = "" if plan.matched else "no reply belongs to a stored question"

    def write() -> dict[str, int]:
        stored = write_predictions(workspace, plan, progress=progress)
        return asking.counts_of(*(result for _, result in stored))

    runs = f"{len(plan.runs)} run{'s' if len(plan.runs) > 1 else ''}"
    return asking.write_plan(
        arguments,
        plan,
        empty,
        described=lambda: described(plan),
        write=write,
        written=lambda counts: (
            f"{counts['new']} new answers, {counts['changed']} changed, "
            f"{counts['same']} there already, in {runs}."
        ),
    )


def described(plan: "PredictionPlan") -> str:
    """What will be written, for a person to check."""
    lines: list[str] = []
    for file in plan.files:
        names = [path.name for path in file.files]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        lines.append(f"Predictions   {file.format} ({', '.join(names[:3])}{more})")
        width = max(len(field) for field, _ in file.mapping)
        lines += [f"  {field:<{width}}  <- {source}" for field, source in file.mapping]
    for run in plan.runs:
        lines += ["", *_run(run)]
    lines += [
        "",
        f"Matched {plan.matched:,} replies; {plan.unmatched:,} belong to no stored question. "
        f"The workspace holds {plan.questions:,} questions.",
    ]
    if plan.shortened:
        lines.append(f"{plan.shortened:,} rows show fewer options than their question has.")
    if plan.other_keys:
        lines.append(f"{plan.other_keys:,} rows have another key than stored; the stored counts.")
    return "\n".join([*lines, *asking.problem_lines(plan.problems)])


def _run(run: "PlannedRun") -> list[str]:
    lines = [
        f"{run.model or 'unnamed model'} · {run.condition or 'condition not said'}: "
        f"{len(run.answers):,} answers",
        f"  found by    {_counted(run.rules)}",
        f"  read as     {_counted(run.states)}",
        f"  writing     {_counted(run.writes)}",
    ]
    verdicts = run.verdicts
    n = len(run.answers) - verdicts["not comparable"]
    if n:
        ours = verdicts["both right"] + verdicts["only ours right"]
        theirs = verdicts["both right"] + verdicts["only theirs right"]
        lines.append(
            f"  scores      ours {percent_text(ours / n)}, theirs {percent_text(theirs / n)} of "
            f"{n:,}; differ in {verdicts['only ours right'] + verdicts['only theirs right']:,} "
            f"({verdicts['only ours right']:,} right by ours only, "
            f"{verdicts['only theirs right']:,} by theirs only)"
        )
    lines += ["  first replies", *(_reply(answer) for answer in list(run.answers.values())[:FIRST])]
    differing = run.differing
    if differing:
        more = f", the first {FIRST} of {len(differing)}" if len(differing) > FIRST else ""
        lines.append(f"  scored otherwise{more}")
        for answer in differing[:FIRST]:
            verdict = "right" if answer.right else "wrong"
            lines.append(f"{_reply(answer)}: {verdict} by ours, {answer.draft.score:g} by theirs")
    return lines


def _reply(answer: "PlannedAnswer") -> str:
    reply = " ".join((answer.draft.response or answer.draft.failure or "no reply").split())
    reply = reply if len(reply) <= WIDEST else f"{reply[: WIDEST - 1]}\u2026"
    chosen = "nothing" if answer.choice is None else answer.match.question.options[answer.choice]
    return f"    {answer.match.question.uid}: {reply!r} -> {chosen} ({answer.reading.rule})"


def _counted(counts: Mapping[str, int]) -> str:
    ranked = sorted(counts.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {count:,}" for name, count in ranked if count)
