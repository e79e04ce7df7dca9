"""`rushes export`: all that a workspace holds as files, from which it can be made again."""

import argparse
import sys
from pathlib import Path

NAME = "export"
HELP = "write questions, answers, decisions and replies to files; import takes them back"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, in which format, and the workspace."""
    parser.add_argument("folder", type=Path, help="folder for the files, made if it is not there")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--format",
        choices=("jsonl", "csv", "parquet"),
        default="jsonl",
        help="JSON lines, CSV for spreadsheets, or Parquet (default: jsonl)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the files; their names and rows go to standard output."""
    from annotations.exporting.export import export
    from annotations.exporting.export_folder import NAMES
    from annotations.workspace import Workspace

    counts = export(Workspace.open(arguments.workspace), arguments.folder, arguments.format)
    for name, count in counts.items():
        print(f"{arguments.folder / f'{name}.{arguments.format}'}\t{count}")
    print(
        f"People are A1, A2, ... in all files. Who they are stands in {NAMES} alone: take it out "
        "before you share the folder. `rushes import FOLDER` brings it into an empty workspace.",
        file=sys.stderr,
    )
    return 0
