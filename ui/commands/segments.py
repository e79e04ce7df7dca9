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
        found = [one for one in runs if wanted in (one.name, one.model, str(one.id))]
        if len(found) != 1:
            names = "; ".join(f"{one.id}: {one.name}" for one in runs) or "none"
            print(f"rushes: {wanted!r} names {len(found)} runs. There are: {names}.",
                  file=sys.stderr)  # fmt: skip
            return 1
        made = make_segment_task(
            workspace, found[0], arguments.kind,
            name=arguments.name, domain=arguments.domain, overlap=arguments.overlap,
        )  # fmt: skip
    finally:
        workspace.close()
    if arguments.json:
        facts = {"task": made.id, "name": made.name, "kind": made.kind, "items": made.items,
                 "new": made.new, "left_out": made.left_out}  # fmt: skip
        print(json.dumps(facts, ensure_ascii=False))
        return 0
    left = f" {made.left_out:,} segments cannot be clips now." if made.left_out else ""
    print(f"{made.name} holds {made.items:,} clips, {made.new:,} of them new.{left}")
    return 0
