"""`rushes reread`: a model reads the replies of a run that no rule reads."""

import argparse
import json
import sys
from pathlib import Path

from ui.commands import _asking as asking

NAME = "reread"
HELP = "let a model read those replies of a run that no rule reads"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which run, and which model reads."""
    parser.add_argument("run_name", metavar="RUN", help="such as 'gpt-x · 16 frames'; or its model")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--model", required=True, metavar="NAME", help="hub name, folder or server:URL#MODEL"
    )
    parser.add_argument("--prompt", default="second_reader", metavar="NAME", help="or a file")
    parser.add_argument("--key-env", default="OPENAI_API_KEY", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Read, store, and say what became of it."""
    from annotations.run.runs import all_runs
    from annotations.run.second_reading import read_again
    from annotations.workspace import Workspace
    from core.model import LoadOptions, ModelError
    from core.model_loading import load_model

    workspace = Workspace.open(arguments.workspace)
    try:
        runs = all_runs(workspace)
        matches = [row for row in runs if arguments.run_name in (row.name, row.model)]
        if len(matches) != 1:
            names = "; ".join(row.name for row in runs) or "none"
            print(
                f"rushes: {arguments.run_name!r} names {len(matches)} runs. There are: {names}.",
                file=sys.stderr,
            )
            return 1
        chat = load_model("text", arguments.model, LoadOptions(api_key_env=arguments.key_env))
        report = read_again(
            workspace, matches[0].id, chat, prompt_name=arguments.prompt, progress=asking.progress()
        )
    except ModelError as error:
        print(f"rushes: {error}", file=sys.stderr)
        return 1
    finally:
        workspace.close()
    counts = {"asked": report.asked, "read": report.read, "failed": report.failed}
    if arguments.json:
        print(json.dumps({"run": matches[0].name, **counts}, ensure_ascii=False))
    else:
        asked, read, failed = (f"{count:,}" for count in counts.values())
        print(
            f"{matches[0].name}: {asked} replies that no rule reads; {read} read by "
            f"{arguments.model}, {failed} without an answer of the model."
        )
    return 0
