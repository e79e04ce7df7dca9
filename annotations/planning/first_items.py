"""The items of a task in the order in which somebody new would meet them."""

from annotations.answering.attention import distance, mixed, reached
from annotations.record.item import Item, open_items
from annotations.workspace import Workspace

MOST = 400


def in_order(workspace: Workspace, task_id: int) -> list[Item]:
    """Items: practice, then work with attention items between; at most `MOST` of work."""
    with workspace.store.read() as database:
        by_role = {
            role: open_items(database, task_id, role, MOST)
            for role in ("practice", "work", "attention")
        }
    work, attention = by_role["work"], by_role["attention"]
    every = distance(len(work), len(attention))
    return by_role["practice"] + mixed(
        work, attention, work_done=0, met=0, every=every, seed=str(task_id),
        most=reached(len(work), len(attention)),
    )  # fmt: skip
