"""Let one process at a time work on a run; it writes its progress and sees a request to stop."""

import json
import os
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import first_row

BEAT_S = 2.0
DEAD_S = 60.0
_RATE_OVER_S = 30.0


class Busy(Refusal):
    """Another process works on the run."""


class Lost(RuntimeError):  # noqa: N818
    """Another process has taken the run over, since this one did not say anything for long."""


@dataclass(frozen=True)
class Progress:
    """How far a run is, the same for the terminal and the page.

    Attributes:
        status: of the run.
        note: what is being done, or why it ended.
        done: items that have a result, of all sessions.
        failed: items that have none, with their reason stored.
        wanted: items in all.
        rate: items a second lately; None until it can be told.
        left_s: s until all is done at that rate; None where there is no rate.
        device: where the model runs.
        stopping: whether it was asked to stop.
    """

    status: str
    note: str = ""
    done: int = 0
    failed: int = 0
    wanted: int = 0
    rate: float | None = None
    left_s: float | None = None
    device: str = ""
    stopping: bool = False


def progress(workspace: Workspace, run_id: int) -> Progress:
    """How far a run is; one whose process has died is 'stopped'.

    Raises:
        LookupError: if there is no such run.
    """
    rows = workspace.store.rows("SELECT status, progress FROM run WHERE id = ?", [run_id])
    if not rows:
        raise Missing(f"There is no run {run_id}.")
    return progress_of(rows[0]["status"], json.loads(rows[0]["progress"]))


def progress_of(status: str, facts: dict[str, Any]) -> Progress:
    """Progress from what the run's row says."""
    names = ("note", "done", "failed", "wanted", "rate", "left_s", "device", "stopping")
    known = {name: facts[name] for name in names if facts.get(name) is not None}
    if status == "running" and not is_alive(facts):
        known |= {"note": "its process ended; start it again to go on", "rate": None,
                  "left_s": None, "stopping": False}  # fmt: skip
        status = "stopped"
    return Progress(status, **known)


def is_alive(facts: dict[str, Any]) -> bool:
    """Whether the process that works on a run still does."""
    if not facts.get("owner") or time.time() - float(facts.get("beat", 0)) > DEAD_S:
        return False
    return facts.get("host") != socket.gethostname() or _runs(int(facts.get("pid", 0)))


def _runs(pid: int) -> bool:
    """Whether a process of this machine runs; one that is dead but not yet buried does not."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return True
    return state.rpartition(")")[2].split()[0] != "Z"


def request_stop(workspace: Workspace, run_id: int) -> None:
    """Ask the process that works on a run to end after the items at hand."""
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE run SET progress = json_set(progress, '$.stopping', json('true'))"
            " WHERE id = ? AND status IN ('running', 'waiting')",
            [run_id],
        )


@dataclass
class Hold:
    """A run that this process works on; a thread keeps saying so.

    Attributes:
        stopping: whether it was asked to stop.
        lost: whether another process works on it now.
    """

    workspace: Workspace
    run_id: int
    owner: str
    wanted: int = 0
    done: int = 0
    failed: int = 0
    note: str = ""
    device: str = ""
    stopping: bool = False
    lost: bool = False
    _ended: threading.Event = field(default_factory=threading.Event)
    _marks: "deque[tuple[float, int]]" = field(default_factory=lambda: deque(maxlen=4096))
    _thread: threading.Thread | None = None

    @classmethod
    def take(cls, workspace: Workspace, run_id: int) -> "Hold":
        """The run, taken for this process.

        Raises:
            LookupError: if there is no such run.
            Busy: if another process works on it.
        """
        hold = cls(workspace, run_id, uuid4().hex)
        with workspace.store.write() as database:
            row = first_row(database, "SELECT status, progress FROM run WHERE id = ?", [run_id])
            if row is None:
                raise Missing(f"There is no run {run_id}.")
            facts = json.loads(row["progress"])
            if row["status"] == "running" and is_alive(facts):
                raise Busy(
                    f"Run {run_id} is being worked on by process {facts.get('pid')} on "
                    f"{facts.get('host')}. Stop it there first, or wait until it has ended."
                )
            claim = {"owner": hold.owner, "pid": os.getpid(), "host": socket.gethostname(),
                   "beat": time.time(), "note": "starting"}  # fmt: skip
            database.conn.execute(
                "UPDATE run SET status = 'running', progress = ? WHERE id = ?",
                [json.dumps(claim), run_id],
            )
        hold._thread = threading.Thread(target=hold._beat, name="heartbeat", daemon=True)
        hold._thread.start()
        return hold

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_S):
            try:
                self.say()
            except Exception:  # a database busy for long: the next beat says it
                continue

    def counted(self, stored: int, failed: int) -> None:
        """Take note of items that were stored."""
        self.done += stored
        self.failed += failed
        self._marks.append((time.monotonic(), stored + failed))

    @property
    def rate(self) -> float | None:
        """Items a second over the last half minute; None before two were stored."""
        now_s = time.monotonic()
        while self._marks and now_s - self._marks[0][0] > _RATE_OVER_S and len(self._marks) > 2:
            self._marks.popleft()
        if len(self._marks) < 2:
            return None
        span = max(now_s - self._marks[0][0], 1e-6)
        return sum(count for _, count in list(self._marks)[1:]) / span

    def facts(self) -> dict[str, Any]:
        """What is said of it."""
        rate = self.rate
        remaining = self.wanted - self.done - self.failed
        return {
            "note": self.note,
            "done": self.done,
            "failed": self.failed,
            "wanted": self.wanted,
            "device": self.device,
            "rate": None if rate is None else round(rate, 4),
            "left_s": round(remaining / rate, 1) if rate else None,
        }

    def say(self) -> None:
        """Write how far it is, and hear whether to stop or whether the run is lost."""
        with self.workspace.store.write() as database:
            heard = first_row(
                database,
                "UPDATE run SET progress = json_patch(progress, ?) WHERE id = ?"
                " AND json_extract(progress, '$.owner') = ?"
                " RETURNING json_extract(progress, '$.stopping') AS stopping",
                [json.dumps({**self.facts(), "beat": time.time()}), self.run_id, self.owner],
            )
        self.lost = heard is None
        self.stopping = self.stopping or bool(heard and heard["stopping"])

    def check(self) -> None:
        """Stop if the run no longer belongs to this process.

        Raises:
            Lost: if another process has taken it over.
        """
        rows = self.workspace.store.rows(
            "SELECT json_extract(progress, '$.owner') AS owner,"
            " json_extract(progress, '$.stopping') AS stopping FROM run WHERE id = ?",
            [self.run_id],
        )
        if self.lost or rows[0]["owner"] != self.owner:
            self.lost = True
            raise Lost(f"Run {self.run_id} is being worked on by another process now.")
        self.stopping = self.stopping or bool(rows[0]["stopping"])

    def end(self, status: str, note: str) -> None:
        """Let the run go, in the status it has reached."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join(timeout=30)
        self.note = note
        facts = {**self.facts(), "rate": None, "left_s": None, "owner": None, "stopping": None}
        if self.rate is not None:
            facts["rate"] = round(self.rate, 4)
        with self.workspace.store.write() as database:
            database.conn.execute(
                "UPDATE run SET status = ?, progress = json_patch(progress, ?) WHERE id = ?"
                " AND json_extract(progress, '$.owner') = ?",
                [status, json.dumps(facts), self.run_id, self.owner],
            )
