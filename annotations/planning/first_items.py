"""The items of a task in the order in which somebody new would meet them."""

from typing import Any

from annotations.answering.attention import distance, mixed
from annotations.workspace import Workspace

MOST = 400


def in_order(workspace: Workspace, task_id: int) -> list[dict[str, Any]]:
    """Rows of items: practice, then work with attention items between; at most `MOST` of work."""
    by_role = {
        role: workspace.store.rows(
            "SELECT * FROM item WHERE task_id = ? AND status = 'open' AND role = ?"
            " ORDER BY priority DESC, position LIMIT ?",
            [task_id, role, MOST],
        )
        for role in ("practice", "work", "attention")
    }
    work, attention = by_role["work"], by_role["attention"]
    every = distance(len(work), len(attention))
    return by_role["practice"] + mixed(work, attention, work_done=0, met=0, every=every)
