"""Which items of a run are still to be done, and what the model is asked about each."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotations.annotator import Ask, Setup, annotator
from annotations.record.item import items_in
from annotations.record.task import Task, task_in
from annotations.workspace import Workspace
from core.lot import drawn_by_lot
from core.refusal import Missing, Refusal
from db.connection import first_row

LOG = logging.getLogger(__name__)
WINDOW = 256

_RUN = """
  SELECT r.id, r.annotator_id, r.task_id, r.method, r.facts, r.status, p.name AS model
  FROM run r JOIN annotator p ON p.id = r.annotator_id WHERE r.id = ?
"""
_HAS = """
  (EXISTS (SELECT 1 FROM annotation a WHERE a.item_id = i.id AND a.annotator_id = :annotator)
   OR EXISTS (SELECT 1 FROM video_text t WHERE t.item_id = i.id AND t.run_id = :run))
"""
_FAILED = "EXISTS (SELECT 1 FROM run_error e WHERE e.item_id = i.id AND e.run_id = :run)"


@dataclass(frozen=True)
class Remaining:
    """Items of a run.

    Attributes:
        items: ids of those that are still to be done, in the order of the task.
        done: how many have a result.
        failed: how many failed before and are left alone now.
        wanted: how many there are in all.
    """

    items: tuple[int, ...]
    done: int
    failed: int
    wanted: int


@dataclass(frozen=True)
class PlannedRun:
    """A run as the engine takes it up.

    Attributes:
        annotator_id: of the model, which is called `model`.
        method: how it annotates; `facts` are its settings.
    """

    id: int
    annotator_id: int
    model: str
    method: str
    facts: dict[str, Any]
    task: Task


def planned_run(workspace: Workspace, run_id: int) -> PlannedRun:
    """A run with its task.

    Raises:
        LookupError: if there is no such run.
    """
    with workspace.store.read() as database:
        row = first_row(database, _RUN, [run_id])
        if row is None:
            raise Missing(f"There is no run {run_id}.")
        task = task_in(database, row["task_id"])
    facts = json.loads(row["facts"])
    return PlannedRun(row["id"], row["annotator_id"], row["model"], row["method"], facts, task)


def remaining_items(
    workspace: Workspace,
    run: PlannedRun,
    *,
    sample: int | None = None,
    only: Sequence[int] | None = None,
    retry: bool = False,
) -> Remaining:
    """What of a run is still to be done.

    Args:
        sample: so many items of the task, drawn the same way for every run of it; None for all.
        only: ids of the items that are wanted; None for all of the task.
        retry: whether those that failed before are done again.
    """
    rows = workspace.store.rows(
        f"SELECT i.id, {_HAS} AS has, {_FAILED} AS failed FROM item i WHERE i.task_id = :task"
        " AND i.status = 'open' AND i.role = 'work' ORDER BY i.position",
        {"task": run.task.id, "annotator": run.annotator_id, "run": run.id},
    )
    if only is not None:
        chosen = set(only)
        rows = [row for row in rows if row["id"] in chosen]
    if sample is not None:
        drawn = set(sampled([row["id"] for row in rows], sample))
        rows = [row for row in rows if row["id"] in drawn]
    failed = [row for row in rows if row["failed"] and not row["has"]]
    return Remaining(
        tuple(row["id"] for row in rows if not row["has"] and (retry or not row["failed"])),
        sum(bool(row["has"]) for row in rows),
        0 if retry else len(failed),
        len(rows),
    )


def sampled(items: Sequence[int], count: int) -> list[int]:
    """Draw a number of items by their ids alone: a larger sample holds the smaller one."""
    return drawn_by_lot(items, count, "sample ")


def asks(
    workspace: Workspace,
    run: PlannedRun,
    setup: Setup,
    items: Sequence[int],
    refuse: Callable[[int, str], None],
) -> Iterator[Ask]:
    """What the model is asked about each item; of those near each other the largest first.

    Args:
        refuse: is told of items that cannot be asked about, with the reason.
    """
    module = annotator(setup.annotator)
    for start in range(0, len(items), WINDOW):
        part = items[start : start + WINDOW]
        with workspace.store.read() as database:
            items_at_hand = items_in(database, part)
        window: list[Ask] = []
        for item in items_at_hand:
            try:
                seed = f"{item.id}/{run.annotator_id}"
                window.append(module.ask(workspace, run.task, item, seed, setup))
            except (Refusal, OSError) as error:
                refuse(item.id, str(error))
            except Exception as error:  # a bug that one item meets must not end the run
                LOG.exception("item %s of run %s cannot be asked", item.id, run.id)
                refuse(item.id, f"something in Rushes broke: {error!r}")
        yield from sorted(window, key=lambda ask: -ask.size)
