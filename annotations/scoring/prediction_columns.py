"""Stored predictions as columns: which run chose what for which question, and was it right.

Predictions are the current answers of runs to questions with options. The table is read with one
query and kept until the data change, of what changes only the new is read; scoring follows the same
rules as for people.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.run.runs import Run, runs_in
from annotations.scoring.columns import Columns, Source, extended, newest_rows
from annotations.scoring.people_columns import Answers, Bools, Ints
from annotations.scoring.scored_questions import Question
from db.tally import tally

STATES = ("read", "unread", "refused", "several", "empty")
READ, UNREAD, REFUSED, SEVERAL, EMPTY = range(len(STATES))

_SOURCE = Source(
    """
  SELECT a.id, p.run_id, a.item_id, a.question_revision_id,
         iif(json_type(a.response, '$.choice') = 'integer',
             max(json_extract(a.response, '$.choice'), -1), -1) AS choice, p.state
  FROM prediction p JOIN annotation a ON a.id = p.annotation_id
  WHERE p.annotation_id > ? AND p.annotation_id <= ? AND a.question_revision_id IS NOT NULL
    AND json_type(a.response, '$.choice') IS NOT NULL
""",
    ("id", "run_id", "item_id", "question_revision_id", "choice"),
    texts=("state",),
)


@dataclass(frozen=True, eq=False)
class Predictions:
    """Current predictions, one a row, oldest first; columns are (predictions,) arrays.

    Attributes:
        version: differs once predictions, questions or people's answers have changed.
        runs: every run; `run` is the index into it.
        annotation_id: of the prediction's annotation.
        item_id: of its item.
        question: index into `questions`; `question_id` is the same over revisions.
        video: number of the question's video, the same as in people's answers.
        choice: index of the chosen option; `NO_CHOICE` where none was read.
        state: index into `STATES`, how the reply was read.
        scored: whether it enters metrics: the question has a key and its item stands.
        right: whether the choice is the key; False where not scored.
        people: the answers of people, read at the same state of the data.
        memo: tables computed from this state.
    """

    version: tuple[object, ...]
    runs: tuple[Run, ...]
    annotation_id: Ints
    run: Ints
    item_id: Ints
    question: Ints
    question_id: Ints
    video: Ints
    choice: Ints
    state: Ints
    scored: Bools
    right: Bools
    people: Answers
    memo: dict[object, Any] = field(default_factory=dict[object, Any])

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every revision of every question, as it is scored."""
        return self.people.questions


def runs_counted(database: Database) -> int:
    """How often runs have changed."""
    return tally(database, "runs")


def read_predictions(database: Database, earlier: Columns | None) -> Columns:
    """Every stored prediction; only those that are not among the earlier ones are read."""
    newest = database.conn.execute("SELECT max(annotation_id) FROM prediction").fetchone()[0]
    return extended(database, _SOURCE, earlier, int(newest or 0))


def _column(database: Database, sql: str) -> Ints:
    return np.array([row[0] for row in database.conn.execute(sql)], dtype=np.int64)


def predictions_table(
    database: Database, version: tuple[object, ...], people: Answers, stored: Columns
) -> Predictions:
    """The current predictions, scored in the state that a transaction sees."""
    runs = tuple(runs_in(database))
    newest = newest_rows(stored.ints("run_id"), stored.ints("item_id"))
    revisions = _column(database, "SELECT id FROM question_revision ORDER BY id")
    question = np.searchsorted(revisions, stored.ints("question_revision_id")[newest])
    keys = np.array([-1 if q.key is None else q.key for q in people.questions], dtype=np.int64)
    ids = np.array([q.question_id for q in people.questions], dtype=np.int64)
    withdrawn = _column(database, "SELECT id FROM item WHERE status = 'withdrawn'")
    item, choice = stored.ints("item_id")[newest], stored.ints("choice")[newest]
    scored = ~np.isin(item, withdrawn) & (keys[question] >= 0)
    videos: dict[str, int] = {}
    for revised in people.questions:
        videos.setdefault(revised.video, len(videos))
    video = np.array([videos[q.video] for q in people.questions], dtype=np.int64)
    state_of = np.array([STATES.index(name) for name in stored.texts["state"]], dtype=np.int64)
    run_ids = np.array([run.id for run in runs], dtype=np.int64)
    return Predictions(
        version=version,
        runs=runs,
        annotation_id=stored.ints("id")[newest],
        run=np.searchsorted(run_ids, stored.ints("run_id")[newest]),
        item_id=item,
        question=question,
        question_id=ids[question],
        video=video[question],
        choice=choice,
        state=state_of[stored.ints("state")[newest]],
        scored=scored,
        right=scored & (choice == keys[question]),
        people=people,
    )
