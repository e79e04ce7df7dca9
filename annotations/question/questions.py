"""Changing questions: every change is a new revision, and old answers keep pointing at the old."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlite_utils import Database

from annotations.answering.item_events import note_event
from annotations.people import Person, now_text
from annotations.question.reasking import Change, Effect, Wording, change_between, effect_of
from annotations.question.revisions import NewRevision, add_revision
from annotations.record.question import Question, current_question, question_in_revision
from core.refusal import Refusal
from db.connection import Store, first_row, rows


def revise(
    database: Database,
    question_id: int,
    changes: dict[str, Any],
    *,
    ask_again: bool | None = None,
    author: Person | None = None,
) -> int:
    """The newest revision's number after changing 'text', 'options' (texts) or 'key' (index).

    Of a question with several right options 'right' (indices) takes the place of the key. Nothing
    is written where nothing changes.

    Args:
        ask_again: whether answers are asked for again; None leaves it to the rule.
        author: who changes it; None on the command line.

    Raises:
        ValueError: for an empty text, fewer than two or equal options, or a key outside them.
    """
    question = current_question(database, question_id)
    if question is None:
        raise Refusal(f"There is no question {question_id}.")
    earlier, after = checked_changes(question, changes)
    if after == earlier:
        return question.revision
    values = replace(
        NewRevision.of(question), text=after.text, options=after.options, key=after.key,
        reference=dict(after.reference or {}),
    )  # fmt: skip
    return add_revision(database, question_id, values, "here", ask_again=ask_again, author=author)[
        1
    ]


def effect_of_changes(
    database: Database,
    question_id: int,
    changes: dict[str, Any],
    *,
    ask_again: bool | None = None,
) -> tuple[Change, Effect]:
    """What `revise` would do to answers and to work in hand, before it is done.

    Raises:
        ValueError: as `revise`.
    """
    question = current_question(database, question_id)
    if question is None:
        raise Refusal(f"There is no question {question_id}.")
    change = change_between(*checked_changes(question, changes))
    return change, effect_of(database, question_id, change, again=ask_again)


def checked_changes(question: Question, changes: dict[str, Any]) -> tuple[Wording, Wording]:
    """What a question asks before and after some changes.

    Args:
        question: as it stands.
        changes: as in `revise`.

    Raises:
        ValueError: as in `revise`.
    """
    earlier = Wording(
        question.clip_id, question.text, question.options, question.key, question.reference
    )
    key = changes.get("key", question.key)
    text, options = changes.get("text", question.text), changes.get("options", question.options)
    right = changes.get("right", question.right_options)
    values = (text, tuple(options), key, tuple(right))
    if values == (question.text, question.options, question.key, question.right_options):
        return earlier, earlier
    text, options = str(text).strip(), tuple(str(option).strip() for option in options)
    if not text:
        raise Refusal("The question has no text.")
    if len(options) < 2 or not all(options) or len(set(options)) < len(options):
        raise Refusal("A question has two or more options, none empty and none twice.")
    if key is not None and not 0 <= key < len(options):
        raise Refusal(f"The key {key} is outside the {len(options)} options.")
    reference = _reference(question, options, right) if key is None else {}
    return earlier, Wording(question.clip_id, text, options, key, reference)


def _reference(
    question: Question, options: tuple[str, ...], right: Sequence[int]
) -> dict[str, list[str]]:
    """What answers are held against after a change: right options stay by text, else by place.

    Raises:
        ValueError: if a place is outside the options, or a right option is no option any more.
    """
    if not question.asks_several:
        return question.reference
    if not right or not all(0 <= index < len(question.options) for index in right):
        raise Refusal(f"Right options are some of 0 to {len(question.options) - 1}.")
    texts = [question.options[index] for index in right]
    if len(options) == len(question.options):
        texts = [
            text if text in options else options[index]
            for index, text in zip(right, texts, strict=True)
        ]
    lost = [text for text in texts if text not in options]
    if lost:
        raise Refusal(f"“{lost[0]}” is right and is no option any more. Keep it, or name a key.")
    return {**question.reference, "answers": texts}


def retire(
    database: Database, question_id: int, author: Person | None, why: str, but: int | None = None
) -> None:
    """Ask a question no more: its items are withdrawn in every task, its answers stay.

    Args:
        author: who does so; None on the command line.
        why: kept as the reason of each item.
        but: an item that stays, such as the one in which this was decided.
    """
    database.conn.execute(
        "UPDATE question SET retired_at = ? WHERE id = ?", [now_text(), question_id]
    )
    for item_id in _items_of(database, question_id, "open"):
        if item_id != but:
            database.conn.execute("UPDATE item SET status = 'withdrawn' WHERE id = ?", [item_id])
            note_event(database, item_id, author, "withdrawn", why)


def ask_again(database: Database, question_id: int, author: Person | None, why: str) -> None:
    """Ask a retired question again, where its items were last withdrawn for this reason."""
    database.conn.execute("UPDATE question SET retired_at = NULL WHERE id = ?", [question_id])
    for item_id in _items_of(database, question_id, "withdrawn"):
        retirement = first_row(
            database,
            "SELECT action, words FROM item_event WHERE item_id = ? ORDER BY id DESC LIMIT 1",
            [item_id],
        )
        if retirement is not None and (retirement["action"], retirement["words"]) == (
            "withdrawn",
            why,
        ):
            database.conn.execute("UPDATE item SET status = 'open' WHERE id = ?", [item_id])
            note_event(database, item_id, author, "opened again")


def _items_of(database: Database, question_id: int, status: str) -> list[int]:
    """Ids of a question's items of this status."""
    item_rows = rows(
        database,
        "SELECT id FROM item WHERE question_id = ? AND status = ?",
        [question_id, status],
    )
    return [row["id"] for row in item_rows]


def as_asked(store: Store, revision_id: int | None) -> Question:
    """A question in the revision that was shown.

    Raises:
        ValueError: if there is no such revision.
    """
    with store.read() as database:
        question = question_in_revision(database, revision_id)
    if question is None:
        raise Refusal("The question of this item is not in the database.")
    return question
