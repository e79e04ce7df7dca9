"""What the reviews of a task have come to so far, each beside the question as it is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.adjudication.outcomes import OUTCOMES
from annotations.record.item import Item
from annotations.record.question import Question
from annotations.record.task import Task
from annotations.review.question_changes import Reviewed, becomes, before_review
from annotations.review.review_response import DISCARD
from core.refusal import Refusal
from core.stored_json import stored_json
from db.connection import rows

READY = "ready"
CARRIED = "carried over"
CHANGED = "changed since"
UNDECIDED = "not decided"
SETTLED = "settled by authors"
STATES = (READY, CHANGED, UNDECIDED, CARRIED, SETTLED)

_ITEMS = """
  SELECT i.* FROM item i WHERE i.task_id = ? AND i.role = 'work' AND i.status = 'open' ORDER BY i.id
"""
# Corrections keep the place of the first answer.
_ANSWERS = """
  SELECT a.item_id, a.response, a.question_revision_id AS seen, a.annotator_id AS by, p.name
  FROM current_annotation a JOIN item i ON i.id = a.item_id
  JOIN annotator p ON p.id = a.annotator_id
  WHERE i.task_id = ? AND a.counted = 1 AND a.skip_reason IS NULL
  ORDER BY a.item_id, (SELECT min(x.id) FROM annotation x WHERE x.item_id = a.item_id
                       AND x.annotator_id = a.annotator_id)
"""
_RESOLUTIONS = """
  SELECT r.item_id, r.outcome, r.value, r.signatures, s.author_id AS by, p.name
  FROM current_resolution r JOIN item i ON i.id = r.item_id
  JOIN signature s ON s.resolution_id = r.id JOIN annotator p ON p.id = s.author_id
  WHERE i.task_id = ? AND r.outcome <> 'reopen' ORDER BY s.id
"""
_CARRIED = """
  SELECT c.item_id, c.decided, c.revisions FROM carried_review c JOIN item i ON i.id = c.item_id
  WHERE i.task_id = ? ORDER BY c.id
"""
_REVISIONS = """
  SELECT r.*, q.uid, q.source, r.revision = (SELECT max(revision) FROM question_revision x
    WHERE x.question_id = r.question_id) AS newest
  FROM question_revision r JOIN question q ON q.id = r.question_id
  WHERE r.question_id IN (SELECT question_id FROM item WHERE task_id = :task)
     OR r.question_id IN (SELECT m.question_id FROM carried_review c
        JOIN item i ON i.id = c.item_id JOIN json_each(c.revisions) e
        JOIN question_revision m ON m.id = e.value WHERE i.task_id = :task)
"""


@dataclass(frozen=True)
class ReviewResult:
    """What the reviews of one item have come to.

    Attributes:
        item: that is reviewed.
        state: one of `STATES`.
        words: how it was decided, or why not, for a person.
        by: ids and names of those whose decision it is: reviewers, or authors who signed.
        reviews: the responses that count.
        value: of the decision; None where there is none to carry over.
        question: the question as it is, or as it was when this was carried over.
        after: the questions that come of it.
    """

    item: Item
    state: str
    words: str
    by: tuple[tuple[int, str], ...]
    reviews: tuple[dict[str, Any], ...]
    value: dict[str, Any] | None
    question: Reviewed | None
    after: tuple[Reviewed, ...] = ()

    @property
    def discarded(self) -> bool:
        """Whether the question is not to be used."""
        return self.value is not None and self.value.get("verdict") == DISCARD

    @property
    def name(self) -> str:
        """What the item is about, as people call it."""
        return self.question.uid if self.question else self.item.uid.partition(":")[2]


@dataclass
class _Stored:
    """What the database holds about the items of a task."""

    answers: dict[int, list[dict[str, Any]]]
    resolutions: dict[int, list[dict[str, Any]]]
    carried: dict[int, dict[str, Any]]
    revisions: dict[int, Question]
    newest: dict[str, Question]
    newest_of: dict[int, Question]


def review_results(database: Database, task: Task) -> list[ReviewResult]:
    """What the reviews of a task have come to, in the order of import; withdrawn items left out.

    Args:
        task: of a kind that makes questions.
    """
    revision_rows = rows(database, _REVISIONS, {"task": task.id})
    revisions = {row["id"]: Question.from_row(row) for row in revision_rows}
    newest = [revisions[row["id"]] for row in revision_rows if row["newest"]]
    stored = _Stored(
        _by_item(rows(database, _ANSWERS, [task.id])),
        _by_item(rows(database, _RESOLUTIONS, [task.id])),
        {row["item_id"]: row for row in rows(database, _CARRIED, [task.id])},
        revisions,
        {question.uid: question for question in newest},
        {question.question_id: question for question in newest},
    )
    return [_result(task, Item.from_row(row), stored) for row in rows(database, _ITEMS, [task.id])]


def _by_item(answers: list[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    grouped: dict[int, list[dict[str, Any]]] = {}
    for row in answers:
        grouped.setdefault(row["item_id"], []).append(row)
    return grouped


def _result(task: Task, item: Item, stored: _Stored) -> ReviewResult:
    answers = stored.answers.get(item.id, [])
    reviews = tuple(stored_json(row["response"]) for row in answers)
    current = stored.newest_of.get(item.question_id or 0)
    reviewed_question = before_review(item, current)
    # Who writes questions does not disagree; there is nothing for authors to settle.
    signed = [] if reviewed_question is None else stored.resolutions.get(item.id, [])
    state, arithmetic, by, value = _decided(task, item, answers, reviews, signed)
    if value is None:
        return ReviewResult(item, state, arithmetic, by, reviews, None, reviewed_question)
    carried = stored.carried.get(item.id)
    carried_ids: list[int] = json.loads(carried["revisions"]) if carried else []
    made_question = (
        stored.newest_of.get(stored.revisions[carried_ids[-1]].question_id) if carried_ids else None
    )
    try:
        after = becomes(
            item, reviewed_question, value, [row["by"] for row in answers],
            None if made_question is None else before_review(item, made_question),
        )  # fmt: skip
    except Refusal as error:
        return ReviewResult(item, UNDECIDED, str(error), by, reviews, None, reviewed_question)
    seen = {row["seen"] for row in answers}
    if carried and json.loads(carried["decided"]) == value:
        was = next(
            (stored.revisions[revision] for revision in seen if revision in stored.revisions), None
        )
        shown = tuple(_as_stored(item, stored.revisions[revision]) for revision in carried_ids)
        return ReviewResult(
            item, CARRIED, arithmetic, by, reviews, value, before_review(item, was), shown
        )
    if newer := _newer(item, after, seen, carried_ids, stored):
        return ReviewResult(item, CHANGED, newer, by, reviews, value, reviewed_question, after)
    return ReviewResult(item, READY, arithmetic, by, reviews, value, reviewed_question, after)


def _as_stored(item: Item, revision: Question) -> Reviewed:
    question = before_review(item, revision)
    assert question is not None, "a revision is a question"
    return question


def _decided(
    task: Task,
    item: Item,
    answers: Sequence[dict[str, Any]],
    reviews: Sequence[dict[str, Any]],
    signed: Sequence[dict[str, Any]],
) -> tuple[str, str, tuple[tuple[int, str], ...], dict[str, Any] | None]:
    """State, words, whose decision it is, and its value; None where nothing is to be carried."""
    kind = tasks.kind(task.kind)
    decision = kind.decide(list(reviews), task.settings)
    by = tuple((row["by"], str(row["name"])) for row in signed or answers)
    if signed:
        outcome, value = OUTCOMES[signed[0]["outcome"]], signed[0]["value"]
        if len(signed) < signed[0]["signatures"]:
            return UNDECIDED, f"signed by {len(signed)} of {signed[0]['signatures']}", by, None
        if value is None:
            return SETTLED, outcome, by, None
        decided = kind.decide([json.loads(value)], task.settings)
        return READY, f"authors: {outcome}", by, decided.value
    places = task.overlap if item.overlap is None else item.overlap
    if not item.settled and len(answers) < places:
        return UNDECIDED, f"{len(answers)} of {places} answers", by, None
    if decision.status != "decided":
        return UNDECIDED, f"{decision.words}: settle it under Disagreements", by, None
    return READY, decision.words, by, decision.value


def _newer(
    item: Item,
    after: Sequence[Reviewed],
    seen: set[int | None],
    carried_ids: Sequence[int],
    stored: _Stored,
) -> str:
    """Why carrying it over would overwrite what somebody did since; '' if it would not."""
    for question in after:
        newest = stored.newest.get(question.uid)
        if (
            newest is None
            or newest.revision_id in carried_ids
            or before_review(item, newest) == question
        ):
            continue
        if item.question_id is None or seen != {newest.revision_id}:
            revision = newest.revision
            return f"{question.uid} was changed after it was reviewed: revision {revision} now"
    return ""
