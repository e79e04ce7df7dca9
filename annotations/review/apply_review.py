"""Carrying decided reviews over into the questions: new revisions, signed by who decided them."""

import json
from dataclasses import dataclass, replace
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering.item_events import note_event
from annotations.answering.progress import open_task
from annotations.people import Person, now_text
from annotations.planning.task_store import ensure_tasks
from annotations.question.questions import ask_again, retire
from annotations.question.reasking import Effect, Wording, change_between, effect_of
from annotations.record.question import Question
from annotations.record.task import Task
from annotations.review.question_changes import DISCARDED, Reviewed, store_questions
from annotations.review.review_results import CHANGED, READY, ReviewResult, review_results
from annotations.task_parts import MakesQuestions
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row

OUT = "its question was discarded in a review"


@dataclass(frozen=True)
class Carried:
    """What carrying over did.

    Attributes:
        changed: questions that got another revision.
        created: questions that are new.
        discarded: questions, and rows, that are not to be used.
        same: questions that stay as they were.
        changed_since: names of questions that changed after their review; they are left alone.
        grown: items that tasks got of the new questions.
    """

    changed: int = 0
    created: int = 0
    discarded: int = 0
    same: int = 0
    changed_since: tuple[str, ...] = ()
    grown: int = 0

    @property
    def words(self) -> str:
        """What was done, in a sentence for a person."""
        parts = [
            f"{count:,} {what}"
            for count, what in (
                (self.changed, "changed"),
                (self.created, "made"),
                (self.discarded, "discarded"),
                (self.same, "as before"),
            )
            if count
        ]
        total = self.changed + self.created + self.discarded + self.same
        carried = f"{_questions(total)} carried over: {', '.join(parts)}" if parts else ""
        untouched = f"{_questions(len(self.changed_since))} changed since the review and left alone"
        return (
            "; ".join(filter(None, (carried, untouched if self.changed_since else "")))
            or "nothing to carry over"
        )


@dataclass(frozen=True)
class Foreseen:
    """What carrying over would do to what people answered, before it is done.

    Attributes:
        effect: of the changed questions.
        leave: counted answers to questions that are discarded, which leave every figure.
    """

    effect: Effect
    leave: int = 0

    @property
    def words(self) -> str:
        """The effect for an author, such as '40 answers stay, 12 are asked again'."""
        if not self.leave:
            return self.effect.words
        verb = "are to questions that are" if self.leave != 1 else "is to a question that is"
        discarded = (
            f"{self.leave:,} {verb} discarded, and {'leave' if self.leave != 1 else 'leaves'}"
        )
        parts = [] if self.effect == Effect() else [self.effect.words]
        return "; ".join([*parts, f"{discarded} every figure"])


def foreseen(workspace: Workspace, task_id: int) -> Foreseen:
    """What carrying over the decided reviews of a task would do to people's answers.

    Raises:
        LookupError: if there is no such task.
        ValueError: if it is none that makes questions.
    """
    task = _task(workspace, task_id)
    total = Foreseen(Effect())
    with workspace.store.read() as database:
        for result in review_results(database, task):
            if result.state != READY:
                continue
            for question in result.after:
                stored = first_row(
                    database,
                    "SELECT q.* FROM question x JOIN current_question q ON q.question_id = x.id"
                    " WHERE x.uid = ?",
                    [question.uid],
                )
                if stored is not None:
                    own = len(result.reviews) if result.item.question_id else 0
                    current = Question.from_row(stored)
                    total = _with_effect(database, total, current, question, own)
    return total


def _with_effect(
    database: Database, total: Foreseen, current: Question, after: Reviewed, own: int
) -> Foreseen:
    """The effect with that of one more question, its `own` reviews not among the answers."""
    if DISCARDED in after.tags:
        gone = effect_of(database, current.question_id, "nothing")
        return replace(total, leave=total.leave + gone.stay - own)
    change = change_between(
        Wording(current.clip_id, current.text, current.options, current.key),
        Wording(current.clip_id, after.text, after.options, after.key),
    )
    if change == "nothing":
        return total
    effect = effect_of(database, current.question_id, change)
    return replace(total, effect=total.effect + replace(effect, stay=effect.stay - own))


def makes_questions(kind: str) -> bool:
    """Whether the decisions of a task kind are carried over into questions."""
    module = tasks.kind(kind)
    return isinstance(module, MakesQuestions) and module.MAKES_QUESTIONS


def results(workspace: Workspace, task_id: int) -> list[ReviewResult]:
    """What the reviews of a task have come to, in the order of import.

    Raises:
        LookupError: if there is no such task.
        ValueError: if it is none that makes questions.
    """
    task = _task(workspace, task_id)
    with workspace.store.read() as database:
        return review_results(database, task)


def carry_over(workspace: Workspace, task_id: int, author: Person | None) -> Carried:
    """Every decided review of a task becomes its question; doing it again changes nothing.

    A question gets another revision, with the names of those who decided; one to be discarded is
    tagged so and withdrawn from all tasks but the review. What was answered before keeps what it
    was shown. A question that was changed after its review stays as it is.

    Args:
        author: who does it; None on the command line.

    Raises:
        LookupError: if there is no such task.
        ValueError: if it is none that makes questions, or for somebody who is no author.
    """
    if author is not None and not author.is_author:
        raise Refusal(f"{author.name} is no author; only authors change questions.")
    task = _task(workspace, task_id)
    counts = Carried()
    with workspace.store.write() as database:
        results = review_results(database, task)
        for result in results:
            if result.state == READY:
                counts = _carry(database, result, author, counts)
    counts = replace(
        counts, changed_since=tuple(result.name for result in results if result.state == CHANGED)
    )
    return (
        replace(counts, grown=sum(ensure_tasks(workspace).values())) if counts.created else counts
    )


def _task(workspace: Workspace, task_id: int) -> Task:
    task = open_task(workspace, task_id)
    if not makes_questions(task.kind):
        allowed = ", ".join(
            tasks.kind(kind).LABEL for kind in tasks.kinds() if makes_questions(kind)
        )
        raise Refusal(
            f"{task.name} is a task of the kind {tasks.kind(task.kind).LABEL}. Allowed: {allowed}."
        )
    return task


def _carry(
    database: Database, result: ReviewResult, author: Person | None, counts: Carried
) -> Carried:
    """The counts with one more decision carried over."""
    earlier = {question.uid: _question(database, question.uid) for question in result.after}
    stored = store_questions(database, result.item, result.after)
    for question, (revision, is_new) in zip(result.after, stored, strict=True):
        _keep_asking(database, result, author, earlier[question.uid])
        if is_new:
            database.conn.executemany(
                "INSERT INTO revision_signature (question_revision_id, annotator_id) VALUES (?, ?)",
                [[revision, who] for who, _ in result.by],
            )
    revisions = [revision for revision, _ in stored]
    database.conn.execute(
        "INSERT INTO carried_review (item_id, decided, revisions, author_id, at)"
        " VALUES (?, ?, ?, ?, ?)",
        [
            result.item.id, json.dumps(result.value, ensure_ascii=False),
            json.dumps(revisions), author.id if author else None, now_text(),
        ],
    )  # fmt: skip
    names = " and ".join(name for _, name in result.by)
    note_event(
        database, result.item.id, author, "carried over", f"{result.words}; decided by {names}"
    )
    if result.discarded:
        return replace(counts, discarded=counts.discarded + 1)
    new = sum(question is None for question in earlier.values())
    changed = sum(is_new for _, is_new in stored) - new
    same = len(stored) - new - changed
    return replace(
        counts,
        created=counts.created + new,
        changed=counts.changed + changed,
        same=counts.same + same,
    )


def _keep_asking(
    database: Database,
    result: ReviewResult,
    author: Person | None,
    earlier: dict[str, Any] | None,
) -> None:
    """Withdraw a discarded question from other tasks; ask one again that is no more discarded."""
    if earlier is None:
        return
    if result.discarded and earlier["retired_at"] is None:
        retire(database, earlier["id"], author, OUT, but=result.item.id)
    elif not result.discarded and DISCARDED in json.loads(earlier["tags"]):
        ask_again(database, earlier["id"], author, OUT)


def _question(database: Database, uid: str) -> dict[str, Any] | None:
    return first_row(
        database,
        "SELECT x.id, x.retired_at, q.tags FROM question x JOIN current_question q"
        " ON q.question_id = x.id WHERE x.uid = ?",
        [uid],
    )


def _questions(count: int) -> str:
    return f"{count:,} question{'s'[: count != 1]}"
