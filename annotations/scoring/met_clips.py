"""Who had met a clip before: by choosing an option and by answering in words alike."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.condition import shown_first
from annotations.scoring.population import seen_before
from core.statistics.coding import coded
from core.statistics.ratings import Bools, Ints

_ANY_TASK = """
  SELECT 1 FROM task WHERE kind = 'human_evaluation'
    AND coalesce(json_extract(settings, '$.free_text'), 0) = ? LIMIT 1
"""
_MEETINGS = """
  SELECT a.id, a.annotator_id, r.clip_id, coalesce(json_extract(a.shown, '$.condition'), '')
  FROM task t JOIN item i ON i.task_id = t.id JOIN current_annotation a ON a.item_id = i.id
  JOIN annotator p ON p.id = a.annotator_id
  JOIN question_revision r ON r.id = a.question_revision_id
  WHERE t.kind = 'human_evaluation' AND p.kind = 'person' AND i.role = 'work'
    AND coalesce(json_extract(t.settings, '$.free_text'), 0) = ?
    AND (? IS NULL OR a.annotator_id IN (SELECT value FROM json_each(?)))
  ORDER BY a.id
"""


@dataclass(frozen=True, eq=False)
class Meetings:
    """Which person met which clip, one meeting a row; columns are (meetings,) arrays.

    Attributes:
        answer: ids of the answers, which tell which came first.
        person: ids.
        clip: ids of the clips that were shown.
        shown: the condition of each.
    """

    answer: Ints
    person: Ints
    clip: Ints
    shown: tuple[str, ...]


def meetings(
    database: Database, *, in_words: bool, people: Collection[int] | None = None
) -> Meetings:
    """Where people met clips in tasks of human evaluation, skips included.

    Args:
        database: in a read transaction.
        in_words: of tasks in which answers are written, or of those that show options.
        people: ids, to read theirs alone; None for everybody.
    """
    ids = None if people is None else json.dumps(sorted(people))
    rows: list[Any] = []
    if database.conn.execute(_ANY_TASK, [int(in_words)]).fetchone():  # else all answers are read
        rows = database.conn.execute(_MEETINGS, [int(in_words), ids, ids]).fetchall()
    answer, person, clip = (_ints(row[at] for row in rows) for at in range(3))
    return Meetings(answer, person, clip, tuple(row[3] for row in rows))


def met_before(own: Meetings, elsewhere: Meetings) -> Bools:
    """Which of one kind of answers are of people who had met the clip under a richer condition.

    Args:
        own: the answers asked about.
        elsewhere: further meetings of the same people.
    """
    count = len(own.answer)
    shown = (*own.shown, *elsewhere.shown)
    ranks = {name: rank for rank, name in enumerate(sorted(set(shown), key=shown_first))}
    answer = np.concatenate([own.answer, elsewhere.answer])
    order = np.argsort(answer, kind="stable")
    people, clips = (
        coded(column)[0][order]
        for column in (
            np.concatenate([own.person, elsewhere.person]),
            np.concatenate([own.clip, elsewhere.clip]),
        )
    )
    met = np.zeros(len(order), dtype=np.bool_)
    met[order] = seen_before(people, clips, _ints(ranks[name] for name in shown)[order])
    return met[:count]


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), dtype=np.int64)
