"""A run in a process of its own, which goes on when the page that started it is closed."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotations.engine.engine import Where, work
from annotations.workspace import Workspace

LOGS = "logs"


def start(
    workspace: Workspace,
    run_id: int,
    *,
    sample: int | None = None,
    only: Sequence[int] | None = None,
    retry: bool = False,
    where: Where | None = None,
) -> int:
    """Start a process that works on a run and return its id.

    Arguments as for `annotations.engine.engine.work`.

    How far it is stands in the run's row. What it prints goes to logs/run-ID.log in the workspace.
    """
    wanted: dict[str, Any] = {
        "sample": sample,
        "only": None if only is None else list(only),
        "retry": retry,
        "where": asdict(where or Where()),
    }
    log = workspace.root / LOGS / f"run-{run_id}.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "annotations.engine.background", str(workspace.root),
             str(run_id), json.dumps(wanted)],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
    return process.pid


def main(arguments: Sequence[str]) -> int:
    """Work on a run: folder of the workspace, id of the run, JSON with what is wanted."""
    root, run_id, wanted = arguments
    facts: dict[str, Any] = json.loads(wanted)
    where_facts: dict[str, Any] = facts.pop("where")
    where_facts["devices"] = tuple(where_facts["devices"])
    where = Where(**where_facts)
    workspace = Workspace.open(Path(root))
    try:
        ended = work(workspace, int(run_id), where=where, **facts)
    finally:
        workspace.close()
    print(f"{ended.status}: {ended.note}; {ended.new} new, errors: {ended.errors}")
    return 0 if ended.status in ("finished", "stopped") else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
