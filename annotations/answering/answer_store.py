"""Answers on their way into the database: each stored once, in a transaction, never overwritten."""

import logging
import math
import sqlite3
import time
from dataclasses import dataclass, replace
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering.active_time import free_seconds, plausible_time
from annotations.answering.admission import note_practice
from annotations.answering.attention import judged
from annotations.answering.early_stop import note_answer
from annotations.answering.exclusion import is_aside
from annotations.answering.progress import open_task
from annotations.backup.database_errors import error_words
from annotations.people import Person
from annotations.record.annotation import (
    Annotation,
    add_annotation,
    annotation_with_uid,
    count_answers,
    current_annotation,
)
from annotations.record.item import Item, item_in
from annotations.record.lease import Lease, end_leases
from annotations.record.shown import Shown
from annotations.record.task import Task
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row

LOG = logging.getLogger(__name__)
LONGEST_TEXT = 2000
BROKEN = "Something in Rushes broke; its log says what. The answer is kept and sent again."
ELSEWHERE = (
    "You have answered this in another window, and that answer stands. To change it, open it again."
)
REVISED = "The question was changed while you looked at it: it comes again in its new version."
CLOSED = "This task is closed: your answer stays as it was when it was closed."


@dataclass(frozen=True)
class Answer:
    """One answer or skip as it comes from a desk or a model.

    Attributes:
        uid: made where the answer was given; the same uid is stored once however often it comes.
        response: in the task kind's schema; None for a skip.
        skip: why the item is skipped; None for an answer.
        active_s: time spent on it, s.
        answered_at: Unix time at the annotator's clock, s.
        drawn: whether the pictures were on screen when it was given; None if nobody says.
        fresh: whether it is meant as a first answer, so that it must not replace another one.
    """

    uid: str
    item_id: int
    lease_id: int
    response: dict[str, Any] | None
    skip: str | None
    active_s: float
    answered_at: float
    drawn: bool | None = None
    fresh: bool = False


@dataclass(frozen=True)
class Receipt:
    """What became of an answer.

    Attributes:
        status: 'stored'; 'extra' (kept beside a full overlap); 'again' (was stored before);
            'refused' (cannot be stored, see reason); 'failed' (by a bug: to be sent again).
        feedback: after practice: {"right": bool, "words": why, "expected": the known answer}.
    """

    uid: str
    status: str
    reason: str = ""
    revision: int | None = None
    feedback: dict[str, Any] | None = None


def store(
    workspace: Workspace,
    task_id: int,
    person: Person,
    answers: list[Answer],
    *,
    closed_counts: bool = False,
) -> list[Receipt]:
    """A receipt for each answer, in order; what is stored is on the disk when this returns.

    An answer that arrives after its task was closed is kept as an extra, and a correction of one
    that counts is refused: a number that was published does not move by itself.

    Args:
        closed_counts: whether answers count in a closed task too; authors tag failures in one.
    """
    task = open_task(workspace, task_id)
    if closed_counts:
        task = replace(task, status="open")
    with workspace.store.write_shared() as database:
        receipts: list[Receipt] = []
        failed: set[int] = set()
        for answer in answers:
            # A later answer to the same item waits for the earlier one, which it corrects.
            if answer.item_id in failed:
                receipts.append(Receipt(answer.uid, "failed", BROKEN))
                continue
            receipts.append(_store_or_fail(database, task, person, answer))
            if receipts[-1].status == "failed":
                failed.add(answer.item_id)
        return receipts


def _store_or_fail(database: Database, task: Task, person: Person, answer: Answer) -> Receipt:
    """Return the receipt of one answer; a bug that it meets costs itself, not the others."""
    database.conn.execute("SAVEPOINT answer")
    try:
        receipt = _store_one(database, task, person, answer)
    except Exception as error:
        # A busy database, a full disk or a damaged file is no matter of one answer.
        if isinstance(error, sqlite3.OperationalError) or (
            isinstance(error, sqlite3.Error) and error_words(error)
        ):
            raise
        LOG.exception("an answer to item %s by person %s broke", answer.item_id, person.id)
        database.conn.execute("ROLLBACK TO answer")
        receipt = Receipt(answer.uid, "failed", BROKEN)
    database.conn.execute("RELEASE answer")
    return receipt


def _store_one(database: Database, task: Task, person: Person, answer: Answer) -> Receipt:
    stored = annotation_with_uid(database, answer.uid)
    if stored is not None:
        if stored.annotator_id != person.id:
            return Receipt(answer.uid, "refused", "This answer's id is another person's.")
        return Receipt(answer.uid, "again", revision=stored.revision)
    lease = _lease(database, task, person, answer)
    if lease is None:
        return Receipt(answer.uid, "refused", "This item was not handed to you. Reload the page.")
    try:
        response = checked_response(task, answer, lease.shown)
    except Refusal as error:
        return Receipt(answer.uid, "refused", str(error))
    return _insert(database, task, person, answer, lease, response)


def _lease(database: Database, task: Task, person: Person, answer: Answer) -> Lease | None:
    """The lease with which a person was handed what they answer; None if they were not."""
    row = first_row(
        database,
        "SELECT l.* FROM lease l JOIN item i ON i.id = l.item_id WHERE l.id = :lease"
        " AND l.item_id = :item AND l.annotator_id = :person AND i.task_id = :task",
        {"lease": answer.lease_id, "item": answer.item_id, "person": person.id, "task": task.id},
    )
    return None if row is None else Lease.from_row(row)


def checked_response(task: Task, answer: Answer, shown: Shown) -> dict[str, Any]:
    """The response as it is stored, {} for a skip.

    Raises:
        ValueError: in words for a person, if the answer cannot be stored.
    """
    if not 8 <= len(answer.uid) <= 64:
        raise Refusal("The answer's id has to have 8 to 64 characters.")
    if not (math.isfinite(answer.active_s) and math.isfinite(answer.answered_at)):
        raise Refusal("The answer's times are no numbers.")
    if answer.skip is not None:
        if not answer.skip.strip() or len(answer.skip) > LONGEST_TEXT:
            raise Refusal(f"A reason for skipping has 1 to {LONGEST_TEXT} characters.")
        return {}
    return tasks.kind(task.kind).check_response(answer.response or {}, shown)


def _insert(
    database: Database,
    task: Task,
    person: Person,
    answer: Answer,
    lease: Lease,
    response: dict[str, Any],
) -> Receipt:
    now_s = time.time()
    item = item_in(database, answer.item_id)
    earlier = current_annotation(database, item.id, person.id)
    if answer.fresh and earlier is not None and (earlier.stored_at or 0.0) >= lease.leased_at:
        return Receipt(answer.uid, "refused", ELSEWHERE)
    counted_before = earlier is not None and earlier.counted
    if counted_before and task.status == "closed":
        return Receipt(answer.uid, "refused", CLOSED)
    work = item.role == "work"
    counted = (
        work
        and answer.skip is None
        and task.status != "closed"
        and not is_aside(database, person.id)
        and (lease.shown.question_revision_id or 0) >= item.asked_from
        and (counted_before or _has_room(database, task, item, lease, now_s))
    )
    revision = (earlier.revision if earlier else 0) + 1
    claimed_s = max(answer.active_s, 0.0)
    paid_s = min(claimed_s, free_seconds(database, person.id, lease.leased_at, now_s))
    annotation = Annotation(
        uid=answer.uid,
        item_id=item.id,
        annotator_id=person.id,
        revision=revision,
        lease_id=lease.id,
        task_kind=task.kind,
        schema_version=tasks.kind(task.kind).SCHEMA_VERSION,
        response=response,
        shown=_shown_with(lease.shown, answer.drawn),
        skip_reason=answer.skip,
        counted=counted,
        active_s=paid_s,
        cut_s=claimed_s - paid_s,
        answered_at=plausible_time(answer.answered_at, now_s),
        stored_at=now_s,
    )
    add_annotation(database, annotation)
    count_answers(database, [(item.id, int(counted) - int(counted_before))])
    end_leases(database, person.id, item.id, now_s)
    database.conn.execute(
        "DELETE FROM draft WHERE item_id = ? AND annotator_id = ?", [item.id, person.id]
    )
    if work:
        note_answer(database, task, item.id)
    extra = work and answer.skip is None and not counted
    earlier_version = (lease.shown.question_revision_id or 0) < item.asked_from
    if item.role == "practice":
        note_practice(database, task, person.id)
    feedback = None
    if item.role == "practice" and item.expected and answer.skip is None:
        right, explanation = judged(task.kind, response, item.expected, task.settings)
        feedback = {"right": right, "words": explanation, "expected": item.expected}
    reason = REVISED if earlier_version else ""
    return Receipt(answer.uid, "extra" if extra else "stored", reason, revision, feedback)


def _shown_with(shown: Shown, drawn: bool | None) -> Shown:
    """What was shown, with whether it was on screen when the answer was given."""
    return shown if drawn is None else replace(shown, facts={**shown.facts, "drawn": drawn})


def _has_room(database: Database, task: Task, item: Item, lease: Lease, now_s: float) -> bool:
    """Whether a place is left beside the answers; without a running lease, beside others' too."""
    overlap = task.overlap if item.overlap is None else item.overlap
    if item.answers >= overlap:
        return False
    if lease.ended_at is None and lease.expires_at > now_s:
        return True
    others = database.conn.execute(
        "SELECT count(DISTINCT annotator_id) FROM lease WHERE item_id = ? AND annotator_id <> ?"
        " AND ended_at IS NULL AND expires_at > ?",
        [item.id, lease.annotator_id, now_s],
    ).fetchone()[0]
    return item.answers + others < overlap


def save_draft(
    workspace: Workspace, person: Person, item_id: int, lease_id: int, body: str, active_s: float
) -> None:
    """Keep a half-given answer, and with it the lease.

    Raises:
        ValueError: if the item is not leased to the person, or the draft is too long.
    """
    if len(body) > 100_000:
        raise Refusal("The draft is longer than 100,000 characters.")
    now_s = time.time()
    with workspace.store.write_shared() as database:
        row = database.conn.execute(
            "UPDATE lease SET expires_at = max(expires_at, ?) WHERE id = ? AND item_id = ?"
            " AND annotator_id = ?",
            [now_s + workspace.settings.lease_s, lease_id, item_id, person.id],
        ).rowcount
        if not row:
            raise Refusal("This item was not handed to you.")
        database.conn.execute(
            "INSERT INTO draft (item_id, annotator_id, body, active_s, updated_at)"
            " SELECT :item, :person, :body, :active, :now WHERE NOT EXISTS (SELECT 1 FROM lease"
            " WHERE id = :lease AND ended_at IS NOT NULL)"
            " ON CONFLICT (item_id, annotator_id) DO UPDATE SET body = excluded.body,"
            " active_s = excluded.active_s, updated_at = excluded.updated_at",
            {"item": item_id, "person": person.id, "body": body, "lease": lease_id, "now": now_s,
             "active": max(0.0, active_s)},
        )  # fmt: skip
