"""Stored predictions as columns: which run chose what for which question, and was it right.

Predictions are the current answers of runs to questions with options. The table is read with one
query and kept until the data change, of what changes only the new is read; scoring follows the same
rules as for people.
"""

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.run.runs import Run, runs_in
from annotations.scoring.people_columns import Answers, Bools, Ints, Question, answers, version_in
from annotations.workspace import Workspace

STATES = ("read", "unread", "refused", "several", "empty")
READ, UNREAD, REFUSED, SEVERAL, EMPTY = range(len(STATES))
NO_CHOICE = -1

_PREDICTIONS = """
  SELECT a.id, p.run_id, a.item_id, a.question_revision_id,
         coalesce(json_extract(a.response, '$.choice'), -1), p.state
  FROM prediction p JOIN annotation a ON a.id = p.annotation_id
  WHERE p.annotation_id > ? AND a.question_revision_id IS NOT NULL
    AND json_type(a.response, '$.choice') IS NOT NULL
  ORDER BY a.id
"""
_VERSION = """
  SELECT (SELECT max(annotation_id) FROM prediction),
    (SELECT count FROM tally WHERE what = 'runs')
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


@dataclass(frozen=True, eq=False)
class _Stored:
    """Every prediction as it was stored, which never changes: (predictions,) arrays."""

    annotation_id: Ints
    run_id: Ints
    item_id: Ints
    revision_id: Ints
    choice: Ints
    state: Ints


_EMPTY = _Stored(*(np.empty(0, dtype=np.int64) for _ in _Stored.__dataclass_fields__))
_stored: dict[Path, tuple[int, _Stored]] = {}  # with the newest prediction that was looked at
_kept: dict[Path, tuple[tuple[object, ...], Predictions]] = {}
_lock = Lock()


def predictions(workspace: Workspace) -> Predictions:
    """The predictions as they are stored now; read again only when the data have changed.

    Answers of runs to other things than questions, such as those of a filter, change nothing.
    """
    path = workspace.store.path
    while True:
        people = answers(workspace)
        with _lock, workspace.store.read() as database:
            if version_in(database) != people.version:
                continue
            newest, runs = database.conn.execute(_VERSION).fetchone()
            seen = (people.version, newest, runs)
            kept = _kept.get(path)
            if kept is not None and kept[0] == seen:
                return kept[1]
            looked_at, earlier = _stored.get(path, (-1, _EMPTY))
            stored = _read(database, earlier, looked_at)
            _stored[path] = -1 if newest is None else newest, stored
            of_questions = int(stored.annotation_id[-1]) if len(stored.annotation_id) else 0
            version = (people.version, of_questions, runs)
            table = kept[1] if kept is not None and kept[1].version == version else None
            if table is None:
                table = _table(version, tuple(runs_in(database)), database, people, stored)
            _kept[path] = seen, table
            for oldest in list(_kept)[:-4]:
                del _kept[oldest], _stored[oldest]
            return table


def _read(database: Database, earlier: _Stored, looked_at: int) -> _Stored:
    """All stored predictions; only those that came after the one looked at last are read."""
    rows = database.conn.execute(_PREDICTIONS, [looked_at]).fetchall()
    if not rows:
        return earlier
    *numbers, choice, state = zip(*rows, strict=True)
    chosen = [index if type(index) is int and index >= 0 else NO_CHOICE for index in choice]
    columns = [*numbers, chosen, list(map(STATES.index, state))]
    return _Stored(
        *(
            np.concatenate([getattr(earlier, name), np.array(column, dtype=np.int64)])
            for name, column in zip(_Stored.__dataclass_fields__, columns, strict=True)
        )
    )


def _column(database: Database, sql: str) -> Ints:
    return np.array([row[0] for row in database.conn.execute(sql)], dtype=np.int64)


def _table(
    version: tuple[object, ...],
    runs: tuple[Run, ...],
    database: Database,
    people: Answers,
    stored: _Stored,
) -> Predictions:
    newest = _last(stored.run_id, stored.item_id)
    revisions = _column(database, "SELECT id FROM question_revision ORDER BY id")
    question = np.searchsorted(revisions, stored.revision_id[newest])
    keys = np.array([-1 if q.key is None else q.key for q in people.questions], dtype=np.int64)
    ids = np.array([q.question_id for q in people.questions], dtype=np.int64)
    withdrawn = _column(database, "SELECT id FROM item WHERE status = 'withdrawn'")
    item, choice = stored.item_id[newest], stored.choice[newest]
    scored = ~np.isin(item, withdrawn) & (keys[question] >= 0)
    videos: dict[str, int] = {}
    for revised in people.questions:
        videos.setdefault(revised.video, len(videos))
    video = np.array([videos[q.video] for q in people.questions], dtype=np.int64)
    run_ids = np.array([run.id for run in runs], dtype=np.int64)
    return Predictions(
        version=version,
        runs=runs,
        annotation_id=stored.annotation_id[newest],
        run=np.searchsorted(run_ids, stored.run_id[newest]),
        item_id=item,
        question=question,
        question_id=ids[question],
        video=video[question],
        choice=choice,
        state=stored.state[newest],
        scored=scored,
        right=scored & (choice == keys[question]),
        people=people,
    )


def _last(run: Ints, item: Ints) -> Ints:
    """Places of each run's newest answer to each item, ascending."""
    if not len(item):
        return item
    pair = run * (item.max() + 1) + item
    _, newest_backwards = np.unique(pair[::-1], return_index=True)
    return np.sort(len(item) - 1 - newest_backwards)
