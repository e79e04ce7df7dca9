"""Why a person finds nothing to do in a task."""

from typing import cast

from annotations.answering import availability
from annotations.answering.admission import Admission
from annotations.answering.availability import (
    ALLOWED,
    ANSWERED,
    HAS_SEEN_KEY,
    KEY_HIDDEN,
    KEY_SEEN,
    ROOM,
    WANTS_MORE,
)
from annotations.answering.exclusion import is_aside
from annotations.answering.progress import open_task, progress
from annotations.people import Person
from annotations.workspace import Workspace

# Work that a person could have if others did not hold it.
HELD_BY_OTHERS = f"""
  i.task_id = :task AND i.status = 'open' AND i.role = 'work' AND {WANTS_MORE}
  AND NOT {KEY_HIDDEN} AND NOT {KEY_SEEN} AND NOT {ANSWERED} AND {ALLOWED} AND NOT ({ROOM})
"""


def idle_reason(workspace: Workspace, task_id: int, person: Person) -> str:
    """Why a person gets no item: 'closed', 'paused', or one of these.

    'aside': their work is put aside. 'failed', 'today', 'limit', 'batch', 'stranger': what their
    admission says.
    'not_ready': items are open to them, but what they show is not there, such as a frame that
    nobody has picked. 'hidden': what is left shows the keys of questions that they may still be
    asked. 'others': others are working on what is left. 'seen': what is left are questions whose
    keys they have seen. 'met': what is left are clips that they have met under a condition that
    shows more, or questions that they were asked under the same one. 'done': nothing is left for
    this person, answered or skipped.
    """
    task = open_task(workspace, task_id)
    if task.status != "open":
        return task.status
    with workspace.store.read() as database:
        names = availability.names(database, task, person)
        if is_aside(database, person.id):
            return "aside"
        reason = cast("Admission", names["admission"]).reason
        if reason not in ("", "practice"):
            return reason
    counts = progress(workspace, task_id, person)
    if counts["open_for_me"] > 0:
        return "not_ready"
    if counts["hidden"]:
        return "hidden"
    with workspace.store.read() as database:
        held = database.conn.execute(
            f"SELECT EXISTS (SELECT 1 FROM item i WHERE {HELD_BY_OTHERS})", names
        ).fetchone()[0]
    if held:
        return "others"
    if not counts["seen"]:
        return "done"
    with workspace.store.read() as database:
        by_key = database.conn.execute(
            "SELECT EXISTS (SELECT 1 FROM item i WHERE i.task_id = :task AND i.asks = 1"
            f" AND i.question_id IN ({HAS_SEEN_KEY}))",
            names,
        ).fetchone()[0]
    return "seen" if by_key else "met"
