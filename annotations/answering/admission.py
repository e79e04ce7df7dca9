"""How much of a task somebody may be handed: practice first, then work up to their limits."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlite_utils import Database

from annotations import task as tasks
from annotations.people import Person
from annotations.record.item import Item
from annotations.record.task import Task
from core.stored_json import stored_json
from db.connection import first_row, rows

DAY_S = 86_400


@dataclass(frozen=True)
class Admission:
    """What a person may be handed in a task at this moment.

    Attributes:
        work: answers to items of work that they may still give; None is no limit.
        ahead: the same, once they have passed practice.
        practice: whether they are handed practice items.
        reason: why they are handed no work: 'practice' (first), 'failed' (practice), 'today' or
            'limit' (they have given as many as one person may), 'batch' (they have done what their
            submission asks for), 'stranger' (they were recruited for another task); '' if they are.
    """

    work: int | None = None
    ahead: int | None = None
    practice: bool = True
    reason: str = ""


EVERYTHING = Admission()

_DECLARED = """
  SELECT o.*, w.annotator_id AS worker FROM (SELECT 1)
  LEFT JOIN onboarding o ON o.task_id = :task
  LEFT JOIN recruited_worker w ON w.annotator_id = :person
"""
# Items of work that somebody has answered, each with the first revision that was no skip.
FIRST_ANSWERS = """
  SELECT min(a.id) AS id, a.item_id, min(a.stored_at) AS at
  FROM annotation a CROSS JOIN item i ON i.id = a.item_id
  WHERE a.annotator_id = :person AND i.task_id = :task AND i.role = 'work'
    AND a.skip_reason IS NULL GROUP BY a.item_id
"""
_GIVEN = f"""
  SELECT count(*) AS total, coalesce(sum(at >= :midnight), 0) AS today,
    coalesce(sum(id NOT IN (SELECT annotation_id FROM recruited_answer)), 0) AS unbound
  FROM ({FIRST_ANSWERS})
"""
_SUBMISSIONS = """
  SELECT count(*) AS came, coalesce(sum((s.ended_at IS NULL) * r.items), 0) AS asked
  FROM recruited_submission s JOIN recruitment r ON r.id = s.recruitment_id
  WHERE s.annotator_id = :person AND r.task_id = :task
"""


def admission(
    database: Database, task: Task, person_id: int, *, submissions: bool = True
) -> Admission:
    """Return what somebody may be handed in a task, by its onboarding and their submissions.

    Args:
        submissions: False asks what they might be handed for another submission.
    """
    names: dict[str, object] = {"task": task.id, "person": person_id}
    declared = first_row(database, _DECLARED, names) or {}
    if declared["task_id"] is None and declared["worker"] is None:
        return EVERYTHING
    names["midnight"] = time.time() // DAY_S * DAY_S
    counts = first_row(database, _GIVEN, names) or {}
    remaining: dict[str, int] = {}
    if declared["worker"] is not None and submissions:
        asked = first_row(database, _SUBMISSIONS, names) or {}
        if not asked["came"]:
            return Admission(0, 0, False, "stranger")
        remaining["batch"] = asked["asked"] - counts["unbound"]
    if declared["daily_limit"] is not None:
        remaining["today"] = declared["daily_limit"] - counts["today"]
    if declared["total_limit"] is not None:
        remaining["limit"] = declared["total_limit"] - counts["total"]
    score = None
    if declared["pass_mark"] is not None:
        score = practice_score(database, task, person_id, declared["qualification"])
    return _admitted(remaining, declared["pass_mark"], score)


def _admitted(
    remaining: dict[str, int], mark: float | None, score: "PracticeScore | None"
) -> Admission:
    reason = min(remaining, key=lambda name: remaining[name], default="")
    work = max(0, remaining[reason]) if reason else None
    reason = reason if work == 0 else ""
    if score is None or mark is None:
        return Admission(work, work, True, reason)
    if not score.complete:
        return Admission(0, work, True, "practice")
    if not score.passes(mark):
        return Admission(0, 0, False, "failed")
    return Admission(work, work, not score.carried, reason)


@dataclass(frozen=True)
class PracticeScore:
    """How somebody did in practice.

    Attributes:
        complete: whether every practice item was answered or skipped.
        carried: whether it comes from another task of the same qualification.
    """

    right: int
    total: int
    complete: bool = True
    carried: bool = False

    def passes(self, mark: float) -> bool:
        """Whether the share of right answers reaches a mark; no practice asks for nothing."""
        return self.total == 0 or self.right >= mark * self.total - 1e-9


def practice_score(
    database: Database, task: Task, person_id: int, qualification: str
) -> PracticeScore:
    """Return how somebody did in a task's practice, or in that of the same qualification.

    Only first answers count: later ones are given after the right answer was shown. A skip is not
    right.
    """
    kept = first_row(
        database,
        "SELECT right, total, task_id FROM qualification WHERE name = ? AND annotator_id = ?",
        [qualification_name(task, qualification), person_id],
    )
    if kept is not None:
        return PracticeScore(kept["right"], kept["total"], True, kept["task_id"] != task.id)
    answers = rows(
        database,
        "SELECT i.expected, a.response, a.skip_reason, a.id FROM item i"
        " LEFT JOIN annotation a ON a.item_id = i.id AND a.annotator_id = ? AND a.revision = 1"
        " WHERE i.task_id = ? AND i.role = 'practice' AND i.status = 'open'",
        [person_id, task.id],
    )
    feedback = tasks.kind(task.kind).feedback
    right = sum(
        feedback(stored_json(row["response"]), json.loads(row["expected"]), task.settings)[0]
        for row in answers
        if row["id"] is not None and row["skip_reason"] is None and row["expected"]
    )
    complete = all(row["id"] is not None for row in answers)
    return PracticeScore(right, len(answers), complete)


def note_practice(database: Database, task: Task, person_id: int) -> None:
    """Keep how somebody did in practice once they have been through it.

    Runs in the transaction that stores a practice answer.
    """
    declared = first_row(
        database, "SELECT qualification FROM onboarding WHERE task_id = ?", [task.id]
    )
    if declared is None:
        return
    score = practice_score(database, task, person_id, declared["qualification"])
    if score.complete and not score.carried:
        database.conn.execute(
            "INSERT OR IGNORE INTO qualification (name, annotator_id, right, total, task_id, at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                qualification_name(task, declared["qualification"]), person_id, score.right,
                score.total, task.id, time.time(),
            ],
        )  # fmt: skip


def qualification_name(task: Task, name: str) -> str:
    """Under which name practice is kept: the qualification's, else the task's own."""
    return name or f"task {task.id}"


def admits(
    database: Database, task: Task, person: Person, before: Admission, now_s: float
) -> Callable[[Item], bool]:
    """Return what says of one item after the other whether the person may be handed it as well.

    A limit is asked for again inside the transaction that hands out: it holds in two windows too.

    Args:
        before: what was read before the transaction.
        now_s: Unix time, s.
    """
    if before == EVERYTHING:
        return lambda item: True
    most = admission(database, task, person.id).work
    if most is None:
        return lambda item: True
    taken = _held_work(database, task.id, person.id, now_s)

    def take(item: Item) -> bool:
        if item.role != "work" or item.id in taken:
            return True
        if len(taken) >= most:
            return False
        taken.add(item.id)
        return True

    return take


def _held_work(database: Database, task_id: int, person_id: int, now_s: float) -> set[int]:
    """Items of work that somebody holds in a task now and has not answered."""
    return {
        row["item_id"]
        for row in rows(
            database,
            "SELECT DISTINCT l.item_id FROM lease l JOIN item i ON i.id = l.item_id"
            " WHERE l.annotator_id = ? AND i.task_id = ? AND i.role = 'work'"
            " AND l.ended_at IS NULL AND l.expires_at > ? AND NOT EXISTS (SELECT 1 FROM annotation"
            " a WHERE a.item_id = l.item_id AND a.annotator_id = l.annotator_id)",
            [person_id, task_id, now_s],
        )
    }
