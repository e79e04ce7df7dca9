"""`rushes footage search|add|find|download`: from words to files of videos."""

import argparse
from pathlib import Path

from ui.commands import _footage_download, _footage_find, _footage_search

NAME = "footage"
HELP = "search for videos without downloading them, find titles, download what is wanted"
PARTS = (_footage_search, _footage_find, _footage_download)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One word more, and what it takes."""
    words = parser.add_subparsers(metavar="WHAT", required=True)
    for part in PARTS:
        for name, (help_text, declare, act) in part.PARTS.items():
            below = words.add_parser(name, help=help_text, description=help_text)
            below.add_argument("--workspace", type=Path, required=True, metavar="DIR")
            declare(below)
            below.set_defaults(act=act)


def run(arguments: argparse.Namespace) -> int:
    """Do what the second word says, with the store of metadata open."""
    from annotations.footage.store import open_store
    from annotations.workspace import Workspace

    workspace = Workspace.open(arguments.workspace)
    try:
        store = open_store(workspace)
        try:
            return int(arguments.act(workspace, store, arguments))
        finally:
            store.close()
    finally:
        workspace.close()
