"""What an export says of questions, videos, tasks, runs and replies: one row each."""

import json
from collections.abc import Iterator
from typing import Any

from sqlite_utils import Database

from annotations.exporting.export_files import Columns
from annotations.video.families import LINEAGE

Row = dict[str, Any]

QUESTIONS: Columns = {
    "question": "text", "revision": "integer", "current": "boolean", "retired_at": "text",
    "text": "text", "options": "json", "key": "integer", "reference": "json",
    "category": "text", "tags": "json", "note": "text", "video": "text", "video_sha256": "text",
    "start_s": "number", "end_s": "number", "origin": "text", "source": "text",
    "created_at": "text", "signed_by": "json",
}  # fmt: skip
VIDEOS: Columns = {
    "video": "text", "sha256": "text", "status": "text", "reason": "text", "source_url": "text",
    "facts": "json", "created_at": "text", "family": "text", "edit": "json", "parents": "json",
}  # fmt: skip
TASKS: Columns = {
    "task": "text", "kind": "text", "settings": "json", "overlap": "integer",
    "adaptive": "boolean", "instructions": "text", "status": "text", "created_at": "text",
    "items": "integer",
}  # fmt: skip
RUNS: Columns = {
    "model": "text", "task": "text", "condition": "text", "method": "text", "settings": "json",
    "status": "text", "replies": "integer", "created_at": "text",
}  # fmt: skip
REPLIES: Columns = {
    "model": "text", "task": "text", "condition": "text", "question": "text",
    "question_revision": "integer", "revision": "integer", "current": "boolean", "reply": "text",
    "state": "text", "rule": "text", "words": "text", "response": "json", "shown": "json",
    "confidence": "json", "score": "number", "harness_score": "number", "harness_name": "text",
    "harness_read": "text", "judged": "json", "uid": "text",
}  # fmt: skip
PEOPLE: Columns = {
    "annotator": "text", "kind": "text", "role": "text", "active": "boolean",
    "put_aside_at": "text", "answers": "integer", "active_s": "number", "created_at": "text",
}  # fmt: skip

_QUESTIONS = """
  SELECT q.uid AS question, r.revision, r.revision = (SELECT max(revision) FROM question_revision x
      WHERE x.question_id = q.id) AS current, q.retired_at, r.text, r.options, r.key, r.reference,
    r.category,
    r.tags, r.note, v.name AS video, v.sha256 AS video_sha256, c.start_s, c.end_s, r.origin,
    q.source, r.created_at,
    (SELECT json_group_array(s.annotator_id) FROM revision_signature s
       WHERE s.question_revision_id = r.id) AS signed_by
  FROM question_revision r JOIN question q ON q.id = r.question_id
  JOIN clip c ON c.id = r.clip_id JOIN video v ON v.id = c.video_id ORDER BY r.id
"""
_VIDEOS = f"""
  SELECT v.name AS video, v.sha256, v.status, v.reason, v.source_url, v.facts, v.created_at,
    {LINEAGE}
  FROM video v ORDER BY v.id
"""
_TASKS = """
  SELECT t.name AS task, t.kind, t.settings, t.overlap, t.adaptive, t.instructions, t.status,
    t.created_at, (SELECT count(*) FROM item i WHERE i.task_id = t.id) AS items
  FROM task t ORDER BY t.id
"""
_RUNS = """
  SELECT p.name AS model, t.name AS task, json_extract(t.settings, '$.condition') AS condition,
    r.method, r.facts AS settings, r.status, r.created_at,
    (SELECT count(*) FROM prediction x WHERE x.run_id = r.id) AS replies
  FROM run r JOIN annotator p ON p.id = r.annotator_id JOIN task t ON t.id = r.task_id ORDER BY r.id
"""
_REPLIES = """
  SELECT p.name AS model, t.name AS task, json_extract(t.settings, '$.condition') AS condition,
    q.uid AS question, v.revision AS question_revision, a.revision,
    a.revision = (SELECT max(revision) FROM annotation x WHERE x.item_id = a.item_id
                  AND x.annotator_id = a.annotator_id) AS current,
    y.reply, y.state, y.rule, y.words, a.response, a.shown, y.confidence, y.score,
    y.theirs AS harness_score, y.theirs_name AS harness_name, y.theirs_read AS harness_read,
    (SELECT json_group_array(json_object('judge', j.judge, 'scores', json(j.scores),
       'words', j.words)) FROM judgement j WHERE j.annotation_id = a.id) AS judged, a.uid
  FROM prediction y JOIN annotation a ON a.id = y.annotation_id JOIN run r ON r.id = y.run_id
  JOIN annotator p ON p.id = r.annotator_id JOIN task t ON t.id = r.task_id
  LEFT JOIN question_revision v ON v.id = a.question_revision_id
  LEFT JOIN question q ON q.id = v.question_id ORDER BY a.id
"""
_PEOPLE = """
  SELECT p.id, p.kind, p.role, p.active, p.aside_at AS put_aside_at, p.created_at,
    (SELECT count(*) FROM current_annotation a WHERE a.annotator_id = p.id) AS answers,
    (SELECT round(coalesce(sum(a.active_s), 0), 3) FROM annotation a WHERE a.annotator_id = p.id)
      AS active_s
  FROM annotator p ORDER BY p.id
"""


def pseudonyms(database: Database) -> dict[int, str]:
    """A pseudonym for each person by id: A1, A2, ... in the order in which they came."""
    rows = database.conn.execute("SELECT id, name, kind FROM annotator ORDER BY id").fetchall()
    taken = {str(row["name"]).casefold() for row in rows if row["kind"] == "model"}
    numbers = (number for number in range(1, 10**9) if f"a{number}" not in taken)
    return {int(row["id"]): f"A{next(numbers)}" for row in rows if row["kind"] == "person"}


def questions(database: Database, people: dict[int, str]) -> Iterator[Row]:
    """Every revision of every question."""
    for row in database.conn.execute(_QUESTIONS):
        signed = [people.get(number, "") for number in json.loads(row["signed_by"])]
        yield {**_loaded(dict(row), QUESTIONS), "signed_by": signed}


def videos(database: Database, people: dict[int, str]) -> Iterator[Row]:
    """Every video with what probing found."""
    del people
    return (_loaded(dict(row), VIDEOS) for row in database.conn.execute(_VIDEOS))


def tasks(database: Database, people: dict[int, str]) -> Iterator[Row]:
    """Every task with its settings."""
    del people
    return (_loaded(dict(row), TASKS) for row in database.conn.execute(_TASKS))


def runs(database: Database, people: dict[int, str]) -> Iterator[Row]:
    """Every run with its settings."""
    del people
    return (_loaded(dict(row), RUNS) for row in database.conn.execute(_RUNS))


def replies(database: Database, people: dict[int, str]) -> Iterator[Row]:
    """Every raw reply of a model, how it was read and what was scored."""
    del people
    return (_loaded(dict(row), REPLIES) for row in database.conn.execute(_REPLIES))


def people_rows(database: Database, people: dict[int, str]) -> Iterator[Row]:
    """Everybody who may have answered, by pseudonym; models by their names."""
    names = dict(database.conn.execute("SELECT id, name FROM annotator").fetchall())
    for row in database.conn.execute(_PEOPLE):
        name = people.get(row["id"], names[row["id"]])
        yield {**_loaded(dict(row), PEOPLE), "annotator": name}


def _loaded(row: Row, columns: Columns) -> Row:
    """A row with its JSON read and its flags as booleans."""
    for name, kind in columns.items():
        if name not in row or row[name] is None:
            continue
        if kind == "json" and isinstance(row[name], str):
            row[name] = json.loads(row[name])
        elif kind == "boolean":
            row[name] = bool(row[name])
    return row
