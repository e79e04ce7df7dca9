"""Lists of actions: what was proposed, squeezed, merged and approved, with every entry's origin."""

import re
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.refusal import Missing, Refusal
from db.connection import Store

PROPOSED, APPROVED, SQUEEZED, MERGED, REJECTED = STATES = (
    "proposed", "approved", "squeezed", "merged", "rejected",
)  # fmt: skip
LONGEST = 120


@dataclass(frozen=True)
class Action:
    """An entry of a list.

    Attributes:
        origin: how it came in, such as 'expand, round 1, gpt-x'.
        why: the newest reason that was given for its state.
        merged_into: name of the action that it is another name of; '' for none.
    """

    id: int
    domain: str
    name: str
    description: str
    state: str
    origin: str
    why: str
    merged_into: str


def action_key(name: str) -> str:
    """What names that differ only in case, hyphens, blanks or plurals have in common."""
    text = unicodedata.normalize("NFKC", name).casefold()
    tokens = re.findall(r"\w+", text.replace("-", " ").replace("_", " "))
    return "".join(re.sub(r"(?<=[a-z]{3})s$", "", word) for word in tokens)


def add_actions(
    store: Store, listed: str, entries: Sequence[tuple[str, str]], *, domain: str = "",
    step: str = "given", who: str = "", round_number: int = 0,
) -> int:  # fmt: skip
    """How many of the (name, description) pairs were new to a list; its origin is kept with each.

    Raises:
        Refusal: for an empty name, or one that is too long.
    """
    new = 0
    with store.write() as database:
        for name, description in entries:
            name = " ".join(name.split())
            if not action_key(name) or len(name) > LONGEST:
                raise Refusal(f"{name[:60]!r} is no action. Allowed: 1 to {LONGEST} letters.")
            row = database.conn.execute(
                "INSERT INTO action (list, domain, name, key, description) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (list, key) DO NOTHING RETURNING id",
                [listed, domain, name, action_key(name), " ".join(description.split())[:1000]],
            ).fetchone()
            if row is not None:
                new += 1
                _note(database, int(row[0]), round_number, step, who, PROPOSED, "")
    return new


def set_state(
    store: Store, action_ids: Sequence[int], state: str, *, who: str, step: str = "person",
    why: str = "", round_number: int = 0, into: int | None = None,
) -> None:  # fmt: skip
    """Approve, reject, squeeze or merge actions, or propose them again; nothing is deleted.

    Raises:
        Refusal: for a state that is none, or a merge into nothing or into itself.
        Missing: if there is no such action.
    """
    if state not in STATES:
        raise Refusal(f"{state!r} is no state of an action. Allowed: {', '.join(STATES)}.")
    if (state == MERGED) != (into is not None) or into in action_ids:
        raise Refusal("To merge, name another action into which these go.")
    with store.write() as database:
        for number in action_ids:
            changed = database.conn.execute(
                "UPDATE action SET state = ?, merged_into = ? WHERE id = ?", [state, into, number]
            ).rowcount
            if not changed:
                raise Missing(f"There is no action {number}.")
            _note(database, number, round_number, step, who, state, why)


def describe(store: Store, action_id: int, name: str, description: str, who: str) -> None:
    """Change the name and description of an action.

    Raises:
        Refusal: for an empty name, or one that another action of the list has.
    """
    name = " ".join(name.split())
    if not action_key(name) or len(name) > LONGEST:
        raise Refusal(f"{name[:60]!r} is no action. Allowed: 1 to {LONGEST} letters.")
    with store.write() as database:
        taken = database.conn.execute(
            "SELECT name FROM action WHERE list = (SELECT list FROM action WHERE id = ?)"
            " AND key = ? AND id <> ?",
            [action_id, action_key(name), action_id],
        ).fetchone()
        if taken:
            raise Refusal(f"The list has {taken['name']!r} already. Merge the two instead.")
        database.conn.execute(
            "UPDATE action SET name = ?, key = ?, description = ? WHERE id = ?",
            [name, action_key(name), " ".join(description.split())[:1000], action_id],
        )
        _note(database, action_id, 0, "person", who, "described", name)


def _note(
    database: Any, action_id: int, round_number: int, step: str, who: str, verdict: str, why: str
) -> None:
    database.conn.execute(
        "INSERT INTO action_event (action_id, round, step, who, verdict, why, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [action_id, round_number, step, who, verdict, why[:500], time.time()],
    )


def lists(store: Store) -> list[str]:
    """Names of all lists."""
    return [row["list"] for row in store.rows("SELECT DISTINCT list FROM action ORDER BY list")]


def actions_in(store: Store, listed: str, states: Sequence[str] = STATES) -> list[Action]:
    """The actions of a list that are in one of some states, in the order in which they came."""
    marks = ", ".join("?" * len(states))
    rows = store.rows(
        "SELECT a.*, coalesce(m.name, '') AS into_name,"
        " (SELECT e.step || iif(e.round, ', round ' || e.round, '') || iif(e.who <> '', ', '"
        "   || e.who, '') FROM action_event e WHERE e.action_id = a.id ORDER BY e.id LIMIT 1)"
        "   AS origin,"
        " (SELECT e.why FROM action_event e WHERE e.action_id = a.id ORDER BY e.id DESC LIMIT 1)"
        "   AS why"
        " FROM action a LEFT JOIN action m ON m.id = a.merged_into"
        f" WHERE a.list = ? AND a.state IN ({marks}) ORDER BY a.id",
        [listed, *states],
    )
    return [
        Action(
            row["id"], row["domain"], row["name"], row["description"], row["state"],
            row["origin"] or "", row["why"] or "", row["into_name"],
        )
        for row in rows
    ]  # fmt: skip


def approved_actions(store: Store, listed: str) -> dict[str, str]:
    """Names of the approved actions of a list with their descriptions; {} for no list."""
    if not listed:
        return {}
    return {action.name: action.description for action in actions_in(store, listed, (APPROVED,))}
