"""Views of the page Failures that have a name, for all authors of the workspace."""

from dataclasses import dataclass

from annotations.people import Person, now_text
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import rows

LONGEST_NAME, LONGEST_QUERY = 120, 4000


@dataclass(frozen=True)
class NamedView:
    """A view: what the link to it asks for behind the question mark, and who named it."""

    id: int
    name: str
    query: str
    author: str


def named_views(workspace: Workspace) -> list[NamedView]:
    """All views, by their names."""
    stored = workspace.store.rows(
        "SELECT v.id, v.name, v.query, coalesce(a.name, '') AS author FROM failure_view v"
        " LEFT JOIN annotator a ON a.id = v.author_id ORDER BY v.name"
    )
    return [NamedView(**row) for row in stored]


def name_view(
    workspace: Workspace, person: Person, name: str, query: str = "", view_id: int = 0
) -> None:
    """Give a name to the view of a query, or another name to a view that has one.

    Raises:
        Refusal: if the name is empty, too long or taken, the query is too long, or there is no
            view with this id.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME or len(query) > LONGEST_QUERY:
        raise Refusal(f"A view needs a name of 1 to {LONGEST_NAME} characters and a short link.")
    with workspace.store.write() as database:
        if rows(database, "SELECT 1 FROM failure_view WHERE name = ? AND id <> ?", [name, view_id]):
            raise Refusal(f"There is a view “{name}” already. Choose another name.")
        if view_id:
            sql, values = "UPDATE failure_view SET name = ? WHERE id = ?", [name, view_id]
        else:
            sql = (
                "INSERT INTO failure_view (name, query, author_id, created_at) VALUES (?, ?, ?, ?)"
            )
            values = [name, query, person.id, now_text()]
        if not database.conn.execute(sql, values).rowcount:
            raise Missing("This view is not here any more: somebody has deleted it.")


def delete_view(workspace: Workspace, view_id: int) -> None:
    """Delete a view if it is there; links to the same stay."""
    with workspace.store.write() as database:
        database.conn.execute("DELETE FROM failure_view WHERE id = ?", [view_id])
