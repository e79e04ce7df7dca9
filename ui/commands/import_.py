"""`rushes import PATH...`: questions, videos and predictions, shown before they are written."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from core.refusal import Refusal
from ui.commands import _answers as answers
from ui.commands import _asking as asking
from ui.commands import _predictions as predictions
from ui.commands import _verdicts as verdicts

if TYPE_CHECKING:
    from annotations.importing.import_plan import ImportPlan
    from annotations.workspace import Workspace

NAME = "import"
HELP = "bring in questions, videos, predictions and people's answers; shown before it is written"
KINDS = ("questions", "predictions", "answers", "verdicts")
ALL = "all"
SHOWN_CONFLICTS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What, where to, and how to read it."""
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="file or folder")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("--format", default="", metavar="NAME", help="instead of detecting it")
    parser.add_argument("--videos", type=Path, metavar="DIR", help="folder of the videos")
    parser.add_argument(
        "--as",
        dest="kind",
        default="",
        choices=KINDS,
        help="what the files hold, where it is not to be told from them",
    )
    parser.add_argument("--model", default="", metavar="NAME", help="of predictions")
    parser.add_argument(
        "--condition", default="", metavar="TEXT", help="what the model saw, such as '16 frames'"
    )
    parser.add_argument(
        "--map",
        "--column",
        dest="map",
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="a field's column; id=video+qid joins two, options=A,B,C takes one each, tag=COLUMN",
    )
    parser.add_argument(
        "--keys",
        default="",
        choices=("letters", "0", "1", "text"),
        help="how answers are written: letters, positions from 0 or from 1, texts",
    )
    parser.add_argument(
        "--take-file",
        action="append",
        default=[],
        metavar="UID",
        help="where a question was edited here and in the file, take the file's; 'all' for each",
    )
    parser.add_argument("--encoding", default="", metavar="NAME", help="of text files")
    parser.add_argument("--yes", action="store_true", help="write without asking")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check, show, ask, write.

    The exit status is 0 if everything readable was imported and the rest was listed; 1 if there
    was nothing to import, something is left to decide or the answer was no; 2 if there was nobody
    to ask.
    """
    from annotations.exporting.export_folder import is_export
    from annotations.workspace import Workspace

    workspace = Workspace.open(arguments.workspace)
    try:
        if any(is_export(path) for path in arguments.paths):
            return _bring_in_export(workspace, arguments)
        kind = _kind(arguments)
        if kind != "questions":
            ways = {"predictions": predictions, "answers": answers, "verdicts": verdicts}
            pairs = _pairs(arguments.map)
            return ways[kind].bring_in(workspace, arguments, pairs, asking.progress())
        unseen = set[str](arguments.take_file) - {ALL}
        status = max(
            _bring_in_questions(workspace, path, arguments, unseen) for path in arguments.paths
        )
        for uid in sorted(unseen):
            print(f"--take-file {uid}: not edited both here and in a file.", file=sys.stderr)
        return status
    finally:
        workspace.close()


def _bring_in_export(workspace: "Workspace", arguments: argparse.Namespace) -> int:
    """The exit status of bringing a folder of `rushes export` into an empty workspace."""
    from annotations.exporting.export_folder import check_export, restore_export

    if len(arguments.paths) > 1:
        raise ValueError("An export is imported alone. Name its folder and nothing else.")
    [path] = arguments.paths
    counts = check_export(workspace, path)
    if not arguments.json:
        print(f"Export   {path}")
        print("\n".join(f"  {name:<20}{count:>9,}" for name, count in counts.items() if count))
    status = asking.may_write("", "", yes=arguments.yes)
    if status is None:
        restore_export(workspace, path)
    if arguments.json:
        print(json.dumps({"written": status is None, "format": "export", "rows": counts}))
    elif status is None:
        print(
            f"\nWritten: {counts.get('question', 0):,} questions, "
            f"{counts.get('annotation', 0):,} answers. The files of videos are not in an export: "
            "import the folder that holds them."
        )
    return status or 0


def _kind(arguments: argparse.Namespace) -> str:
    """What the paths hold: one of `KINDS`.

    Raises:
        ValueError: if some hold this and some that.
    """
    from annotations.answer_format import holds_answers
    from annotations.prediction_format import holds_predictions

    if arguments.kind or arguments.model:
        return arguments.kind or "predictions"
    kinds = {
        "answers" if holds_answers(path) else KINDS[holds_predictions(path)]
        for path in arguments.paths
    }
    if len(kinds) > 1:
        raise Refusal(
            "The files hold different things: " + ", ".join(sorted(kinds)) + ". Import the "
            "questions first, then the others, each kind by itself."
        )
    if arguments.condition and kinds == {"questions"}:
        return "predictions"
    return kinds.pop()


def _bring_in_questions(
    workspace: "Workspace", path: Path, arguments: argparse.Namespace, unseen: set[str]
) -> int:
    """The exit status of importing one path of questions or videos.

    Args:
        unseen: conflicts named by the person; those that this path has are taken out.
    """
    from annotations.format import Choices
    from annotations.importing.import_plan import carry_out, plan_import
    from annotations.planning.task_store import ensure_tasks

    plan = plan_import(
        workspace,
        path,
        format_name=arguments.format,
        videos=arguments.videos,
        choices=Choices(_pairs(arguments.map), arguments.keys, arguments.encoding),
        progress=asking.progress(),
    )
    named = set[str](arguments.take_file)
    take = {conflict.uid for conflict in plan.conflicts if conflict.uid in named or ALL in named}
    unseen -= take
    if not arguments.json:
        print("\n".join([*_described(plan), *_conflicts(plan, take)]))
    empty = "no question could be read" if plan.is_empty else ""
    status = asking.may_write(plan.reading.undecided, empty, yes=arguments.yes)
    if status is not None:
        if arguments.json:
            print(json.dumps({"written": False, **plan.report()}, ensure_ascii=False))
        return status
    report = carry_out(workspace, plan, take_file=take, progress=asking.progress())
    ensure_tasks(workspace)
    if arguments.json:
        print(json.dumps({"written": True, **report}, ensure_ascii=False))
    else:
        print(f"\nWritten: {_counted(plan)}.")
        if "problems_file" in report:
            print(f"All problems: {report['problems_file']}")
    return 0


def _pairs(arguments: list[str]) -> tuple[tuple[str, str], ...]:
    pairs = [text.partition("=") for text in arguments]
    for text, (_, sign, _) in zip(arguments, pairs, strict=True):
        if not sign:
            raise Refusal(f"--map {text}: write FIELD=COLUMN, such as --map question=Query.")
    return tuple((field.strip(), column) for field, _, column in pairs)


def _described(plan: "ImportPlan") -> list[str]:
    """Lines on what will be written, for a person to check."""
    files = ", ".join(file.name for file in plan.reading.files) or plan.path.name
    lines = [f"Format   {plan.reading.format} ({files})"]
    lines.append(f"Videos   {plan.videos.folder or 'no folder found; give one with --videos DIR'}")
    width = max(len(field) for field, _ in plan.reading.mapping)
    lines += ["", "Mapping", *(f"  {f:<{width}}  <- {c}" for f, c in plan.reading.mapping)]
    if plan.first_questions:
        lines += ["", "First questions as read"]
    for draft in plan.first_questions:
        span = "" if draft.end_s is None and not draft.start_s else f", from {draft.start_s:g} s"
        span += "" if draft.end_s is None else f" to {draft.end_s:g} s"
        lines.append(f"  {draft.uid}  [{draft.video}{span}]  {draft.category}")
        lines.append(f"    {draft.text}")
        for index, option in enumerate(draft.options):
            mark = "*" if index == draft.key else " "
            lines.append(f"    {mark} {chr(ord('A') + index)}. {option}")
        lines += [f"    {name}: {'; '.join(texts)}" for name, texts in draft.reference.items()]
    lines += ["", _counted(plan)]
    if plan.changed_parts:
        parts = ", ".join(f"{name} in {n}" for name, n in plan.changed_parts.most_common())
        lines.append(f"Changed: {parts}; each becomes a new revision")
        lines.append(f"Answers of people: {plan.effect.words}")
    if plan.questions["merged"]:
        lines.append(f"Merged: {plan.questions['merged']} of them with what was edited here")
    return [*lines, *asking.problem_lines(plan.problems)]


def _conflicts(plan: "ImportPlan", take: set[str]) -> list[str]:
    """Lines on what was edited here and in the file, and what is to become of it."""
    if not plan.conflicts:
        return []
    lines = ["", f"Edited here and in the file: {len(plan.conflicts)}"]
    for conflict in plan.conflicts[:SHOWN_CONFLICTS]:
        where = ", ".join(part for part in (conflict.file, conflict.row) if part)
        fate = "the file's is taken" if conflict.uid in take else "stays as it is here"
        lines.append(f"  {conflict.uid}  ({where}): {fate}")
        for part in conflict.clashes:
            lines += [
                f"    {part.part}: here {part.current}",
                f"    {'':<{len(part.part)}}  file {part.file}",
            ]
    if len(plan.conflicts) > SHOWN_CONFLICTS:
        more = len(plan.conflicts) - SHOWN_CONFLICTS
        lines.append(f"  and {more} more: all of them with --json, or in the workspace afterwards")
    if any(conflict.uid not in take for conflict in plan.conflicts):
        lines.append("To take the file's instead: --take-file UID, or --take-file all.")
    return lines


def _counted(plan: "ImportPlan") -> str:
    counts, videos = plan.questions, plan.videos.counts()
    return (
        f"Questions: {counts['new']} new, {counts['changed']} changed, "
        f"{counts['unchanged']} unchanged, {counts['refused']} refused"
        + (f", {counts['kept']} kept as edited here" if counts["kept"] else "")
        + (f", {counts['unlabelled']} without a key" if counts["unlabelled"] else "")
        + f". Videos: {videos['usable']} usable, {videos['missing']} missing, "
        f"{videos['broken']} broken"
        + (f", {videos['told']} with new titles or links" if videos["told"] else "")
        + (f", {videos['retold']} with changed ones" if videos["retold"] else "")
    )
