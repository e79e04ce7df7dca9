"""`rushes run ANNOTATOR`: a model annotates the items of a task; it goes on where it stopped."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import plugins
from core.refusal import Refusal
from ui.commands._settings import ShowSettings

if TYPE_CHECKING:
    from annotations.engine.engine import Ended, Where
    from annotations.workspace import Workspace

NAME = "run"
HELP = "let a model annotate the items of a task; go on where it stopped"
SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who annotates what, how much of it, and where the model works."""
    names = plugins.names("annotations.annotators")
    parser.add_argument("annotator", choices=names, metavar="ANNOTATOR", help=", ".join(names))
    parser.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--model", action="append", required=True, metavar="NAME",
        help="hub name, folder, server:URL#MODEL, package:NAME or stub:WHAT; several in turn",
    )  # fmt: skip
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--task", default="", metavar="NAME", help="the task, by its name")
    what.add_argument(
        "--condition", default="", metavar="TEXT", help="questions under it, such as '16 frames'"
    )
    parser.add_argument("--text", default="", help="what footage is compared with or is to show")
    parser.add_argument("--action", default="", help="the action whose segments are wanted")
    parser.add_argument("--prompt", default="", metavar="NAME", help="a template or a file")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any other setting; see --settings",
    )
    parser.add_argument(
        "--settings", action=ShowSettings, nargs=0,
        help="print the annotator's settings: defaults, what is allowed, what they do; run nothing",
    )  # fmt: skip
    parser.add_argument("--sample", type=int, metavar="N", help="only N items, to see how it does")
    parser.add_argument("--retry", action="store_true", help="also what failed before")
    parser.add_argument(
        "--times", type=int, default=1, metavar="N", help="of text_only: ask a model N times"
    )
    _add_place(parser)
    parser.add_argument("--background", action="store_true", help="start it and return")
    parser.add_argument("--stop", action="store_true", help="ask the run to stop, wherever it is")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def _add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device", action="append", default=[], metavar="NAME",
        help="cpu, cuda:0, ...; several: one process each (default: every GPU)",
    )  # fmt: skip
    parser.add_argument("--decoders", type=int, metavar="N", help="processes that decode videos")
    parser.add_argument("--ray", action="store_true", help="work on a Ray cluster")
    parser.add_argument("--ray-address", default="", metavar="ADDRESS")
    parser.add_argument("--ray-workers", type=int, metavar="N")
    parser.add_argument("--batch", type=int, metavar="N", help="items at once, at most")
    parser.add_argument("--dtype", metavar="NAME", help="bfloat16, float16 or float32")
    parser.add_argument("--revision", metavar="NAME", help="of a hub name; the newest without it")
    parser.add_argument(
        "--compile", action=argparse.BooleanOptionalAction,
        help="compile CLIP for this GPU, slow to start, then fast (default: where that saves time)",
    )  # fmt: skip
    parser.add_argument("--timeout", type=float, metavar="S", help="for a request to a server")
    parser.add_argument("--key-env", metavar="NAME", help="variable that holds a server's key")
    parser.add_argument("--offline", action="store_true", help="download nothing")


def run(arguments: argparse.Namespace) -> int:
    """Plan the runs, and work on each until it is done.

    The exit status is 0 if all that was wanted is done, failed items listed; 1 if a run failed.
    """
    from annotations.workspace import Workspace
    from core.model import ModelError

    workspace = Workspace.open(arguments.workspace)
    try:
        runs = _planned(workspace, arguments)
        if arguments.stop:
            return _stopped(workspace, runs)
        where = _where(arguments)
        if arguments.background:
            return _started(workspace, runs, arguments, where)
        statuses = [_worked(workspace, row, arguments, where) for row in runs]
        if arguments.times > 1 and len(arguments.model) == 1 and not max(statuses):
            print(_would_drop(workspace, runs, arguments.times), file=sys.stderr)
    except ModelError as error:
        raise Refusal(str(error)) from error
    finally:
        workspace.close()
    return max(statuses)


def _planned(workspace: "Workspace", arguments: argparse.Namespace) -> list[int]:
    """Ids of the runs, one for each model and time."""
    from annotations.engine import deaf_blind
    from annotations.run.run_plan import plan_run

    settings, options = _settings(arguments), _options(arguments)
    if arguments.times > 1:
        if arguments.annotator != deaf_blind.ANNOTATOR:
            raise Refusal(f"--times is for {deaf_blind.ANNOTATOR} only.")
        return deaf_blind.plan_runs(workspace, arguments.model, arguments.times, settings, options)
    task_id = _task(workspace, arguments)
    return [
        plan_run(
            workspace, arguments.annotator, model,
            task_id=task_id, settings=settings, options=options, files=True,
        )
        for model in arguments.model
    ]  # fmt: skip


def _would_drop(workspace: "Workspace", runs: list[int], times: int) -> str:
    """How many questions a model solves from the text each time, and where they are dropped."""
    from annotations.engine import deaf_blind

    plan = deaf_blind.filtered(workspace, runs, 1, times)
    dropped, total = int((~plan.kept).sum()), len(plan.kept)
    return (
        f"{dropped:,} of {total:,} questions are right {times} times of {times} from the text"
        " alone. The page Shortcuts makes a split without them."
    )


def _task(workspace: "Workspace", arguments: argparse.Namespace) -> int | None:
    from annotations.planning.task_store import task_named
    from annotations.run.runs import condition_task

    if arguments.condition:
        return condition_task(workspace, arguments.condition)
    return task_named(workspace, arguments.task) if arguments.task else None


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    named = {name: getattr(arguments, name) for name in ("text", "action", "prompt")}
    settings: dict[str, Any] = {name: value for name, value in named.items() if value}
    for pair in arguments.set:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refusal(f"--set {pair!r} has to look like NAME=VALUE.")
        settings[name.strip()] = _value(value.strip())
    return settings


def _value(text: str) -> Any:
    """Numbers, true, false, lists as JSON; anything else is text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    options = {
        "batch": arguments.batch,
        "dtype": arguments.dtype,
        "timeout_s": arguments.timeout,
        "api_key_env": arguments.key_env,
        "revision": arguments.revision,
        "compile": arguments.compile,
        "offline": arguments.offline or None,
    }
    return {name: value for name, value in options.items() if value is not None}


def _where(arguments: argparse.Namespace) -> "Where":
    from annotations.engine.engine import Where

    return Where(
        tuple(arguments.device), arguments.ray, arguments.ray_address, arguments.ray_workers,
        arguments.decoders,
    )  # fmt: skip


def _stopped(workspace: "Workspace", runs: list[int]) -> int:
    from annotations.engine.engine_hold import request_stop

    for run in runs:
        request_stop(workspace, run)
        print(f"Run {run} is asked to stop after the items at hand.")
    return 0


def _started(
    workspace: "Workspace", runs: list[int], arguments: argparse.Namespace, where: "Where"
) -> int:
    from annotations.engine.background import start

    for run in runs:
        process = start(workspace, run, sample=arguments.sample, retry=arguments.retry, where=where)
        print(f"Run {run} is being worked on by process {process}.")
    return 0


def _worked(
    workspace: "Workspace", run_id: int, arguments: argparse.Namespace, where: "Where"
) -> int:
    from annotations.engine.engine import work
    from annotations.run.runs import the_run
    from ui.commands._progress_bar import ProgressBar

    name = the_run(workspace, run_id).name
    bar = ProgressBar(name)
    try:
        ended = work(
            workspace, run_id,
            sample=arguments.sample, retry=arguments.retry, where=where, say=bar.show,
        )  # fmt: skip
    finally:
        bar.end()
    stand_in = the_run(workspace, run_id).facts.get("stand_in")
    if arguments.json:
        print(json.dumps(_facts(run_id, name, ended, stand_in), ensure_ascii=False))
    else:
        print("\n".join(_lines(name, ended, stand_in)))
        if arguments.sample:
            print("\n".join(_answers(workspace, run_id, ended.new)))
    return 1 if ended.status == "failed" else 0


def _facts(run_id: int, name: str, ended: "Ended", stand_in: str | None) -> dict[str, Any]:
    return {
        "run": run_id,
        "name": name,
        "status": ended.status,
        "note": ended.note,
        "done": ended.done,
        "wanted": ended.wanted,
        "new": ended.new,
        "errors": ended.errors,
        "seconds": round(ended.seconds, 3),
        "load_s": round(ended.load_s, 3),
        "stand_in": stand_in or "",
    }


def _lines(name: str, ended: "Ended", stand_in: str | None) -> list[str]:
    """The summary for a terminal."""
    rate = ended.new / max(ended.seconds - ended.load_s, 1e-6)
    pace = f": {rate:.1f} a second once the model was loaded, which took {ended.load_s:.1f} s"
    lines = [
        name,
        f"  {ended.status}: {ended.note}",
        f"  {ended.done:,} of {ended.wanted:,} items have a result, {ended.new:,} of them new,"
        f" in {ended.seconds:.1f} s{pace if ended.new else ''}",
    ]
    failed = sum(ended.errors.values())
    if failed:
        lines.append(f"  {failed:,} failed; try them again with --retry:")
        lines += [f"    {count:,} × {reason}" for reason, count in ended.errors.items()]
    return [*lines, *([f"  Note: {stand_in}"] if stand_in else [])]


def _answers(workspace: "Workspace", run_id: int, count: int) -> list[str]:
    """Some results, one a line."""
    from annotations.engine.run_results import raw_answers

    return [
        f"  {uid[:40]:<40} {'' if score is None else f'{score:.3f}':>7} {answer[:120]}"
        for uid, answer, score in raw_answers(workspace, run_id, min(count, SHOWN))
    ]
