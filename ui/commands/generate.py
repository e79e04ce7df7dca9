"""`rushes generate NAME`: a model writes questions, step by step; people review the drafts."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import plugins

if TYPE_CHECKING:
    from annotations.generation.generate import Generated

NAME = "generate"
HELP = "let a model write questions as drafts for review; go on where it stopped"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which way of writing, by which model, on how much."""
    names = plugins.names("annotations.generators")
    parser.add_argument("generator", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--model", required=True, metavar="M",
        help="hub name, folder, server:URL#MODEL or stub:WHAT",
    )  # fmt: skip
    parser.add_argument("--sample", type=int, metavar="N", help="only N clips, videos or questions")
    parser.add_argument("--retry", action="store_true", help="also what was refused before")
    parser.add_argument("--knowledge", type=Path, metavar="FILE", help="what k9 is told before")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="any other setting"
    )
    parser.add_argument("--device", default="auto", metavar="NAME", help="cpu, cuda:0, ...")
    parser.add_argument("--offline", action="store_true", help="download nothing")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Ask what is not stored yet. The exit status is 1 if nothing at all could be taken."""
    from annotations.generation.generate import generate
    from annotations.generation.generation_plan import plan_generation
    from annotations.workspace import Workspace
    from core.model import LoadOptions, ModelError
    from core.refusal import Refusal

    workspace = Workspace.open(arguments.workspace)
    try:
        generation = plan_generation(
            workspace, arguments.generator, arguments.model, _settings(arguments)
        )
        options = LoadOptions(device=arguments.device, offline=arguments.offline)
        result = generate(
            workspace, generation,
            sample=arguments.sample, retry=arguments.retry, options=options, say=_say,
        )  # fmt: skip
    except ModelError as error:
        raise Refusal(str(error)) from error
    finally:
        workspace.close()
    if arguments.json:
        print(json.dumps(result.__dict__, ensure_ascii=False))
    else:
        print("\n".join(_lines(result)))
    return 0 if result.done or not result.subjects else 1


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    from core.refusal import Refusal

    settings: dict[str, Any] = {}
    for pair in arguments.set:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refusal(f"--set {pair!r} has to look like NAME=VALUE.")
        settings[name.strip()] = value.strip()
    if arguments.knowledge is not None:
        settings["knowledge"] = arguments.knowledge.read_text(encoding="utf-8-sig")
    return settings


def _say(through: int, wanted: int, name: str) -> None:
    if name and (sys.stderr.isatty() or through % 20 == 0):
        print(f"{through:,} of {wanted:,}  {name[:60]}", file=sys.stderr, flush=True)


def _lines(result: "Generated") -> list[str]:
    drafts = "1 draft waits" if result.drafts == 1 else f"{result.drafts:,} drafts wait"
    lines = [
        f"{result.done:,} of {result.subjects:,} done, {result.requests:,} requests; {drafts} for"
        f" review in “{result.task}”, {result.new:,} of them new.",
    ]
    lines += [f"  {count:,} × refused: {reason}" for reason, count in result.refused.items()]
    if result.refused:
        lines.append("  Ask again with --retry.")
    return [*lines, *([f"Note: {result.stand_in}"] if result.stand_in else [])]
