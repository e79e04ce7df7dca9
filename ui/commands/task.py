"""`rushes task create|list|pause|close|reopen`: the tasks of a workspace."""

import argparse
import json
from pathlib import Path
from typing import Any

NAME = "task"
HELP = "create tasks from files; list, pause, close and reopen them"
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
    for verb in verbs.choices.values():
        verb.add_argument("--workspace", type=Path, required=True, metavar="DIR")
    for verb in (create, listed):
        verb.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Do what the verb says."""
    from annotations.evaluation import set_status
    from annotations.workspace import Workspace

    workspace = Workspace.open(arguments.workspace)
    try:
        match arguments.verb:
            case "create":
                _create(workspace, arguments)
            case "list":
                _list(workspace, arguments.json)
            case verb:
                status, _ = STATES[verb]
                set_status(workspace, arguments.name, status)
                print(f"{arguments.name} is {status}.")
    finally:
        workspace.close()
    return 0


def _create(workspace: Any, arguments: argparse.Namespace) -> None:
    from annotations.evaluation import make_task
    from annotations.task_files import read_task

    plan = read_task(workspace, arguments.file)
    task_id = None if arguments.check else make_task(workspace, plan)
    counts = {role: plan.count(role) for role in ("work", "practice", "attention")}
    if arguments.json:
        print(json.dumps({"task": task_id, "name": plan.name, "kind": plan.kind, **counts}))
        return
    made = "would have" if task_id is None else "has"
    known = "".join(
        f", {counts[role]} of {role}" for role in ("practice", "attention") if counts[role]
    )
    print(f"{plan.name} {made} {counts['work']} items{known}; {plan.overlap} people each.")


def _list(workspace: Any, as_json: bool) -> None:
    from annotations.evaluation import all_tasks

    fields = ("id", "name", "kind", "status", "overlap", "adaptive", "items", "finished", "answers",
              "wanted", "saved", "waiting", "practice", "attention")  # fmt: skip
    found = [{field: task[field] for field in fields} for task in all_tasks(workspace)]
    if as_json:
        print(json.dumps([{**task, "adaptive": bool(task["adaptive"])} for task in found]))
        return
    if not found:
        print("No tasks yet. Make one: rushes task create FILE.toml --workspace DIR")
        return
    width = max(len(task["name"]) for task in found)
    heads = f"{'State':<7} {'Items':>7} {'Finished':>8} {'Answers':>16} {'Saved':>6} {'Waiting':>7}"
    print(f"{'Task':<{width}}  {heads}")
    for task in found:
        answers = f"{task['answers']:,} of {task['wanted']:,}"
        print(
            f"{task['name']:<{width}}  {task['status']:<7} {task['items']:>7,}"
            f" {task['finished']:>8,} {answers:>16} {task['saved']:>6,} {task['waiting']:>7,}"
        )
