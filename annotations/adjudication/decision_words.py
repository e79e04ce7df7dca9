"""Answers that authors decided about, and what they decided, in words for their report."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.adjudication.cross_check import Decided
from annotations.answering.response_words import asked_options, letter, response_words
from annotations.record.item import Item
from annotations.record.shown import Shown
from annotations.workspace import Workspace
from core.stored_json import stored_json

# The options of a question as they were when authors decided: an answer that nobody had given is
# one of them.
_ON_TABLE = """
  SELECT i.*, t.kind, a.response, a.shown, a.question_revision_id, r.options,
    (SELECT x.options FROM question_revision x WHERE x.question_id = i.question_id
       AND x.created_at <= c.created_at ORDER BY x.revision DESC LIMIT 1) AS options_then
  FROM current_resolution c JOIN item i ON i.id = c.item_id JOIN task t ON t.id = i.task_id
  JOIN json_each(c.answers) e JOIN annotation a ON a.id = e.value
  LEFT JOIN question_revision r ON r.id = a.question_revision_id
  WHERE c.item_id IN (SELECT value FROM json_each(?)) ORDER BY c.item_id, e.key
"""


@dataclass(frozen=True)
class DecisionWords:
    """A decision for a person.

    Attributes:
        value: what holds, or the question as it was fixed; '' where neither is.
        answers: those on the table, in the order of `Decided.answers`.
    """

    value: str
    answers: tuple[str, ...]


def decision_words(workspace: Workspace, decisions: Sequence[Decided]) -> list[DecisionWords]:
    """Each decision in words; an answer by the revision of the question that it was given to."""
    on_table: dict[int, list[dict[str, Any]]] = {row.item_id: [] for row in decisions}
    for row in workspace.store.rows(_ON_TABLE, [json.dumps(list(on_table))]):
        on_table[row["id"]].append(row)
    return [_in_words(workspace, row, on_table[row.item_id]) for row in decisions]


def _in_words(
    workspace: Workspace, decided: Decided, on_table: Sequence[dict[str, Any]]
) -> DecisionWords:
    answers = tuple(
        _answer(workspace, row, stored_json(row["response"]), asked_options(row))
        for row in on_table
    )
    if decided.changes is not None:
        return DecisionWords(_fixed_question(decided.changes), answers)
    if decided.value is None:
        return DecisionWords("", answers)
    responses = [response for _, response in decided.answers]
    if decided.value in responses:
        return DecisionWords(answers[responses.index(decided.value)], answers)
    first = on_table[0]
    then = tuple(json.loads(first["options_then"] or "[]")) or asked_options(first)
    return DecisionWords(_answer(workspace, first, decided.value, then), answers)


def _answer(
    workspace: Workspace, row: dict[str, Any], response: dict[str, Any], options: Sequence[str]
) -> str:
    shown = Shown.from_row(row)
    return response_words(workspace, row["kind"], Item.from_row(row), shown, response, options)


def _fixed_question(changes: dict[str, Any]) -> str:
    """The question as it was fixed: its text, its options with letters, and its key."""
    options = [f"{letter(n)}. {text}" for n, text in enumerate(changes.get("options", []))]
    key = changes.get("key")
    parts = [str(changes.get("text") or ""), "  ".join(options)]
    parts.append("" if key is None else f"key {letter(key)}")
    return "; ".join(filter(None, parts))
