"""Export of answers and decisions to files."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.decision import Decision
from annotations.exporting import export_figures, export_rows
from annotations.exporting.export_files import WRITERS, Columns
from annotations.exporting.export_folder import write_tables
from annotations.scoring.snapshot import Snapshot, take
from annotations.workspace import Workspace
from core.half_made import whole
from core.refusal import Refusal
from core.stored_json import stored_json

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
    r.revision AS question_revision, p.id AS annotator_id, p.name AS annotator,
    p.kind AS annotator_kind, a.revision,
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
    (SELECT json_group_array(author_id) FROM (SELECT author_id FROM signature s
       WHERE s.resolution_id = c.id ORDER BY s.id)) AS signed_by
  FROM item i JOIN task t ON t.id = i.task_id
  LEFT JOIN current_question q ON q.question_id = i.question_id
  LEFT JOIN current_resolution c ON c.item_id = i.id AND c.outcome <> 'reopen'
  WHERE i.role = 'work' ORDER BY i.id
"""
_CURRENT = """
  SELECT a.item_id, a.annotator_id, a.response FROM current_annotation a
  JOIN annotator p ON p.id = a.annotator_id JOIN item i ON i.id = a.item_id
  WHERE a.counted = 1 AND a.skip_reason IS NULL AND i.role = 'work' ORDER BY a.item_id, p.id
"""
_RESOLUTIONS = """
  SELECT t.name AS task, i.uid AS item, r.revision, r.outcome, r.value,
    r.changes AS question_changes, r.reason AS why, r.signatures AS signatures_needed, r.created_at,
    (SELECT json_group_array(a.uid) FROM json_each(r.answers) e JOIN annotation a ON a.id = e.value)
      AS answers,
    (SELECT json_group_array(json_object('by', s.author_id, 'at', s.signed_at)) FROM signature s
      WHERE s.resolution_id = r.id) AS signed
  FROM resolution r JOIN item i ON i.id = r.item_id JOIN task t ON t.id = i.task_id ORDER BY r.id
"""
_PEOPLE = """
  SELECT DISTINCT p.id, p.name FROM annotation a JOIN annotator p ON p.id = a.annotator_id
  WHERE a.counted = 1 ORDER BY p.id
"""


def export(workspace: Workspace, folder: Path, form: str = "jsonl") -> dict[str, int]:
    """Write a workspace to files in a folder, and return how many rows each has.

    - questions: every revision with options, key, clip and video;
    - votes: every revision of every answer and skip, by whom, on what was shown, and when;
    - decisions: for each item the conclusion by its task's rule beside that of the authors, and
      which of the two is final: the authors' once enough have signed, in the rule's own form;
    - resolutions: every version of every resolution with its signatures;
    - matrix: a row for each item, a column for each person or model, their counted current answers;
    - runs and replies: settings of each run, each raw reply, how it was read, scores;
    - statistics and agreement: every statistic and coefficient that there is a file for, with
      intervals;
    - positions: how often each run chooses an option at A, B, ... and how often the key is there;
    - population: which answers those stand on, and what is left out of them, in words and counts;
    - tasks, videos, people: the last by pseudonyms, A1, A2, ..., which are the same in all files;
    - the folder tables, from which `rushes import` makes the same workspace again.

    The names behind the pseudonyms stand in `people.private.json.gz` alone: an import gives people
    their names back where it is there. Rows stream from the database to the files; a file has its
    name only once it is whole.

    Raises:
        ValueError: for an unknown format, or a folder that is a file.
    """
    if form not in WRITERS:
        raise Refusal(f"{form!r} is no format to export to. Allowed: {', '.join(FORMATS)}.")
    if folder.exists() and not folder.is_dir():
        raise Refusal(f"{folder} is a file; name a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    with take(workspace) as snapshot:
        database = snapshot.database
        people = export_rows.pseudonyms(database)
        for name, columns, rows in (*_files(database, people), *_figures(workspace, snapshot)):
            with whole(folder / f"{name}.{form}") as part:
                counts[name] = WRITERS[form](part, columns, rows)
        write_tables(database, folder, form, people)
    return counts


def _files(
    database: Database, people: dict[int, str]
) -> Iterator[tuple[str, Columns, Iterator[Row]]]:
    """Name, columns and rows of each file."""
    named = [(int(row["id"]), people.get(row["id"]) or str(row["name"]))
             for row in database.conn.execute(_PEOPLE)]  # fmt: skip
    headings = dict(zip((number for number, _ in named), _columns([n for _, n in named]),
                        strict=True))  # fmt: skip
    matrix: Columns = {"task": "text", "item": "text", **dict.fromkeys(headings.values(), "text")}
    yield "questions", export_rows.QUESTIONS, export_rows.questions(database, people)
    yield "votes", VOTES, _votes(database, people)
    yield "decisions", DECISIONS, _decisions(database, people)
    yield "resolutions", RESOLUTIONS, _resolutions(database, people)
    yield "matrix", matrix, _matrix(database, headings)
    yield "tasks", export_rows.TASKS, export_rows.tasks(database, people)
    yield "runs", export_rows.RUNS, export_rows.runs(database, people)
    yield "replies", export_rows.REPLIES, export_rows.replies(database, people)
    yield "videos", export_rows.VIDEOS, export_rows.videos(database, people)
    yield "people", export_rows.PEOPLE, export_rows.people_rows(database, people)


def _figures(
    workspace: Workspace, snapshot: Snapshot
) -> Iterator[tuple[str, Columns, Iterator[Row]]]:
    yield "statistics", export_figures.STATISTICS, export_figures.statistics(snapshot)
    yield "positions", export_figures.POSITIONS, export_figures.positions(snapshot)
    yield "agreement", export_figures.AGREEMENT, export_figures.agreement(workspace, snapshot)
    populations = export_figures.populations(workspace, snapshot)
    yield "population", export_figures.POPULATION, populations


def _votes(database: Database, people: dict[int, str]) -> Iterator[Row]:
    for row in database.conn.execute(_VOTES):
        yield {
            **dict(row),
            "annotator": people.get(row["annotator_id"], row["annotator"]),
            "current": bool(row["current"]),
            "counted": bool(row["counted"]),
            "put_aside": bool(row["put_aside"]),
            "response": stored_json(row["response"]) if row["skip_reason"] is None else None,
            "shown": json.loads(row["shown"]),
            "answered_at": _time(row["answered_at"]),
            "stored_at": _time(row["stored_at"]),
        }


def _decisions(database: Database, people: dict[int, str]) -> Iterator[Row]:
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
            "signed_by": [people.get(number, "") for number in json.loads(row["signed_by"])]
            if row["resolution"] else None,
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


def _items(database: Database) -> Iterator[tuple[Any, list[tuple[int, Row]]]]:
    """Each item of work with its counted current answers, in order; both streams side by side."""
    by_item: Callable[[Any], int] = lambda row: row["item_id"]  # noqa: E731
    answers = groupby(database.conn.execute(_CURRENT), key=by_item)
    item, group = next(answers, (None, iter(())))
    for row in database.conn.execute(_ITEMS):
        votes: list[tuple[int, Row]] = []
        if item == row["id"]:
            votes = [(answer["annotator_id"], stored_json(answer["response"])) for answer in group]
            item, group = next(answers, (None, iter(())))
        yield row, votes


def _resolutions(database: Database, people: dict[int, str]) -> Iterator[Row]:
    for row in database.conn.execute(_RESOLUTIONS):
        loaded = ("value", "question_changes", "answers")
        signed = [{**mark, "by": people.get(mark["by"], "")} for mark in json.loads(row["signed"])]
        yield {**dict(row), **{name: _loaded(row[name]) for name in loaded}, "signed": signed}


def _matrix(database: Database, headings: dict[int, str]) -> Iterator[Row]:
    for row, answers in _items(database):
        cells = {headings[number]: _cell(response) for number, response in answers}
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
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):  # stored before times were bounded
        return ""
    return moment.isoformat(timespec="milliseconds")
