"""What a run's model answered to items, stored beside what people answered.

A model's answer is an annotation that never counts for the decision of people.
"""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlite_utils import Database

from annotations import task as tasks
from annotations.record.annotation import Annotation, add_annotations
from annotations.record.prediction import Prediction, add_predictions
from annotations.record.shown import Shown
from annotations.workspace import Workspace
from core.refusal import Missing
from core.reply.result import Reading
from db.connection import first_row


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model answered to one item.

    Attributes:
        item_id: the item.
        question_revision_id: revision of the question that was asked; None without a question.
        response: in the schema of the task's kind.
        shown: exactly what the model saw: condition, video, frames, times, option order.
        reading: how the reply was read.
        reply: raw, thinking included; None where none came.
        confidence: probability of each answer by its name, 0 to 1; None where not known.
        score: a number the model gave, such as a similarity; None without one.
        theirs: score by the harness the answer came from; None without one.
        theirs_name: what the harness calls it.
        theirs_read: what the harness read out of the reply.
        active_s: time the model took for it, s.
    """

    item_id: int
    question_revision_id: int | None
    response: dict[str, Any]
    shown: dict[str, Any]
    reading: Reading
    reply: str | None = None
    confidence: dict[str, float] | None = None
    score: float | None = None
    theirs: float | None = None
    theirs_name: str = ""
    theirs_read: str = ""
    active_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Stored:
    """How many answers were new, changed an earlier one of the same run, or were there already."""

    new: int = 0
    changed: int = 0
    same: int = 0


def store_answers(
    workspace: Workspace, run_id: int, answers: Iterable[ModelAnswer], owner: str | None = None
) -> Stored:
    """Keep answers of a run, all or none; one that is there already changes nothing.

    An answer that differs from the run's earlier one to the same item is its next revision, and
    an item that failed before has failed no more.

    Args:
        owner: of the run, as its progress names it; nothing is stored once another one has it.

    Raises:
        LookupError: if there is no such run, or it has another owner.
    """
    batch = list(answers)
    with workspace.store.write() as database:
        run = first_row(
            database,
            "SELECT r.annotator_id, t.kind, json_extract(r.progress, '$.owner') AS owner"
            " FROM run r JOIN task t ON t.id = r.task_id WHERE r.id = ?",
            [run_id],
        )
        if run is None:
            raise Missing(f"There is no run {run_id}.")
        if owner is not None and run["owner"] != owner:
            raise Missing(f"Run {run_id} is being worked on by another process now.")
        stored = _before(
            database, run_id, run["annotator_id"], [answer.item_id for answer in batch]
        )
        counts = {"new": 0, "changed": 0, "same": 0}
        changes: list[tuple[int, ModelAnswer]] = []
        repeated = len({answer.item_id for answer in batch}) < len(batch)
        for answer in batch:
            earlier = stored.get(answer.item_id)
            if earlier is not None and earlier[1] == _compared(answer):
                counts["same"] += 1
                continue
            revision = 1 if earlier is None else earlier[0] + 1
            counts["new" if earlier is None else "changed"] += 1
            changes.append((revision, answer))
            if repeated:
                stored[answer.item_id] = (revision, _compared(answer))
        _insert(database, run_id, run, changes)
        return Stored(**counts)


def _before(
    database: Database, run_id: int, annotator_id: int, items: list[int]
) -> dict[int, tuple[int, tuple[object, ...]]]:
    """Revision and content of the run's current answers to some items, by item."""
    stored = database.conn.execute(
        "SELECT a.item_id, a.revision, a.question_revision_id, a.response, a.shown, p.reply,"
        " p.state, p.rule, p.confidence, p.score, p.theirs, p.theirs_read FROM json_each(?) j"
        " JOIN annotation a ON a.item_id = j.value AND a.annotator_id = ?"
        " JOIN prediction p ON p.annotation_id = a.id AND p.run_id = ? ORDER BY a.revision",
        [json.dumps(items), annotator_id, run_id],
    )
    return {row[0]: (row[1], tuple(row[2:])) for row in stored}


def _compared(answer: ModelAnswer) -> tuple[object, ...]:
    return (
        answer.question_revision_id,
        json.dumps(answer.response),
        json.dumps(answer.shown),
        answer.reply,
        answer.reading.state,
        answer.reading.rule,
        None if answer.confidence is None else json.dumps(answer.confidence),
        answer.score,
        answer.theirs,
        answer.theirs_read,
    )


def _insert(
    database: Database,
    run_id: int,
    run: dict[str, Any],
    changes: Sequence[tuple[int, ModelAnswer]],
) -> None:
    """Store answers with the numbers of their revisions, all by few statements."""
    version = tasks.kind(run["kind"]).SCHEMA_VERSION
    annotation_ids = add_annotations(
        database,
        [
            Annotation(
                uid=uuid4().hex,
                item_id=answer.item_id,
                annotator_id=run["annotator_id"],
                revision=revision,
                task_kind=run["kind"],
                schema_version=version,
                response=answer.response,
                shown=Shown(answer.shown, answer.question_revision_id),
                active_s=answer.active_s,
            )
            for revision, answer in changes
        ],
    )
    add_predictions(
        database,
        (
            _prediction(run_id, annotation_id, answer)
            for annotation_id, (_, answer) in zip(annotation_ids, changes, strict=True)
        ),
    )
    database.conn.execute(
        "DELETE FROM run_error WHERE run_id = ? AND item_id IN (SELECT value FROM json_each(?))",
        [run_id, json.dumps([answer.item_id for _, answer in changes])],
    )


def _prediction(run_id: int, annotation_id: int, answer: ModelAnswer) -> Prediction:
    return Prediction(
        annotation_id=annotation_id,
        run_id=run_id,
        reply=answer.reply,
        state=answer.reading.state,
        rule=answer.reading.rule,
        words=answer.reading.reason,
        confidence=answer.confidence,
        score=answer.score,
        theirs=answer.theirs,
        theirs_name=answer.theirs_name,
        theirs_read=answer.theirs_read,
    )


def store_errors(workspace: Workspace, run_id: int, failed: Iterable[tuple[int, str]]) -> None:
    """Keep why items of a run gave no answer: pairs of item id and reason."""
    with workspace.store.write() as database:
        database.conn.executemany(
            "INSERT INTO run_error (run_id, item_id, reason, at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET reason = excluded.reason, at = excluded.at,"
            " tries = tries + 1",
            [[run_id, item_id, reason, time.time()] for item_id, reason in failed],
        )
