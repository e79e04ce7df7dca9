"""`rushes backup`: one file that holds everything, made while people work."""

import argparse
import sys
from pathlib import Path

from core.byte_size import size_words
from ui.commands._bytes import BytesBar

NAME = "backup"
HELP = "save a workspace in one file, also while people work"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The workspace, the file, and what becomes of the videos."""
    parser.add_argument("workspace", type=Path, metavar="WORKSPACE")
    parser.add_argument("file", type=Path, metavar="FILE", help="must not exist")
    parser.add_argument(
        "--media",
        choices=("inside", "beside", "none"),
        default="inside",
        help="videos inside the file (default), beside it in a folder where each is kept once for "
        "all backups, or left out",
    )


def run(arguments: argparse.Namespace) -> int:
    """Make the backup; what it holds goes to standard output."""
    from annotations.backup.backup import backup

    bar = BytesBar("backup")
    report = backup(arguments.workspace, arguments.file, arguments.media, bar.show)
    bar.end()
    counts = ", ".join(f"{count:,} {name}" for name, count in report.manifest.counts.items())
    size = size_words(report.size)
    print(f"{report.path}: {counts}; {len(report.manifest.files):,} files, {size}")
    for warning in report.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return 0
