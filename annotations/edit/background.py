"""Edits made by a process of their own, which goes on when the page that asked is closed."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from annotations.edit.make_edits import make_waiting
from annotations.workspace import Workspace

LOG = "logs/edits.log"


def start(workspace: Workspace, edits: Sequence[int]) -> int:
    """Start a process that makes these edits and return its id; its words go to logs/edits.log."""
    log = workspace.root / LOG
    log.parent.mkdir(exist_ok=True)
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "annotations.edit.background", str(workspace.root),
             json.dumps(list(edits))],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
    return process.pid


def main(arguments: Sequence[str]) -> int:
    """Make edits: folder of the workspace, JSON list of their ids."""
    root, edits = arguments
    workspace = Workspace.open(Path(root))
    try:
        make_waiting(workspace, json.loads(edits))
    finally:
        workspace.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
