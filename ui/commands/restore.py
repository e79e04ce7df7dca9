"""`rushes restore`: a workspace out of a backup."""

import argparse
from pathlib import Path

from ui.commands._bytes import BytesBar

NAME = "restore"
HELP = "unpack a backup into a new folder"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The backup and the folder."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("folder", type=Path, metavar="DIR", help="new or empty")


def run(arguments: argparse.Namespace) -> int:
    """Unpack and check every byte; what came back goes to standard output."""
    from annotations.backup.restore import restore

    bar = BytesBar("restore")
    manifest = restore(arguments.file, arguments.folder, bar.show)
    bar.end()
    counts = ", ".join(f"{count:,} {name}" for name, count in manifest.counts.items())
    print(f"{arguments.folder}: {manifest.name}, as of {manifest.made_at}: {counts}")
    print(f"Start it: rushes serve --workspace {arguments.folder}")
    return 0
