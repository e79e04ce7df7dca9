"""What a resolution does once it holds: a new key, a fixed question, items asked no more."""

from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.people import Person
from annotations.question.questions import ask_again, checked_changes, retire, revise
from annotations.record.item import item_in
from annotations.record.question import Question, question_in_revision, question_of_item
from annotations.record.task import task_in
from annotations.task_parts import HasKey
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row

RETIRED = "its question was retired"


@dataclass(frozen=True)
class KeyChange:
    """That the stored key of an item's question, or its right options, become others.

    Attributes:
        old: the right options, each as index and text; () for a question without a key.
        new: the same.
    """

    old: tuple[tuple[int, str], ...]
    new: tuple[tuple[int, str], ...]

    @property
    def words(self) -> str:
        """The change for a person, such as 'from C to A' or 'from A to A, C'."""
        old, new = (
            ", ".join(chr(65 + index) for index, _ in options) for options in (self.old, self.new)
        )
        return f"from {old} to {new}" if old else f"to {new}"


def key_change(
    workspace: Workspace,
    item_id: int,
    value: dict[str, Any] | None,
    changes: dict[str, Any] | None = None,
) -> KeyChange | None:
    """How a resolution would change the stored key; None if it leaves it as it is.

    Args:
        item_id: of which item.
        value: the response that would hold.
        changes: what would become of the question: 'text', 'options', 'key'.
    """
    with workspace.store.read() as database:
        question = question_of_item(database, item_id)
        if question is None:
            return None
        options = question.options
        right: tuple[int, ...]
        if changes is None:
            right, texts = _right_of(database, item_id, value, question), options
        else:
            key = changes.get("key", question.key)
            right, texts = () if key is None else (key,), changes.get("options", options)
    if not right or not all(0 <= index < len(texts) for index in right):
        return None
    old = tuple((index, options[index]) for index in question.right_options)
    new = tuple((index, texts[index]) for index in right)
    return None if old == new else KeyChange(old, new)


def check_fix(database: Database, item_id: int, changes: dict[str, Any] | None) -> None:
    """Refuse changes that cannot fix the question of an item.

    Raises:
        Refusal: if nothing changes, or what is left would be no question.
    """
    question = question_of_item(database, item_id)
    if question is None:
        raise Refusal("This item is not about a question; there is nothing to fix.")
    fixed = {name: part for name, part in (changes or {}).items() if name != "ask_again"}
    earlier, after = checked_changes(question, fixed)
    if earlier == after:
        raise Refusal("Nothing is changed yet: change the text, the options or the key.")


def take_effect(
    database: Database,
    item_id: int,
    author: Person,
    outcome: str,
    value: dict[str, Any] | None,
    changes: dict[str, Any] | None,
) -> None:
    """Withdraw what is asked no more; another key or a fix is a new revision of the question."""
    question = question_of_item(database, item_id)
    if outcome == "replace_video":
        _withdraw(database, item_id)
    if question is None:
        if outcome == "retire":
            _withdraw(database, item_id)
        return
    if outcome == "retire":
        retire(database, question.question_id, author, RETIRED)
    if outcome == "fix_question":
        fixed = {name: part for name, part in (changes or {}).items() if name != "ask_again"}
        again = (changes or {}).get("ask_again")
        revise(database, question.question_id, fixed, ask_again=again, author=author)
        return
    right = _right_of(database, item_id, value, question)
    if right:
        changed = {"right": right} if question.asks_several else {"key": right[0]}
        revise(database, question.question_id, changed, author=author)


def take_back(database: Database, item_id: int, author: Person, outcome: str) -> None:
    """Ask again what a resolution had withdrawn; a changed key or question stays as it is."""
    question = question_of_item(database, item_id)
    if outcome == "retire" and question is not None:
        ask_again(database, question.question_id, author, RETIRED)
    database.conn.execute("UPDATE item SET status = 'open' WHERE id = ?", [item_id])


def _withdraw(database: Database, item_id: int) -> None:
    database.conn.execute("UPDATE item SET status = 'withdrawn' WHERE id = ?", [item_id])


def _right_of(
    database: Database, item_id: int, value: dict[str, Any] | None, question: Question
) -> tuple[int, ...]:
    """The right options that a response amounts to; () if none, or it was about other options."""
    if value is None:
        return ()
    kind = tasks.kind(task_in(database, item_in(database, item_id).task_id).kind)
    if not isinstance(kind, HasKey):
        return ()
    answered = first_row(
        database,
        "SELECT question_revision_id FROM annotation WHERE item_id = ?"
        " AND question_revision_id IS NOT NULL ORDER BY id DESC LIMIT 1",
        [item_id],
    )
    seen = question_in_revision(database, answered["question_revision_id"]) if answered else None
    if seen is None or seen.options != question.options:
        return ()
    key = kind.key_of(value)
    several = kind.right_of(value) if question.asks_several else ()
    return several if several or key is None else (key,)
