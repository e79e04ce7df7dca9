"""`rushes score`: models score a run's answers in words, by similarity or as judges."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.commands import _asking as asking

if TYPE_CHECKING:
    from annotations.free_answers.score_words import Scored
    from annotations.workspace import Workspace

NAME = "score"
HELP = "let a model score those answers of a run that are in words of its own"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which run, and which model scores it how."""
    parser.add_argument("run_name", metavar="RUN", help="such as 'gpt-x · 16 frames'; or its model")
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--embeddings",
        metavar="MODEL",
        help="a text embedding model: similarity with the options or the accepted answers",
    )
    how.add_argument(
        "--judge", metavar="MODEL", help="a chat model: five scores from 1 to 10, by a prompt"
    )
    parser.add_argument("--prompt", default="judge", metavar="NAME", help="of the judge; or a file")
    parser.add_argument("--key-env", default="OPENAI_API_KEY", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Score, store, and say what became of it."""
    from annotations.free_answers.score_words import runs_in_words
    from annotations.run.runs import all_runs
    from annotations.workspace import Workspace
    from core.model import ModelError

    workspace = Workspace.open(arguments.workspace)
    try:
        in_words = runs_in_words(workspace)
        runs = [row for row in all_runs(workspace) if row.id in in_words]
        matches = [row for row in runs if arguments.run_name in (row.name, row.model)]
        if len(matches) != 1:
            names = "; ".join(row.name for row in runs) or "none"
            print(
                f"rushes: {arguments.run_name!r} names {len(matches)} runs with answers in words. "
                f"There are: {names}.",
                file=sys.stderr,
            )
            return 1
        model = _model(arguments)
        report = _score(workspace, matches[0].id, model, arguments)
    except ModelError as error:
        print(f"rushes: {error}", file=sys.stderr)
        return 1
    finally:
        workspace.close()
    _tell(matches[0].name, report, arguments)
    if model.is_stand_in and not arguments.json:
        print(f"Note: {model.stand_in_words}")
    return 0


def _model(arguments: argparse.Namespace) -> Any:
    from core.model import LoadOptions
    from core.model_loading import load_model

    kind = "embedding" if arguments.embeddings else "text"
    options = LoadOptions(api_key_env=arguments.key_env)
    return load_model(kind, arguments.embeddings or arguments.judge, options)


def _score(
    workspace: "Workspace", run_id: int, model: Any, arguments: argparse.Namespace
) -> "Scored":
    from annotations.free_answers.score_words import score_by_judge, score_by_similarity

    progress = asking.progress()
    if arguments.embeddings:
        return score_by_similarity(workspace, run_id, model, progress=progress)
    return score_by_judge(workspace, run_id, model, prompt_name=arguments.prompt, progress=progress)


def _tell(run: str, report: "Scored", arguments: argparse.Namespace) -> None:
    model = arguments.embeddings or arguments.judge
    counts = {
        "answers": report.answers,
        "scored": report.scored,
        "scored_before": report.before,
        "unscored": report.unscored,
        "failed": report.failed,
    }
    if arguments.json:
        print(json.dumps({"run": run, "model": model, **counts}, ensure_ascii=False))
        return
    words = [f"{run}: {report.answers:,} answers in words; {report.scored:,} scored by {model}"]
    if report.before:
        words.append(f"{report.before:,} scored before")
    if report.unscored:
        words.append(f"{report.unscored:,} not, since nothing is stored to hold them against")
    if report.failed:
        words.append(f"{report.failed:,} without scores from it")
    print(", ".join(words) + ".")
