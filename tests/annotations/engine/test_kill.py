"""Killed at a random moment, ten times, a run ends with every clip annotated exactly once."""

import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from killing import Child, Nursery

from annotations.engine.engine import Where
from annotations.engine.engine_hold import progress
from annotations.run.run_plan import plan_run
from annotations.workspace import Workspace

CLIPS = 500
KILLS = 10
SEED = 20


# What a run reads while it works, so that each of the processes need not read it anew.
MODULES = (
    "annotations.engine.background", "annotations.annotators.vlm_screening",
    "annotations.tasks.screening", "core.models.stub",
)  # fmt: skip


def started(nursery: Nursery, workspace: Workspace, run_id: int) -> Child:
    """A process that works on a run, as the page starts it."""
    wanted = {"sample": None, "only": None, "retry": False, "where": asdict(Where(decoders=1))}
    line = [str(workspace.root), str(run_id), json.dumps(wanted)]
    return nursery.start("annotations.engine.background", line)


def done(workspace: Workspace) -> int:
    [row] = workspace.store.rows("SELECT count(*) AS n FROM annotation")
    return int(row["n"])


def test_killed_ten_times_every_clip_is_annotated_exactly_once(
    workspace: Workspace, footage: Callable[..., int], results: Callable[..., Any]
):
    run_id = plan_run(
        workspace,
        "vlm_screening",
        "stub:slow",  # 0.05 s an item, so that no kill comes too late
        task_id=footage(CLIPS),
        settings={"answer": "score", "threshold": 0.0},
        options={"batch": 8},
    )
    drawn = random.Random(SEED)
    reached: list[int] = []
    with Nursery(*MODULES) as nursery:
        for _ in range(KILLS):
            process = started(nursery, workspace, run_id)
            goal = done(workspace) + drawn.randrange(0, CLIPS // KILLS - 15)
            until = time.monotonic() + 60
            while done(workspace) < goal and process.is_alive() and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(drawn.random() * 0.2)
            process.kill()
            reached.append(done(workspace))
        assert reached == sorted(reached)
        assert 0 < reached[-1] < CLIPS, "all of them were killed before the run was through"
        assert progress(workspace, run_id).status == "stopped"
        assert started(nursery, workspace, run_id).wait() == 0
    answers = results(run_id)
    assert len(answers) == len({one["uid"] for one in answers}) == CLIPS
    assert {one["revision"] for one in answers} == {1}
    assert progress(workspace, run_id).status == "finished"
    assert done(workspace) == CLIPS
