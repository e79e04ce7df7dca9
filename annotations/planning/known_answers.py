"""Rows that say which items are practice or attention, and what the right answer to them is."""

from typing import Any, cast

from annotations import task as tasks
from annotations.answering.attention import judged
from annotations.record.question import current_question
from annotations.task import ItemDraft
from annotations.task_parts import ChecksKnown
from annotations.workspace import Workspace
from core.refusal import Refusal

ROLES = ("work", "practice", "attention")


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


def check_known(
    workspace: Workspace,
    kind: str,
    settings: dict[str, Any],
    answers: list[tuple[ItemDraft, tuple[str, dict[str, Any] | None]]],
) -> None:
    """Refuse known answers that nobody could give; `answers` are in the order of the rows.

    Raises:
        Refusal: names the first row.
    """
    module: object = tasks.kind(kind)
    if not isinstance(module, ChecksKnown):
        return
    with workspace.store.read() as database:
        for number, (draft, (_, expected)) in enumerate(answers, 1):
            question = current_question(database, draft.question_id or 0) if expected else None
            if question is None or expected is None:
                continue
            try:
                module.check_known(question, expected, settings)
            except Refusal as error:
                raise Refusal(
                    f"row {number}: expected: got {expected!r}, which nobody can answer: {error}."
                ) from error


def known_answer(
    kind: str, number: int, row: dict[str, Any], settings: dict[str, Any]
) -> tuple[str, dict[str, Any] | None]:
    """Role and known answer of a row; None for an item of work.

    Raises:
        Refusal: if there is no such role, or the answer is none of this kind.
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
    answer = cast("dict[str, Any]", expected)
    try:
        judged(kind, answer, answer, settings)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise Refusal(
            f"row {number}: expected: got {answer!r}, which is no answer of this kind: {why}."
        ) from error
    return role, answer


def named_item(number: int, row: dict[str, Any], uids: set[str]) -> str:
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
