"""Rows that say which items are practice or attention, and what the right answer to them is.

What nobody could answer is refused beforehand.
"""

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, cast

from annotations import task as tasks
from annotations.answering.attention import judged
from annotations.record.question import Question
from annotations.task import ItemDraft
from annotations.task_parts import DeclaresKnown, OneOf
from annotations.workspace import Workspace
from core.refusal import Refusal

ROLES = ("work", "practice", "attention")
REMARKS = frozenset({"why", "note"})
Known = tuple[str, dict[str, Any] | None]  # role, and the known answer that goes with it
_QUESTIONS = """
  SELECT * FROM current_question
  WHERE question_id IN (SELECT value FROM json_each(?))
"""


def no_doubles(uids: list[str]) -> None:
    """Refuse rows of the same item.

    Raises:
        Refusal: names the second row.
    """
    positions: dict[str, int] = {}
    for number, uid in enumerate(uids, 1):
        if uid in positions:
            raise Refusal(
                f"row {number}: the same item as row {positions[uid]} ({uid}). "
                "Leave one of them out."
            )
        positions[uid] = number


def known_answer(number: int, row: dict[str, Any]) -> Known:
    """Role and known answer of a row; None for an item of work.

    Raises:
        Refusal: for a role that there is not, or an answer where none belongs or one lacks.
    """
    role, expected = row.get("role", "work") or "work", row.get("expected")
    if role not in ROLES:
        raise Refusal(f"row {number}: role: got {role!r}. Allowed: {', '.join(ROLES)}.")
    if role == "work":
        if expected is not None:
            raise Refusal(
                f"row {number}: expected: got an answer for an item of work. "
                "Allowed with role practice or attention."
            )
        return role, None
    if not isinstance(expected, dict) or not expected:
        raise Refusal(
            f"row {number}: expected: got {expected!r}. A {role} item needs the known answer, an "
            "object such as the form gives."
        )
    return role, cast("dict[str, Any]", expected)


def named_item(number: int, row: dict[str, Any], uids: AbstractSet[str]) -> str:
    """The item that a row names, one of `uids`.

    Raises:
        Refusal: if it names none of them.
    """
    for field, start in (("item", ""), ("question", "question:"), ("video", "video:")):
        if row.get(field) is not None:
            uid = f"{start}{row[field]}"
            if uid not in uids:
                raise Refusal(
                    f"row {number}: {field}: got {row[field]!r}. "
                    f"Allowed: one of this task's items, such as {next(iter(sorted(uids)), '-')!r}."
                )
            return uid
    raise Refusal(
        f"row {number}: names no item. Allowed: a field question, video or item beside role and "
        "expected."
    )


def check_known_answers(
    workspace: Workspace,
    kind: str,
    settings: dict[str, Any],
    known: Sequence[tuple[int, ItemDraft, dict[str, Any]]],
) -> None:
    """Refuse a known answer with a field or a value that no response of the kind can have.

    Args:
        known: number of the row in its file, from 1; its item; its known answer.

    Raises:
        Refusal: names row and field, what was got and what is allowed.
    """
    module: object = tasks.kind(kind)
    asked = json.dumps([draft.question_id for _, draft, _ in known])
    rows = workspace.store.rows(_QUESTIONS, [asked]) if known else ()
    questions = {row["question_id"]: Question.from_row(row) for row in rows}
    for number, draft, answer in known:
        at = f"row {number}: expected"
        if isinstance(module, DeclaresKnown):
            payload = dict(draft.payload)
            if question := questions.get(draft.question_id or 0):
                payload |= {"options": question.options, "several": question.asks_several}
            if not answer.keys() - REMARKS:
                raise Refusal(f"{at}: got {answer!r}, which holds no answer.")
            _check(answer, module.known_answer(settings, payload), at)
        try:
            judged(kind, answer, answer, settings)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = f"it lacks {error}" if isinstance(error, KeyError) else error
            raise Refusal(
                f"{at}: got {answer!r}, which is no answer of this kind: {why}."
            ) from error


def _check(answer: object, allowed: object, at: str) -> None:
    """Compare an answer, or a part of one, with what is allowed; a list by each of its entries."""
    if allowed is None:
        return
    if isinstance(answer, list) and not isinstance(allowed, OneOf):
        for entry in cast("list[object]", answer):
            _check(entry, allowed, at)
    elif not isinstance(allowed, Mapping):
        values = list(cast("Sequence[object]", allowed))
        if answer not in values:
            raise Refusal(f"{at}: got {answer!r}. Allowed: {', '.join(map(str, values))}.")
    elif not isinstance(answer, dict):
        raise Refusal(f"{at}: got {answer!r}. Allowed: an object such as the form gives.")
    else:
        fields = cast("Mapping[str, object]", allowed)
        for name, part in cast("dict[str, object]", answer).items():
            if name not in fields:
                raise Refusal(f"{at}: got a field {name!r}. Allowed: {', '.join(fields)}.")
            _check(part, fields[name], f"{at}: {name}")
