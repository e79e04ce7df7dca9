"""Run a model annotator over the items of a task; it can be stopped or killed and resumed.

What is stored is never done again; what fails is stored with its reason. One process stores, and
how far it is stands in the run's row, where the terminal and the page read it.
"""

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from annotations import task as tasks
from annotations.annotator import Annotator, Ask, Setup, annotator
from annotations.engine.engine_hold import Hold, Lost, Progress, progress_of
from annotations.engine.engine_items import PlannedRun, asks, planned_run, remaining_items
from annotations.engine.engine_processes import Processes, spread
from annotations.engine.engine_worker import Loaded, Result, here, most_items
from annotations.engine.stored_results import stored_result
from annotations.engine.worker_pool import WorkerPool, shared_out
from annotations.run.run_answers import ModelAnswer, store_answers, store_errors
from annotations.run.run_plan import setup_of
from annotations.run.runs import ensure_run
from annotations.video.video_texts import NewText, store_texts
from annotations.workspace import Workspace
from core.model import ItemError

STORE_AFTER = 32
STORE_AFTER_S = 1.0
GIVE_UP_AFTER = 50
Say = Callable[[Progress], None]


def quiet(progress: Progress) -> None:
    """Ignore the progress."""


@dataclass(frozen=True)
class Where:
    """Where the models of a run work.

    Attributes:
        devices: one process for each; () for every GPU where there are several, else this process.
        ray: whether on Ray; `ray_address` of the cluster, '' for the one that it finds.
        ray_workers: actors; None for one a GPU.
        decoders: processes that decode for each model; None chooses.
    """

    devices: tuple[str, ...] = ()
    ray: bool = False
    ray_address: str = ""
    ray_workers: int | None = None
    decoders: int | None = None


@dataclass(frozen=True)
class Ended:
    """How a run ended for now.

    Attributes:
        status: 'finished' when nothing is left to be done, 'stopped', or 'failed'.
        note: why, in words.
        done: items that have a result now, `wanted` of them in all.
        new: results of this session, and `errors` items that failed in it, by reason.
        seconds: how long it took, `load_s` of them until a model was loaded.
    """

    status: str
    note: str
    done: int
    wanted: int
    new: int
    errors: dict[str, int] = field(default_factory=dict[str, int])
    seconds: float = 0.0
    load_s: float = 0.0


def work(
    workspace: Workspace,
    run_id: int,
    *,
    sample: int | None = None,
    only: Sequence[int] | None = None,
    retry: bool = False,
    where: Where | None = None,
    say: Say = quiet,
) -> Ended:
    """Annotate what is left of a run, until all is done or somebody asks to stop.

    Args:
        sample: only so many items of the task, the same ones for every run of it.
        only: ids of the items that are wanted; None for all.
        retry: whether items that failed before are tried again.
        where: in which processes; None for this one.
        say: is told how far it is, about once a second.

    Raises:
        LookupError: if there is no such run.
        ValueError: if the run was imported, or another process works on it.
        ModelError: if the model cannot be had; the run is 'failed' then, with the reason.
    """
    run = planned_run(workspace, run_id)
    setup = setup_of(run.method, run.facts)
    hold = Hold.take(workspace, run_id)
    session = _Session(workspace, run, setup, hold, say)
    try:
        todo = remaining_items(workspace, run, sample=sample, only=only, retry=retry)
        hold.wanted, hold.done, hold.failed = todo.wanted, todo.done, todo.failed
        session.tell("loading the model")
        ended = session.run(todo.items, where or Where())
    except Lost as error:
        return session.ended("stopped", str(error))
    except KeyboardInterrupt:
        hold.end("stopped", "interrupted")
        raise
    except BaseException as error:
        hold.end("failed", str(error) or type(error).__name__)
        raise
    if ended is None:
        whole = remaining_items(workspace, run)
        finished = not whole.items
        note = f"{len(whole.items):,} items are left"
        if finished:
            note = f"all but {whole.failed:,} that failed" if whole.failed else "all items are done"
        ended = ("finished" if finished else "stopped", note)
    hold.end(*ended)
    return session.ended(*ended)


class _Session:
    """One go at a run: what comes from the model goes to the database."""

    def __init__(self, workspace: Workspace, run: PlannedRun, setup: Setup, hold: Hold, say: Say):
        self.workspace, self.planned, self.setup, self.hold, self.say = (
            workspace, run, setup, hold, say,
        )  # fmt: skip
        self.module: Annotator = annotator(setup.annotator)
        self.kind = tasks.kind(run.task.kind)
        self.began = time.monotonic()
        self.stored = self.began
        self.load_s = 0.0
        self.said = 0.0
        self.new = 0
        self.errors: Counter[str] = Counter()
        self.results: list[Result] = []
        self.refused: deque[tuple[int, str]] = deque()
        self.in_a_row = 0

    def run(self, items: Sequence[int], where: Where) -> tuple[str, str] | None:
        """Status and note where it ended early; None where it went through."""
        item_asks = asks(
            self.workspace, self.planned, self.setup, items,
            lambda item, why: self.refused.append((item, why)),
        )  # fmt: skip
        messages = _messages(self.setup, self._until_stopped(item_asks), where, len(items))
        early: tuple[str, str] | None = None
        try:
            with closing(messages):
                for message in messages:
                    early = self._take(message)
                    if early:
                        break
        finally:
            if not self.hold.lost:
                self._store()
        return early or (("stopped", "stopped as asked") if self.hold.stopping else None)

    def _until_stopped(self, items: Iterable[Ask]) -> Iterator[Ask]:
        for ask in items:
            if self.hold.stopping or self.hold.lost:
                return
            yield ask

    def _take(self, message: Loaded | Result) -> tuple[str, str] | None:
        if isinstance(message, Loaded):
            self._loaded(message)
            return None
        self.results.append(message)
        failed = isinstance(message.outcome, ItemError)
        self.in_a_row = self.in_a_row + 1 if failed and message.of_model else 0
        now_s = time.monotonic()
        if len(self.results) >= STORE_AFTER or now_s - self.stored >= STORE_AFTER_S:
            self._store()
        if self.hold.stopping:
            return ("stopped", "stopped as asked")
        if self.in_a_row >= GIVE_UP_AFTER:
            return ("failed", f"{self.in_a_row} items in a row failed: {message.outcome}")
        return None

    def _loaded(self, loaded: Loaded) -> None:
        self.load_s = self.load_s or time.monotonic() - self.began
        self.hold.device = loaded.device
        facts = {"device": loaded.device, "stand_in": loaded.stand_in}
        ensure_run(
            self.workspace, self.planned.model, self.planned.task.id,
            self.setup.annotator, facts,
        )  # fmt: skip
        self.tell("annotating")

    def _store(self) -> None:
        """Keep what has come, answers and failures, each in one transaction."""
        results, self.results = self.results, []
        refused = [self.refused.popleft() for _ in range(len(self.refused))]
        self.hold.check()
        failed = refused
        answers: list[ModelAnswer] = []
        texts: list[NewText] = []
        for result in results:
            checked = stored_result(self.kind, self.module, result)
            if isinstance(checked, ItemError):
                failed.append((result.ask.item_id, str(checked)))
            elif isinstance(checked, NewText):
                texts.append(checked)
            else:
                answers.append(checked)
        run_id = self.planned.id
        if answers:
            store_answers(self.workspace, run_id, answers, self.hold.owner)
        if texts:
            store_texts(self.workspace, run_id, texts)
        if failed:
            store_errors(self.workspace, run_id, failed)
        self.errors.update(reason.split(":")[0] for _, reason in failed)
        self.new += len(answers) + len(texts)
        self.hold.counted(len(answers) + len(texts), len(failed))
        self.stored = time.monotonic()
        self.tell("annotating")

    def tell(self, note: str) -> None:
        """Say how far it is, if something has changed for a person."""
        now_s = time.monotonic()
        if note == self.hold.note and now_s - self.said < STORE_AFTER_S:
            return
        if note != self.hold.note:
            self.hold.note = note
            self.hold.say()
        self.said = now_s
        facts = {**self.hold.facts(), "stopping": self.hold.stopping}
        self.say(progress_of("annotating", facts))

    def ended(self, status: str, note: str) -> Ended:
        """How it ended."""
        seconds = time.monotonic() - self.began
        self.say(progress_of(status, {**self.hold.facts(), "note": note}))
        return Ended(status, note, self.hold.done, self.hold.wanted, self.new,
                     dict(self.errors.most_common()), seconds, self.load_s)  # fmt: skip


def _messages(
    setup: Setup, asks: Iterable[Ask], where: Where, items: int
) -> Generator[Loaded | Result]:
    """What the models say, wherever they are."""
    devices = where.devices or (() if where.ray else spread(setup, items))
    decoders = where.decoders or max(1, (os.cpu_count() or 1) // max(1, len(devices)))
    if not where.ray and len(devices) < 2:
        yield from here(setup, asks, *devices, decoders=decoders, items=items)
        return
    workers: WorkerPool
    if where.ray:
        from annotations.engine.engine_ray import RayWorkers

        workers = RayWorkers(setup, where.ray_workers, where.ray_address, decoders, items)
    else:
        workers = Processes(setup, list(devices), decoders, items // len(devices))
    with closing(workers):
        yield from shared_out(workers, asks, 3 * most_items(setup))
