"""Who may give access, change it and end it."""

import hashlib
import secrets
import time
from typing import Any

from sqlite_utils import Database

from annotations.people import ROLES, SESSION_S, Person, invite
from annotations.workspace import Workspace
from core.refusal import Forbidden, Missing, Refusal
from db.connection import first_row

ADMIN = "admin"


def invite_as(workspace: Workspace, inviter: Person, name: str, role: str) -> str:
    """Return the invite token of a new person; it is shown this once.

    Raises:
        Forbidden: for an annotator, and for an author who invites anybody but annotators.
        Refusal: for somebody who is invited already, and what `invite` refuses.
    """
    _check_may_act_on(inviter, role, "invite")
    name = " ".join(name.split())
    with workspace.store.read() as database:
        row = first_row(database, "SELECT name FROM annotator WHERE name = ?", [name])
    if row is not None:
        raise Refusal(
            f"{row['name']} is here already. A link is shown once; an administrator can make a new "
            "one below, which ends the earlier one."
        )
    return invite(workspace, name, role)


def new_link(workspace: Workspace, admin: Person, name: str) -> str:
    """Return a new invite token of a person; earlier links and sessions of theirs end.

    It also gives access back that had ended.

    Raises:
        Forbidden: for anybody but an administrator.
        Missing: if nobody is called so.
    """
    _check_admin(admin, "make new links")
    row = _person(workspace, name)
    return invite(workspace, row["name"], row["role"], renew=True)


def end_access(workspace: Workspace, actor: Person, name: str) -> None:
    """End a person's links, sessions and leases; what they did stays and counts.

    Raises:
        Forbidden: for an annotator, and for an author about anybody but annotators.
        Missing: if nobody is called so.
        Refusal: about oneself, or if their access has ended already.
    """
    row = _person(workspace, name)
    _check_may_act_on(actor, row["role"], "end the access of")
    if row["id"] == actor.id:
        raise Refusal("You cannot end your own access. Another administrator can.")
    if not row["active"]:
        raise Refusal(f"The access of {row['name']} has ended already.")
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE annotator SET active = 0, invite = ? WHERE id = ?",
            [secrets.token_urlsafe(12), row["id"]],
        )
        end_leases(database, row["id"])


def change_role(workspace: Workspace, admin: Person, name: str, role: str) -> None:
    """Give a person another role, which holds from their next click on.

    Raises:
        Forbidden: for anybody but an administrator.
        Missing: if nobody is called so.
        Refusal: for an unknown role, the role they have, or one's own role.
    """
    _check_admin(admin, "change roles")
    row = _person(workspace, name)
    if role not in ROLES:
        raise Refusal(f"{role!r} is no role. Allowed: {', '.join(ROLES)}.")
    if row["id"] == admin.id:
        raise Refusal("You cannot change your own role. Another administrator can.")
    if row["role"] == role:
        raise Refusal(f"{row['name']} is {role} already.")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE annotator SET role = ? WHERE id = ?", [role, row["id"]])


def end_leases(database: Database, annotator_id: int) -> None:
    """End what is handed to somebody, so that its places are free for others."""
    database.conn.execute(
        "UPDATE lease SET ended_at = ? WHERE annotator_id = ? AND ended_at IS NULL",
        [time.time(), annotator_id],
    )


def end_session(workspace: Workspace, session: str) -> None:
    """End one session on the server: a copy of its cookie opens nothing any more."""
    now = time.time()
    with workspace.store.write() as database:
        database.conn.execute("DELETE FROM ended_session WHERE ended_at < ?", [now - SESSION_S])
        database.conn.execute(
            "INSERT OR IGNORE INTO ended_session (digest, ended_at) VALUES (?, ?)",
            [hashlib.sha256(session.encode()).hexdigest(), now],
        )


def _person(workspace: Workspace, name: str) -> dict[str, Any]:
    with workspace.store.read() as database:
        row = first_row(
            database,
            "SELECT id, name, role, active FROM annotator WHERE name = ? AND kind = 'person'",
            [name],
        )
    if row is None:
        raise Missing(f"Nobody here is called {name!r}.")
    return row


def _check_admin(person: Person, what: str) -> None:
    if person.role != ADMIN:
        raise Forbidden(f"Only administrators {what}.")


def _check_may_act_on(person: Person, role: str, what: str) -> None:
    if not person.is_author:
        raise Forbidden(f"Only authors {what} people.")
    if role != "annotator" and person.role != ADMIN:
        raise Forbidden(f"Only administrators {what} authors and administrators.")
