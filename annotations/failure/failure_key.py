"""Fixing a question's key from among failures, and how far each run moves by it."""

import json
from typing import Any

import numpy as np

from annotations.adjudication.resolution import ChangedMeanwhileError
from annotations.answering.item_events import note_event
from annotations.people import Person
from annotations.question.questions import revise
from annotations.scoring.population import SCORED
from annotations.scoring.prediction_columns import Predictions
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import first_row, rows

LONGEST_REASON = 2000


def fix_key(
    workspace: Workspace,
    author: Person,
    question_id: int,
    *,
    seen_revision: int,
    key: int,
    reason: str,
) -> str:
    """What was changed, in words: the question has a new revision with another key.

    The change, who made it and why stand in the history of every item about the question.

    Args:
        key: index of an option in the question's own order.
        seen_revision: the revision that the author saw.

    Raises:
        ChangedMeanwhileError: if the question was changed since; nothing is overwritten.
        ValueError: for somebody who is no author, a key outside the options, the key it has
            already, or no reason.
        LookupError: if there is no such question.
    """
    if not author.is_author:
        raise Refusal(f"{author.name} is no author; only authors change keys.")
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise Refusal(f"Say why the key is changed, in 1 to {LONGEST_REASON} characters.")
    with workspace.store.write() as database:
        row = first_row(
            database, "SELECT * FROM current_question WHERE question_id = ?", [question_id]
        )
        if row is None:
            raise Missing(f"There is no question {question_id}.")
        if row["revision"] != seen_revision:
            raise ChangedMeanwhileError(
                f"{row['uid']} was changed meanwhile: it is at revision {row['revision']} now. Look"
                " again before you change its key; nothing was overwritten."
            )
        if row["key"] == key:
            raise Refusal("This option is the key already.")
        revise(database, question_id, {"key": key}, author=author)
        options: list[str] = json.loads(row["options"])
        earlier = "" if row["key"] is None else f" from “{options[row['key']]}”"
        note = f"key changed{earlier} to “{options[key]}”"
        for item in rows(database, "SELECT id FROM item WHERE question_id = ?", [question_id]):
            note_event(database, item["id"], author, note, reason.strip())
    return f"{row['uid']}: {note}"


def standing(table: Predictions) -> dict[str, Any]:
    """Right and scored predictions of each run by its id, and the same of people's answers."""
    count = len(table.runs)
    scored = np.bincount(table.run[table.scored], minlength=count)
    right = np.bincount(table.run[table.right], minlength=count)
    people = table.people
    return {
        "runs": {run.id: [int(right[i]), int(scored[i])] for i, run in enumerate(table.runs)},
        "people": [int(people.right.sum()), int((people.state == SCORED).sum())],
    }


def question_history(workspace: Workspace, question_id: int) -> dict[str, Any]:
    """A question's revisions and what authors did to its items, oldest first.

    Raises:
        LookupError: if there is no such question.
    """
    revisions = workspace.store.rows(
        "SELECT r.revision, r.text, r.options, r.key, r.origin, r.created_at AS at, q.uid,"
        " (SELECT group_concat(p.name, ' and ') FROM revision_signature s JOIN annotator p"
        "  ON p.id = s.annotator_id WHERE s.question_revision_id = r.id) AS who"
        " FROM question_revision r JOIN question q ON q.id = r.question_id"
        " WHERE r.question_id = ? ORDER BY r.revision",
        [question_id],
    )
    if not revisions:
        raise Missing(f"There is no question {question_id}.")
    earlier: dict[str, Any] = {}
    changed: list[dict[str, Any]] = []
    for row in revisions:
        parts = [
            name for name in ("text", "options", "key") if earlier and row[name] != earlier[name]
        ]
        options: list[str] = json.loads(row["options"])
        key = "no key" if row["key"] is None else f"key “{options[row['key']]}”"
        what = f"{' and '.join(parts) or 'tags'} changed" if earlier else "imported or written"
        changed.append(
            {
                "at": row["at"],
                "who": row["who"] or ("import" if earlier and row["origin"] == "import" else ""),
                "what": f"revision {row['revision']}: {what}",
                "detail": key,
            }
        )
        earlier = row
    changes = workspace.store.rows(
        "SELECT strftime('%Y-%m-%dT%H:%M:%S+00:00', min(e.at), 'unixepoch') AS at,"
        " coalesce(p.name, 'command line') AS who, e.action AS what, e.words AS detail"
        " FROM item i JOIN item_event e ON e.item_id = i.id LEFT JOIN annotator p"
        " ON p.id = e.author_id WHERE i.question_id = ?"
        " GROUP BY e.author_id, e.action, e.words, cast(e.at AS INTEGER) ORDER BY min(e.at)",
        [question_id],
    )
    return {
        "uid": revisions[-1]["uid"],
        "events": sorted(changed + changes, key=lambda event: str(event["at"])),
    }
