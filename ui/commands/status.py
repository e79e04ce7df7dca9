"""`rushes status`: what a workspace holds."""

import argparse
import json
from pathlib import Path

NAME = "status"
HELP = "show what a workspace holds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The workspace, and whether to print JSON."""
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the counts."""
    from annotations.planning.task_store import status
    from annotations.workspace import Workspace

    counts = status(Workspace.open(arguments.workspace))
    if arguments.json:
        print(json.dumps(counts))
    else:
        for name, count in counts.items():
            print(f"{name.replace('_', ' '):<20}{count:>10,}")
    return 0
