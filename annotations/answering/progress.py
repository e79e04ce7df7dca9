"""A task as it stands for one person: the task, how far they are, what they earned."""

from typing import Any, cast

from sqlite_utils import Database

from annotations.answering import availability
from annotations.answering.admission import Admission
from annotations.answering.attention import reached
from annotations.answering.availability import (
    ALLOWED,
    ANSWERED,
    HAS_SEEN,
    KEY_HIDDEN,
    OPEN,
    RETURNED,
    ROOM,
    TO_THIS_VERSION,
)
from annotations.people import Person
from annotations.record.task import Task, task_in
from annotations.workspace import Workspace
from db.connection import first_row


def open_task(workspace: Workspace, task_id: int) -> Task:
    """One task.

    Raises:
        LookupError: if there is none.
    """
    with workspace.store.single() as database:
        return task_in(database, task_id)


def progress(
    workspace: Workspace, task_id: int, person: Person, task: Task | None = None
) -> dict[str, Any]:
    """How far a person is: done, skipped, open for them, total, active s and pay.

    `cut_s` are seconds that were claimed beyond the clock and are not paid. `hidden` counts work
    that shows keys of questions which the person may still be asked; `seen` counts questions that
    they are not asked because they have seen the key. `recruited`: they came by a survey link.
    """
    task = task or open_task(workspace, task_id)
    with workspace.store.read() as database:
        names = availability.names(database, task, person)
        counts = counts_of(database, names)
    ahead = reached(counts["work_done"] + counts["work_open"], counts["attention"])
    to_come = max(0, ahead - counts["attention_done"])
    open_for_me = counts["work_open"] + counts["practice_open"] + counts["returned"] + to_come
    rate = hourly_rate(workspace, task)
    return {
        "done": counts["done"],
        "skipped": counts["skipped"],
        "active_s": counts["active_s"],
        "cut_s": counts["cut_s"],
        "hidden": counts["hidden"],
        "seen": counts["seen"],
        "recruited": names["recruited"],
        "open_for_me": open_for_me,
        "total": counts["done"] + counts["skipped"] + open_for_me - counts["returned"],
        "pay": round(counts["active_s"] / 3600 * rate, 2),
    }


def hourly_rate(workspace: Workspace, task: Task) -> float:
    """What an hour of active time pays: the task's own rate, else the workspace's."""
    return workspace.settings.rate if task.rate is None else task.rate


def counts_of(database: Database, names: dict[str, object]) -> dict[str, Any]:
    """A person's counts in a task: done, skipped and open, work, practice and attention apart."""
    counts = first_row(database, f"SELECT * FROM ({_MINE}) CROSS JOIN ({_OPEN})", names) or {}
    asking, answered, held = (counts.pop(name) or 0 for name in ("asking", "answered", "held"))
    if counts.pop("named"):
        counts |= _open_by_assignment(database, names)
    else:
        work_open = asking - answered - held - counts["hidden"] - counts["seen"]
        counts["work_open"] = max(0, work_open)
    admitted = cast("Admission", names["admission"])
    if admitted.ahead is not None:
        counts["work_open"] = min(counts["work_open"], admitted.ahead)
    if not admitted.practice:
        counts["practice_open"] = 0
    return counts


_MINE = f"""
  SELECT coalesce(sum(a.skip_reason IS NULL AND a.newest), 0) AS done,
    coalesce(sum(a.skip_reason IS NOT NULL AND a.newest), 0) AS skipped,
    coalesce(sum(a.role = 'work' AND a.newest), 0) AS work_done,
    coalesce(sum(a.role = 'attention' AND a.newest), 0) AS attention_done,
    coalesce(sum(a.active_s), 0.0) AS active_s,
    coalesce(sum(a.cut_s), 0.0) AS cut_s,
    (SELECT count(*) FROM item i INDEXED BY item_known WHERE i.task_id = :task
      AND i.status = 'open' AND i.role = 'attention' AND i.role <> 'work') AS attention,
    EXISTS (SELECT 1 FROM assignment WHERE task_id = :task) AS named
  FROM (
    SELECT a.skip_reason, a.active_s, a.cut_s, i.role, a.revision = (SELECT max(x.revision)
      FROM annotation x WHERE x.item_id = a.item_id AND x.annotator_id = a.annotator_id)
      AND {TO_THIS_VERSION} AS newest
    FROM annotation a CROSS JOIN item i ON i.id = a.item_id
    WHERE a.annotator_id = :person AND i.task_id = :task) a
"""


# Items that are open where nobody is named: those that ask for answers, as the database counts
# them, without those that the person has answered and those whose places others hold. What is
# looked at grows with the person's answers and the running leases, not with the task.
_MINE_TO_TAKE = f"NOT {ANSWERED} AND {ROOM} AND {ALLOWED}"
_OPEN = f"""
  SELECT (SELECT count FROM tally WHERE what = 'asking' AND id = :task) AS asking,
    (SELECT count(DISTINCT a.item_id) FROM annotation a CROSS JOIN item i ON i.id = a.item_id
     WHERE a.annotator_id = :person AND i.task_id = :task AND i.asks
     AND {TO_THIS_VERSION}) AS answered,
    (SELECT count(*) FROM (SELECT DISTINCT item_id FROM lease INDEXED BY lease_running
       WHERE ended_at IS NULL AND expires_at > :now AND annotator_id <> :person) l
     CROSS JOIN item i ON i.id = l.item_id WHERE i.task_id = :task AND i.asks
     AND NOT ({ROOM}) AND NOT {ANSWERED}) AS held,
    CASE WHEN :shows_key THEN (SELECT count(*) FROM item i INDEXED BY item_asks
       WHERE i.task_id = :task AND i.asks = 1 AND {KEY_HIDDEN} AND {_MINE_TO_TAKE})
     ELSE 0 END AS hidden,
    CASE WHEN :asks_key OR :meet_once THEN (SELECT count(*)
       FROM (SELECT DISTINCT question_id FROM ({HAS_SEEN})) s
       CROSS JOIN item i ON i.question_id = s.question_id WHERE i.task_id = :task AND i.asks = 1
       AND NOT {KEY_HIDDEN} AND {_MINE_TO_TAKE})
     ELSE 0 END AS seen,
    (SELECT count(*) FROM item i INDEXED BY item_known WHERE i.task_id = :task
     AND i.role = 'practice' AND i.role <> 'work' AND i.status = 'open'
     AND NOT {KEY_HIDDEN} AND NOT {ANSWERED}) AS practice_open,
    (SELECT count(*) FROM item i NOT INDEXED WHERE {RETURNED} AND {OPEN}) AS returned
"""


def _open_by_assignment(database: Database, names: dict[str, object]) -> dict[str, int]:
    """Items that are open to a person where people are named: every open item is looked at."""
    free = {"work_open": 0, "practice_open": 0, "returned": 0}
    for row in database.conn.execute(
        f"SELECT i.role, {ANSWERED} AS answered, count(*) AS n FROM item i WHERE {OPEN}"
        " GROUP BY 1, 2",
        names,
    ):
        part = "returned" if row["answered"] else f"{row['role']}_open"
        free[part] = free.get(part, 0) + row["n"]
    return free
