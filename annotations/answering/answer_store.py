"""Answers on their way into the database: each stored once, in a transaction, never overwritten."""

import json
import logging
import math
import sqlite3
import time
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering.attention import judged
from annotations.answering.early_stop import note_answer
from annotations.answering.exclusion import is_aside
from annotations.answering.progress import open_task
from annotations.people import Person
from annotations.task import Content, Shown
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row, rows

LOG = logging.getLogger(__name__)
LONGEST_TEXT = 2000
BROKEN = "Something in Rushes broke; its log says what. The answer is kept and sent again."
CLOCK_SLACK_S = 5.0


@dataclass(frozen=True)
class Answer:
    """One answer or skip as it comes from a desk or a model.

    Attributes:
        uid: made where the answer was given; the same uid is stored once however often it comes.
        response: in the task kind's schema; None for a skip.
        skip: why the item is skipped; None for an answer.
        active_s: time spent on it, s.
        answered_at: Unix time at the annotator's clock, s.
    """

    uid: str
    item_id: int
    lease_id: int
    response: dict[str, Any] | None
    skip: str | None
    active_s: float
    answered_at: float


@dataclass(frozen=True)
class Receipt:
    """What became of an answer.

    Attributes:
        status: 'stored'; 'extra' (kept beside a full overlap); 'again' (was stored before);
            'refused' (cannot be stored, see reason); 'failed' (by a bug: to be sent again).
        feedback: after practice: {"right": bool, "words": why}.
    """

    uid: str
    status: str
    reason: str = ""
    revision: int | None = None
    feedback: dict[str, Any] | None = None


def store(
    workspace: Workspace, task_id: int, person: Person, answers: list[Answer]
) -> list[Receipt]:
    """A receipt for each answer, in order; what is stored is on the disk when this returns."""
    task = open_task(workspace, task_id)
    with workspace.store.write() as database:
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


def _store_or_fail(
    database: Database, task: dict[str, Any], person: Person, answer: Answer
) -> Receipt:
    """Return the receipt of one answer; a bug that it meets costs itself, not the others."""
    database.conn.execute("SAVEPOINT answer")
    try:
        receipt = _store_one(database, task, person, answer)
    except sqlite3.OperationalError:  # a busy or full disk is no matter of one answer
        raise
    except Exception:
        LOG.exception("an answer to item %s by person %s broke", answer.item_id, person.id)
        database.conn.execute("ROLLBACK TO answer")
        receipt = Receipt(answer.uid, "failed", BROKEN)
    database.conn.execute("RELEASE answer")
    return receipt


def _store_one(database: Database, task: dict[str, Any], person: Person, answer: Answer) -> Receipt:
    stored = first_row(
        database, "SELECT revision, annotator_id FROM annotation WHERE uid = ?", [answer.uid]
    )
    if stored is not None:
        if stored["annotator_id"] != person.id:
            return Receipt(answer.uid, "refused", "This answer's id is another person's.")
        return Receipt(answer.uid, "again", revision=stored["revision"])
    lease = first_row(
        database,
        "SELECT l.*, i.answers, i.role, i.expected, coalesce(i.overlap, :overlap) AS places"
        " FROM lease l"
        " JOIN item i ON i.id = l.item_id WHERE l.id = :lease AND l.item_id = :item"
        " AND l.annotator_id = :person AND i.task_id = :task",
        {
            "lease": answer.lease_id,
            "item": answer.item_id,
            "person": person.id,
            "task": task["id"],
            "overlap": task["overlap"],
        },
    )
    if lease is None:
        return Receipt(answer.uid, "refused", "This item was not handed to you. Reload the page.")
    shown = Shown(json.loads(lease["shown"]), lease["question_revision_id"])
    try:
        response = checked_response(task, answer, shown)
    except Refusal as error:
        return Receipt(answer.uid, "refused", str(error))
    return _insert(database, task, person, answer, lease, response)


def checked_response(task: dict[str, Any], answer: Answer, shown: Shown) -> dict[str, Any]:
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
    return tasks.kind(task["kind"]).check_response(answer.response or {}, shown)


def _insert(
    database: Database,
    task: dict[str, Any],
    person: Person,
    answer: Answer,
    lease: dict[str, Any],
    response: dict[str, Any],
) -> Receipt:
    now_s = time.time()
    earlier = first_row(
        database,
        "SELECT revision, counted FROM current_annotation WHERE item_id = ? AND annotator_id = ?",
        [answer.item_id, person.id],
    )
    counted_before = bool(earlier and earlier["counted"])
    work = lease["role"] == "work"
    counted = (
        work
        and answer.skip is None
        and not is_aside(database, person.id)
        and (counted_before or _has_room(database, lease, person, now_s))
    )
    revision = (earlier["revision"] if earlier else 0) + 1
    longest = max(0.0, now_s - lease["leased_at"] + CLOCK_SLACK_S)
    database.conn.execute(
        "INSERT INTO annotation (uid, item_id, annotator_id, revision, lease_id,"
        " question_revision_id, task_kind, schema_version, response, shown, skip_reason, counted,"
        " active_s, answered_at, stored_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        [
            answer.uid,
            answer.item_id,
            person.id,
            revision,
            lease["id"],
            lease["question_revision_id"],
            task["kind"],
            tasks.kind(task["kind"]).SCHEMA_VERSION,
            json.dumps(response),
            lease["shown"],
            answer.skip,
            int(counted),
            min(max(answer.active_s, 0.0), longest),
            answer.answered_at,
            now_s,
        ],
    )
    database.conn.execute(
        "UPDATE item SET answers = answers + ? WHERE id = ?",
        [int(counted) - int(counted_before), answer.item_id],
    )
    database.conn.execute(
        "UPDATE lease SET ended_at = ? WHERE item_id = ? AND annotator_id = ? AND ended_at IS NULL",
        [now_s, answer.item_id, person.id],
    )
    database.conn.execute(
        "DELETE FROM draft WHERE item_id = ? AND annotator_id = ?", [answer.item_id, person.id]
    )
    if work:
        note_answer(database, task, answer.item_id)
    extra = work and answer.skip is None and not counted
    feedback = None
    if lease["role"] == "practice" and lease["expected"] and answer.skip is None:
        right, explanation = judged(task["kind"], response, lease["expected"])
        feedback = {"right": right, "words": explanation}
    return Receipt(answer.uid, "extra" if extra else "stored", "", revision, feedback)


def _has_room(database: Database, lease: dict[str, Any], person: Person, now_s: float) -> bool:
    """Whether a place is left beside the answers; without a running lease, beside others' too."""
    if lease["answers"] >= lease["places"]:
        return False
    if lease["ended_at"] is None and lease["expires_at"] > now_s:
        return True
    others = database.conn.execute(
        "SELECT count(DISTINCT annotator_id) FROM lease WHERE item_id = ? AND annotator_id <> ?"
        " AND ended_at IS NULL AND expires_at > ?",
        [lease["item_id"], person.id, now_s],
    ).fetchone()[0]
    return lease["answers"] + others < lease["places"]


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
    with workspace.store.write() as database:
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


def own_draft(workspace: Workspace, person: Person, item_id: int) -> dict[str, Any] | None:
    """The person's draft of an item: response and active s."""
    with workspace.store.read() as database:
        row = first_row(
            database,
            "SELECT body, active_s FROM draft WHERE item_id = ? AND annotator_id = ?",
            [item_id, person.id],
        )
    return {"response": json.loads(row["body"]), "active_s": row["active_s"]} if row else None


def own_response(workspace: Workspace, person: Person, item_id: int) -> dict[str, Any] | None:
    """What the person answered before, as a draft to go on from; None after a skip."""
    with workspace.store.read() as database:
        row = first_row(
            database,
            "SELECT response FROM current_annotation WHERE item_id = ? AND annotator_id = ?"
            " AND skip_reason IS NULL",
            [item_id, person.id],
        )
    return {"response": json.loads(row["response"]), "active_s": 0.0} if row else None


def own_answers(workspace: Workspace, task_id: int, person: Person) -> list[dict[str, Any]]:
    """The person's own answers in a task, oldest first: item, answered_at, skipped, uid."""
    with workspace.store.read() as database:
        return rows(
            database,
            "SELECT a.item_id AS item, a.answered_at, a.skip_reason IS NOT NULL AS skipped, i.uid"
            " FROM current_annotation a JOIN item i ON i.id = a.item_id"
            " WHERE i.task_id = ? AND a.annotator_id = ? ORDER BY a.id",
            [task_id, person.id],
        )


def own_answer(
    workspace: Workspace, task_id: int, person: Person, item_id: int
) -> tuple[dict[str, Any], Content] | None:
    """The person's current answer to an item, with what they were shown; None if they gave none.

    Another person's answer cannot be asked for: the query itself names the person.
    """
    with workspace.store.read() as database:
        row = first_row(
            database,
            "SELECT i.*, a.lease_id, a.response, a.skip_reason, a.shown, a.question_revision_id"
            " FROM current_annotation a JOIN item i ON i.id = a.item_id"
            " WHERE a.item_id = ? AND i.task_id = ? AND a.annotator_id = ?",
            [item_id, task_id, person.id],
        )
    if row is None:
        return None
    shown = Shown(json.loads(row["shown"]), row["question_revision_id"])
    task = open_task(workspace, task_id)
    return row, tasks.kind(task["kind"]).content(workspace, row, shown)
