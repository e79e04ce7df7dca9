"""Carrying decided reviews over into the questions: new revisions, signed by who decided them."""

import json
from dataclasses import dataclass, replace
from typing import Any

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering.progress import open_task
from annotations.item_events import note_event
from annotations.people import Person, now_text
from annotations.planning.task_store import ensure_tasks
from annotations.question.questions import ask_again, retire
from annotations.review.question_changes import DISCARDED, store_questions
from annotations.review.review_results import CHANGED, READY, ReviewResult, review_results
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row

OUT = "its question was discarded in a review"


@dataclass(frozen=True)
class Carried:
    """What carrying over did.

    Attributes:
        changed: questions that got another revision.
        made: questions that are new.
        discarded: questions, and rows, that are not to be used.
        same: questions that stay as they were.
        left: names of questions that were changed after their review, and are not overwritten.
        grown: items that tasks got of the new questions.
    """

    changed: int = 0
    made: int = 0
    discarded: int = 0
    same: int = 0
    left: tuple[str, ...] = ()
    grown: int = 0

    @property
    def words(self) -> str:
        """What was done, in a sentence for a person."""
        parts = [
            f"{count:,} {what}"
            for count, what in (
                (self.changed, "changed"),
                (self.made, "made"),
                (self.discarded, "discarded"),
                (self.same, "as before"),
            )
            if count
        ]
        total = self.changed + self.made + self.discarded + self.same
        done = f"{_questions(total)} carried over: {', '.join(parts)}" if parts else ""
        left = f"{_questions(len(self.left))} changed since the review and left alone"
        return "; ".join(filter(None, (done, left if self.left else ""))) or "nothing to carry over"


def makes_questions(kind: str) -> bool:
    """Whether the decisions of a task kind are carried over into questions."""
    return bool(getattr(tasks.kind(kind), "MAKES_QUESTIONS", False))


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
    done = Carried()
    with workspace.store.write() as database:
        found = review_results(database, task)
        for result in found:
            if result.state == READY:
                done = _carry(database, result, author, done)
    done = replace(done, left=tuple(one.name for one in found if one.state == CHANGED))
    return replace(done, grown=sum(ensure_tasks(workspace).values())) if done.made else done


def _task(workspace: Workspace, task_id: int) -> dict[str, Any]:
    task = open_task(workspace, task_id)
    if not makes_questions(task["kind"]):
        allowed = ", ".join(tasks.kind(one).LABEL for one in tasks.kinds() if makes_questions(one))
        raise Refusal(
            f"{task['name']} is a task of the kind {tasks.kind(task['kind']).LABEL}. "
            f"Allowed: {allowed}."
        )
    return task


def _carry(
    database: Database, result: ReviewResult, author: Person | None, done: Carried
) -> Carried:
    """The counts with one more decision carried over."""
    before = {one.uid: _question(database, one.uid) for one in result.after}
    stored = store_questions(database, result.item, result.after)
    for one, (revision, is_new) in zip(result.after, stored, strict=True):
        _keep_asking(database, result, author, before[one.uid])
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
            result.item["id"], json.dumps(result.value, ensure_ascii=False),
            json.dumps(revisions), author.id if author else None, now_text(),
        ],
    )  # fmt: skip
    names = " and ".join(name for _, name in result.by)
    note_event(
        database, result.item["id"], author, "carried over", f"{result.words}; decided by {names}"
    )
    if result.discarded:
        return replace(done, discarded=done.discarded + 1)
    made = sum(one is None for one in before.values())
    changed = sum(is_new for _, is_new in stored) - made
    same = len(stored) - made - changed
    return replace(
        done, made=done.made + made, changed=done.changed + changed, same=done.same + same
    )


def _keep_asking(
    database: Database,
    result: ReviewResult,
    author: Person | None,
    before: dict[str, Any] | None,
) -> None:
    """Withdraw a discarded question from other tasks; ask one again that is no more discarded."""
    if before is None:
        return
    if result.discarded and before["retired_at"] is None:
        retire(database, before["id"], author, OUT, but=result.item["id"])
    elif not result.discarded and DISCARDED in json.loads(before["tags"]):
        ask_again(database, before["id"], author, OUT)


def _question(database: Database, uid: str) -> dict[str, Any] | None:
    return first_row(
        database,
        "SELECT x.id, x.retired_at, q.tags FROM question x JOIN current_question q"
        " ON q.question_id = x.id WHERE x.uid = ?",
        [uid],
    )


def _questions(count: int) -> str:
    return f"{count:,} question{'s'[: count != 1]}"
