"""Failures as cards: only those that are shown are read from the database.

A card holds the question as the model saw it, the model's answer and how it was read, what every
other run and what people answered to the same question, and what was said of the failure.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotations.answering.response_words import letter
from annotations.failure.failed_answer import displayed
from annotations.failure.failure_tags import Tags
from annotations.scoring.people_columns import NO_CHOICE, Ints
from annotations.scoring.prediction_columns import STATES, Predictions
from annotations.scoring.snapshot import Snapshot
from core.refusal import Missing

REPLY_SHOWN = 1200
_SHOWN = """
  SELECT a.id, a.shown, a.question_revision_id AS revision_id, p.reply, p.rule,
         p.words, p.confidence, p.score, p.theirs, p.theirs_name, p.theirs_read,
         r.question_id, r.revision, r.text, r.options, r.category, r.tags, q.uid, v.name AS video,
         n.revision AS newest, n.options = r.options AND n.clip_id = r.clip_id AS same
  FROM annotation a JOIN prediction p ON p.annotation_id = a.id
  JOIN question_revision r ON r.id = a.question_revision_id
  JOIN question q ON q.id = r.question_id JOIN clip c ON c.id = r.clip_id
  JOIN video v ON v.id = c.video_id JOIN current_question n ON n.question_id = r.question_id
  WHERE a.id IN (SELECT value FROM json_each(?))
"""
_PEOPLE = """
  SELECT i.question_id, p.name, json_extract(a.response, '$.choice') AS choice,
         json_extract(a.response, '$.text') AS text, a.question_revision_id AS revision_id,
         coalesce(json_extract(a.shown, '$.condition'), '') AS condition, a.counted
  FROM annotator p CROSS JOIN item i CROSS JOIN annotation a
    ON a.annotator_id = p.id AND a.item_id = i.id
  WHERE p.kind = 'person' AND p.aside_at IS NULL
    AND i.question_id IN (SELECT value FROM json_each(?)) AND i.role = 'work'
    AND i.status = 'open' AND a.skip_reason IS NULL AND a.question_revision_id IS NOT NULL
    AND (json_type(a.shown, '$.option_order') = 'array' OR json_extract(a.shown, '$.free_text'))
    AND a.revision = (SELECT max(revision) FROM annotation x
                      WHERE x.item_id = a.item_id AND x.annotator_id = a.annotator_id)
  ORDER BY a.id
"""


@dataclass(frozen=True)
class ByQuestion:
    """The rows of each question in a table: those of question q are order[start[q]:start[q+1]]."""

    order: Ints
    start: Ints

    def rows(self, question_id: int) -> list[int]:
        """Rows of the predictions about a question, by run."""
        begin, end = self.start[question_id], self.start[question_id + 1]
        rows: list[int] = self.order[begin:end].tolist()
        return rows


def by_question(table: Predictions) -> ByQuestion:
    """Where the predictions about each question stand."""
    if "by question" not in table.memo:
        order = np.lexsort((table.run, table.question_id))
        size = int(table.question_id.max(initial=0)) + 2
        start = np.searchsorted(table.question_id[order], np.arange(size + 1))
        table.memo["by question"] = ByQuestion(order, start)
    table_rows: ByQuestion = table.memo["by question"]
    return table_rows


@dataclass(frozen=True)
class Page:
    """Cards as a browser takes them, in order, and what belongs to their questions.

    Attributes:
        questions: by question id every run's answer, and what people answered.
    """

    cards: list[dict[str, Any]]
    questions: dict[int, dict[str, Any]]


def page(
    snapshot: Snapshot,
    table: Predictions,
    tags: Tags,
    indices: Sequence[int],
    compare: Collection[int] = (),
) -> Page:
    """The cards at some places.

    Args:
        table: the predictions.
        tags: what was said of failures.
        places: rows of the table.
        compare: ids of runs whose replies to the same question are wanted beside it.
    """
    ids = [int(table.annotation_id[index]) for index in indices]
    shown = {row["id"]: row for row in snapshot.rows(_SHOWN, [json.dumps(ids)])}
    questions = sorted({int(table.question_id[index]) for index in indices})
    version = _versions(snapshot, questions)
    people: dict[int, list[dict[str, Any]]] = {question_id: [] for question_id in questions}
    for row in snapshot.rows(_PEOPLE, [json.dumps(questions)]):
        people[row["question_id"]].append(_person(row, version))
    beside = {question_id: _beside(table, question_id, compare) for question_id in questions}
    replies = _replies(snapshot, table, [row for rows in beside.values() for row in rows])
    revision = {index: revision_id for revision_id, (index, _) in version.items()}
    cards = [
        {
            **_card(table, index, shown[annotation_id]),
            "version": version[shown[annotation_id]["revision_id"]][1],
            "beside": [
                replies[row] for row in beside[int(table.question_id[index])] if row != index
            ],
            "tags": tags_json(tags, annotation_id),
        }
        for index, annotation_id in zip(indices, ids, strict=True)
    ]
    return Page(
        cards,
        {
            question_id: {
                "cells": _cells(table, question_id, revision, version),
                "people": people[question_id],
            }
            for question_id in questions
        },
    )


def _versions(snapshot: Snapshot, questions: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Of each revision of some questions its place in the table's questions, and its version.

    Revisions with the same options are the same version: their choices mean the same.
    """
    rows = snapshot.rows(
        "SELECT r.id, r.question_id, r.options, (SELECT count(*) FROM question_revision x"
        " WHERE x.id < r.id) AS place FROM question_revision r"
        " WHERE r.question_id IN (SELECT value FROM json_each(?)) ORDER BY r.id",
        [json.dumps(list(questions))],
    )
    versions: dict[tuple[int, str], int] = {}
    return {
        row["id"]: (
            row["place"], versions.setdefault((row["question_id"], row["options"]), row["id"])
        )
        for row in rows
    }  # fmt: skip


def _card(table: Predictions, index: int, row: dict[str, Any]) -> dict[str, Any]:
    texts: list[str] = json.loads(row["options"])
    order = displayed(json.loads(row["shown"]), len(texts))
    scored = table.questions[int(table.question[index])]
    return {
        **_answer(table, index),
        "question": {
            "id": row["question_id"],
            "uid": row["uid"],
            "text": row["text"],
            "options": [
                {"index": option, "letter": letter(n), "text": texts[option]}
                for n, option in enumerate(order)
            ],
            "key": scored.key,
            "category": scored.category,
            "tags": scored.tags,
            "video": row["video"],
            "revision": row["revision"],
            "newest": row["newest"],
            "same": bool(row["same"]),
        },
        "scored": bool(table.scored[index]),
        **_reply(row),
        "theirs": {"value": row["theirs"], "name": row["theirs_name"], "read": row["theirs_read"]},
    }


def _reply(row: dict[str, Any]) -> dict[str, Any]:
    reply = row["reply"]
    return {
        "reply": None if reply is None else reply[:REPLY_SHOWN],
        "longer": max(0, len(reply or "") - REPLY_SHOWN),
        "rule": row["rule"],
        "words": row["words"],
        "confidence": json.loads(row["confidence"] or "null"),
        "score": row["score"],
    }


def _cells(
    table: Predictions,
    question_id: int,
    revision: dict[int, int],
    version: dict[int, tuple[int, int]],
) -> list[dict[str, Any]]:
    """Every run's answer to a question."""
    return [
        {
            **_answer(table, row),
            "version": version[revision[int(table.question[row])]][1],
        }
        for row in by_question(table).rows(question_id)
    ]


def _answer(table: Predictions, index: int) -> dict[str, Any]:
    choice = int(table.choice[index])
    return {
        "id": int(table.annotation_id[index]),
        "run": table.runs[int(table.run[index])].id,
        "choice": None if choice == NO_CHOICE else choice,
        "state": STATES[int(table.state[index])],
        "right": bool(table.right[index]),
    }


def _beside(table: Predictions, question_id: int, compare: Collection[int]) -> list[int]:
    """Rows of some runs' predictions about a question."""
    return [
        row
        for row in by_question(table).rows(question_id)
        if table.runs[int(table.run[row])].id in compare
    ]


def _replies(
    snapshot: Snapshot, table: Predictions, indices: Sequence[int]
) -> dict[int, dict[str, Any]]:
    """What runs replied, by row of the table."""
    ids = [int(table.annotation_id[index]) for index in indices]
    rows = snapshot.rows(
        "SELECT annotation_id, reply, rule, words, confidence, score FROM prediction"
        " WHERE annotation_id IN (SELECT value FROM json_each(?))",
        [json.dumps(ids)],
    )
    by_id = {row["annotation_id"]: _reply(row) for row in rows}
    return {
        index: {**_answer(table, index), **by_id[annotation_id]}
        for index, annotation_id in zip(indices, ids, strict=True)
    }


def _person(row: dict[str, Any], version: dict[int, tuple[int, int]]) -> dict[str, Any]:
    """One person's current answer: under which condition, which option or words."""
    choice, text = row["choice"], row["text"] or ""
    if isinstance(choice, str) and choice[:1] == "[":  # several options
        choice, text = None, ", ".join(map(letter, json.loads(choice)))
    return {
        "name": row["name"],
        "condition": row["condition"],
        "choice": choice,
        "text": text,
        "counted": bool(row["counted"]),
        "version": version[row["revision_id"]][1],
    }


def tags_json(tags: Tags, annotation_id: int) -> list[dict[str, Any]]:
    """What was said of one failure."""
    return [
        {
            "task": tag.task_id,
            "person": tag.person_id,
            "name": tag.name,
            "classes": list(tag.classes),
            "note": tag.note,
        }
        for tag in tags.by.get(annotation_id, ())
    ]


def whole_reply(snapshot: Snapshot, annotation_id: int) -> str:
    """All that a model replied; '' where nothing came.

    Raises:
        LookupError: if there is no such prediction.
    """
    rows = snapshot.rows("SELECT reply FROM prediction WHERE annotation_id = ?", [annotation_id])
    if not rows:
        raise Missing(f"There is no prediction {annotation_id}.")
    return rows[0]["reply"] or ""
