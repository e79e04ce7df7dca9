"""People who answer: invite links, sessions, roles."""

import hashlib
import json
import secrets
import sqlite3
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from annotations.workspace import Workspace
from core.refusal import Refusal

ROLES = ("annotator", "author", "admin")
SESSION_S = 30 * 24 * 3600
CLOCK_SLACK_S = 2 * 24 * 3600
NAME_LENGTH = 60
# The name of the annotator whose answers are the stored keys (annotations/adjudication).
STORED_KEYS = "Stored keys"


@dataclass(frozen=True)
class Person:
    """Somebody who may sign in."""

    id: int
    name: str
    role: str

    @property
    def is_author(self) -> bool:
        """Whether they may see keys, other people's answers and metrics."""
        return self.role in ("author", "admin")


@dataclass(frozen=True, kw_only=True)
class PersonWork:
    """Somebody who answers, with what they did.

    Attributes:
        kind: 'person', or 'model' for the stored keys.
        active: 1 while they may sign in.
        aside_at: when their work was put aside; None while it counts.
        extras: answers beyond the overlap.
        active_s: time they worked, s.
        earned: what that earned.
        cut_s: time claimed beyond what the clock allows, s; it is not paid.
        last_at: when they answered last, Unix time, s; None if never.
    """

    id: int
    name: str
    kind: str
    role: str
    active: int
    aside_at: str | None
    answers: int
    skips: int
    extras: int
    active_s: float
    earned: float
    cut_s: float
    last_at: float | None


def invite(workspace: Workspace, name: str, role: str, *, renew: bool = False) -> str:
    """The invite token of a person, who is added if new; it goes behind `/join/`.

    Asking again gives the same token. `renew` makes a new one and ends earlier links and sessions.

    Raises:
        ValueError: for an empty or overlong name, an unknown role, a person whose role is another,
            or a name that belongs to a model.
    """
    name = " ".join(name.split())
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise Refusal(f"A name has 1 to {NAME_LENGTH} printable characters; got {name[:80]!r}.")
    if role not in ROLES:
        raise Refusal(f"{role!r} is no role. Allowed: {', '.join(ROLES)}.")
    with workspace.store.write() as database:
        row = database.conn.execute("SELECT * FROM annotator WHERE name = ?", [name]).fetchone()
        if row is None:
            add_annotator(database.conn, name, "person", role)
        elif row["kind"] != "person":
            raise Refusal(f"{name!r} is the name of a model. Choose another name for the person.")
        elif row["role"] != role:
            raise Refusal(f"{row['name']} is {row['role']} already; got {role}. Use another name.")
        elif renew:
            database.conn.execute(
                "UPDATE annotator SET invite = ?, active = 1 WHERE id = ?",
                [secrets.token_urlsafe(12), row["id"]],
            )
        elif not row["active"]:
            raise Refusal(f"The access of {row['name']} has ended. A new link gives it back.")
        row = database.conn.execute("SELECT * FROM annotator WHERE name = ?", [name]).fetchone()
    return str(URLSafeSerializer(workspace.secret, salt="invite").dumps([row["id"], row["invite"]]))


def add_annotator(
    connection: sqlite3.Connection, name: str, kind: str, role: str = "annotator"
) -> int:
    """The id of a new person or model."""
    return int(
        connection.execute(
            "INSERT INTO annotator (name, kind, role, invite, facts, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            [name, kind, role, secrets.token_urlsafe(12), json.dumps({}), now_text()],
        ).fetchone()[0]
    )


def person_elsewhere(connection: sqlite3.Connection, name: str, source: str) -> int:
    """The id of somebody who answered in another tool; they are added if new, and cannot sign in.

    Raises:
        Refusal: if the name belongs to somebody who answers here, or to a model.
    """
    row = connection.execute(
        "SELECT id, kind, facts FROM annotator WHERE name = ?", [name]
    ).fetchone()
    if row is not None:
        if row["kind"] == "person" and json.loads(row["facts"]).get("source") == source:
            return int(row["id"])
        raise Refusal(f"{name!r} is somebody who answers here. Rename them in the file.")
    number = add_annotator(connection, name, "person")
    connection.execute(
        "UPDATE annotator SET active = 0, facts = ? WHERE id = ?",
        [json.dumps({"source": source}), number],
    )
    return number


def accept_invite(workspace: Workspace, token: str) -> tuple[Person, str] | None:
    """The person whom a token invites, with a new session; None if the link is wrong or ended."""
    try:
        loaded = URLSafeSerializer(workspace.secret, salt="invite").loads(token)
    except BadSignature:
        return None
    person = _person(workspace, loaded)
    if person is None:
        return None
    return person, new_session(workspace, loaded[0], loaded[1])


def new_session(
    workspace: Workspace, person_id: int, invite_secret: str, seconds: float = SESSION_S
) -> str:
    """Return a session of a person, which ends with their invite link, or after so many seconds."""
    # A random part tells two sessions apart that begin within one second: each ends by itself.
    content = [person_id, invite_secret, secrets.token_urlsafe(9), round(time.time() + seconds)]
    return str(URLSafeTimedSerializer(workspace.secret, salt="session").dumps(content))


def signed_in(workspace: Workspace, session: str | None) -> Person | None:
    """The person of a session, None if there is none, it is over 30 days old, or it was ended."""
    if not session:
        return None
    try:
        loaded, signed_at = _sessions(workspace.secret).loads(session, return_timestamp=True)
    except BadSignature:
        return None
    # A clock that was set back makes sessions of the future; they are not ended for that.
    if not -CLOCK_SLACK_S <= time.time() - signed_at.timestamp() <= SESSION_S:
        return None
    return _person(workspace, loaded, session)


@lru_cache(maxsize=16)
def _sessions(secret: str) -> URLSafeTimedSerializer:
    """What signs sessions: its own key is made of the secret once, not with every request."""
    return URLSafeTimedSerializer(secret, salt="session")


def _person(workspace: Workspace, loaded: object, session: str = "") -> Person | None:
    match loaded:
        case [int(number), str(nonce)] | [int(number), str(nonce), str()]:
            pass
        case [int(number), str(nonce), str(), int(until)] if until > time.time():
            pass
        case _:
            return None
    with workspace.store.single() as database:
        row = database.conn.execute(
            "SELECT id, name, role FROM annotator"
            " WHERE id = ? AND invite = ? AND kind = 'person' AND active = 1"
            " AND NOT EXISTS (SELECT 1 FROM ended_session WHERE digest = ?)",
            [number, nonce, hashlib.sha256(session.encode()).hexdigest()],
        ).fetchone()
    return Person(row["id"], row["name"], row["role"]) if row else None


def everyone(workspace: Workspace) -> list[PersonWork]:
    """All people, and the stored keys if they are checked, with what they did.

    Practice and attention items are work that is paid, and counted as such.
    Models are looked at by their runs.
    """
    rows = workspace.store.rows(
        "SELECT p.id, p.name, p.kind, p.role, p.active, p.aside_at,"
        " coalesce(sum(a.id IS NOT NULL AND a.skip_reason IS NULL), 0) AS answers,"
        " coalesce(sum(a.skip_reason IS NOT NULL), 0) AS skips,"
        " coalesce(sum(p.kind = 'person' AND a.counted = 0 AND a.skip_reason IS NULL"
        "   AND i.role = 'work'), 0) AS extras,"
        " coalesce(s.active_s, 0.0) AS active_s, coalesce(s.earned, 0.0) AS earned,"
        " coalesce(s.cut_s, 0.0) AS cut_s,"
        " max(a.stored_at) AS last_at"
        " FROM annotator p LEFT JOIN current_annotation a ON a.annotator_id = p.id"
        " LEFT JOIN item i ON i.id = a.item_id"
        " LEFT JOIN (SELECT x.annotator_id, sum(x.active_s) AS active_s,"
        "   sum(x.cut_s) AS cut_s,"
        "   sum(x.active_s / 3600 * coalesce(t.rate, ?)) AS earned FROM annotation x"
        "   JOIN item y ON y.id = x.item_id JOIN task t ON t.id = y.task_id"
        "   GROUP BY x.annotator_id) s ON s.annotator_id = p.id"
        " WHERE NOT EXISTS (SELECT 1 FROM run r WHERE r.annotator_id = p.id)"
        " GROUP BY p.id ORDER BY p.kind, p.name",
        [workspace.settings.rate],
    )
    return [PersonWork(**row) for row in rows]


def now_text() -> str:
    """The time now, ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="seconds")
