"""What a person has answered or begun to answer, as they look at it again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations import task as tasks
from annotations.answering.progress import open_task
from annotations.people import Person
from annotations.record.annotation import Annotation, current_annotation
from annotations.record.item import Item, items_in
from annotations.record.lease import Handed
from annotations.record.stage import Content
from annotations.workspace import Workspace
from core.stored_json import stored_json


@dataclass(frozen=True)
class Draft:
    """An answer that was begun; `active_s` is the time spent on it, s."""

    response: dict[str, Any]
    active_s: float


@dataclass(frozen=True)
class PastAnswer:
    """An answer or a skip (`skipped` is 1) to an item; `answered_at` is Unix time, s."""

    item_id: int
    uid: str
    answered_at: float
    skipped: int


def own_drafts(workspace: Workspace, person: Person, handed: Sequence[Handed]) -> dict[int, Draft]:
    """The person's drafts of items, by item.

    An item that was returned without a draft since goes on from what they answered before.
    """
    ids = json.dumps([row.item.id for row in handed])
    returned = json.dumps([row.item.id for row in handed if row.remark])
    drafts = workspace.store.rows(
        "SELECT item_id, response AS body, 0.0 AS active_s FROM current_annotation"
        " WHERE item_id IN (SELECT value FROM json_each(:returned)) AND annotator_id = :person"
        " AND skip_reason IS NULL UNION ALL SELECT item_id, body, active_s FROM draft"
        " WHERE item_id IN (SELECT value FROM json_each(:ids)) AND annotator_id = :person",
        {"returned": returned, "ids": ids, "person": person.id},
    )
    return {row["item_id"]: Draft(stored_json(row["body"]), row["active_s"]) for row in drafts}


def own_answers(workspace: Workspace, task_id: int, person: Person) -> list[PastAnswer]:
    """The person's own answers in a task, oldest first."""
    rows = workspace.store.rows(
        "SELECT a.item_id, a.answered_at, a.skip_reason IS NOT NULL AS skipped, i.uid"
        " FROM current_annotation a JOIN item i ON i.id = a.item_id"
        " WHERE i.task_id = ? AND a.annotator_id = ? ORDER BY a.id",
        [task_id, person.id],
    )
    return [PastAnswer(**row) for row in rows]


@dataclass(frozen=True)
class OwnAnswer:
    """What a person answered, as they look at it again.

    Attributes:
        content: what they were shown.
    """

    item: Item
    annotation: Annotation
    content: Content


def own_answer(
    workspace: Workspace, task_id: int, person: Person, item_id: int
) -> OwnAnswer | None:
    """The person's current answer to an item, with what they were shown; None if they gave none.

    Another person's answer cannot be asked for: the query itself names the person.
    """
    task = open_task(workspace, task_id)
    with workspace.store.read() as database:
        annotation = current_annotation(database, item_id, person.id)
        items = [] if annotation is None else items_in(database, [item_id])
    item = next((item for item in items if item.task_id == task_id), None)
    if item is None or annotation is None:
        return None
    content = tasks.kind(task.kind).content(workspace, item, annotation.shown)
    return OwnAnswer(item, annotation, content)
