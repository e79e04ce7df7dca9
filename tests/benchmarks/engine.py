"""What the engine costs: items a second against a plain loop over the same clips and model.

Run by hand: `python tests/benchmarks/engine.py`. Both decode the same frames and ask the same stub;
the plain loop does it one clip at a time and keeps the answers in a list. A second table leaves out
the decoding (questions of text), so that what is left is the engine's own work: showing, batching,
checking and storing. Wall time hangs on what else the machine does, so the ratio of processor time
stands beside it, decoding processes and their start included.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from footage import screening_task

from annotations.annotator import ModelInput, annotator
from annotations.engine import engine_items
from annotations.engine.engine import Where, work
from annotations.record.item import items_of_task
from annotations.run import run_plan
from annotations.run.runs import condition_task
from annotations.workspace import Workspace
from core.model_loading import load_model
from core.video.encode import write_video
from core.video.sample import sample_frames


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=300)
    parser.add_argument("--questions", type=int, default=3000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--decoders", type=int, default=2)
    given = parser.parse_args()
    print(f"{'':<36}{'plain/s':>9}{'engine/s':>10}{'ratio':>8}{'cpu s of engine / of plain':>28}")
    for name, make, count in (
        ("clips, 8 frames each, decoded", footage, given.clips),
        ("questions of text, nothing decoded", questions, given.questions),
    ):
        pairs = [measured(make, count, given.decoders) for _ in range(given.repeats)]
        plain, engine = (count / statistics.median(one[at][0] for one in pairs) for at in (0, 1))
        ratio = statistics.median(one[0][0] / one[1][0] for one in pairs)
        cpu = sorted(one[1][1] / one[0][1] for one in pairs)
        middle = f"{statistics.median(cpu):.2f} ({cpu[0]:.2f} to {cpu[-1]:.2f})"
        print(f"{name:<36}{plain:>9.0f}{engine:>10.0f}{ratio:>8.2f}{middle:>28}")


Taken = tuple[float, float]


def measured(
    make: Callable[[Workspace, int, Path], int], count: int, decoders: int
) -> tuple[Taken, Taken]:
    """Wall and processor seconds of the plain loop and of the engine, on a fresh workspace."""
    with tempfile.TemporaryDirectory() as scratch:
        workspace = Workspace.create(Path(scratch) / "workspace")
        run_id = make(workspace, count, Path(scratch))
        plain = timed(lambda: plain_loop(workspace, run_id))
        engine = timed(lambda: through_the_engine(workspace, run_id, count, decoders))
        workspace.close()
    return plain, engine


def timed(function: Callable[[], object]) -> Taken:
    """Wall seconds of a call, and processor seconds, those of processes that ended included."""
    began, before = time.perf_counter(), os.times()
    function()
    after = os.times()
    cpu = sum(after[:4]) - sum(before[:4])
    return time.perf_counter() - began, cpu


def plain_loop(workspace: Workspace, run_id: int) -> list[Any]:
    """Each item on its own: shown, decoded here, asked; answers in a list."""
    run = engine_items.planned_run(workspace, run_id)
    setup = run_plan.setup_of(run.method, run.facts)
    module = annotator(setup.annotator)
    ready = module.prepare(load_model(setup.kind, setup.model), setup)
    answers: list[Any] = []
    with workspace.store.single() as database:
        items = items_of_task(database, run.task.id)
    for item in items:
        ask = module.ask(workspace, run.task, item, "seed", setup)
        frames = None
        if ask.need is not None:
            sha256 = ask.shown.facts["video"]
            table = workspace.media.frame_table(sha256)
            found = sample_frames(ask.need.path, ask.need.frames, table=table)
            frames = np.stack([one.image for one in found if one.image is not None])
        answers += module.annotate(ready, [ModelInput(ask, frames)])
    return answers


def through_the_engine(workspace: Workspace, run_id: int, count: int, decoders: int) -> None:
    """The same by the engine, stored."""
    ended = work(workspace, run_id, where=Where(decoders=decoders))
    assert ended.new == count, ended


def footage(workspace: Workspace, count: int, scratch: Path) -> int:
    """A run over so many clips of 320 by 180 px, 3 s each; a few files under many names."""
    files: list[Path] = []
    for number in range(8):
        noise = np.random.default_rng(number).integers(0, 255, (75, 45, 80, 3), np.uint8)
        images = (np.kron(one, np.ones((4, 4, 1), np.uint8)) for one in noise)
        files.append(write_video(scratch / f"{number}.mp4", images, Fraction(25)))
    task_id = screening_task(workspace, files, count)
    return run_plan.plan_run(
        workspace, "clip_similarity", "stub:fair", task_id=task_id,
        settings={"text": "noise", "frames": 8},
    )  # fmt: skip


def questions(workspace: Workspace, count: int, scratch: Path) -> int:
    """A run over so many questions, from the text alone."""
    del scratch
    with workspace.store.write() as database:
        execute = database.conn.execute
        execute(
            "INSERT INTO video (name, sha256, status, created_at) VALUES ('v', 'ab', 'missing', '')"
        )
        execute("INSERT INTO clip (video_id) VALUES (1)")
        for number in range(1, count + 1):
            execute(
                "INSERT INTO question (uid, source, created_at) VALUES (?, 'made', '')",
                [f"q/{number}"],
            )
            execute(
                "INSERT INTO question_revision (question_id, revision, clip_id, text, options,"
                " created_at) VALUES (?, 1, 1, ?, ?, '')",
                [number, f"Which way does it turn at {number}?", json.dumps(["left", "right"])],
            )
    condition_task(workspace, "text only")
    return run_plan.plan_run(workspace, "text_only", "stub:fair")


if __name__ == "__main__":
    main()
