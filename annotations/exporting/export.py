"""Export of answers and decisions to files."""

import json
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.decision import Decision
from annotations.exporting.export_files import WRITERS, Columns
from annotations.workspace import Workspace
from core.refusal import Refusal

FORMATS = tuple(WRITERS)
Row = dict[str, Any]

VOTES: Columns = {
    "task": "text", "kind": "text", "item": "text", "role": "text", "question": "text",
    "question_revision": "integer", "annotator": "text", "annotator_kind": "text",
    "revision": "integer", "current": "boolean", "counted": "boolean", "put_aside": "boolean",
    "response": "json", "skip_reason": "text", "shown": "json", "active_s": "number",
    "answered_at": "text", "stored_at": "text", "uid": "text",
}  # fmt: skip
DECISIONS: Columns = {
    "task": "text", "kind": "text", "item": "text", "item_status": "text", "question": "text",
    "category": "text", "answers": "integer", "rule_status": "text", "rule_value": "json",
    "rule_words": "text", "resolution": "text", "resolved_value": "json",
    "question_changes": "json", "why": "text", "signed_by": "json", "resolved_at": "text",
    "holds": "boolean", "final": "json", "final_by": "text", "key": "integer",
}  # fmt: skip
RESOLUTIONS: Columns = {
    "task": "text", "item": "text", "revision": "integer", "outcome": "text", "value": "json",
    "question_changes": "json", "why": "text", "answers": "json", "signatures_needed": "integer",
    "signed": "json", "created_at": "text",
}  # fmt: skip

_VOTES = """
  SELECT t.name AS task, t.kind, i.uid AS item, i.role, q.uid AS question,
    r.revision AS question_revision, p.name AS annotator, p.kind AS annotator_kind, a.revision,
    a.revision = (SELECT max(revision) FROM annotation x WHERE x.item_id = a.item_id
                  AND x.annotator_id = a.annotator_id) AS current,
    a.counted, p.aside_at IS NOT NULL AS put_aside, a.response, a.skip_reason, a.shown, a.active_s,
    a.answered_at, a.stored_at, a.uid
  FROM annotation a JOIN item i ON i.id = a.item_id JOIN task t ON t.id = i.task_id
  JOIN annotator p ON p.id = a.annotator_id
  LEFT JOIN question_revision r ON r.id = a.question_revision_id
  LEFT JOIN question q ON q.id = r.question_id ORDER BY a.id
"""
_ITEMS = """
  SELECT i.id, t.name AS task, t.kind, t.settings, t.overlap, i.uid AS item,
    i.status AS item_status,
    q.uid AS question, q.category, q.key, c.outcome AS resolution, c.value, c.changes,
    c.reason AS why, c.created_at AS resolved_at, c.signed >= c.signatures AS holds,
    (SELECT json_group_array(p.name) FROM (SELECT author_id FROM signature s
       WHERE s.resolution_id = c.id ORDER BY s.id) x JOIN annotator p ON p.id = x.author_id)
       AS signed_by
  FROM item i JOIN task t ON t.id = i.task_id
  LEFT JOIN current_question q ON q.question_id = i.question_id
  LEFT JOIN current_resolution c ON c.item_id = i.id AND c.outcome <> 'reopen'
  WHERE i.role = 'work' ORDER BY i.id
"""
_CURRENT = """
  SELECT a.item_id, p.name, a.response FROM current_annotation a
  JOIN annotator p ON p.id = a.annotator_id JOIN item i ON i.id = a.item_id
  WHERE a.counted = 1 AND a.skip_reason IS NULL AND i.role = 'work' ORDER BY a.item_id, p.id
"""
_RESOLUTIONS = """
  SELECT t.name AS task, i.uid AS item, r.revision, r.outcome, r.value,
    r.changes AS question_changes, r.reason AS why, r.signatures AS signatures_needed, r.created_at,
    (SELECT json_group_array(a.uid) FROM json_each(r.answers) e JOIN annotation a ON a.id = e.value)
      AS answers,
    (SELECT json_group_array(json_object('by', p.name, 'at', s.signed_at)) FROM signature s
      JOIN annotator p ON p.id = s.author_id WHERE s.resolution_id = r.id) AS signed
  FROM resolution r JOIN item i ON i.id = r.item_id JOIN task t ON t.id = i.task_id ORDER BY r.id
"""
_PEOPLE = """
  SELECT DISTINCT p.id, p.name FROM annotation a JOIN annotator p ON p.id = a.annotator_id
  WHERE a.counted = 1 ORDER BY p.id
"""


def export(workspace: Workspace, folder: Path, form: str = "jsonl") -> dict[str, int]:
    """How many rows each file got: votes, decisions, resolutions and matrix, in a folder.

    - votes: every revision of every answer and skip, by whom, on what was shown, and when;
    - decisions: for each item the conclusion by its task's rule beside that of the authors, and
      which of the two is final: the authors' once enough have signed, in the rule's own form;
    - resolutions: every version of every resolution with its signatures;
    - matrix: a row for each item, a column for each person or model, their counted current answers.

    Rows stream from the database to the files; a file has its name only once it is whole.

    Raises:
        ValueError: for an unknown format, or a folder that is a file.
    """
    if form not in WRITERS:
        raise Refusal(f"{form!r} is no format to export to. Allowed: {', '.join(FORMATS)}.")
    if folder.exists() and not folder.is_dir():
        raise Refusal(f"{folder} is a file; name a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    with workspace.store.read() as database:
        people = [str(row["name"]) for row in database.conn.execute(_PEOPLE)]
        matrix: Columns = {
            "task": "text",
            "item": "text",
            **dict.fromkeys(_columns(people), "text"),
        }
        for name, columns, rows in (
            ("votes", VOTES, _votes(database)),
            ("decisions", DECISIONS, _decisions(database)),
            ("resolutions", RESOLUTIONS, _resolutions(database)),
            ("matrix", matrix, _matrix(database, people)),
        ):
            with _whole(folder / f"{name}.{form}") as part:
                counts[name] = WRITERS[form](part, columns, rows)
    return counts


@contextmanager
def _whole(path: Path) -> Generator[Path]:
    """Yield a temporary path beside a file; it becomes the file if writing succeeds."""
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _votes(database: Database) -> Iterator[Row]:
    for row in database.conn.execute(_VOTES):
        yield {
            **dict(row),
            "current": bool(row["current"]),
            "counted": bool(row["counted"]),
            "put_aside": bool(row["put_aside"]),
            "response": json.loads(row["response"]) if row["skip_reason"] is None else None,
            "shown": json.loads(row["shown"]),
            "answered_at": _time(row["answered_at"]),
            "stored_at": _time(row["stored_at"]),
        }


def _decisions(database: Database) -> Iterator[Row]:
    for row, answers in _items(database):
        responses = [response for _, response in answers]
        decision = (
            tasks.kind(row["kind"]).decide(responses, json.loads(row["settings"]))
            if responses
            else Decision(None, "none", "no votes")
        )
        value, holds = _loaded(row["value"]), bool(row["holds"])
        decided = decision.value if decision.status == "decided" else None
        by = "authors" if holds else "rule" if decision.status == "decided" else ""
        yield {
            **{name: row[name] for name in ("task", "kind", "item", "item_status", "question",
                                            "category", "resolution", "why", "resolved_at")},
            "answers": len(responses),
            "rule_status": decision.status,
            "rule_value": decision.value,
            "rule_words": decision.words,
            "resolved_value": value,
            "question_changes": _loaded(row["changes"]),
            "signed_by": json.loads(row["signed_by"]) if row["resolution"] else None,
            "holds": holds if row["resolution"] else None,
            "final": _as_rule(row, value) if holds else decided,
            "final_by": by,
            "key": row["key"],
        }  # fmt: skip


def _as_rule(row: Any, value: Row | None) -> Any:
    """Return what the rule concludes when everybody answers as the authors decided."""
    if value is None:
        return None
    return (
        tasks.kind(row["kind"]).decide([value] * row["overlap"], json.loads(row["settings"])).value
    )


def _items(database: Database) -> Iterator[tuple[Any, list[tuple[str, Row]]]]:
    """Each item of work with its counted current answers, in order; both streams side by side."""
    by_item: Callable[[Any], int] = lambda row: row["item_id"]  # noqa: E731
    answers = groupby(database.conn.execute(_CURRENT), key=by_item)
    item, group = next(answers, (None, iter(())))
    for row in database.conn.execute(_ITEMS):
        votes: list[tuple[str, Row]] = []
        if item == row["id"]:
            votes = [(answer["name"], json.loads(answer["response"])) for answer in group]
            item, group = next(answers, (None, iter(())))
        yield row, votes


def _resolutions(database: Database) -> Iterator[Row]:
    for row in database.conn.execute(_RESOLUTIONS):
        loaded = ("value", "question_changes", "answers", "signed")
        yield {**dict(row), **{name: _loaded(row[name]) for name in loaded}}


def _matrix(database: Database, people: list[str]) -> Iterator[Row]:
    columns = dict(zip(people, _columns(people), strict=True))
    for row, answers in _items(database):
        cells = {columns[name]: _cell(response) for name, response in answers}
        yield {"task": row["task"], "item": row["item"], **cells}


def _columns(people: list[str]) -> list[str]:
    """Return people's names as headings that differ from the other columns."""
    return [f"{name} (annotator)" if name in ("task", "item") else name for name in people]


def _cell(response: Row) -> str:
    """A response in one cell: its only field, else JSON."""
    if len(response) == 1:
        [only] = response.values()
        if isinstance(only, str | int | float):
            return str(only)
    return json.dumps(response, ensure_ascii=False, sort_keys=True)


def _loaded(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
