"""How far runs are, in words and colours."""

import os
import time
from dataclasses import replace
from typing import Any

import streamlit as st

from annotations.engine.engine_hold import Progress, progress_of
from annotations.run.runs import Run

STARTING_S = 90.0
COLOURS = {
    "running": "blue", "starting": "blue", "finished": "green", "stopped": "orange",
    "failed": "red", "not started": "gray", "sample done": "green",
}  # fmt: skip
_STARTED = "pipeline started"


def noted_start(run_id: int, pid: int) -> None:
    """Remember that a process was just started; its own report comes seconds later."""
    st.session_state.setdefault(_STARTED, {})[run_id] = (time.time(), pid)


def state_of(run: Run) -> Progress:
    """Progress of a run; also 'starting' and 'not started', which its row does not know."""
    progress = progress_of(run.status, run.progress)
    begun: dict[int, tuple[float, int]] = st.session_state.get(_STARTED, {})
    since, pid = begun.get(run.id, (None, 0))
    if since is not None:
        if progress.status == "running" or float(run.progress.get("beat") or 0) > since:
            del begun[run.id]
        elif _has_ended(pid):
            return Progress("failed", "its process ended at once; the folder logs says why")
        elif time.time() - since < STARTING_S:
            return Progress("starting", "the process is starting", run.predictions, run.errors)
    if progress.status == "stopped" and 0 < progress.wanted <= progress.done + progress.failed:
        return replace(progress, status="sample done")
    if planned(run) and not run.progress and not run.predictions and not run.errors:
        return Progress("not started")
    return progress


def _has_ended(pid: int) -> bool:
    """Whether a process that this server started is gone."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:  # somebody has asked before
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def planned(run: Run) -> bool:
    """Whether a run was planned here, so that it can be started and go on."""
    return "identity" in run.facts


def busy(progress: Progress) -> bool:
    """Whether a process works on the run."""
    return progress.status in ("running", "starting", "waiting")


def line(run: Run, progress: Progress) -> str:
    """Progress of a run in one line."""
    results = results_of(run)
    wanted = progress.wanted or results + run.errors
    parts = [f"{results:,} of {wanted:,}"]
    if progress.rate and busy(progress):
        parts.append(f"{progress.rate:.1f} a second")
    if progress.left_s is not None and busy(progress):
        parts.append(f"{duration(progress.left_s)} left")
    if run.errors:
        parts.append(f"{run.errors:,} failed")
    if progress.device:
        parts.append(progress.device)
    if progress.stopping:
        parts.append("stopping after the items at hand")
    elif progress.note:
        parts.append(progress.note)
    return " · ".join(parts)


def results_of(run: Run) -> int:
    """Number of items that have a result (answers or texts)."""
    return max(run.predictions, int(run.progress.get("done") or 0))


def share(run: Run, progress: Progress) -> float:
    """Share of the wanted items that were worked on, 0 to 1."""
    through = results_of(run) + (progress.failed or run.errors)
    wanted = progress.wanted or through
    return min(1.0, through / wanted) if wanted else 0.0


def duration(seconds: float) -> str:
    """A duration in words: '8 s', '5 min', '2 h 10 min'."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def note_of(run: Run) -> tuple[str, str] | None:
    """Icon and text when the scores are of a stand-in or simulated; else None."""
    facts: dict[str, Any] = run.facts
    if facts.get("stand_in"):
        return ":material/science:", f"Scores of a stand-in: {facts['stand_in']}"
    if facts.get("simulated"):
        return ":material/theater_comedy:", str(
            facts.get("words") or "Simulated: no model was run."
        )
    return None
