"""Settling disagreements: authors decide about an item together, each signs, every version is kept.

TOMATO 4.3 and G.3: two authors settle what two blind answers left open.
"""

import json
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.adjudication.outcomes import OUTCOMES
from annotations.adjudication.resolution_effect import check_fix, take_back, take_effect
from annotations.people import Person, now_text
from annotations.task import Shown
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.stored_json import stored_json
from db.connection import first_row, rows

LONGEST_REASON = 4000


class ChangedMeanwhileError(Refusal):
    """Somebody else decided about the item since the page was drawn."""


@dataclass(frozen=True)
class Resolution:
    """The newest resolution of an item.

    Attributes:
        value: the response that holds; None where the outcome has none.
        changes: what becomes of the question where it is fixed; else None.
        answers: ids of the annotations that were on the table, first and second first.
        signed_by: names in the order of signing.
        signatures: how many are needed.
    """

    id: int
    revision: int
    outcome: str
    value: dict[str, Any] | None
    changes: dict[str, Any] | None
    reason: str
    answers: tuple[int, ...]
    signed_by: tuple[str, ...]
    signatures: int

    @property
    def holds(self) -> bool:
        """Whether enough authors have signed it."""
        return self.outcome != "reopen" and len(self.signed_by) >= self.signatures


def resolution(workspace: Workspace, item_id: int) -> Resolution | None:
    """The newest resolution of an item, None if there is none."""
    with workspace.store.read() as database:
        return _read(database, item_id)


def _read(database: Database, item_id: int) -> Resolution | None:
    row = first_row(database, "SELECT * FROM current_resolution WHERE item_id = ?", [item_id])
    if row is None:
        return None
    signed = rows(
        database,
        "SELECT p.name FROM signature s JOIN annotator p ON p.id = s.author_id"
        " WHERE s.resolution_id = ? ORDER BY s.id",
        [row["id"]],
    )
    return Resolution(
        row["id"],
        row["revision"],
        row["outcome"],
        None if row["value"] is None else json.loads(row["value"]),
        None if row["changes"] is None else json.loads(row["changes"]),
        row["reason"],
        tuple(json.loads(row["answers"])),
        tuple(signature["name"] for signature in signed),
        row["signatures"],
    )


def resolve(
    workspace: Workspace,
    item_id: int,
    author: Person,
    outcome: str,
    *,
    answers: tuple[int, ...],
    seen_revision: int,
    value: dict[str, Any] | None = None,
    changes: dict[str, Any] | None = None,
    reason: str = "",
    signatures: int = 1,
) -> Resolution:
    """The resolution as stored, signed by this author; it holds when enough have signed.

    Args:
        answers: ids of the annotations on the table; the first two are 'first' and 'second'.
        seen_revision: revision of the resolution that the author saw; 0 if there was none.
        value: the response for 'other', in the task kind's schema.
        changes: for 'fix_question': its new 'text', 'options' (texts) or 'key' (index).
        signatures: how many authors have to sign, where the task leaves it to them.

    Raises:
        ChangedMeanwhileError: if somebody decided since `seen_revision`; nothing is overwritten.
        ValueError: for somebody who is no author, an unknown outcome, a missing value, or a fix
            that changes nothing or makes no question.
    """
    _check(author, outcome, reason)
    with workspace.store.write() as database:
        standing = _read(database, item_id)
        current = standing.revision if standing else 0
        if current != seen_revision:
            raise ChangedMeanwhileError(_decided_meanwhile(standing))
        if outcome == "fix_question":
            check_fix(database, item_id, changes)
        row = {
            "outcome": outcome,
            "value": _json(_value(database, item_id, outcome, answers, value)),
            "changes": _json(changes if outcome == "fix_question" else None),
            "reason": reason.strip(),
            "answers": json.dumps(answers),
            "signatures": _asked_signatures(database, item_id) or signatures,
        }
        resolution = _insert(database, item_id, author, current + 1, row)
        if resolution.holds:
            take_effect(database, item_id, author, outcome, resolution.value, resolution.changes)
    return resolution


def asked_signatures(workspace: Workspace, item_id: int) -> int | None:
    """How many authors the item's task wants to sign; None where it leaves that to them."""
    with workspace.store.read() as database:
        return _asked_signatures(database, item_id)


def _decided_meanwhile(standing: Resolution | None) -> str:
    who = " and ".join(standing.signed_by) if standing and standing.signed_by else "Somebody"
    outcome = OUTCOMES.get(standing.outcome, "reopened it") if standing else ""
    return (
        f"{who} decided meanwhile: {outcome}. Look again before you decide; nothing of"
        " theirs was overwritten."
    )


def _asked_signatures(database: Database, item_id: int) -> int | None:
    row = database.conn.execute(
        "SELECT t.signatures FROM item i JOIN task t ON t.id = i.task_id WHERE i.id = ?", [item_id]
    ).fetchone()
    return row[0] if row else None


def sign(workspace: Workspace, item_id: int, author: Person, seen_revision: int) -> Resolution:
    """The resolution with one more signature; the same author signs once.

    Raises:
        ChangedMeanwhileError: if another resolution came since `seen_revision`.
        ValueError: if there is nothing to sign, or the signer is no author.
    """
    _check(author, "first", "")
    with workspace.store.write() as database:
        resolution = _read(database, item_id)
        if resolution is None or resolution.outcome == "reopen":
            raise Refusal("There is nothing to sign yet. Decide first.")
        if resolution.revision != seen_revision:
            raise ChangedMeanwhileError("Somebody decided anew meanwhile. Look before you sign.")
        held = resolution.holds
        _sign(database, resolution.id, author)
        signed = _read(database, item_id)
        assert signed is not None
        if signed.holds and not held:
            take_effect(database, item_id, author, signed.outcome, signed.value, signed.changes)
    return signed


def reopen(
    workspace: Workspace, item_id: int, author: Person, seen_revision: int, reason: str
) -> Resolution:
    """The item is open again; what was decided stays in its history.

    Raises:
        ChangedMeanwhileError: if another resolution came since `seen_revision`.
        ValueError: if there is nothing to reopen, or without a reason.
    """
    _check(author, "first", reason)
    if not reason.strip():
        raise Refusal("Say why it is reopened.")
    with workspace.store.write() as database:
        standing = _read(database, item_id)
        if standing is None or standing.outcome == "reopen":
            raise Refusal("This item is open already.")
        if standing.revision != seen_revision:
            raise ChangedMeanwhileError("Somebody decided anew meanwhile. Look before you reopen.")
        row = {
            "outcome": "reopen",
            "reason": reason.strip(),
            "answers": json.dumps(standing.answers),
            "signatures": 1,
        }
        resolution = _insert(database, item_id, author, standing.revision + 1, row)
        if standing.holds:
            take_back(database, item_id, author, standing.outcome)
    return resolution


def _check(author: Person, outcome: str, reason: str) -> None:
    if not author.is_author:
        raise Refusal(f"{author.name} is no author; only authors settle disagreements.")
    if outcome not in OUTCOMES:
        raise Refusal(f"{outcome!r} is no outcome. Allowed: {', '.join(OUTCOMES)}.")
    if len(reason) > LONGEST_REASON:
        raise Refusal(f"The reason is longer than {LONGEST_REASON} characters.")


def _value(
    database: Database,
    item_id: int,
    outcome: str,
    answers: tuple[int, ...],
    value: dict[str, Any] | None,
) -> dict[str, Any] | None:
    responses = [
        first_row(
            database,
            "SELECT a.response, a.shown, a.question_revision_id, a.task_kind FROM annotation a"
            " WHERE a.id = ? AND a.item_id = ?",
            [annotation_id, item_id],
        )
        for annotation_id in answers
    ]
    if any(row is None for row in responses) or len(responses) < (2 if outcome == "second" else 1):
        raise Refusal("The answers on the table are not answers to this item. Reload the page.")
    first_response = responses[0] or {}
    match outcome:
        case "first":
            return stored_json(first_response["response"])
        case "second":
            return stored_json((responses[1] or {})["response"])
        case "other":
            on_table = [stored_json((row or {})["response"]) for row in responses]
            if value in on_table:  # it was checked when it was given, by what that person was shown
                return value
            shown = Shown(
                json.loads(first_response["shown"]), first_response["question_revision_id"]
            )
            return tasks.kind(first_response["task_kind"]).check_response(value or {}, shown)
        case _:
            return None


def _insert(
    database: Database, item_id: int, author: Person, revision: int, row: dict[str, Any]
) -> Resolution:
    """The resolution after keeping another version of it with its first signature."""
    names = ", ".join(row)
    resolution_id = database.conn.execute(
        f"INSERT INTO resolution (item_id, revision, created_at, {names})"
        f" VALUES (?, ?, ?, {', '.join('?' * len(row))}) RETURNING id",
        [item_id, revision, now_text(), *row.values()],
    ).fetchone()[0]
    _sign(database, resolution_id, author)
    resolution = _read(database, item_id)
    assert resolution is not None
    return resolution


def _json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _sign(database: Database, resolution_id: int, author: Person) -> None:
    database.conn.execute(
        "INSERT INTO signature (resolution_id, author_id, signed_at) VALUES (?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        [resolution_id, author.id, now_text()],
    )
