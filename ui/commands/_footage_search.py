"""`rushes footage search`: metadata of videos for words, or of a channel; nothing is downloaded."""

import argparse
import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotations.footage.store import FootageStore
    from annotations.workspace import Workspace


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORDS", help="such as: bicycle kick football")
    parser.add_argument("--limit", type=int, metavar="N", help="results at most (50)")
    parser.add_argument(
        "--channel", default="", metavar="URL", help="a channel, playlist or feed instead of words"
    )
    parser.add_argument("--action", default="", help="the action that is looked for")
    parser.add_argument(
        "--source", default="ytsearch", metavar="KEY", help="search of yt-dlp (ytsearch)"
    )
    parser.add_argument(
        "--pause", type=float, default=1.0, metavar="S", help="between requests (1 s)"
    )
    parser.add_argument(
        "--an-hour", type=int, default=1000, metavar="N", help="requests in an hour (1000)"
    )
    parser.add_argument(
        "--now", action="store_true", help="although the source asked to wait before"
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")


def search(workspace: "Workspace", store: "FootageStore", arguments: argparse.Namespace) -> int:
    """Search, or go on with the searches that wait if no words are given.

    The exit status is 0 if what was wanted is done, 1 if it failed or has to wait.
    """
    from annotations.footage import search_queue as queue
    from core.footage.lookup import Pace

    del workspace
    queries, only = " ".join(arguments.words), None
    limit = queue.A_SEED if arguments.limit is None else arguments.limit
    if queries and arguments.channel:
        raise ValueError("Give words or --channel, not both.")
    if queries or arguments.channel:
        how = queue.CHANNEL if arguments.channel else queue.SEARCH
        target = arguments.channel or queries
        only = queue.add_query(store, how, target, limit, arguments.action)
    if arguments.now:
        queue.clear_pause(store)
    result = queue.run_queries(
        store, only=only, pace=Pace(arguments.pause, arguments.an_hour), key=arguments.source,
        say=lambda text: print(text, file=sys.stderr),
    )  # fmt: skip
    if arguments.json:
        facts = {
            "queries": result.queries, "videos": result.videos, "new": result.new,
            "failed": [{"target": target, "kind": kind, "message": message}
                       for target, kind, message in result.failed],
            "left": result.left, "pause": result.pause,
        }  # fmt: skip
        print(json.dumps(facts, ensure_ascii=False))
    else:
        print(f"{result.videos:,} videos found, {result.new:,} of them new.")
    for target, kind, message in result.failed:
        print(f"{target}: {kind}. {message}", file=sys.stderr)
    if result.pause:
        print(f"{result.pause}. {result.left:,} searches wait.", file=sys.stderr)
    return 1 if result.failed or result.pause else 0


PARTS = {
    "search": ("search for videos by words or channel; nothing is downloaded", _declare, search)
}
