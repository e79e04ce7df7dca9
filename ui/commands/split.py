"""`rushes split`: a split of labelled videos without those that objects alone solve."""

import argparse
import json
import sys
from pathlib import Path

from ui.commands.bias import progress

NAME = "split"
HELP = "make a split without the videos that objects alone solve (UTD)"
RULES = ("debiased", "balanced")
JOBS = ("classification", "retrieval")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The split's name and rule, and what it rests on."""
    parser.add_argument("name", metavar="NAME", help="of the split; one that is there stays")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument("--rule", choices=RULES, required=True,
                        help="balanced keeps the shares of the classes")  # fmt: skip
    parser.add_argument("--job", choices=JOBS,
                        help="default: classification where videos have classes")  # fmt: skip
    parser.add_argument("--embeddings", default="", metavar="NAME",
                        help="the text-embedding model (default: package:minilm)")  # fmt: skip
    parser.add_argument("--descriptions", default="", metavar="NAME",
                        help="which (default: those begun last)")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print ids and kappa as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Make the split, or take the stored one, and print it."""
    from annotations.bias.result import EMBEDDINGS, measured
    from annotations.bias.splits import make_split
    from annotations.workspace import Workspace
    from core.model import ModelError

    workspace = Workspace.open(arguments.workspace)
    try:
        model = arguments.embeddings or EMBEDDINGS
        result = measured(workspace, arguments.descriptions, model, say=progress)
        split = make_split(workspace, arguments.name, result, arguments.rule, arguments.job)
    except ModelError as error:
        print(f"rushes: {error}", file=sys.stderr)
        return 1
    finally:
        workspace.close()
    if arguments.json:
        checked = {"hallucination": result.figures["hallucination"]}
        print(json.dumps(split.as_json() | checked, ensure_ascii=False))
        return 0
    kappa = split.facts["kappa"]
    values = [
        "–" if row["value"] is None else f"{row['value']:.3f}"
        for row in (kappa["over_classes"], kappa["over_right_and_wrong"])
    ]
    print(
        f"{split.name}: {len(split.kept):,} of {len(split.full):,} videos kept. Fleiss' kappa of "
        f"the nine: {values[0]} over classes, {values[1]} over right and wrong."
    )
    print(result.figures["hallucination"]["words"])
    return 0
