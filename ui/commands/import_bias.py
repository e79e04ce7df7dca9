"""`rushes import-bias`: descriptions, classes, captions and scores of videos from files."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotations.workspace import Workspace

NAME = "import-bias"
HELP = "bring in descriptions, classes, captions or scores of videos for `rushes bias`"
WHAT = ("descriptions", "labels", "scores")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which files, and what they are."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE",
                        help="UTD's descriptions; UCF101's lists; a table with the columns video, "
                        "label, part, caption; or UTD's predictions")  # fmt: skip
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("--as", dest="what", choices=WHAT, help="default: told from each file")
    parser.add_argument("--part", choices=("train", "test"), default="",
                        help="of all their videos (default: what they say, else test)")  # fmt: skip
    parser.add_argument("--name", default="", help="of the descriptions or of the model")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Bring in each file; the exit status is 1 where something had to be left out."""
    from annotations.workspace import Workspace

    workspace = Workspace.open(arguments.workspace)
    report: list[dict[str, Any]] = []
    try:
        for path in arguments.files:
            what = arguments.what or told_from(path)
            facts = _bring_in(workspace, path, what, arguments)
            report.append({"file": path.name, "as": what, **facts})
            if not arguments.json:
                print(_words(report[-1]))
    finally:
        workspace.close()
    if arguments.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
    for entry in report:
        for problem in entry["problems"]:
            print(problem, file=sys.stderr)
    return int(any(entry["problems"] for entry in report))


def told_from(path: Path) -> str:
    """What a file is: 'descriptions', 'labels' or 'scores'."""
    from annotations.bias.scores import looks_like_scores
    from annotations.description import published

    if looks_like_scores(path):
        return "scores"
    if path.suffix.lower() != ".json":
        return "labels"
    try:
        head = next(published.records(path), None)
    except ValueError:
        return "labels"
    return "descriptions" if head is not None and head.texts else "labels"


def _bring_in(
    workspace: "Workspace", path: Path, what: str, arguments: argparse.Namespace
) -> dict[str, Any]:
    from annotations.bias.labels import import_labels
    from annotations.bias.scores import import_scores
    from annotations.description.import_published import import_published

    if what == "descriptions":
        texts = import_published(workspace, path, arguments.name)
        problems = [f"{path.name}, {video}: {why}" for video, why in texts.faults]
        return {"set": texts.name, "videos": texts.videos, "new_texts": texts.new,
                "incomplete": texts.incomplete, "left_out": texts.faulty,
                "problems": problems}  # fmt: skip
    if what == "scores":
        scores = import_scores(workspace, path, arguments.name)
        return {"model": scores.model, "job": scores.job, "videos": scores.videos,
                "unknown": scores.unknown,
                "problems": [entry.text for entry in scores.problems]}  # fmt: skip
    labels = import_labels(workspace, path, arguments.part)
    return {"videos": labels.videos, "labels": labels.labels, "captions": labels.captions,
            "parts": labels.parts, "problems": [each.text for each in labels.problems]}  # fmt: skip


def _words(facts: dict[str, Any]) -> str:
    kept = {name: value for name, value in facts.items() if name not in ("file", "problems")}
    lines = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in kept.items())
    return f"{facts['file']}: {lines}"
