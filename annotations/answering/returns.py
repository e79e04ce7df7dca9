"""What goes back and forth between annotators and authors: returned answers, skipped items."""

from dataclasses import dataclass

from sqlite_utils import Database

from annotations.answering.item_events import note_event
from annotations.people import Person, now_text
from annotations.record.task import WAITING
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import rows

LONGEST_REMARK = 2000
OPENED_AGAIN = "opened again"
NO_COMMENT = "An author has looked at this item and opened it again. Please try once more."


@dataclass(frozen=True)
class SkippedItem:
    """An item that somebody has skipped.

    Attributes:
        skips: people whose newest word on it is a skip.
        answers: counted current ones.
        reasons: who skipped it and why, such as 'Ada: too dark'.
    """

    id: int
    uid: str
    skips: int
    answers: int
    reasons: tuple[str, ...]


def return_answer(workspace: Workspace, author: Person, annotation_id: int, text: str) -> None:
    """Give an answer back to whoever gave it, with a comment; done when they answer again.

    Raises:
        LookupError: if there is no such annotation.
        ValueError: if a newer revision has replaced it, it is a model's, or the comment is empty
            or too long.
    """
    text = _checked(text)
    with workspace.store.write() as database:
        answers = rows(
            database,
            "SELECT a.item_id, p.kind, p.name, a.id = (SELECT c.id FROM current_annotation c"
            " WHERE c.item_id = a.item_id AND c.annotator_id = a.annotator_id) AS newest"
            " FROM annotation a JOIN annotator p ON p.id = a.annotator_id WHERE a.id = ?",
            [annotation_id],
        )
        if not answers:
            raise Missing(f"There is no annotation {annotation_id}.")
        if not answers[0]["newest"]:
            raise Refusal(f"{answers[0]['name']} has corrected this answer since. Look again.")
        if answers[0]["kind"] != "person":
            raise Refusal(f"{answers[0]['name']} is a model; answers go back to people only.")
        _remark(database, author, [annotation_id], text)


def open_remarks(database: Database, task_id: int, person: Person) -> dict[int, str]:
    """Comments on a person's newest answers in a task, by item; several as paragraphs."""
    remarks: dict[int, str] = {}
    for row in database.conn.execute(
        "SELECT a.item_id, r.text FROM remark r JOIN current_annotation a ON a.id = r.annotation_id"
        " JOIN item i ON i.id = a.item_id WHERE i.task_id = ? AND a.annotator_id = ? ORDER BY r.id",
        [task_id, person.id],
    ):
        earlier = remarks.get(row["item_id"])
        remarks[row["item_id"]] = f"{earlier}\n\n{row['text']}" if earlier else row["text"]
    return remarks


def waiting_items(workspace: Workspace, task_id: int) -> list[SkippedItem]:
    """Items that were skipped too often, and wait for an author."""
    return _skipped(workspace, task_id, WAITING)


def skipped_items(workspace: Workspace, task_id: int) -> list[SkippedItem]:
    """Items that somebody has skipped and others may still get."""
    return _skipped(workspace, task_id, f"i.skips > 0 AND i.role = 'work' AND NOT ({WAITING})")


def _skipped(workspace: Workspace, task_id: int, condition: str) -> list[SkippedItem]:
    with workspace.store.read() as database:
        items = rows(
            database,
            "SELECT i.id, i.uid, i.skips, i.answers FROM item i JOIN task t ON t.id = i.task_id"
            f" WHERE i.task_id = ? AND {condition} ORDER BY i.priority DESC, i.position",
            [task_id],
        )
        return [SkippedItem(**item, reasons=_reasons(database, item["id"])) for item in items]


def _reasons(database: Database, item_id: int) -> tuple[str, ...]:
    return tuple(
        f"{row['name']}: {row['skip_reason']}"
        for row in database.conn.execute(
            "SELECT p.name, a.skip_reason FROM current_annotation a"
            " JOIN annotator p ON p.id = a.annotator_id"
            " WHERE a.item_id = ? AND a.skip_reason IS NOT NULL ORDER BY a.id",
            [item_id],
        )
    )


def open_again(
    workspace: Workspace, author: Person | None, item_ids: list[int], comment: str = ""
) -> None:
    """Hand items out again: also to those who skipped them, who see the comment."""
    text = _checked(comment or NO_COMMENT)
    with workspace.store.write() as database:
        for item_id in item_ids:
            database.conn.execute(
                "UPDATE item SET skips = 0, status = 'open' WHERE id = ?", [item_id]
            )
            note_event(database, item_id, author, OPENED_AGAIN, comment)
            if author is not None:
                skips = database.conn.execute(
                    "SELECT id FROM current_annotation WHERE item_id = ?"
                    " AND skip_reason IS NOT NULL",
                    [item_id],
                ).fetchall()
                _remark(database, author, [row[0] for row in skips], text)


def withdraw(workspace: Workspace, author: Person | None, item_ids: list[int], reason: str) -> None:
    """Take items out of their task: not handed out, not in its metrics; answers are kept.

    Raises:
        ValueError: without a reason.
    """
    text = _checked(reason)
    with workspace.store.write() as database:
        for item_id in item_ids:
            database.conn.execute("UPDATE item SET status = 'withdrawn' WHERE id = ?", [item_id])
            note_event(database, item_id, author, "withdrawn", text)


def current_skips(database: Database, item_id: int) -> int:
    """How many people's newest word on an item is a skip, since it was last opened again."""
    return int(
        database.conn.execute(
            "SELECT count(*) FROM current_annotation WHERE item_id = :item"
            " AND skip_reason IS NOT NULL AND stored_at > coalesce((SELECT max(at)"
            " FROM item_event WHERE item_id = :item AND action = :opened), 0)",
            {"item": item_id, "opened": OPENED_AGAIN},
        ).fetchone()[0]
    )


def _remark(database: Database, author: Person, annotations: list[int], text: str) -> None:
    database.conn.executemany(
        "INSERT INTO remark (annotation_id, author_id, text, created_at) VALUES (?, ?, ?, ?)",
        [[annotation, author.id, text, now_text()] for annotation in annotations],
    )


def _checked(text: str) -> str:
    text = text.strip()
    if not text or len(text) > LONGEST_REMARK:
        raise Refusal(
            f"A comment has 1 to {LONGEST_REMARK} characters; got {len(text)}. Say it in words."
        )
    return text
