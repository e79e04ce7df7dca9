"""`rushes check`: is a workspace whole?"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from ui.commands._bytes import BytesBar

NAME = "check"
HELP = "look whether a workspace is whole: database, rows, videos, settings"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The workspace, how thorough, and whether to print JSON."""
    parser.add_argument("workspace", type=Path, metavar="WORKSPACE")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--quick", action="store_true", help="do not read the videos, only look for them"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print every fault on a line; exit status 1 if there is any."""
    from annotations.backup.check import check

    bar = BytesBar("check")
    faults = check(arguments.workspace, not arguments.quick, bar.show)
    bar.end()
    if arguments.json:
        print(json.dumps({"ok": not faults, "faults": [asdict(fault) for fault in faults]}))
    else:
        for fault in faults:
            print(fault.line)
        print(f"{len(faults)} found." if faults else "Nothing wrong was found.")
    return 1 if faults else 0
