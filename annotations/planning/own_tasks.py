"""The tasks that are work for one person, and where they go on."""

from dataclasses import dataclass
from typing import Any

from annotations.answering.assignments import is_for
from annotations.answering.progress import progress
from annotations.people import Person
from annotations.planning.task_store import all_tasks
from annotations.record.task import TaskCounts
from annotations.workspace import Workspace


@dataclass(frozen=True)
class OwnTask:
    """A task with items that a person may answer, and how far they are."""

    task: TaskCounts
    progress: dict[str, Any]

    @property
    def can_work(self) -> bool:
        """Whether the task is open and has an item for the person."""
        return self.task.status == "open" and self.progress["open_for_me"] > 0


def tasks_of_person(workspace: Workspace, person: Person) -> list[OwnTask]:
    """Tasks with items that a person may answer, in the order in which they were made."""
    return [
        OwnTask(task, progress(workspace, task.id, person))
        for task in all_tasks(workspace)
        if task.items and (person.is_author or is_for(workspace, task.id, person))
    ]


def next_task(workspace: Workspace, person: Person, after: int = 0) -> TaskCounts | None:
    """The open task with work for a person to go on with, other than `after`; None for none."""
    tasks = tasks_of_person(workspace, person)
    return next((one.task for one in tasks if one.task.id != after and one.can_work), None)
