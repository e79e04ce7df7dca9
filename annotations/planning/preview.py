"""The first items of a planned task, as they would be shown."""

from annotations import task as tasks
from annotations.planning.task_plan import PlannedItem, TaskPlan
from annotations.planning.work_order import work_order
from annotations.record.item import Item
from annotations.record.stage import Content
from annotations.task import Shown
from annotations.workspace import Workspace
from core.refusal import Refusal


def first_looks(
    workspace: Workspace, plan: TaskPlan, count: int, seed: str
) -> list[tuple[PlannedItem, Content | str]]:
    """The first items in the order of work, each with what will be shown or why nothing can be."""
    work = work_order(plan.items, plan.order_seed)
    order = sorted(work, key=lambda item: item.role != "practice")
    looks: list[tuple[PlannedItem, Content | str]] = []
    for number, item in enumerate(order[:count]):
        draft = item.draft
        planned = Item(
            id=-number, task_id=0, uid=draft.uid, question_id=draft.question_id,
            video_id=draft.video_id, payload=draft.payload, role=item.role,
        )  # fmt: skip
        kind = tasks.kind(plan.kind)
        try:
            shown: Shown = kind.show(workspace, planned, plan.settings, f"{seed}/{draft.uid}")
            looks.append((item, kind.content(workspace, planned, shown)))
        except (Refusal, OSError) as error:
            looks.append((item, str(error)))
    return looks
