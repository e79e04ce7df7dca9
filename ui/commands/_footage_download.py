"""`rushes footage download`: the files of what was chosen become videos of the workspace."""

import argparse
import json
import sys
from typing import TYPE_CHECKING

from core.byte_size import size_words

if TYPE_CHECKING:
    from annotations.footage.download_queue import Downloaded, Step
    from annotations.footage.store import FootageStore
    from annotations.workspace import Workspace


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, metavar="N", help="downloads of this session at most")
    parser.add_argument("--max-mb", type=float, default=500, metavar="N", help="a video (500)")
    parser.add_argument("--max-minutes", type=float, default=15, metavar="N", help="a video (15)")
    parser.add_argument("--budget-gb", type=float, default=200, metavar="N", help="in all (200)")
    parser.add_argument("--pause", type=float, default=5, metavar="S", help="between two (5 s)")
    parser.add_argument("--retry", action="store_true", help="also what failed before")
    parser.add_argument(
        "--section", action="append", default=[], metavar="KEY=START-END",
        help="only a part of a video, such as dQw4w9WgXcQ=1:05-1:30; may be repeated",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")


def download(workspace: "Workspace", store: "FootageStore", arguments: argparse.Namespace) -> int:
    """Download what a pipeline or a person chose; where nobody chose, what was found.

    The exit status is 0 if nothing is left, failed videos listed; 1 if downloading has to wait.
    """
    from annotations.footage import download_queue as queue
    from annotations.footage.download_choice import (
        choose_if_none,
        choose_sections,
        read_section,
        try_again,
    )

    limits = queue.Limits(
        int(arguments.max_mb * 10**6), arguments.max_minutes * 60,
        int(arguments.budget_gb * 10**9), pause_s=arguments.pause,
    )  # fmt: skip
    sections = [read_section(text) for text in arguments.section]
    choose_sections(store, sections)
    chosen = 0 if sections else choose_if_none(store)
    if chosen:
        print(f"Nobody has chosen: {chosen:,} videos that were found are taken.", file=sys.stderr)
    if arguments.retry:
        try_again(store)
    for warning in queue.warnings():
        print(warning, file=sys.stderr)
    result = queue.run_downloads(
        workspace, store, limits=limits, limit=arguments.limit, say=_say
    )  # fmt: skip
    _print(result, arguments.json)
    return 1 if result.pause else 0


def _say(step: "Step") -> None:
    from ui.commands._progress_bar import duration

    remaining = "" if step.left_s is None else f", about {duration(step.left_s)} left"
    print(
        f"{step.done:,} came, {step.failed:,} failed, {step.left:,} wait"
        f" ({size_words(step.bytes)}{remaining}): {step.note[:80]}",
        file=sys.stderr,
    )


def _print(result: "Downloaded", as_json: bool) -> None:
    if as_json:
        facts = {
            "done": result.done, "bytes": result.bytes, "left": result.left,
            "pause": result.pause,
            "failed": [{"video": title, "kind": kind, "message": message}
                       for title, kind, message in result.failed],
        }  # fmt: skip
        print(json.dumps(facts, ensure_ascii=False))
        return
    size = size_words(result.bytes)
    print(f"{result.done:,} videos came ({size}); {len(result.failed):,} failed.")
    for title, kind, message in result.failed:
        print(f"  {title[:60]}: {kind}. {message}")
    if result.pause:
        print(f"{result.pause}. {result.left:,} wait.")


PARTS = {"download": ("download what was chosen; it goes on where it stopped", _declare, download)}
