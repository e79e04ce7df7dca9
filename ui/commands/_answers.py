"""People's answers of another tool on the terminal: shown, then written."""

import argparse
from collections import Counter
from typing import TYPE_CHECKING

from ui.commands import _asking as asking

if TYPE_CHECKING:
    from annotations.importing.answer_plan import AnswerPlan
    from annotations.video.library import Progress
    from annotations.workspace import Workspace

FIRST = 3


def bring_in(
    workspace: "Workspace",
    arguments: argparse.Namespace,
    columns: tuple[tuple[str, str], ...],
    progress: "Progress",
) -> int:
    """The exit status of importing files of people's answers."""
    from annotations.importing.answer_import import write_answers
    from annotations.importing.answer_plan import plan_answers
    from annotations.prediction_format import PredictionChoices

    choices = PredictionChoices(
        "", arguments.condition, columns, arguments.encoding, arguments.keys
    )
    plan = plan_answers(
        workspace, arguments.paths, choices, format_name=arguments.format, progress=progress
    )
    empty = "" if plan.matched else "no answer belongs to a stored question"
    return asking.write_plan(
        arguments,
        plan,
        empty,
        described=lambda: described(plan),
        write=lambda: asking.counts_of(write_answers(workspace, plan, progress=progress)),
        written=lambda counts: (
            f"{counts['new']:,} new answers of people, {counts['changed']:,} changed, "
            f"{counts['same']:,} there already."
        ),
    )


def described(plan: "AnswerPlan") -> str:
    """What will be written, for a person to check."""
    lines: list[str] = []
    for file in plan.files:
        names = ", ".join(path.name for path in file.files[:3])
        lines.append(f"People's answers   {file.source} ({names})")
        width = max(len(field) for field, _ in file.mapping)
        lines += [f"  {field:<{width}}  <- {source}" for field, source in file.mapping]
    right, keyed = plan.right
    lines += [
        "",
        f"{len(plan.people):,} people, {plan.matched:,} answers that count"
        + (f", {right:,} of {keyed:,} right" if keyed else ""),
        f"  conditions  {_counted(plan.conditions)}",
    ]
    if plan.left_out:
        lines.append(f"  left out    {_counted(plan.left_out)}")
    if plan.unmatched or plan.unread:
        lines.append(
            f"  not taken   {plan.unmatched:,} about no stored question, "
            f"{plan.unread:,} that name none of the options"
        )
    lines += ["", "First answers as read"]
    for answer in list(plan.answers.values())[:FIRST]:
        question = answer.match.question
        lines.append(f"  {question.uid}: {answer.draft.answer.response!r} is {answer.words}")
    lines.append("People get pseudonyms; they cannot sign in, and their time is not paid here.")
    return "\n".join([*lines, *asking.problem_lines(plan.problems)])


def _counted(counts: Counter[str]) -> str:
    pairs = [(name or "not said", count) for name, count in counts.most_common()]
    return ", ".join(f"{count:,} {name}" for name, count in pairs) or "none"
