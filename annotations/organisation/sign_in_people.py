"""People of an organisation's sign-in: let in, given another role, and taken away."""

import json
import secrets
import time
from dataclasses import asdict
from typing import Any

from sqlite_utils import Database

from annotations.access import end_leases
from annotations.people import NAME_LENGTH, Person, add_annotator, new_session
from annotations.reading.sign_in_settings import Claims, SignIn, claims_of, role_of
from annotations.workspace import Workspace
from core.refusal import Forbidden
from db.connection import first_row, rows

# Whoever leaves the organisation is noticed when they sign in again.
SESSION_S = 12 * 3600
ENDED = "Your access here has ended. Ask an author if that is a mistake."
UNKNOWN = (
    "You are signed in at {name} as {value}, but nobody has given you access here. Ask whoever "
    "runs this server, or open your invite link."
)
ANOTHER_SERVICE = (
    "{name} sent a reply that was meant for another service. Nobody was signed in. Tell whoever "
    "runs this server."
)


def let_in(
    workspace: Workspace, sign_in: SignIn, told: dict[str, Any], client_id: str
) -> tuple[Person, str]:
    """Return the person whom a provider's claims name, and a session of theirs.

    They are known by the provider's own id of them, never by a name or an address: a name that
    somebody with an invite link bears does not make them that person.

    Args:
        told: the claims of the id token, whose signature was checked.
        client_id: what this server is called at the provider.

    Raises:
        Forbidden: for a token of another service, a person without a role, or one whose access was
            ended here.
    """
    audience = told.get("aud")
    if client_id not in (audience if isinstance(audience, list) else [audience]):
        raise Forbidden(ANOTHER_SERVICE, name=sign_in.name)
    claims = claims_of(sign_in, told)
    role = role_of(sign_in, claims)
    identity = (str(told.get("iss", "")), str(told.get("sub", "")))
    if not all(identity):
        raise Forbidden(ANOTHER_SERVICE, name=sign_in.name)
    with workspace.store.write() as database:
        known = _login(database, identity)
        if role is not None:
            known = known or _add(database, identity, _name(told, claims))
            _follow(database, known, claims, role)
        elif known is not None:
            _follow(database, known, claims, None)
        row = known and first_row(
            database, "SELECT * FROM annotator WHERE id = ?", [known["annotator_id"]]
        )
    if role is None:
        raise Forbidden(UNKNOWN, name=sign_in.name, value=claims.value)
    if row is None or not row["active"]:
        raise Forbidden(ENDED)
    person = Person(row["id"], row["name"], row["role"])
    return person, new_session(workspace, person.id, row["invite"], SESSION_S)


def follow_settings(workspace: Workspace, sign_in: SignIn | None) -> int:
    """Return how many people lost access, by the settings as they are now.

    Everybody who came by the sign-in gets the role that the settings name; whom they do not name
    any more is signed out, and their places go to others. Without a sign-in that is everybody.
    """
    lost = 0
    with workspace.store.write() as database:
        for known in rows(database, "SELECT * FROM sign_in_login"):
            kept = json.loads(known["claims"])
            claims = Claims(kept["value"], tuple(kept["groups"]))
            role = role_of(sign_in, claims) if sign_in else None
            lost += _follow(database, known, claims, role)
    return lost


def _login(database: Database, identity: tuple[str, str]) -> dict[str, Any] | None:
    return first_row(
        database, "SELECT * FROM sign_in_login WHERE issuer = ? AND subject = ?", identity
    )


def _add(database: Database, identity: tuple[str, str], name: str) -> dict[str, Any]:
    annotator = add_annotator(database.conn, _free(database, name), "person")
    database.conn.execute(
        "INSERT INTO sign_in_login (issuer, subject, annotator_id, claims, at)"
        " VALUES (?, ?, ?, '{}', ?)",
        [*identity, annotator, time.time()],
    )
    known = _login(database, identity)
    assert known is not None
    return known


def _follow(database: Database, known: dict[str, Any], claims: Claims, role: str | None) -> int:
    """Give somebody their role, or take access away; return 1 if access was lost by this.

    Access that an author has ended stays ended; access that the settings had taken away comes back
    with a role.
    """
    person = known["annotator_id"]
    row = first_row(database, "SELECT active, role FROM annotator WHERE id = ?", [person]) or {}
    lost = role is None and bool(row["active"])
    if lost:
        database.conn.execute(
            "UPDATE annotator SET active = 0, invite = ? WHERE id = ?",
            [secrets.token_urlsafe(12), person],
        )
        end_leases(database, person)
    elif role is not None and (row["active"] or known["taken_away"]):
        database.conn.execute(
            "UPDATE annotator SET active = 1, role = ? WHERE id = ?", [role, person]
        )
    taken_away = known["taken_away"] if role is None and not lost else int(lost)
    database.conn.execute(
        "UPDATE sign_in_login SET claims = ?, taken_away = ?, at = ? WHERE annotator_id = ?",
        [json.dumps(asdict(claims)), taken_away, time.time(), person],
    )
    return int(lost)


def _name(told: dict[str, Any], claims: Claims) -> str:
    name = told.get("name")
    text = name if isinstance(name, str) and name.strip() else claims.value.partition("@")[0]
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())[: NAME_LENGTH - 6] or "Somebody"


def _free(database: Database, name: str) -> str:
    """A name that nobody has: the wish, or with a number behind it."""
    wish, number = name, 1
    while first_row(database, "SELECT id FROM annotator WHERE name = ?", [wish]):
        number += 1
        wish = f"{name} {number}"
    return wish
