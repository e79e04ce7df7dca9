"""`rushes segments RUN`: the segments that a run found become a task for people."""

import argparse
import json
import sys
from pathlib import Path

NAME = "segments"
HELP = "make a task for people of the segments that a run found; closed until it is opened"
KINDS = ("screening", "localization")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which run, and what people are to do."""
    parser.add_argument(
        "run_name", metavar="RUN",
        help="such as 'gpt-x · segments of “a kick” · Footage'; its model; or its number",
    )  # fmt: skip
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--for", dest="kind", choices=KINDS, default=KINDS[0],
        help="whether the clips are to be screened (as usual), or the action found in them",
    )  # fmt: skip
    parser.add_argument("--name", default="", help="of the task, instead of the usual one")
    parser.add_argument(
        "--domain", default="", metavar="TEXT", help="of the action, for localization"
    )
    parser.add_argument("--overlap", type=int, metavar="N", help="people for each clip")
    parser.add_argument("--json", action="store_true", help="print what was made as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Make the task, or add to it what the run has found since."""
    from annotations.engine.segment_tasks import make_segment_task
    from annotations.run.runs import all_runs
    from annotations.workspace import Workspace

    workspace = Workspace.open(arguments.workspace)
    try:
        runs = all_runs(workspace)
        wanted = arguments.run_name
        segments = [row for row in runs if wanted in (row.name, row.model, str(row.id))]
        if len(segments) != 1:
            names = "; ".join(f"{row.id}: {row.name}" for row in runs) or "none"
            print(f"rushes: {wanted!r} names {len(segments)} runs. There are: {names}.",
                  file=sys.stderr)  # fmt: skip
            return 1
        task = make_segment_task(
            workspace, segments[0], arguments.kind,
            name=arguments.name, domain=arguments.domain, overlap=arguments.overlap,
        )  # fmt: skip
    finally:
        workspace.close()
    if arguments.json:
        facts = {"task": task.id, "name": task.name, "kind": task.kind, "items": task.items,
                 "new": task.new, "left_out": task.left_out}  # fmt: skip
        print(json.dumps(facts, ensure_ascii=False))
        return 0
    skipped = f" {task.left_out:,} segments cannot be clips now." if task.left_out else ""
    print(f"{task.name} holds {task.items:,} clips, {task.new:,} of them new.{skipped}")
    return 0
