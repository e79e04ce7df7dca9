"""Stored predictions as columns: which run chose what for which question, and was it right.

Predictions are the current answers of runs to questions with options. The table is read with one
query and kept until the data change; scoring follows the same rules as for people.
"""

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.runs import Run, runs_in
from annotations.scored import Answers, Bools, Ints, Question, answers, version_in
from annotations.workspace import Workspace

STATES = ("read", "unread", "refused", "several", "empty")
READ, UNREAD, REFUSED, SEVERAL, EMPTY = range(len(STATES))
NO_CHOICE = -1

_PREDICTIONS = """
  SELECT a.id, p.run_id, a.item_id, a.question_revision_id, i.status = 'withdrawn',
         coalesce(json_extract(a.response, '$.choice'), -1), p.state
  FROM prediction p JOIN annotation a ON a.id = p.annotation_id JOIN item i ON i.id = a.item_id
  WHERE a.question_revision_id IS NOT NULL AND json_type(a.response, '$.choice') IS NOT NULL
  ORDER BY a.id
"""
_VERSION = """
  SELECT (SELECT max(id) FROM run), (SELECT group_concat(facts, '') FROM run),
         (SELECT max(annotation_id) FROM prediction)
"""


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


_kept: dict[Path, Predictions] = {}
_lock = Lock()


def predictions(workspace: Workspace) -> Predictions:
    """The predictions as they are stored now; read again only when the data have changed."""
    while True:
        people = answers(workspace)
        with _lock, workspace.store.read() as database:
            if version_in(database) != people.version:
                continue
            version = (people.version, *database.conn.execute(_VERSION).fetchone())
            kept = _kept.get(workspace.store.path)
            if kept is None or kept.version != version:
                kept = _table(version, tuple(runs_in(database)), database, people)
                _kept[workspace.store.path] = kept
                for path in list(_kept)[:-4]:
                    del _kept[path]
            return kept


def _places(database: Database) -> dict[int, int]:
    """Where each revision of a question stands in `Answers.questions`."""
    found = database.conn.execute("SELECT id FROM question_revision ORDER BY id")
    return {row[0]: place for place, row in enumerate(found)}


def _table(
    version: tuple[object, ...],
    runs: tuple[Run, ...],
    database: Database,
    people: Answers,
) -> Predictions:
    stored = database.conn.execute(_PREDICTIONS).fetchall()
    places = _places(database)
    columns = list(zip(*stored, strict=True)) or [()] * 7
    annotation_id, run_id, item_id, revision, withdrawn, choice, state = columns
    run_at = {run.id: i for i, run in enumerate(runs)}
    run = np.array([run_at[one] for one in run_id], dtype=np.int64)
    items = np.array(item_id, dtype=np.int64)
    last = _last(run, items)
    question = np.array([places[one] for one in revision], dtype=np.int64)[last]
    keys = np.array([-1 if q.key is None else q.key for q in people.questions], dtype=np.int64)
    ids = np.array([q.question_id for q in people.questions], dtype=np.int64)
    chosen = np.array(
        [one if type(one) is int and one >= 0 else NO_CHOICE for one in choice], dtype=np.int64
    )[last]
    scored = ~np.array(withdrawn, dtype=np.bool_)[last] & (keys[question] >= 0)
    videos: dict[str, int] = {}
    for one in people.questions:
        videos.setdefault(one.video, len(videos))
    video = np.array([videos[q.video] for q in people.questions], dtype=np.int64)
    return Predictions(
        version=version,
        runs=runs,
        annotation_id=np.array(annotation_id, dtype=np.int64)[last],
        run=run[last],
        item_id=items[last],
        question=question,
        question_id=ids[question],
        video=video[question],
        choice=chosen,
        state=np.array([STATES.index(one) for one in state], dtype=np.int64)[last],
        scored=scored,
        right=scored & (chosen == keys[question]),
        people=people,
    )


def _last(run: Ints, item: Ints) -> Ints:
    """Places of each run's newest answer to each item, ascending."""
    if not len(item):
        return item
    pair = run * (item.max() + 1) + item
    _, newest_backwards = np.unique(pair[::-1], return_index=True)
    return np.sort(len(item) - 1 - newest_backwards)
