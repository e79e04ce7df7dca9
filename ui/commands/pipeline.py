"""`rushes pipeline FILE.toml`: from titles to clips for people; it goes on where it stopped."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotations.footage.pipeline_run import PipelineEnd

NAME = "pipeline"
HELP = "run a declared pipeline, from titles to clips for people; go on where it stopped"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which pipeline, and how much of it."""
    parser.add_argument("file", type=Path, metavar="FILE.toml", help="its steps; see the README")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only N of the videos found, to see how it does"
    )
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run it to its end, or until it has to wait.

    The exit status is 0 if all steps are done, 1 if it stopped or failed.
    """
    from annotations.footage.pipeline_run import run_pipeline
    from annotations.footage.store import open_store
    from annotations.workspace import Workspace
    from core.model import ModelError

    text = arguments.file.read_text(encoding="utf-8-sig")
    if arguments.sample is not None and arguments.sample < 1:
        raise ValueError(f"--sample is {arguments.sample}. Allowed: 1 or more.")
    workspace = Workspace.open(arguments.workspace)
    try:
        store = open_store(workspace)
        try:
            end = run_pipeline(workspace, store, text, sample=arguments.sample, say=_Say())
        finally:
            store.close()
    except ModelError as error:
        raise ValueError(str(error)) from error
    finally:
        workspace.close()
    if arguments.json:
        print(json.dumps(_facts(end), ensure_ascii=False))
    else:
        print("\n".join(_lines(end)))
    return 0 if end.state == "finished" else 1


class _Say:
    """Prints how far it is, a line when the words change."""

    def __init__(self):
        self._words = ""

    def __call__(self, message: str, finished: int, total: int) -> None:
        if message != self._words or (total and finished == total):
            counts = f" {finished:,} of {total:,}" if total else ""
            print(f"{message}{counts}", file=sys.stderr, flush=True)
            self._words = message


def _facts(end: "PipelineEnd") -> dict[str, Any]:
    counts = end.funnel
    return {
        "state": end.state, "note": end.note, "clips": counts.clips,
        "seconds": round(counts.seconds, 3), "cost": counts.cost,
        "seconds_a_clip": counts.seconds_a_clip, "cost_a_clip": counts.cost_a_clip,
        "steps": [
            {"step": step.key, "do": step.do, "units": step.units, "kept": step.kept,
             "thrown": step.thrown, "seconds": round(step.seconds, 3), "cost": step.cost}
            for step in counts.steps
        ],
    }  # fmt: skip


def _lines(end: "PipelineEnd") -> list[str]:
    counts = end.funnel
    lines = [f"{end.state}: {end.note}", f"{'step':<20}{'in':>8}{'kept':>8}{'thrown':>8}{'s':>10}"]
    lines += [
        f"{step.key:<20}{step.units:>8,}{step.kept:>8,}{step.thrown:>8,}{step.seconds:>10,.1f}"
        for step in counts.steps
    ]
    if counts.seconds_a_clip is not None:
        cost = "" if counts.cost_a_clip is None else f", {counts.cost_a_clip:.4f} each"
        lines.append(f"{counts.clips:,} clips, {counts.seconds_a_clip:,.2f} s each{cost}")
    return lines
