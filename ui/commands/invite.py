"""`rushes invite NAME`: a link that signs somebody in."""

import argparse
import sys
from pathlib import Path

NAME = "invite"
HELP = "print a link that signs a person in"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who, as what, and whether earlier links end."""
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--role", choices=("annotator", "author", "admin"), required=True)
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--renew", action="store_true", help="make a new link; earlier links and sessions end"
    )


def run(arguments: argparse.Namespace) -> int:
    """Add the person where needed and print their link."""
    from annotations.people import invite
    from annotations.workspace import Workspace
    from ui.links import ONLY_HERE, link_to, opens_only_here

    workspace = Workspace.open(arguments.workspace)
    token = invite(workspace, arguments.name, arguments.role, renew=arguments.renew)
    print(link_to(workspace, token))
    if opens_only_here(workspace):
        print(ONLY_HERE, file=sys.stderr)
    return 0
