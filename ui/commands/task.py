"""`rushes task create|example|list|pause|close|reopen|apply`: the tasks of a workspace."""

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

NAME = "task"
HELP = "create tasks from files; list, pause, close, reopen them; apply reviews"
STATES = {
    "pause": ("paused", "hand out nothing until it is reopened"),
    "close": ("closed", "end it; what was answered stays"),
    "reopen": ("open", "hand out items again"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs, each with its workspace."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    create = verbs.add_parser("create", help="make the task that a TOML file describes")
    create.add_argument("file", type=Path, metavar="FILE.toml")
    create.add_argument("--check", action="store_true", help="only check it, make nothing")
    listed = verbs.add_parser("list", help="show all tasks and how far they are")
    for verb, (_, words) in STATES.items():
        verbs.add_parser(verb, help=words).add_argument("name", metavar="NAME")
    apply = verbs.add_parser("apply", help="carry decided reviews over into the questions")
    apply.add_argument("name", metavar="NAME")
    apply.add_argument("--check", action="store_true", help="only say what would change")
    for verb in verbs.choices.values():
        verb.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    example = verbs.add_parser("example", help="write a task file and its rows to begin from")
    example.add_argument("kind", metavar="KIND")
    example.add_argument("folder", type=Path, metavar="FOLDER")
    for verb in (create, listed, apply):
        verb.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Do what the verb says."""
    from annotations.planning.task_store import set_status
    from annotations.workspace import Workspace

    if arguments.verb == "example":
        from annotations.planning.examples import write_example

        print(*write_example(arguments.kind, arguments.folder), sep="\n")
        return 0
    workspace = Workspace.open(arguments.workspace)
    try:
        match arguments.verb:
            case "create":
                _create(workspace, arguments)
            case "list":
                _list(workspace, arguments.json)
            case "apply":
                _apply(workspace, arguments)
            case verb:
                status, _ = STATES[verb]
                set_status(workspace, arguments.name, status)
                print(f"{arguments.name} is {status}.")
    finally:
        workspace.close()
    return 0


def _create(workspace: Any, arguments: argparse.Namespace) -> None:
    from annotations.annotator import number_words
    from annotations.planning.task_files import read_task
    from annotations.planning.task_store import make_task

    plan = read_task(workspace, arguments.file)
    task_id = None if arguments.check else make_task(workspace, plan)
    counts = {role: plan.count(role) for role in ("work", "practice", "attention")}
    if arguments.json:
        order = {"order": plan.order, "seed": plan.order_seed}
        print(
            json.dumps({"task": task_id, "name": plan.name, "kind": plan.kind, **counts, **order})
        )
        return
    created = "would have" if task_id is None else "has"
    known = "".join(
        f", {counts[role]} of {role}" for role in ("practice", "attention") if counts[role]
    )
    how = f"{number_words(plan.overlap, 'person', 'people')} each, {plan.order}"
    print(f"{plan.name} {created} {number_words(counts['work'], 'item')}{known}; {how}.")


def _apply(workspace: Any, arguments: argparse.Namespace) -> None:
    from collections import Counter

    from annotations.planning.task_store import task_named
    from annotations.question.reasking import Effect
    from annotations.review.apply_review import Foreseen, carry_over, foreseen, results
    from annotations.review.review_results import CHANGED, STATES

    task_id = task_named(workspace, arguments.name)
    effect = foreseen(workspace, task_id)
    report = None if arguments.check else carry_over(workspace, task_id, None)
    reviews = results(workspace, task_id)
    counts = Counter(result.state for result in reviews)
    remaining = [result for result in reviews if result.state == CHANGED]
    if arguments.json:
        applied = None if report is None else dataclasses.asdict(report)
        states = {state: counts[state] for state in STATES}
        answers = {**dataclasses.asdict(effect.effect), "leave": effect.leave}
        print(
            json.dumps(
                {"task": arguments.name, "applied": applied, "now": states, "answers": answers}
            )
        )
        return
    if report is not None:
        print(f"{arguments.name}: {report.words}.")
    if effect != Foreseen(Effect()):
        print(f"Answers of people: {effect.words}.")
    print(
        "; ".join(f"{counts[state]:,} {state}" for state in STATES if counts[state]) or "no items"
    )
    for result in remaining:
        print(f"  {result.words}")


def _list(workspace: Any, as_json: bool) -> None:
    from annotations.planning.task_store import all_tasks

    fields = ("id", "name", "kind", "status", "overlap", "adaptive", "items", "finished", "answers",
              "wanted", "saved", "waiting", "practice", "attention", "order_seed")  # fmt: skip
    tasks = [{field: getattr(task, field) for field in fields} for task in all_tasks(workspace)]
    if as_json:
        print(json.dumps(tasks))
        return
    if not tasks:
        print("No tasks yet. Make one: rushes task create FILE.toml --workspace DIR")
        return
    width = max(len(task["name"]) for task in tasks)
    heads = f"{'State':<7} {'Items':>7} {'Finished':>8} {'Answers':>16} {'Saved':>6} {'Waiting':>7}"
    print(f"{'Task':<{width}}  {heads}")
    for task in tasks:
        answers = f"{task['answers']:,} of {task['wanted']:,}"
        print(
            f"{task['name']:<{width}}  {task['status']:<7} {task['items']:>7,}"
            f" {task['finished']:>8,} {answers:>16} {task['saved']:>6,} {task['waiting']:>7,}"
        )
