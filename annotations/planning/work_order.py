"""The order in which a task hands out its items: as imported, or shuffled by a recorded seed.

Imports come one category after the other; in that order people tire of the last ones, and answer
each by those just before it. Everybody gets the same order, and the seed gives it again.
"""

from collections.abc import Sequence

from annotations.planning.task_plan import PlannedItem
from core.video import plans


def work_order(
    items: Sequence[PlannedItem], seed: str | None, begins: int = 0
) -> list[PlannedItem]:
    """Items in the order in which they are handed out.

    Practice and attention items keep their places. Segments of one video that follow each other,
    without a question that tells them apart, stay together and in their order.

    Args:
        items: new to the task, in the order of import.
        seed: of the task; None leaves them as they are.
        begins: how many places the task has before them, so that each import is shuffled anew.
    """
    if seed is None:
        return list(items)
    groups = _together([item for item in items if item.role == "work"])
    order = plans.shuffled(range(len(groups)), f"order/{seed}/{begins}")
    work = iter([item for group in order for item in groups[group]])
    return [next(work) if item.role == "work" else item for item in items]


def _together(work: Sequence[PlannedItem]) -> list[list[PlannedItem]]:
    groups: list[list[PlannedItem]] = []
    for item in work:
        if groups and _video(item) is not None and _video(item) == _video(groups[-1][-1]):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _video(item: PlannedItem) -> int | None:
    """The video that an item is a segment of; None where it is about a question or no video."""
    return None if item.draft.question_id is not None else item.draft.video_id
