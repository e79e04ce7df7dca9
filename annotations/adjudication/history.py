"""How an item came about: who answered what when, who decided, what was said."""

import json
from dataclasses import dataclass
from typing import Any

from annotations.people import Person, now_text
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.stored_json import stored_json

LONGEST_COMMENT = 4000


@dataclass(frozen=True)
class Event:
    """Something that happened to an item.

    Attributes:
        at: ISO 8601 in UTC.
        who: the person's name.
        what: 'answer', 'correction', 'skip', 'resolution', 'signature', 'reopening', 'comment',
            'returned to NAME', or what an author did, such as 'withdrawn' or 'priority 3'.
        detail: a response, or words.
    """

    at: str
    who: str
    what: str
    detail: Any


def comment(workspace: Workspace, item_id: int, author: Person, text: str) -> None:
    """Keep what an author says about an item.

    Raises:
        ValueError: for somebody who is no author, or a text that is empty or too long.
    """
    if not author.is_author:
        raise Refusal(f"{author.name} is no author; only authors comment on items.")
    if not text.strip() or len(text) > LONGEST_COMMENT:
        raise Refusal(f"A comment has 1 to {LONGEST_COMMENT} characters.")
    with workspace.store.write() as database:
        database.conn.execute(
            "INSERT INTO comment (item_id, author_id, text, created_at) VALUES (?, ?, ?, ?)",
            [item_id, author.id, text.strip(), now_text()],
        )


def events(workspace: Workspace, item_id: int) -> list[Event]:
    """Everything that happened to an item, oldest first; nothing is ever taken away from it."""
    answers = workspace.store.rows(
        "SELECT strftime('%Y-%m-%dT%H:%M:%S+00:00', a.stored_at, 'unixepoch') AS at,"
        " p.name AS who, a.revision, a.response, a.skip_reason, a.counted FROM annotation a"
        " JOIN annotator p ON p.id = a.annotator_id WHERE a.item_id = ?",
        [item_id],
    )
    events = [
        Event(
            row["at"],
            row["who"],
            _kind_of_answer(row),
            row["skip_reason"] or stored_json(row["response"]),
        )
        for row in answers
    ]
    signed = workspace.store.rows(
        "SELECT s.signed_at AS at, p.name AS who, r.outcome, r.reason, r.value, r.changes,"
        " s.id = (SELECT min(id) FROM signature x WHERE x.resolution_id = r.id) AS made"
        " FROM signature s JOIN resolution r ON r.id = s.resolution_id"
        " JOIN annotator p ON p.id = s.author_id WHERE r.item_id = ?",
        [item_id],
    )
    for row in signed:
        what = "reopening" if row["outcome"] == "reopen" else "resolution"
        detail: dict[str, Any] = {"outcome": row["outcome"], "reason": row["reason"]}
        for name in ("value", "changes"):
            if row[name] is not None:
                detail[name] = json.loads(row[name])
        events.append(Event(row["at"], row["who"], what if row["made"] else "signature", detail))
    remarks = workspace.store.rows(
        "SELECT c.created_at AS at, p.name AS who, 'comment' AS what, c.text AS detail"
        " FROM comment c JOIN annotator p ON p.id = c.author_id WHERE c.item_id = ?",
        [item_id],
    )
    remarks += workspace.store.rows(
        "SELECT strftime('%Y-%m-%dT%H:%M:%S+00:00', e.at, 'unixepoch') AS at,"
        " coalesce(p.name, 'command line') AS who, e.action AS what, e.words AS detail"
        " FROM item_event e LEFT JOIN annotator p ON p.id = e.author_id WHERE e.item_id = ?"
        " UNION ALL SELECT r.created_at, p.name, 'returned to ' || w.name, r.text FROM remark r"
        " JOIN annotation a ON a.id = r.annotation_id JOIN annotator p ON p.id = r.author_id"
        " JOIN annotator w ON w.id = a.annotator_id WHERE a.item_id = ?",
        [item_id, item_id],
    )
    events += [Event(**row) for row in remarks]
    return sorted(events, key=lambda event: event.at)


def _kind_of_answer(row: dict[str, Any]) -> str:
    if row["skip_reason"] is not None:
        return "skip"
    return "answer" if row["revision"] == 1 else "correction"
