"""Runs: one model, with one prompt, on one task; the task holds the condition."""

import json
from dataclasses import dataclass, field
from typing import Any

from sqlite_utils import Database

from annotations.condition import Condition
from annotations.people import add_annotator, now_text
from annotations.planning.task_store import create_task, grow, set_status
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import first_row, rows

IMPORTED = "imported"
ANSWERED_BY_PEOPLE = "{name!r} is the name of a person. Give the model another name."

_RUNS = """
  SELECT r.*, p.name AS model, t.name AS task, t.kind,
    coalesce(json_extract(t.settings, '$.condition'), '') AS condition,
    coalesce((SELECT y.count FROM tally y WHERE y.what = 'answered' AND y.id = r.id), 0)
      AS predictions,
    (SELECT count(*) FROM run_error e WHERE e.run_id = r.id) AS errors
  FROM run r JOIN annotator p ON p.id = r.annotator_id JOIN task t ON t.id = r.task_id
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One model on one task.

    Attributes:
        model: name of the annotator, which holds the model and its prompt.
        task: name of the task, and `kind` its kind.
        condition: what was shown; '' where the task's kind has no conditions.
        method: 'imported', or how the model annotates.
        predictions: items that it answered.
        errors: items that gave no answer.
        status: 'waiting', 'running', 'stopped', 'finished' or 'failed'.
        progress: what the engine last said of it.
    """

    id: int
    model: str
    task_id: int
    task: str
    kind: str
    condition: str
    method: str
    predictions: int
    errors: int
    status: str
    created_at: str
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    progress: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def name(self) -> str:
        """The model and what it was shown, as people speak of a run."""
        return f"{self.model} · {self.condition or self.task}"


def condition_task(workspace: Workspace, condition: str, *, free: bool = False) -> int:
    """The id of the task in which questions are answered under a condition.

    Where there is none it is made, closed: models answer in it, and people once it is opened.

    Args:
        condition: what is shown.
        free: whether answers are written in words of one's own.

    Raises:
        ValueError: if the text names no condition.
    """
    name = Condition.parse(condition).name
    tasks = workspace.store.rows(
        "SELECT id FROM task WHERE kind = 'human_evaluation'"
        " AND json_extract(settings, '$.condition') = ?"
        " AND coalesce(json_extract(settings, '$.free_text'), 0) = ? AND source <> 'rows'"
        " ORDER BY id LIMIT 1",
        [name, free],
    )
    if tasks:
        if not free:
            grow(workspace, tasks[0]["id"])
        return int(tasks[0]["id"])
    title = f"Human evaluation: {name}{', free answers' if free else ''}"
    settings = {
        **({"free_text": True} if free else {}),
        "condition": name,
        "shuffle_options": workspace.settings.shuffle_options,
        "meet_once": workspace.settings.meet_once,
    }
    task_id = create_task(
        workspace, title, "human_evaluation", settings, workspace.settings.overlap
    )
    set_status(workspace, title, "closed")
    if not free:
        grow(workspace, task_id)
    return task_id


def ensure_run(
    workspace: Workspace,
    model: str,
    task_id: int,
    method: str = IMPORTED,
    facts: dict[str, Any] | None = None,
) -> int:
    """The id of the run of a model on a task, made if there is none.

    Args:
        model: the model with its prompt, such as 'gpt-4o · chain of thought'.
        method: how it annotates.
        facts: added to those stored; a fact given again replaces the old one.

    Raises:
        ValueError: for an empty name, or one that belongs to a person.
    """
    name = " ".join(model.split())
    if not name:
        raise Refusal("The model has no name. Give one.")
    with workspace.store.write() as database:
        annotator = first_row(database, "SELECT id, kind FROM annotator WHERE name = ?", [name])
        if annotator and annotator["kind"] != "model":
            raise Refusal(ANSWERED_BY_PEOPLE.format(name=name))
        annotator = annotator["id"] if annotator else add_annotator(database.conn, name, "model")
        database.conn.execute(
            "INSERT INTO run (annotator_id, task_id, method, created_at)"
            " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [annotator, task_id, method, now_text()],
        )
        run = first_row(
            database,
            "SELECT id FROM run WHERE annotator_id = ? AND task_id = ?",
            [annotator, task_id],
        )
        assert run is not None
        database.conn.execute(
            "UPDATE run SET facts = json_patch(facts, ?) WHERE id = ?",
            [json.dumps(facts or {}), run["id"]],
        )
    return int(run["id"])


def all_runs(workspace: Workspace) -> list[Run]:
    """Every run, in the order in which they were made."""
    with workspace.store.read() as database:
        return runs_in(database)


def runs_in(database: Database) -> list[Run]:
    """Every run in the state of the data that an open transaction sees."""
    return [_run(row) for row in rows(database, f"{_RUNS} ORDER BY r.id")]


def the_run(workspace: Workspace, run_id: int) -> Run:
    """One run as it stands now.

    Raises:
        LookupError: if there is no such run.
    """
    with workspace.store.read() as database:
        return run_in(database, run_id)


def run_in(database: Database, run_id: int) -> Run:
    """One run in the state of the data that an open transaction sees.

    Raises:
        LookupError: if there is no such run.
    """
    row = first_row(database, f"{_RUNS} WHERE r.id = ?", [run_id])
    if row is None:
        raise Missing(f"There is no run {run_id}.")
    return _run(row)


def _run(row: dict[str, Any]) -> Run:
    return Run(
        **{name: row[name] for name in Run.__slots__ if name not in ("facts", "progress")},
        facts=json.loads(row["facts"]),
        progress=json.loads(row["progress"]),
    )
