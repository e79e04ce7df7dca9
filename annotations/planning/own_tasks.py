"""The tasks that are work for one person, and where they go on."""

from dataclasses import dataclass
from typing import Any

from annotations.answering.assignments import is_for
from annotations.answering.availability import MEET_ONCE
from annotations.answering.progress import progress
from annotations.condition import shown_first
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
    """Tasks with items that a person may answer, in the order in which they were made.

    Of those in which a clip is met once, what shows least comes first: whoever has seen a clip in
    full cannot be asked about a few of its frames any more.
    """
    tasks = [
        OwnTask(task, progress(workspace, task.id, person))
        for task in all_tasks(workspace)
        if task.items and (person.is_author or is_for(workspace, task.id, person))
    ]
    once = [index for index, own in enumerate(tasks) if own.task.settings.get(MEET_ONCE) is True]
    by_shown = sorted(once, key=lambda index: shown_first(tasks[index].task.settings["condition"]))
    moved = dict(zip(once, by_shown, strict=True))
    return [tasks[moved.get(index, index)] for index in range(len(tasks))]


def next_task(workspace: Workspace, person: Person, after: int = 0) -> TaskCounts | None:
    """The open task with work for a person to go on with, other than `after`; None for none."""
    tasks = tasks_of_person(workspace, person)
    return next(
        (own_task.task for own_task in tasks if own_task.task.id != after and own_task.can_work),
        None,
    )
