"""Run a declared pipeline step by step; it can be stopped or killed, and goes on where it was."""

import json
import os
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from annotations.engine.engine import Where
from annotations.engine.engine_hold import is_alive
from annotations.footage import clip_steps, video_steps
from annotations.footage.action_list import approved_actions
from annotations.footage.pipeline_file import Pipeline, read_pipeline
from annotations.footage.step_results import Funnel, add_time, declare, funnel
from annotations.footage.video_steps import Context, Paused
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import Store

BEAT_S = 2.0
RUN = {
    "search": video_steps.search, "find": video_steps.find,
    "title_filter": video_steps.title_filter, "download": video_steps.download,
    "transcript": clip_steps.transcript, "segment_finder": clip_steps.segment_finder,
    "clip_similarity": clip_steps.clip_filter, "vlm_screening": clip_steps.clip_filter,
    "people": clip_steps.people,
}  # fmt: skip
Say = Callable[[str, int, int], None]


@dataclass(frozen=True)
class PipelineEnd:
    """How a pipeline ended for now.

    Attributes:
        state: 'finished', 'stopped' or 'failed'.
        note: why, in words.
    """

    state: str
    note: str
    funnel: Funnel


def run_pipeline(
    workspace: Workspace, store: Store, text: str, *, sample: int | None = None,
    say: Say = lambda words, done, total: None,
) -> PipelineEnd:  # fmt: skip
    """Run what a TOML text declares until its end, a pause, or a stop.

    Args:
        workspace: gets videos, tasks and runs.
        store: of the metadata.
        text: as `read_pipeline` takes it.
        sample: only so many of the videos that are found.
        say: is told the step, how much of it is done, and of how much.

    Raises:
        Refusal: for a pipeline that is none, or one that another process works on.
    """
    pipeline = read_pipeline(text)
    actions = {**approved_actions(store, pipeline.listed), **pipeline.actions}
    if not actions:
        raise Refusal("There are no actions: name some, or a list with approved ones.")
    declare(store, pipeline)
    hold = _Hold(store, pipeline.name)
    where = _where(pipeline.where)
    context = Context(
        workspace, store, pipeline, actions, sample, hold.stopping, hold.saying(say), where
    )
    state, note = "finished", "all steps are done"
    try:
        for step in pipeline.steps:
            context.check()
            hold.step = step.key
            context.say(step.key, 0, 0)
            began = time.monotonic()
            try:
                RUN[step.do](context, step)
            finally:
                add_time(store, pipeline.name, step.key, time.monotonic() - began)
    except Paused as error:
        state, note = "stopped", f"{hold.step}: {error}"
    except BaseException as error:
        hold.end("failed", f"{hold.step}: {error}")
        raise
    hold.end(state, note)
    return PipelineEnd(state, note, funnel(store, pipeline))


def _where(declared: dict[str, Any]) -> Where:
    """Where the models work, of the table [where].

    Raises:
        Refusal: for a name that is not known.
    """
    known = ("devices", "ray", "ray_address", "ray_workers", "decoders")
    unknown = [name for name in declared if name not in known]
    if unknown:
        raise Refusal(f"where: {unknown[0]!r} is not known. Allowed: {', '.join(known)}.")
    settings = {name: value for name, value in declared.items() if name != "devices"}
    return Where(tuple(str(name) for name in declared.get("devices", [])), **settings)


def stop_pipeline(store: Store, name: str) -> None:
    """Ask the process that works on a pipeline to stop after what is at hand."""
    with store.write() as database:
        database.conn.execute(
            "UPDATE pipeline SET facts = json_set(facts, '$.stopping', json('true'))"
            " WHERE name = ? AND state = 'running'",
            [name],
        )


@dataclass(frozen=True)
class PipelineState:
    """A pipeline as it is now.

    Attributes:
        state: 'waiting', 'running', 'stopped', 'finished' or 'failed'.
        note: what is being done, or why it ended.
        done: units of the step at hand, of `total`.
    """

    pipeline: Pipeline
    state: str
    note: str
    done: int = 0
    total: int = 0
    stopping: bool = False


def pipeline_state(store: Store, name: str) -> PipelineState:
    """How far a pipeline is; one whose process has died is 'stopped'.

    Raises:
        Missing: if there is no such pipeline.
    """
    rows = store.rows("SELECT * FROM pipeline WHERE name = ?", [name])
    if not rows:
        raise Missing(f"There is no pipeline {name!r}.")
    facts: dict[str, Any] = json.loads(rows[0]["facts"])
    state, note = rows[0]["state"], rows[0]["note"]
    if state == "running" and not is_alive(facts):
        state, note = "stopped", "its process ended; start it again to go on"
    return PipelineState(
        read_pipeline(rows[0]["declared"]), state, note, int(facts.get("done") or 0),
        int(facts.get("total") or 0), bool(facts.get("stopping")) and state == "running",
    )  # fmt: skip


class _Hold:
    """A pipeline that this process works on; a thread keeps saying so."""

    def __init__(self, store: Store, name: str):
        """Take it.

        Raises:
            Refusal: if another process works on it.
        """
        self._store, self._name, self.step = store, name, ""
        self._ended, self._stop = threading.Event(), False
        self._owner = uuid4().hex
        with store.write() as database:
            row = database.conn.execute(
                "SELECT state, facts FROM pipeline WHERE name = ?", [name]
            ).fetchone()
            facts = json.loads(row["facts"])
            if row["state"] == "running" and is_alive(facts):
                raise Refusal(
                    f"The pipeline {name!r} is being worked on by process {facts.get('pid')}. "
                    "Stop it first, or wait until it has ended."
                )
            facts |= {"owner": self._owner, "pid": os.getpid(), "host": socket.gethostname(),
                      "beat": time.time(), "stopping": False}  # fmt: skip
            database.conn.execute(
                "UPDATE pipeline SET state = 'running', note = 'starting', facts = ?"
                " WHERE name = ?",
                [json.dumps(facts), name],
            )
        self._note, self._done, self._total, self._said = "starting", 0, 0, 0.0
        self._thread = threading.Thread(target=self._beat, name="pipeline", daemon=True)
        self._thread.start()

    def stopping(self) -> bool:
        """Whether somebody asked to stop."""
        return self._stop

    def saying(self, say: Say) -> Say:
        """A function that says how far it is, to the row and to the caller."""

        def both(message: str, finished: int, total: int) -> None:
            self._note, self._done, self._total = message, finished, total
            if time.monotonic() - self._said > 1.0:
                self._write()
            say(message, finished, total)

        return both

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_S):
            try:
                self._write()
            except Exception:  # a database busy for long: the next beat says it
                continue

    def _write(self) -> None:
        self._said = time.monotonic()
        facts = {"beat": time.time(), "done": self._done, "total": self._total}
        with self._store.write() as database:
            row = database.conn.execute(
                "UPDATE pipeline SET note = ?, facts = json_patch(facts, ?) WHERE name = ?"
                " AND json_extract(facts, '$.owner') = ?"
                " RETURNING json_extract(facts, '$.stopping') AS stopping",
                [self._note, json.dumps(facts), self._name, self._owner],
            ).fetchone()
        self._stop = self._stop or row is None or bool(row["stopping"])

    def end(self, state: str, note: str) -> None:
        """Let it go."""
        self._ended.set()
        self._thread.join(timeout=30)
        with self._store.write() as database:
            database.conn.execute(
                "UPDATE pipeline SET state = ?, note = ?, facts = json_patch(facts, ?)"
                " WHERE name = ? AND json_extract(facts, '$.owner') = ?",
                [state, note[:500], json.dumps({"owner": None, "stopping": None}), self._name,
                 self._owner],
            )  # fmt: skip
