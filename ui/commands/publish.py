"""`rushes publish`: a data-set folder that others can cite, load and run."""

import argparse
import json
import sys
from pathlib import Path

NAME = "publish"
HELP = "write a data-set folder: Parquet, Croissant, datasheet, tasks for harnesses"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, the workspace, and what becomes of videos."""
    parser.add_argument("folder", type=Path, help="new, or an earlier publication to replace")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--videos",
        choices=("copy", "link", "none"),
        default="link",
        help="copy files, link them where the disk allows (default), or name sources and hashes",
    )
    parser.add_argument("--version", default="", metavar="V", help="such as 1.2; else the next one")
    parser.add_argument(
        "--withdraw",
        action="append",
        default=[],
        metavar="VIDEO",
        help="name or SHA-256 of a video to take out, of this version and later ones",
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Write the folder and say what is in it and what the authors still have to write."""
    from annotations.publishing.datasheet import ANSWERS_FILE, authors_answers
    from annotations.publishing.publication import publish
    from annotations.workspace import Workspace
    from ui.commands import _asking as asking

    workspace = Workspace.open(arguments.workspace)
    try:
        counts = publish(
            workspace,
            arguments.folder,
            videos=arguments.videos,
            version=arguments.version,
            withdraw=arguments.withdraw,
            progress=asking.progress(),
        )
        unanswered = [name for name, text in authors_answers(workspace).items() if not text]
    finally:
        workspace.close()
    if arguments.json:
        print(json.dumps(counts))
    else:
        print(
            f"{arguments.folder}: version {counts['version']}, {counts['questions']:,} questions, "
            f"{counts['videos']:,} videos, {counts['votes']:,} votes, {counts['splits']} splits."
        )
        if counts["missing_videos"]:
            print(f"The files of {counts['missing_videos']:,} videos are not here.")
        print(f"The tasks for harnesses ask {counts['in_harnesses']:,} questions.")
    if unanswered:
        print(
            f"Only authors can answer: {', '.join(unanswered)}. Write it in "
            f"{arguments.workspace / ANSWERS_FILE} and publish again.",
            file=sys.stderr,
        )
    return 0
