"""`rushes footage find` and `rushes footage add`: the index of titles, and files that feed it."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotations.footage.store import FootageStore
    from annotations.workspace import Workspace


def _declare_find(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORDS", help="words; nothing is syntax")
    parser.add_argument(
        "--min-views", type=int, default=0, metavar="N",
        help="leave out what has fewer views, or an unknown number of them",
    )  # fmt: skip
    parser.add_argument(
        "--known-views", action="store_true", help="leave out what has an unknown number of views"
    )
    parser.add_argument(
        "--order", choices=("nearest", "views"), default="nearest",
        help="'views': most viewed first, those whose views are unknown last",
    )  # fmt: skip
    parser.add_argument("--limit", type=int, default=100, metavar="N", help="hits at most (100)")
    parser.add_argument("--json", action="store_true", help="print the hits as JSON")


def find(workspace: "Workspace", store: "FootageStore", arguments: argparse.Namespace) -> int:
    """Print videos whose titles fit: exact phrases first, then the nearest."""
    from annotations.footage.title_search import find_titles, most_viewed_first
    from core.footage.candidate import views_text

    del workspace
    text = " ".join(arguments.words)
    result = find_titles(
        store, text, min_views=arguments.min_views, known_views=arguments.known_views,
        limit=arguments.limit,
    )  # fmt: skip
    hits = most_viewed_first(result.hits) if arguments.order == "views" else result.hits
    if arguments.json:
        facts = {
            "query": text, "searched": list(result.searched), "hint": result.hint,
            "count": len(hits), "hits": [asdict(hit) for hit in hits],
        }  # fmt: skip
        print(json.dumps(facts, ensure_ascii=False))
        return 0
    if result.hint:
        print(result.hint, file=sys.stderr)
    for hit in hits:
        print(f"{hit.rank:>4} {hit.kind:<6}{views_text(hit.views):>14}  {hit.title}  {hit.url}")
    if result.searched:
        searched = ", ".join(result.searched)
        print(f"{len(hits)} hits; searched for: {searched}", file=sys.stderr)
    return 0


def _declare_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", type=Path, metavar="PATH",
        help="a folder of NAME.info.json, a .csv, .tsv, .xlsx, .parquet, .json or .jsonl, or a .txt"
        " of ids",
    )  # fmt: skip
    parser.add_argument("--action", default="", help="for which the videos were looked for")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")


def add(workspace: "Workspace", store: "FootageStore", arguments: argparse.Namespace) -> int:
    """Store and index metadata from files; rows that cannot be read are listed."""
    from annotations.footage.metadata_import import import_metadata

    del workspace
    result = import_metadata(
        store, arguments.path, arguments.action,
        lambda count: print(f"{count:,} rows", file=sys.stderr) if count % 100_000 == 0 else None,
    )  # fmt: skip
    for problem in result.problems:
        print(problem.text, file=sys.stderr)
    if arguments.json:
        print(json.dumps({"read": result.read, "new": result.new, "failed": result.failed}))
    else:
        print(f"{result.read:,} videos read, {result.new:,} of them new; {result.failed:,} not.")
    return 0 if result.read or not result.failed else 1


PARTS = {
    "find": ("find videos by their titles among the stored metadata", _declare_find, find),
    "add": ("store metadata of videos from files, without network", _declare_add, add),
}
