"""Items and answers of a task as authors look through them."""

from dataclasses import dataclass
from typing import Any

from annotations import task as tasks
from annotations.answering.response_words import asked_options, response_words
from annotations.record.item import Item
from annotations.record.shown import Shown
from annotations.task_parts import Summarizes, Summary
from annotations.workspace import Workspace
from core.stored_json import stored_json

MOST = 2000
MOST_ANSWERS = 100


@dataclass(frozen=True)
class ListedItem:
    """An item as authors see it in a list.

    Attributes:
        places: how many people answer it.
        people: names of those it is assigned to, separated by commas; None for everybody.
    """

    id: int
    uid: str
    role: str
    status: str
    settled: int
    answers: int
    skips: int
    priority: int
    places: int
    people: str | None


@dataclass(frozen=True)
class ListedAnswer:
    """A person's current answer as authors see it in a list.

    Attributes:
        id: of the annotation.
        uid: of the item.
        role: of the item.
        name: who gave it.
        words: what was answered, or why it was skipped.
        returned: whether an author has given it back and it is not answered again.
    """

    id: int
    uid: str
    role: str
    name: str
    words: str
    revision: int
    returned: bool


def item_list(workspace: Workspace, task_id: int, search: str = "") -> list[ListedItem]:
    """Items whose name holds some words, at most `MOST`, in the order they are handed out."""
    rows = workspace.store.rows(
        "SELECT i.id, i.uid, i.role, i.status, i.settled, i.answers, i.skips, i.priority,"
        " coalesce(i.overlap, t.overlap) AS places,"
        " (SELECT group_concat(p.name, ', ') FROM assignment s"
        "  JOIN annotator p ON p.id = s.annotator_id"
        "  WHERE s.task_id = t.id AND coalesce(s.item_id, -1) = +i.id) AS people"
        " FROM item i JOIN task t ON t.id = i.task_id WHERE t.id = ? AND instr(lower(i.uid), ?) > 0"
        " ORDER BY i.role = 'work', i.priority DESC, i.position LIMIT ?",
        [task_id, search.strip().lower().replace(" ", "/"), MOST],
    )
    return [ListedItem(**row) for row in rows]


def newest_answers(workspace: Workspace, task_id: int) -> list[ListedAnswer]:
    """People's current answers in a task, newest first, at most `MOST_ANSWERS`."""
    answers = workspace.store.rows(
        "SELECT i.*, a.id AS annotation, p.name, a.response, a.skip_reason, a.revision, a.shown,"
        " a.question_revision_id, t.kind, q.options,"
        " EXISTS (SELECT 1 FROM remark r WHERE r.annotation_id = a.id) AS returned"
        " FROM current_annotation a JOIN item i ON i.id = a.item_id JOIN task t ON t.id = i.task_id"
        " JOIN annotator p ON p.id = a.annotator_id AND p.kind = 'person'"
        " LEFT JOIN question_revision q ON q.id = a.question_revision_id"
        " WHERE i.task_id = ? ORDER BY a.id DESC LIMIT ?",
        [task_id, MOST_ANSWERS],
    )
    return [
        ListedAnswer(
            id=row["annotation"],
            uid=row["uid"],
            role=row["role"],
            name=row["name"],
            words=_words(workspace, row),
            revision=row["revision"],
            returned=bool(row["returned"]),
        )
        for row in answers
    ]


def task_summary(workspace: Workspace, task_id: int) -> Summary | None:
    """What people's counted answers in a task say together, where its kind sums them up."""
    rows = workspace.store.rows(
        "SELECT t.kind, a.response FROM current_annotation a JOIN item i ON i.id = a.item_id"
        " JOIN task t ON t.id = i.task_id JOIN annotator p ON p.id = a.annotator_id"
        " WHERE t.id = ? AND p.kind = 'person' AND a.skip_reason IS NULL AND a.counted"
        " AND i.role = 'work' ORDER BY a.id",
        [task_id],
    )
    module: object = tasks.kind(rows[0]["kind"]) if rows else None
    if not isinstance(module, Summarizes):
        return None
    return module.summary([stored_json(row["response"]) for row in rows])


def _words(workspace: Workspace, row: dict[str, Any]) -> str:
    if row["skip_reason"]:
        return f"skipped: {row['skip_reason']}"
    return response_words(
        workspace,
        row["kind"],
        Item.from_row(row),
        Shown.from_row(row),
        stored_json(row["response"]),
        asked_options(row),
    )


def item_name(uid: str) -> str:
    """What an item is called on a page: 'question:count/17' is 'count 17'."""
    return (uid.partition(":")[2] or uid).replace("/", " ")
