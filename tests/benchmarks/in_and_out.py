"""Times of bringing 100,000 predictions in and of publishing TOMATO's 1,484 questions.

    python tests/benchmarks/in_and_out.py SHARED [--predictions 100000]

SHARED is the folder with data/tomato. Each step runs in a process of its own, whose greatest memory
is printed beside its time. Videos are made files of one byte each, so that linking is timed, not
writing.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.prediction_format import PredictionChoices
from annotations.publishing.publication import publish
from annotations.workspace import Workspace

# No two replies are the same: what is read out of one is known when it comes again.
REPLY = (
    "Series {number}: looking at the frames in order, the object first stays where it is, then "
    "moves, and the frames after that show the same movement again. The best answer is ({letter})."
)


def bring_in_questions(folder: Path, shared: Path, predictions: int) -> str:
    """Import TOMATO, and put a file behind each video's name."""
    del predictions
    workspace = Workspace.create(folder / "workspace")
    carry_out(workspace, plan_import(workspace, shared / "data" / "tomato"))
    with workspace.store.write() as database:
        for row in database.conn.execute("SELECT id, name FROM video").fetchall():
            sha256 = hashlib.sha256(row["name"].encode()).hexdigest()
            file = workspace.media.original(sha256, ".mp4")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"x")
            database.conn.execute(
                "UPDATE video SET sha256 = ?, status = 'usable' WHERE id = ?", [sha256, row["id"]]
            )
    workspace.close()
    return "1,484 questions imported"


def write_file(folder: Path, predictions: int) -> Path:
    """A table of replies in JSON Lines: every question by one model after the other."""
    workspace = Workspace.open(folder / "workspace")
    uids = [row["uid"] for row in workspace.store.rows("SELECT uid FROM question ORDER BY id")]
    workspace.close()
    path = folder / "replies.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(predictions):
            model, place = divmod(number, len(uids))
            reply = REPLY.format(number=number, letter="ABC"[number % 3])
            row = {"id": uids[place], "model": f"model {model}", "response": reply}
            file.write(json.dumps(row) + "\n")
    return path


def bring_in_predictions(folder: Path, shared: Path, predictions: int) -> str:
    """Import a file of predictions, from the first byte read to the last row stored."""
    del shared
    workspace = Workspace.open(folder / "workspace")
    choices = PredictionChoices(condition="text only")
    plan = plan_predictions(workspace, [folder / "replies.jsonl"], choices)
    write_predictions(workspace, plan)
    workspace.close()
    return f"{plan.matched:,} of {predictions:,} predictions imported"


def publish_it(folder: Path, shared: Path, predictions: int) -> str:
    """Publish with links to the files of videos."""
    del shared, predictions
    workspace = Workspace.open(folder / "workspace")
    counts = publish(workspace, folder / "out")
    workspace.close()
    linked = sum(path.stat().st_nlink > 1 for path in (folder / "out" / "videos").rglob("*.mp4"))
    return f"{counts['questions']:,} questions published, {linked:,} videos linked"


STEPS: dict[str, Callable[[Path, Path, int], str]] = {
    "questions": bring_in_questions, "publish": publish_it, "predictions": bring_in_predictions,
}  # fmt: skip


def main() -> None:
    """Run the steps one after the other, each in its own process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--predictions", type=int, default=100_000)
    parser.add_argument("--step", choices=STEPS)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    if arguments.step:
        begin = time.perf_counter()
        said = STEPS[arguments.step](arguments.folder, arguments.shared, arguments.predictions)
        seconds = time.perf_counter() - begin
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{said}: {seconds:.1f} s, {peak:.0f} MB")
        return
    print(f"load average {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        for step in STEPS:
            if step == "predictions":
                write_file(Path(folder), arguments.predictions)
            command = [sys.executable, __file__, str(arguments.shared), "--step", step]
            command += ["--folder", folder, "--predictions", str(arguments.predictions)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
