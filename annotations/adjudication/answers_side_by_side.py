"""What lies on the table when authors settle an item: its answers side by side, in plain words."""

import json
from dataclasses import dataclass, replace
from typing import Any

from annotations import task as tasks
from annotations.answering.response_words import asked_options, response_words
from annotations.decision import Decision
from annotations.record.item import Item, item_in
from annotations.record.question import Question, question_of_item
from annotations.record.shown import Shown
from annotations.record.stage import Content, Grid, Player, Stage
from annotations.record.task import Task, task_in
from annotations.task_parts import DecidesWindows, HasKey, HasWindows
from annotations.workspace import Workspace
from core.refusal import Missing
from core.statistics.segments import Window
from core.stored_json import stored_json
from db.connection import rows


@dataclass(frozen=True)
class ShownAnswer:
    """One annotator's current answer.

    Attributes:
        words: the answer for a person.
        shown: under which conditions it was given, for a person, in short.
        shown_in_full: the same with every frame.
    """

    id: int
    annotator: str
    response: dict[str, Any]
    words: str
    shown: str
    shown_in_full: str
    active_s: float


@dataclass(frozen=True)
class AnswersSideBySide:
    """An item with everything that authors look at.

    Attributes:
        content: what the first annotator was shown: stage and values.
        clip: the moving clip where they were shown still frames of it; else None.
        answers: in the order in which the annotators joined.
        question: its current revision; None if the item is about no question.
        key: the response of the stored key or right options, None if the question has none.
        others: responses that an author may choose as 'another answer', with their words; none
            where another answer is given with the task's own form.
        task: whose item it is.
        decision: what the answers conclude by the task's own rule, with its arithmetic.
        windows: when what was asked for happens by each answer, (start, end) in s; None for a kind
            that marks no segments.
        decided_windows: the same by the decision.
    """

    item: Item
    content: Content
    clip: Player | None
    answers: tuple[ShownAnswer, ...]
    question: Question | None
    key: dict[str, Any] | None
    others: tuple[tuple[dict[str, Any], str], ...]
    task: Task
    decision: Decision
    windows: tuple[tuple[Window, ...], ...] | None
    decided_windows: tuple[Window, ...]


def answers_side_by_side(workspace: Workspace, item_id: int) -> AnswersSideBySide:
    """An item and its counted current answers.

    Raises:
        LookupError: if there is no such item, or nobody has answered it.
    """
    with workspace.store.read() as database:
        item = item_in(database, item_id)
        task = task_in(database, item.task_id)
        stored = rows(
            database,
            "SELECT a.*, p.name, r.options FROM current_annotation a JOIN annotator p"
            " ON p.id = a.annotator_id LEFT JOIN question_revision r"
            " ON r.id = a.question_revision_id WHERE a.item_id = ? AND a.counted = 1"
            " AND a.skip_reason IS NULL ORDER BY a.annotator_id",
            [item_id],
        )
        question = question_of_item(database, item_id)
    if not stored:
        raise Missing(f"Item {item_id} has no answers to look at.")
    kind = tasks.kind(task.kind)
    shown = Shown.from_row(next((row for row in stored if row["lease_id"] is not None), stored[0]))
    content = kind.content(workspace, item, shown)
    frames = isinstance(content.stage, Grid)

    def say(response: dict[str, Any], of: Shown, options: tuple[str, ...]) -> str:
        return response_words(workspace, task.kind, item, of, response, options)

    answers = tuple(
        ShownAnswer(
            row["id"],
            row["name"],
            stored_json(row["response"]),
            say(stored_json(row["response"]), Shown.from_row(row), asked_options(row)),
            _how(json.loads(row["shown"]), frames=frames, limit=4),
            _how(json.loads(row["shown"]), frames=frames),
            row["active_s"],
        )
        for row in stored
    )
    key, others = None, list[dict[str, Any]]()
    if isinstance(kind, HasKey) and question is not None:
        key = kind.key_response(question) if question.right_options else None
        if not question.asks_several:
            keys = range(len(question.options))
            others = [kind.key_response(replace(question, key=index)) for index in keys]
    current = question.options if question is not None else ()
    named = tuple((response, say(response, shown, current)) for response in others)
    clip = _clip(content.stage, shown.facts)
    responses = [answer.response for answer in answers]
    decision = kind.decide(responses, task.settings)
    marks: object = kind
    windows = decided = None
    if isinstance(marks, HasWindows):
        windows = tuple(map(marks.windows, responses))
    if isinstance(marks, DecidesWindows) and decision.value is not None:
        decided = marks.decided_windows(decision.value)
    return AnswersSideBySide(
        item, content, clip, answers, question, key, named, task, decision, windows, decided or ()
    )


def _clip(stage: Stage | None, facts: dict[str, Any]) -> Player | None:
    if not isinstance(stage, Grid):
        return None
    return Player(stage.sha256, float(facts.get("start_s") or 0.0), facts.get("end_s"))


def _how(shown: dict[str, Any], *, frames: bool, limit: int | None = None) -> str:
    """The condition; the frames only where they were what was shown, not pictures beside a clip."""
    condition = str(shown.get("condition", ""))
    indices: list[int] = shown.get("frames") or [] if frames else []
    order: list[int] = shown.get("option_order") or []
    parts = [condition] if condition else []
    if indices:
        parts = [f"{condition or 'frames'}: {_listed(indices, limit)}"]
    if order:
        parts.append("options in the order " + " ".join(chr(65 + i) for i in order))
    return "; ".join(parts)


def _listed(frames: list[int], limit: int | None) -> str:
    if limit is None or len(frames) <= limit:
        return ", ".join(map(str, frames))
    return f"{', '.join(map(str, frames[: limit - 1]))} … {frames[-1]}"
