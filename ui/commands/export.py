"""`rushes export`: answers, decisions and who answered what, as files."""

import argparse
import sys
from pathlib import Path

NAME = "export"
HELP = "write answers and decisions to files"


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
    from annotations.workspace import Workspace

    counts = export(Workspace.open(arguments.workspace), arguments.folder, arguments.format)
    for name, count in counts.items():
        print(f"{arguments.folder / f'{name}.{arguments.format}'}\t{count}")
    print("Every answer in it names its annotator: share it with care.", file=sys.stderr)
    return 0
