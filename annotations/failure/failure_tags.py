"""What people said went wrong in models' answers, and saying so from among the failures.

A tag is an answer to an item of a failure-tagging task, given at the desk or beside the failures.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from annotations import task as tasks
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.progress import open_task
from annotations.failure import failure_items
from annotations.people import Person
from annotations.planning import task_store
from annotations.planning.task_plan import ROWS, PlannedItem, TaskPlan, plan_task
from annotations.scoring.snapshot import Snapshot
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal

KIND = "failure_tagging"
OWN_TASK = "Failure tagging beside the failures"
TAKEN_BACK = "The tag was taken back."
MOST_SKIPS = 1000
_TAGS = """
  SELECT json_extract(i.payload, '$.prediction') AS prediction, i.task_id, i.id AS item_id,
         p.id AS person_id, p.name, json_extract(a.response, '$.classes') AS classes,
         json_extract(a.response, '$.note') AS note
  FROM task t CROSS JOIN item i ON i.task_id = t.id
  CROSS JOIN current_annotation a ON a.item_id = i.id
  CROSS JOIN annotator p ON p.id = a.annotator_id
  WHERE t.kind = ? AND i.status = 'open' AND i.role = 'work' AND a.skip_reason IS NULL
    AND p.aside_at IS NULL ORDER BY a.id
"""


@dataclass(frozen=True)
class Tag:
    """What one person or model said of one prediction.

    Attributes:
        classes: ids of the classes, in the order of the task's list.
    """

    task_id: int
    item_id: int
    person_id: int
    name: str
    classes: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Tags:
    """All current tags by prediction, oldest first."""

    by: dict[int, tuple[Tag, ...]]

    @cached_property
    def classes(self) -> dict[int, frozenset[str]]:
        """The classes that anybody named, by prediction."""
        return {
            prediction: frozenset(name for tag in tag_list for name in tag.classes)
            for prediction, tag_list in self.by.items()
        }


def all_tags(snapshot: Snapshot) -> Tags:
    """What stands now."""
    by_prediction: dict[int, list[Tag]] = {}
    for row in snapshot.rows(_TAGS, [KIND]):
        classes: list[str] = json.loads(row["classes"] or "[]")
        by_prediction.setdefault(row["prediction"], []).append(
            Tag(
                row["task_id"], row["item_id"], row["person_id"], row["name"], tuple(classes),
                row["note"] or "",
            )
        )  # fmt: skip
    return Tags({prediction: tuple(tag_list) for prediction, tag_list in by_prediction.items()})


@dataclass(frozen=True)
class TaggingTask:
    """A task whose items are failures, with the classes it offers."""

    id: int
    name: str
    classes: list[dict[str, str]]


def tagging_tasks(workspace: Workspace) -> list[TaggingTask]:
    """Tasks whose items are failures; the oldest first."""
    rows = workspace.store.rows("SELECT id FROM task WHERE kind = ? ORDER BY id", [KIND])
    opened = [open_task(workspace, row["id"]) for row in rows]
    return [TaggingTask(task.id, task.name, task.settings["classes"]) for task in opened]


def usual_classes() -> list[dict[str, str]]:
    """The classes of a task that does not exist yet."""
    return tasks.kind(KIND).check_settings({})["classes"]


def own_task(workspace: Workspace) -> int:
    """The id of the task that holds what authors say beside the failures, made if there is none.

    It is closed: it hands out nothing, and takes as many answers to an item as there come.
    """
    rows = workspace.store.rows("SELECT id FROM task WHERE name = ? AND kind = ?", [OWN_TASK, KIND])
    if rows:
        return int(rows[0]["id"])
    settings = tasks.kind(KIND).check_settings({})
    plan = TaskPlan(OWN_TASK, KIND, settings, 1, ROWS, (), skip_limit=MOST_SKIPS)
    task_id = task_store.make_task(workspace, plan)
    task_store.set_status(workspace, OWN_TASK, "closed")
    return task_id


def tag(
    workspace: Workspace,
    person: Person,
    annotation_id: int,
    classes: Sequence[str],
    note: str = "",
    *,
    uid: str,
    task_id: int | None = None,
    active_s: float = 0.0,
) -> None:
    """Keep what a person says of a wrong prediction; no classes takes back what they said.

    Args:
        annotation_id: of the prediction.
        uid: made where the tag was given; the same uid is stored once however often it comes.
        task_id: of which task; None is the one that is kept for this.
        active_s: time spent on it, s.

    Raises:
        ValueError: if the prediction is not wrong, or the task does not offer a class.
        LookupError: if there is no such task.
    """
    task_id = own_task(workspace) if task_id is None else task_id
    if open_task(workspace, task_id).kind != KIND:
        raise Missing(f"Task {task_id} is not about failures.")
    item_id = _item(workspace, task_id, annotation_id)
    handed = queue.hand(workspace, task_id, person, item_id)
    _make_room(workspace, item_id, person)
    answer = Answer(
        uid=uid,
        item_id=item_id,
        lease_id=handed.lease.id,
        response={"classes": list(classes), "note": note} if classes else None,
        skip=None if classes else TAKEN_BACK,
        active_s=active_s,
        answered_at=time.time(),
    )
    [receipt] = answer_store.store(workspace, task_id, person, [answer], closed_counts=True)
    if receipt.status == "refused":
        raise Refusal(receipt.reason)


def _item(workspace: Workspace, task_id: int, annotation_id: int) -> int:
    """The id of the task's item about a prediction, made if there is none."""
    asked = "SELECT id FROM item WHERE task_id = ? AND json_extract(payload, '$.prediction') = ?"
    rows = workspace.store.rows(asked, [task_id, annotation_id])
    if not rows:
        failure_items.of_rows(workspace, [{"prediction": annotation_id}])
        drafts = failure_items.drafts(workspace, [annotation_id])
        task_store.add_items(workspace, task_id, map(PlannedItem, drafts))
        rows = workspace.store.rows(asked, [task_id, annotation_id])
    return int(rows[0]["id"])


def _make_room(workspace: Workspace, item_id: int, person: Person) -> None:
    """One more place at a full item for somebody who has none: every author's tag counts."""
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE item SET overlap = answers + 1 WHERE id = :item AND answers >="
            " coalesce(overlap, (SELECT overlap FROM task WHERE id = task_id)) AND NOT EXISTS"
            " (SELECT 1 FROM current_annotation a WHERE a.item_id = :item"
            " AND a.annotator_id = :person AND a.counted = 1)",
            {"item": item_id, "person": person.id},
        )


def tag_these(workspace: Workspace, name: str, annotation_ids: Sequence[int], overlap: int) -> int:
    """The id of a new task in which people tag these predictions.

    Raises:
        ValueError: for a name that is taken or no name, or if one of them is not wrong.
    """
    rows = [{"prediction": annotation_id} for annotation_id in annotation_ids]
    plan = plan_task(workspace, name=name, kind=KIND, overlap=overlap, source=ROWS, rows=rows)
    return task_store.make_task(workspace, plan)
