"""Questions as they are stored: a text with options about a clip, in revisions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlite_utils import Database

from core.refusal import Missing
from db.connection import first_row, rows

# One look into the index for each category, instead of reading every question.
_CATEGORIES = """
  WITH RECURSIVE named (category) AS (
    SELECT min(category) FROM question_revision WHERE category > ''
    UNION ALL
    SELECT (SELECT min(category) FROM question_revision WHERE category > named.category)
    FROM named WHERE named.category IS NOT NULL
  )
  SELECT category FROM named WHERE EXISTS (
    SELECT 1 FROM question_revision r WHERE r.category = named.category AND r.revision =
      (SELECT max(revision) FROM question_revision x WHERE x.question_id = r.question_id))
  ORDER BY category
"""


@dataclass(frozen=True, kw_only=True)
class Question:
    """One revision of a question.

    Attributes:
        question_id: the question; `revision_id` is the row of this revision.
        uid: unique in the workspace, such as 'count/17'.
        revision: 1, 2, ...
        key: 0-based index into options; None if unlabelled.
        tags: free facts, such as {"flags": [...]}.
        origin: 'import' or 'here'.
        reference: what answers are held against where there is no one key: 'answers', those that
            are accepted, and 'points', which a good answer makes; {} where there is a key. Of a
            question with options the accepted ones are those that are right.
    """

    question_id: int
    revision_id: int
    uid: str
    source: str
    revision: int
    clip_id: int
    text: str
    options: tuple[str, ...]
    key: int | None
    category: str
    tags: dict[str, Any]
    note: str
    origin: str
    reference: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    @property
    def right_options(self) -> tuple[int, ...]:
        """Indices of the right options, ascending; () where no key is known."""
        if self.key is not None:
            return (self.key,)
        return accepted_options(self.options, self.reference)

    @property
    def asks_several(self) -> bool:
        """Whether any number of options may be chosen: some are accepted in place of a key."""
        return self.key is None and bool(self.right_options)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Question":
        """The question of a row of `current_question`, or of a revision with uid and source."""
        return cls(
            **{name: row[name] for name in _PLAIN},
            revision_id=row["id"],
            options=tuple(json.loads(row["options"])),
            tags=json.loads(row["tags"]),
            reference=json.loads(row["reference"]),
        )


def accepted_options(
    options: Sequence[str], reference: Mapping[str, Sequence[str]]
) -> tuple[int, ...]:
    """Indices of the options that are accepted answers, ascending; () for free answers."""
    accepted = reference.get("answers", ()) if len(options) > 1 else ()
    return tuple(index for index, option in enumerate(options) if option in accepted)


_PLAIN = (
    "question_id", "uid", "source", "revision", "clip_id", "text", "key", "category", "note",
    "origin",
)  # fmt: skip


def current_question(database: Database, question_id: int) -> Question | None:
    """A question as it stands; None if there is none of this id."""
    row = first_row(database, "SELECT * FROM current_question WHERE question_id = ?", [question_id])
    return None if row is None else Question.from_row(row)


def question_named(database: Database, uid: str) -> Question:
    """A question as it stands, by the id that its file gave it.

    Raises:
        LookupError: if there is none.
    """
    row = first_row(database, "SELECT * FROM current_question WHERE uid = ?", [uid])
    if row is None:
        raise Missing(f"There is no question {uid!r}.")
    return Question.from_row(row)


def question_of_item(database: Database, item_id: int) -> Question | None:
    """The question that an item is about, as it stands; None if it is about none."""
    row = first_row(
        database,
        "SELECT q.* FROM current_question q JOIN item i ON i.question_id = q.question_id"
        " WHERE i.id = ?",
        [item_id],
    )
    return None if row is None else Question.from_row(row)


def question_in_revision(database: Database, revision_id: int | None) -> Question | None:
    """A question as one revision has it; None if there is no such revision."""
    row = first_row(
        database,
        "SELECT r.*, q.uid, q.source FROM question_revision r JOIN question q"
        " ON q.id = r.question_id WHERE r.id = ?",
        [revision_id],
    )
    return None if row is None else Question.from_row(row)


def revisions_of(database: Database, question_id: int) -> list[Question]:
    """A question as each of its revisions has it, the newest first."""
    revisions = rows(
        database,
        "SELECT r.*, q.uid, q.source FROM question_revision r JOIN question q"
        " ON q.id = r.question_id WHERE r.question_id = ? ORDER BY r.revision DESC",
        [question_id],
    )
    return [Question.from_row(row) for row in revisions]


def questions_in_revisions(
    database: Database, revision_ids: Iterable[int | None]
) -> dict[int, Question]:
    """Questions as some revisions have them, by the id of the revision."""
    revisions = rows(
        database,
        "SELECT r.*, q.uid, q.source FROM question_revision r JOIN question q"
        " ON q.id = r.question_id WHERE r.id IN (SELECT value FROM json_each(?))",
        [json.dumps(sorted({number for number in revision_ids if number is not None}))],
    )
    return {row["id"]: Question.from_row(row) for row in revisions}


def categories(database: Database) -> list[str]:
    """Every category of a current question, by name; questions without one are left out."""
    return [str(row[0]) for row in database.conn.execute(_CATEGORIES)]


def has_questions(database: Database) -> bool:
    """Whether there is any question."""
    return database.conn.execute("SELECT 1 FROM question LIMIT 1").fetchone() is not None
