"""Why a person finds nothing to do in a task."""

from annotations.answering import availability
from annotations.answering.availability import ALLOWED, ANSWERED, ROOM, WANTS_MORE
from annotations.answering.progress import open_task, progress
from annotations.people import Person
from annotations.workspace import Workspace

# Work that a person could have if others did not hold it.
HELD_BY_OTHERS = f"""
  i.task_id = :task AND i.status = 'open' AND i.role = 'work' AND {WANTS_MORE}
  AND NOT {ANSWERED} AND {ALLOWED} AND NOT ({ROOM})
"""


def idle_reason(workspace: Workspace, task_id: int, person: Person) -> str:
    """Why a person gets no item: 'closed', 'paused', 'not_ready', 'others' or 'done'.

    'not_ready': items are open to them, but what they show is not there, such as a frame that
    nobody has picked. 'others': others are working on what is left. 'done': nothing is left for
    this person, answered or skipped.
    """
    task = open_task(workspace, task_id)
    if task.status != "open":
        return task.status
    if progress(workspace, task_id, person)["open_for_me"] > 0:
        return "not_ready"
    with workspace.store.read() as database:
        held = database.conn.execute(
            f"SELECT EXISTS (SELECT 1 FROM item i WHERE {HELD_BY_OTHERS})",
            availability.names(database, task, person),
        ).fetchone()[0]
    return "others" if held else "done"
