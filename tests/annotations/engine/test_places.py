"""Several workers share the items of a run; one that dies costs nothing that was not done yet."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotations.annotator import Ask, Outcome, Setup
from annotations.engine import background
from annotations.engine.engine import Where, work
from annotations.engine.engine_hold import progress
from annotations.engine.engine_processes import gpus, spread
from annotations.engine.engine_worker import Loaded, Result
from annotations.engine.worker_pool import DIED, Message, WorkerDied, shared_out
from annotations.run.run_plan import plan_run
from annotations.task import Shown
from annotations.workspace import Workspace
from core.model import ItemError, ModelError
from core.reply.result import Reading

LOADED = Loaded("cpu", "", 0.0)


def ask(number: int) -> Ask:
    return Ask(number, Shown({}))


class InTheHead:
    """Workers that answer at once, and die when they meet certain items."""

    def __init__(self, count: int, deadly: dict[int, int], batch: int = 2):
        self.count = count
        self.deadly, self.batch = deadly, batch
        self.queues: list[deque[Ask | None]] = [deque() for _ in range(count)]
        self.said: list[tuple[int, Message]] = []
        self.starts: list[int] = []

    def start(self, worker: int) -> None:
        self.starts.append(worker)
        self.queues[worker].clear()
        self.said.append((worker, LOADED))

    def give(self, worker: int, given: Ask | None) -> None:
        self.queues[worker].append(given)

    def heard(self, timeout_s: float) -> list[tuple[int, Message]]:
        for worker, asks in enumerate(self.queues):
            if len(asks) < self.batch and None not in asks:
                continue  # a batch is full, or it was told that there is no more
            while asks:
                given = asks.popleft()
                if given is None:
                    break
                if self.deadly.get(given.item_id, 0) > 0:
                    self.deadly[given.item_id] -= 1
                    asks.clear()
                    self.said.append((worker, WorkerDied(f"{DIED} with exit code -9")))
                    break
                outcome = Outcome(Reading(None, "read", "", ""))
                self.said.append((worker, Result(given, outcome)))
        said, self.said = self.said, []
        return said

    def close(self) -> None:
        pass


def results(places: InTheHead, items: int, ahead: int = 4) -> dict[int, Outcome | ItemError]:
    found: dict[int, Outcome | ItemError] = {}
    for message in shared_out(places, (ask(number) for number in range(items)), ahead):
        if isinstance(message, Result):
            assert message.ask.item_id not in found
            found[message.ask.item_id] = message.outcome
    return found


@pytest.mark.parametrize(("workers", "items"), [(1, 0), (1, 7), (2, 1), (3, 50), (5, 3)])
def test_every_item_comes_back_once_also_when_batches_stay_half_full(workers: int, items: int):
    assert set(results(InTheHead(workers, {}, batch=4), items)) == set(range(items))


def test_a_worker_that_dies_is_started_again_with_what_it_had():
    places = InTheHead(2, {5: 1})
    found = results(places, 20)
    assert set(found) == set(range(20))
    assert not any(isinstance(one, ItemError) for one in found.values())
    assert len(places.starts) == 3


def test_an_item_with_which_workers_die_twice_costs_itself_and_little_more():
    found = results(InTheHead(2, {5: 99}), 20)
    assert set(found) == set(range(20))
    failed = {number for number, one in found.items() if isinstance(one, ItemError)}
    assert 5 in failed
    assert len(failed) <= 4  # what a worker holds
    assert str(found[5]).startswith(f"{DIED}: {DIED} with exit code -9, twice")


def test_workers_that_die_before_the_model_is_loaded_end_the_run():
    class Dead(InTheHead):
        def start(self, worker: int) -> None:
            self.said.append((worker, WorkerDied("its process ended with exit code 1")))

    with pytest.raises(WorkerDied, match="exit code 1"):
        results(Dead(2, {}), 5)


def test_a_model_that_cannot_be_had_is_said_by_the_first_worker():
    class Refusing(InTheHead):
        def start(self, worker: int) -> None:
            self.said.append((worker, ModelError("no such model")))

    with pytest.raises(ModelError, match="no such model"):
        results(Refusing(2, {}), 5)


def planned(workspace: Workspace, task_id: int, model: str = "stub:fair") -> int:
    return plan_run(
        workspace, "clip_similarity", model, task_id=task_id,
        settings={"text": "red", "frames": 2}, options={"batch": 4},
    )  # fmt: skip


def test_two_processes_share_the_items_of_a_run(
    workspace: Workspace, footage: Callable[..., int], results: Callable[..., Any]
):
    run_id = planned(workspace, footage(40))
    ended = work(workspace, run_id, where=Where(("cpu", "cpu"), decoders=1))
    assert (ended.status, ended.new, ended.errors) == ("finished", 40, {})
    assert {one["revision"] for one in results(run_id)} == {1}


def children(process: int) -> list[int]:
    """Processes that a process has started, apart from Python's helper of multiprocessing."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text()
            words = (entry / "cmdline").read_text()
        except OSError:
            continue
        if stat.rpartition(")")[2].split()[1] == str(process) and "resource_tracker" not in words:
            found.append(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="children are found in /proc")
def test_a_worker_process_that_is_killed_costs_no_item(
    workspace: Workspace, footage: Callable[..., int], results: Callable[..., Any]
):
    run_id = plan_run(
        workspace, "vlm_screening", "stub:slow", task_id=footage(60),
        settings={"answer": "score"}, options={"batch": 2},
    )  # fmt: skip
    process = background.start(workspace, run_id, where=Where(("cpu", "cpu"), decoders=1))
    until = time.monotonic() + 120
    while progress(workspace, run_id).done < 6 and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(children(process)[0], signal.SIGKILL)
    while progress(workspace, run_id).status == "running" and time.monotonic() < until:
        time.sleep(0.1)
    now = progress(workspace, run_id)
    assert (now.status, now.done, now.failed) == ("finished", 60, 0)
    assert len(results(run_id)) == 60
    os.waitpid(process, 0)


def test_on_ray_the_same_run_does_the_same(
    workspace: Workspace,
    footage: Callable[..., int],
    results: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
):
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install -e '.[ray]'")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    task_id = footage(24)
    here, there = planned(workspace, task_id, "stub:fair"), planned(workspace, task_id, "stub:b")
    work(workspace, here)
    # A cluster of its own, whatever else runs on this machine.
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        ended = work(workspace, there, where=Where(ray=True, ray_workers=2, decoders=1))
    finally:
        ray.shutdown()
    assert (ended.status, ended.new, ended.errors) == ("finished", 24, {})
    assert [one["score"] for one in results(there)] == [one["score"] for one in results(here)]


def test_without_torch_there_are_no_gpus(monkeypatch: pytest.MonkeyPatch):
    def lacking(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("annotations.engine.engine_processes.import_module", lacking)
    assert gpus() == ()


def test_a_run_goes_to_every_gpu_that_has_a_batch_of_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "annotations.engine.engine_processes.gpus", lambda: ("cuda:0", "cuda:1", "cuda:2", "cuda:3")
    )

    def of(items: int, model: str = "a/model", **options: object) -> tuple[str, ...]:
        return spread(Setup("clip_similarity", model, "image_text", {}, {}, options), items)

    # A batch is 32 items: 20 of a sample need one GPU, 33 two, and there are four.
    assert of(20) == ("cuda:0",)
    assert of(33) == ("cuda:0", "cuda:1")
    assert len(of(50_000)) == 4
    assert of(33, batch=8) == ("cuda:0", "cuda:1", "cuda:2", "cuda:3")
    assert of(50_000, device="cuda:2") == ()
    # A model of speech hears one video after the other: two videos are work for two.
    assert spread(Setup("transcript", "a/model", "speech", {}, {}, {}), 2) == ("cuda:0", "cuda:1")
    assert of(50_000, model="server:http://here/v1#a") == of(50_000, model="stub:fair") == ()
    monkeypatch.setattr("annotations.engine.engine_processes.gpus", lambda: ("cuda:0",))
    assert of(50_000) == ()
