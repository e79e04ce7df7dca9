"""What tasks are called, and how many items they hold, for those who choose among them."""

from pathlib import Path

from annotations.record.task import Task
from annotations.workspace import Workspace

_COUNTED: dict[tuple[Path, int], tuple[int, int]] = {}


def free_name(workspace: Workspace, wish: str) -> str:
    """A name that no task has: the one wished for, or with a number behind it."""
    taken = {row["name"] for row in workspace.store.rows("SELECT name FROM task")}
    numbered = (f"{wish} {number}" for number in range(2, len(taken) + 3))
    return next(name for name in (wish, *numbered) if name not in taken)


def tasks_of(workspace: Workspace, kinds: tuple[str, ...]) -> list[tuple[Task, int]]:
    """Tasks of some kinds, each with how many items of work it has that are open.

    Items are counted again only where the database says that they have changed.
    """
    marks = ", ".join("?" * len(kinds))
    rows = workspace.store.rows(
        "SELECT t.*, coalesce(y.count, 0) AS version FROM task t"
        " LEFT JOIN tally y ON y.what = 'items' AND y.id = t.id"
        f" WHERE t.kind IN ({marks}) ORDER BY t.id",
        list(kinds),
    )
    return [(Task.from_row(row), _items(workspace, row["id"], row["version"])) for row in rows]


def _items(workspace: Workspace, task: int, version: int) -> int:
    cache_key = (workspace.root, task)
    known = _COUNTED.get(cache_key)
    if known is None or known[0] != version:
        [row] = workspace.store.rows(
            "SELECT count(*) AS n FROM item WHERE task_id = ? AND status = 'open'"
            " AND role = 'work'",
            [task],
        )
        known = _COUNTED[cache_key] = (version, row["n"])
    return known[1]
