"""Submissions: how far a worker is, when a submission ends, and the code that they take back."""

import base64
import hashlib
import hmac
import time
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from annotations.answering.admission import FIRST_ANSWERS, admission
from annotations.answering.exclusion import is_aside
from annotations.answering.idle import idle_reason
from annotations.answering.progress import hourly_rate
from annotations.people import Person
from annotations.record.task import Task, task_in
from annotations.recruiting.recruitment import PAID, Recruitment, recruitment_in
from annotations.workspace import Workspace
from db.connection import first_row, rows

CODE_LENGTH = 12
# Why nothing is open to somebody where that stays so.
NO_MORE = ("done", "closed", "hidden", "seen", "met")


@dataclass(frozen=True)
class Standing:
    """How far a worker is with one submission.

    Attributes:
        answers: what they have given for it, of `recruitment.items`.
        outcome: '' while it runs, else how it ended.
        code: what they take back to the site; '' for none.
        reason: why nothing is open to them now, as `idle_reason` says; '' where something is, and
            where it ended.
        active_s: time at work, s, practice included.
        owed: what that is worth at the task's hourly rate.
    """

    id: int
    recruitment: Recruitment
    task: Task
    session: str
    answers: int
    outcome: str
    code: str
    reason: str
    active_s: float
    owed: float


_UNBOUND = f"""
  SELECT id, item_id FROM ({FIRST_ANSWERS})
  WHERE id NOT IN (SELECT annotation_id FROM recruited_answer) ORDER BY id
"""
# Every revision that somebody has stored in a task and that is not paid by a submission yet.
_BIND = """
  INSERT OR IGNORE INTO recruited_answer (annotation_id, submission_id)
  SELECT a.id, :submission FROM annotation a JOIN item i ON i.id = a.item_id
  WHERE a.annotator_id = :person AND i.task_id = :task AND a.id <= :upto
"""
_SUMS = """
  SELECT coalesce(sum(a.active_s), 0.0) AS active_s,
    count(DISTINCT CASE WHEN i.role = 'work' AND a.skip_reason IS NULL THEN a.item_id END)
      AS answers
  FROM recruited_answer r JOIN annotation a ON a.id = r.annotation_id
  JOIN item i ON i.id = a.item_id WHERE r.submission_id = ?
"""


def standings(workspace: Workspace, person: Person) -> list[Standing]:
    """Return a worker's submissions, the newest first; those that are done end by this.

    Nobody else's are returned: the query names the person.
    """
    numbers = [
        row["id"]
        for row in workspace.store.rows(
            "SELECT id FROM recruited_submission WHERE annotator_id = ? ORDER BY id DESC",
            [person.id],
        )
    ]
    for number in reversed(numbers):  # the oldest first: it is the one that is worked for
        end_if_done(workspace, number)
    return [_standing(workspace, number, person) for number in numbers]


def end_if_done(workspace: Workspace, submission_id: int) -> str:
    """Return how a submission has ended, '' while it runs; it ends here once its work is done.

    It ends as well where nothing more can come: the work has run out, practice was not passed, or
    the person's work was put aside. What was answered is bound to it, so that it is paid once.
    """
    with workspace.store.read() as database:
        row = _row(database, submission_id)
        if row["outcome"]:
            return str(row["outcome"])
        recruitment = recruitment_in(database, row["recruitment_id"])
        task = task_in(database, recruitment.task_id)
        person = Person(row["annotator_id"], row["name"], "annotator")
        answers = _unbound(database, task, person)
        outcome = _outcome(database, task, person, len(answers), recruitment.items)
        earlier = _runs_before(database, submission_id, person, task)
    if not outcome and not earlier:
        reason = idle_reason(workspace, task.id, person)
        if reason in NO_MORE or (reason == "limit" and answers):
            outcome = "ran_out" if answers else "nothing"
    if not outcome or earlier:
        return ""
    with workspace.store.write() as database:
        if not _row(database, submission_id)["outcome"]:
            _end(database, workspace, recruitment, submission_id, person, outcome)
        return str(_row(database, submission_id)["outcome"])


def _outcome(database: Database, task: Task, person: Person, answers: int, items: int) -> str:
    if answers >= items:
        return "finished"
    if is_aside(database, person.id):
        return "aside" if answers else "nothing"
    failed = admission(database, task, person.id).reason == "failed"
    return ("ran_out" if answers else "failed") if failed else ""


def _runs_before(database: Database, submission_id: int, person: Person, task: Task) -> bool:
    """Whether an earlier submission of the same work runs: answers go to it first."""
    return bool(
        database.conn.execute(
            "SELECT EXISTS (SELECT 1 FROM recruited_submission s JOIN recruitment r"
            " ON r.id = s.recruitment_id WHERE s.annotator_id = ? AND r.task_id = ?"
            " AND s.outcome = '' AND s.id < ?)",
            [person.id, task.id, submission_id],
        ).fetchone()[0]
    )


def _end(
    database: Database,
    workspace: Workspace,
    recruitment: Recruitment,
    submission_id: int,
    person: Person,
    outcome: str,
) -> None:
    task = task_in(database, recruitment.task_id)
    answers = _unbound(database, task, person)
    if outcome == "finished" and len(answers) < recruitment.items:
        return  # another submission took them meanwhile
    last = database.conn.execute("SELECT coalesce(max(id), 0) FROM annotation").fetchone()[0]
    upto = answers[recruitment.items - 1] if outcome == "finished" else last
    bind(database, submission_id, person.id, task.id, upto)
    code = None
    if outcome in PAID or recruitment.codes.get(outcome):
        code = completion_code(workspace, submission_id)
    database.conn.execute(
        "UPDATE recruited_submission SET outcome = ?, ended_at = ?, code = ? WHERE id = ?",
        [outcome, time.time(), code, submission_id],
    )


def bind(database: Database, submission_id: int, person_id: int, task_id: int, upto: int) -> None:
    """Count what somebody stored in a task, up to an annotation, for a submission."""
    names = {"submission": submission_id, "person": person_id, "task": task_id, "upto": upto}
    database.conn.execute(_BIND, names)


def completion_code(workspace: Workspace, submission_id: int) -> str:
    """Return the code of a submission: made of the workspace's secret, so that none is guessed."""
    digest = hmac.new(
        workspace.secret.encode(), f"completion {submission_id}".encode(), hashlib.sha256
    ).digest()
    return base64.b32encode(digest).decode()[:CODE_LENGTH]


def _unbound(database: Database, task: Task, person: Person) -> list[int]:
    unbound_rows = rows(database, _UNBOUND, {"task": task.id, "person": person.id})
    return [row["id"] for row in unbound_rows]


def _row(database: Database, submission_id: int) -> dict[str, Any]:
    row = first_row(
        database,
        "SELECT s.*, p.name FROM recruited_submission s JOIN annotator p ON p.id = s.annotator_id"
        " WHERE s.id = ?",
        [submission_id],
    )
    assert row is not None
    return row


def _standing(workspace: Workspace, submission_id: int, person: Person) -> Standing:
    with workspace.store.read() as database:
        row = _row(database, submission_id)
        recruitment = recruitment_in(database, row["recruitment_id"])
        task = task_in(database, recruitment.task_id)
        sums = first_row(database, _SUMS, [submission_id]) or {}
        answers, active_s = sums["answers"], sums["active_s"]
        if not row["outcome"] and not _runs_before(database, submission_id, person, task):
            answers += min(len(_unbound(database, task, person)), recruitment.items)
            active_s += _unbound_seconds(database, task, person)
    reason = "" if row["outcome"] else idle_reason(workspace, task.id, person)
    reason = "" if reason == "not_ready" else reason  # something is open to them: the desk tells
    return Standing(
        submission_id, recruitment, task, row["session"], answers, row["outcome"],
        _shown_code(recruitment, row), reason, active_s,
        round(active_s / 3600 * hourly_rate(workspace, task), 2),
    )  # fmt: skip


def _shown_code(recruitment: Recruitment, row: dict[str, Any]) -> str:
    """The code for the site: the one it made itself for such an outcome, else ours."""
    if not recruitment.site.own_codes:
        return row["code"] or ""
    codes = recruitment.codes
    usual = codes.get("finished", "") if row["outcome"] in PAID else ""
    return codes.get(row["outcome"], usual)


def _unbound_seconds(database: Database, task: Task, person: Person) -> float:
    return float(
        database.conn.execute(
            "SELECT coalesce(sum(a.active_s), 0.0) FROM annotation a JOIN item i"
            " ON i.id = a.item_id WHERE a.annotator_id = ? AND i.task_id = ?"
            " AND a.id NOT IN (SELECT annotation_id FROM recruited_answer)",
            [person.id, task.id],
        ).fetchone()[0]
    )
