"""A pipeline in a process of its own, which goes on when the page that started it is closed."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from annotations.footage.pipeline_run import run_pipeline
from annotations.footage.store import open_store
from annotations.workspace import Workspace
from core.refusal import Missing

LOGS = "logs"


def start_pipeline(workspace: Workspace, name: str, sample: int | None = None) -> int:
    """Start a process that works on a pipeline as it was last declared, and return its id.

    What it prints goes to logs/pipeline.log in the workspace.
    """
    log = workspace.root / LOGS / "pipeline.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "annotations.footage.pipeline_background", str(workspace.root),
             json.dumps([name, sample])],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
    return process.pid


def main(arguments: Sequence[str]) -> int:
    """Work on a pipeline: folder of the workspace, JSON of its name and the sample."""
    root, wanted = arguments
    name, sample = json.loads(wanted)
    workspace = Workspace.open(Path(root))
    store = open_store(workspace)
    try:
        rows = store.rows("SELECT declared FROM pipeline WHERE name = ?", [name])
        if not rows:
            raise Missing(f"There is no pipeline {name!r}.")
        end = run_pipeline(workspace, store, rows[0]["declared"], sample=sample)
    finally:
        store.close()
        workspace.close()
    print(f"{name}: {end.state}: {end.note}")
    return 0 if end.state == "finished" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
