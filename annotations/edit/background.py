"""Edits, readings and blurrings in a process of its own, which outlives the page that asked."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from annotations.edit import text_work, work_rows
from annotations.edit.edit_store import TABLE as EDITS
from annotations.edit.make_edits import make_waiting
from annotations.edit.text_work import BLURRINGS, READINGS
from annotations.edit.work_rows import FAILED, WAITING, Stopped
from annotations.workspace import Workspace
from core.model import ItemError, ModelError, Ocr
from core.model_loading import load_model
from core.refusal import Refusal
from core.video.errors import VideoError, reason_of

LOG = "logs/edits.log"

Numbers = Mapping[str, Sequence[int]]


def start(
    workspace: Workspace,
    edits: Sequence[int] = (),
    readings: Sequence[int] = (),
    blurrings: Sequence[int] = (),
) -> int:
    """Start a process that does this work and return its id; its words go to logs/edits.log.

    What was stopped or has failed is tried again.
    """
    numbers = {EDITS: list(edits), READINGS: list(readings), BLURRINGS: list(blurrings)}
    for table, listed in numbers.items():
        work_rows.release(workspace, table, listed)
    log = workspace.root / LOG
    log.parent.mkdir(exist_ok=True)
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "annotations.edit.background", str(workspace.root),
             json.dumps(numbers)],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
    return process.pid


def do(workspace: Workspace, numbers: Numbers) -> None:
    """Make edits, read text and blur it; what fails costs itself, and its reason is stored."""

    @cache
    def model(name: str) -> Ocr:
        return load_model("ocr", name)

    make_waiting(workspace, numbers.get(EDITS, ()))
    for number in numbers.get(READINGS, ()):
        reading = text_work.stored_reading(workspace, number)
        _try(workspace, READINGS, number, text_work.read, partial(model, reading.model))
    for number in numbers.get(BLURRINGS, ()):
        blurring = text_work.stored_blurring(workspace, number)
        reading = text_work.stored_reading(workspace, blurring.reading_id)
        _try(workspace, BLURRINGS, number, text_work.blur, partial(model, reading.model))


def _try(
    workspace: Workspace,
    table: str,
    number: int,
    work: Callable[[Workspace, int, Ocr], object],
    model: Callable[[], Ocr],
) -> None:
    try:
        work(workspace, number, model())
    except Stopped:
        work_rows.end(workspace, table, number, WAITING)
    except (Refusal, ModelError, ItemError, VideoError, OSError) as error:
        reason = reason_of(error) if isinstance(error, VideoError | OSError) else str(error)
        work_rows.end(workspace, table, number, FAILED, reason)
        print(f"{table} {number}: {reason}")
    except BaseException:
        # A bug: whoever looks finds its traceback in the log.
        work_rows.end(workspace, table, number, FAILED, f"it broke; {LOG} says where")
        raise


def main(arguments: Sequence[str]) -> int:
    """Do work: folder of the workspace, and JSON of lists of ids by table."""
    root, numbers = arguments
    workspace = Workspace.open(Path(root))
    try:
        do(workspace, json.loads(numbers))
    finally:
        workspace.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
