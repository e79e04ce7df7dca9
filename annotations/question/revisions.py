"""Writing a question's next revision and its clip: the one place that does, whoever changes it."""

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlite_utils import Database

from annotations.people import Person, now_text
from annotations.question.reasking import Wording, change_between, follow_change
from annotations.record.question import Question
from db.connection import first_row

Origin = Literal["import", "here"]
_NO_REFERENCE: dict[str, list[str]] = {}


@dataclass(frozen=True, kw_only=True)
class NewRevision:
    """What a question is to say from now on.

    Attributes:
        options: texts.
        key: index of the right option; None without one.
        tags: by name.
        reference: what free answers are held against; None leaves it as it is, and a question with
            a key has none.
    """

    clip_id: int
    text: str
    options: tuple[str, ...]
    key: int | None
    category: str = ""
    tags: dict[str, Any] = field(default_factory=dict[str, Any])
    note: str = ""
    reference: dict[str, list[str]] | None = None

    @classmethod
    def of(cls, question: Question) -> "NewRevision":
        """What a question says now."""
        return cls(
            clip_id=question.clip_id, text=question.text, options=question.options,
            key=question.key, category=question.category, tags=question.tags, note=question.note,
            reference=question.reference,
        )  # fmt: skip


def add_revision(
    database: Database,
    question_id: int,
    values: NewRevision,
    origin: Origin,
    *,
    instead_of: int | None = None,
    passing: bool = False,
    ask_again: bool | None = None,
    author: Person | None = None,
) -> tuple[int, int]:
    """Id and number of a question's new revision, which is current from now on.

    What it does to work in hand and to answers says `annotations/question/reasking.py`.

    Args:
        values: what it says.
        origin: 'import' if this is what a file says; 'here' for all that people do in Rushes.
        instead_of: id of the revision that people were asked; None for the one before.
        passing: whether another revision follows at once, so that nobody is asked this one.
        ask_again: whether answers are asked for again; None leaves it to the rule.
        author: who changes it; None for an import or the command line.
    """
    asked = _revision(database, question_id, instead_of)
    reference = _NO_REFERENCE
    if values.key is None:
        stands = asked.reference if asked else None
        reference = dict((values.reference if values.reference is not None else stands) or {})
    row = database.conn.execute(
        "INSERT INTO question_revision (question_id, revision, clip_id, text, options, key,"
        " reference, category, tags, note, origin, created_at)"
        " SELECT ?, coalesce(max(revision), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
        " FROM question_revision WHERE question_id = ? RETURNING id, revision",
        [
            question_id,
            values.clip_id,
            values.text,
            json.dumps(values.options, ensure_ascii=False),
            values.key,
            json.dumps(reference, ensure_ascii=False, sort_keys=True),
            values.category,
            json.dumps(values.tags, ensure_ascii=False, sort_keys=True),
            values.note,
            origin,
            now_text(),
            question_id,
        ],
    ).fetchone()
    if asked is not None and not passing:
        wording = Wording(values.clip_id, values.text, values.options, values.key, reference)
        change = change_between(asked, wording)
        follow_change(database, question_id, int(row[0]), change, again=ask_again, author=author)
    return int(row[0]), int(row[1])


def _revision(database: Database, question_id: int, revision_id: int | None) -> Wording | None:
    """What a revision asks, the newest where none is named; None for a question without any."""
    row = first_row(
        database,
        "SELECT clip_id, text, options, key, reference FROM question_revision WHERE question_id = ?"
        " AND id = coalesce(?, id) ORDER BY revision DESC LIMIT 1",
        [question_id, revision_id],
    )
    if row is None:
        return None
    options, reference = tuple(json.loads(row["options"])), json.loads(row["reference"])
    return Wording(row["clip_id"], row["text"], options, row["key"], reference)


def clip_id(database: Database, video_id: int, start_s: float, end_s: float | None) -> int:
    """The id of a stretch of a video, made if it is not there; to the end where it is None."""
    span = [video_id, start_s, end_s]
    database.conn.execute(
        "INSERT INTO clip (video_id, start_s, end_s) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", span
    )
    clip = database.conn.execute(
        "SELECT id FROM clip WHERE video_id = ? AND start_s = ?"
        " AND coalesce(end_s, -1) = coalesce(?, -1)",
        span,
    )
    return int(clip.fetchone()[0])
