"""The life of a benchmark as one row of stages: what came in, what was kept, what waits for whom.

Every count is of one read of the database. A stage that a workspace has not used is not there.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.footage.store import footage_file, open_store
from annotations.publishing.datasheet import read_publication
from annotations.publishing.preview import publication_folder
from annotations.record.task import TaskCounts, task_counts
from annotations.task_parts import HasStage
from annotations.workspace import Workspace
from core.stored_json import stored_json
from db.connection import rows

_TEXT_STEP = "title_filter"  # steps are kept under their place and what they do
_DECIDED = """
  SELECT i.id, i.task_id, a.response, c.value, c.outcome AS resolved, t.settings,
    coalesce(i.overlap, t.overlap) AS places
  FROM item i JOIN task t ON t.id = i.task_id
  LEFT JOIN current_resolution c ON c.item_id = i.id AND c.outcome <> 'reopen'
    AND c.signed >= c.signatures
  LEFT JOIN current_annotation a ON a.item_id = i.id AND a.counted = 1 AND a.skip_reason IS NULL
  WHERE t.id IN (SELECT value FROM json_each(?)) AND i.role = 'work' AND i.status = 'open'
    AND (i.settled = 1 OR i.answers >= coalesce(i.overlap, t.overlap) OR c.id IS NOT NULL)
  ORDER BY i.id, a.annotator_id
"""
_ANSWERED = """
  SELECT count(*), coalesce(sum(people >= 2), 0) FROM (
    SELECT i.question_id, count(DISTINCT a.annotator_id) AS people
    FROM item i JOIN annotation a ON a.item_id = i.id AND a.counted = 1 AND a.skip_reason IS NULL
    JOIN annotator p ON p.id = a.annotator_id AND p.kind = 'person'
    JOIN question q ON q.id = i.question_id AND q.retired_at IS NULL
    WHERE i.role = 'work' AND i.status = 'open' AND json_type(a.shown, '$.option_order') = 'array'
    GROUP BY i.question_id)
"""


@dataclass(frozen=True)
class Stage:
    """One stage.

    Attributes:
        name: such as 'Verified'.
        count: what has passed it, of things called `unit`.
        of: how many there were to pass; None where nothing could be lost.
        base: what these are, such as 'titles read': not always what the stage before has kept.
        waits: what waits, and for whom, in words; '' if nothing does.
        link: the page with the list.
    """

    name: str
    count: int
    unit: str
    of: int | None
    base: str
    waits: str
    link: str

    @property
    def share(self) -> float | None:
        """The share that is kept, 0..1; None where nothing could be lost yet."""
        return self.count / self.of if self.of else None


def stages(workspace: Workspace) -> list[Stage]:
    """The stages that this workspace uses, from footage to answers."""
    with workspace.store.read() as database:
        return [
            *_footage(workspace),
            *_videos(database),
            *_of_tasks(database, before_questions=True),
            *_questions(database),
            *_of_tasks(database, before_questions=False),
            *_answers(database),
            *_published(workspace, database),
        ]


def _footage(workspace: Workspace) -> Iterable[Stage]:
    if not footage_file(workspace).exists():
        return
    store = open_store(workspace)
    try:
        with store.read() as database:
            found = _number(database, "SELECT titles FROM index_size")
            kept, looked = database.conn.execute(
                "SELECT count(DISTINCT iif(kept, unit, NULL)), count(DISTINCT unit)"
                " FROM step_result WHERE step LIKE ?",
                [f"% {_TEXT_STEP}"],
            ).fetchone()
            states = dict(
                database.conn.execute("SELECT state, count(*) FROM download GROUP BY state")
            )
    finally:
        store.close()
    if found:
        yield Stage("Footage found", found, "video", None, "", "", "/footage")
    if looked:
        yield Stage("Kept by text", kept, "video", looked, "looked at", "", "/footage")
    if states:
        waiting = states.get("waiting", 0)
        words = _waits(waiting, "the download")
        total = sum(states.values())
        done = states.get("done", 0)
        yield Stage("Downloaded", done, "video", total, "chosen", words, "/footage")


def _videos(database: Database) -> Iterable[Stage]:
    usable, total = database.conn.execute(
        "SELECT coalesce(sum(status = 'usable'), 0), count(*) FROM video"
    ).fetchone()
    if total:
        missing = _number(database, "SELECT count(*) FROM video WHERE status = 'missing'")
        words = _waits(missing, "a file")
        yield Stage("Videos usable", usable, "video", total, "brought in", words, "/videos")
    segments = _number(database, "SELECT count(*) FROM clip WHERE start_s > 0 OR end_s IS NOT NULL")
    if segments:
        yield Stage("Segments", segments, "clip", None, "", "", "/videos")


def _of_tasks(database: Database, *, before_questions: bool) -> Iterable[Stage]:
    """Stages of task kinds, in the order of their tasks: before questions are made, or after."""
    by_stage: dict[tuple[str, str], list[TaskCounts]] = {}
    for task in task_counts(database):
        kind: object = tasks.kind(task.kind)
        makes = bool(getattr(kind, "MAKES_QUESTIONS", False))
        if isinstance(kind, HasStage) and makes != before_questions and task.items:
            by_stage.setdefault((kind.STAGE, kind.STAGE_UNIT), []).append(task)
    for (name, unit), those in by_stage.items():
        passed, judged, undecided = _passed(database, those)
        handed_out = [task for task in those if task.status == "open"]
        asked = sum(task.items - task.finished - task.waiting for task in handed_out)
        for_authors = undecided + sum(task.waiting for task in those)
        words = [
            _waits(asked, "annotators"),
            _waits(for_authors, "an author"),
        ]
        newest = max(task.id for task in handed_out or those)
        waits, link = ", ".join(filter(None, words)), f"/tasks?task={newest}"
        yield Stage(name, passed, unit, judged, "decided", waits, link)


def _passed(database: Database, those: list[TaskCounts]) -> tuple[int, int, int]:
    """What passes by the decisions of some tasks, of how much, and how many items are undecided.

    What an author has decided stands before the task's rule.
    """
    kind_of: dict[int, Any] = {task.id: tasks.kind(task.kind) for task in those}
    found = rows(database, _DECIDED, [json.dumps(list(kind_of))])
    passed = judged = undecided = 0
    for _, group in groupby(found, key=lambda row: row["id"]):
        answers = list(group)
        first = answers[0]
        module = kind_of[first["task_id"]]
        responses = [stored_json(row["response"]) for row in answers if row["response"]]
        if first["value"] is not None:
            responses = [json.loads(first["value"])] * first["places"]
        if not responses:
            continue
        decision = module.decide(responses, json.loads(first["settings"]))
        if decision.status == "decided":
            kept, of = module.survivors(decision.value)
            passed, judged = passed + kept, judged + of
        undecided += decision.status != "decided"
    return passed, judged, undecided


def _questions(database: Database) -> Iterable[Stage]:
    standing, total = database.conn.execute(
        "SELECT coalesce(sum(retired_at IS NULL), 0), count(*) FROM question"
    ).fetchone()
    if total:
        yield Stage("Questions that stand", standing, "question", total, "in all", "", "/questions")
    split = database.conn.execute(
        "SELECT s.name, sum(k.kept), count(*) FROM split s JOIN split_question k"
        " ON k.split_id = s.id WHERE s.id = (SELECT max(id) FROM split) GROUP BY s.id"
    ).fetchone()
    if split:
        yield Stage(
            "Kept by the filter", split[1], "question", split[2], "filtered", split[0],
            "/shortcuts",
        )  # fmt: skip


def _answers(database: Database) -> Iterable[Stage]:
    answered, twice = database.conn.execute(_ANSWERED).fetchone()
    if not answered:
        return
    asked = _number(
        database, "SELECT count(DISTINCT i.question_id) FROM item i JOIN question q"
        " ON q.id = i.question_id AND q.retired_at IS NULL JOIN task t ON t.id = i.task_id"
        " WHERE i.asks = 1 AND t.status = 'open'",
    )  # fmt: skip
    words = _waits(asked, "more answers")
    standing = _number(database, "SELECT count(*) FROM question WHERE retired_at IS NULL")
    yield Stage("Answered", answered, "question", standing, "that stand", words, "/metrics")
    signing = _number(
        database, "SELECT count(*) FROM current_resolution WHERE outcome <> 'reopen'"
        " AND signed < signatures",
    )  # fmt: skip
    words = _waits(signing, "a signature")
    yield Stage("Cross-checked", twice, "question", answered, "answered", words, "/disagreements")


def _published(workspace: Workspace, database: Database) -> Iterable[Stage]:
    publication = read_publication(publication_folder(workspace))
    if publication is None:
        return
    standing = _number(database, "SELECT count(*) FROM question WHERE retired_at IS NULL")
    words = f"version {publication['version']}"
    published = len(publication["questions"])
    yield Stage("Published", published, "question", standing, "that stand", words, "/publish")


def _number(database: Database, sql: str) -> int:
    return int(database.conn.execute(sql).fetchone()[0])


def _waits(number: int, whom: str) -> str:
    return f"{number:,} wait{'s' if number == 1 else ''} for {whom}" if number else ""
