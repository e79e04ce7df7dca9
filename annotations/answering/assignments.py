"""Who is named for what: without names everybody works on everything, with names only they."""

from collections.abc import Sequence

from sqlite_utils import Database

from annotations.people import Person, now_text
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import rows


def assign(
    workspace: Workspace,
    task_id: int,
    people: Sequence[str],
    *,
    items: Sequence[int] | None = None,
) -> None:
    """Name the people for a task, or for single items of it, instead of those named before.

    Args:
        people: names; none means everybody (for items: everybody who works on the task).
        items: item ids; None is the task as a whole.

    Raises:
        ValueError: for a name that nobody here has.
    """
    with workspace.store.write() as database:
        numbers = person_ids(database, people)
        for item in [None] if items is None else items:
            database.conn.execute(
                "DELETE FROM assignment WHERE task_id = ? AND coalesce(item_id, -1) = ?",
                [task_id, -1 if item is None else item],
            )
            database.conn.executemany(
                "INSERT INTO assignment (task_id, item_id, annotator_id, created_at)"
                " VALUES (?, ?, ?, ?)",
                [[task_id, item, number, now_text()] for number in numbers],
            )


def assigned(workspace: Workspace, task_id: int) -> list[str]:
    """Names of those who are named for a task as a whole; none means everybody."""
    return [
        row["name"]
        for row in workspace.store.rows(
            "SELECT p.name FROM assignment s JOIN annotator p ON p.id = s.annotator_id"
            " WHERE s.task_id = ? AND s.item_id IS NULL ORDER BY p.name",
            [task_id],
        )
    ]


def is_for(workspace: Workspace, task_id: int, person: Person) -> bool:
    """Whether a person may work on a task or on single items of it.

    Who was recruited by a link works on the tasks of their links alone.
    """
    [row] = workspace.store.rows(
        "SELECT (NOT EXISTS (SELECT 1 FROM assignment WHERE task_id = :task AND item_id IS NULL)"
        " OR EXISTS (SELECT 1 FROM assignment WHERE task_id = :task AND annotator_id = :person))"
        " AND (NOT EXISTS (SELECT 1 FROM recruited_worker WHERE annotator_id = :person)"
        " OR EXISTS (SELECT 1 FROM recruited_submission s JOIN recruitment r"
        " ON r.id = s.recruitment_id WHERE r.task_id = :task AND s.annotator_id = :person))"
        " AS is_for",
        {"task": task_id, "person": person.id},
    )
    return bool(row["is_for"])


def person_ids(database: Database, names: Sequence[str]) -> list[int]:
    """Ids of people by name, each once.

    Raises:
        ValueError: for a name that no person here has.
    """
    people = rows(database, "SELECT id, name FROM annotator WHERE kind = 'person' ORDER BY name")
    known: dict[str, int] = {row["name"].casefold(): row["id"] for row in people}
    unknown = [name for name in names if name.casefold() not in known]
    if unknown:
        have = ", ".join(row["name"] for row in people) or "nobody"
        raise Refusal(
            f"{', '.join(unknown)}: nobody here is called so. Invited are: {have}. "
            "Invite them first."
        )
    return list(dict.fromkeys(known[name.casefold()] for name in names))
