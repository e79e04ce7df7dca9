"""`rushes init DIR`: a new workspace."""

import argparse
from pathlib import Path

NAME = "init"
HELP = "make a new workspace in an empty folder"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, and a name for people to see."""
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--name", default="", help="shown to people; the folder's name if left out")


def run(arguments: argparse.Namespace) -> int:
    """Make it and print its folder."""
    from annotations.workspace import Workspace

    workspace = Workspace.create(arguments.folder, name=arguments.name)
    print(workspace.root)
    return 0
