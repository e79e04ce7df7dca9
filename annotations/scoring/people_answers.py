"""People's answers to questions with options, as they were stored: columns that only grow."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sqlite_utils import Database

from core.statistics.metric import Floats
from core.statistics.ratings import Bools, Ints
from db.tally import tally

NO_CHOICE = -1
UNKNOWN = "unknown condition"

# Which comes first: people, then what each gave, or the answers, then who gave each.
_BY_PEOPLE = """annotator p CROSS JOIN annotation a ON a.annotator_id = p.id
  CROSS JOIN item i ON i.id = a.item_id"""
_BY_ANSWERS = """annotation a CROSS JOIN annotator p ON p.id = a.annotator_id
  CROSS JOIN item i ON i.id = a.item_id"""
_ANSWERS = """
  SELECT a.id, a.item_id, a.annotator_id, a.question_revision_id, a.active_s,
         a.skip_reason IS NOT NULL, a.counted,
         json_extract(a.response, '$.choice'), json_extract(a.shown, '$.condition')
  FROM {tables}
  WHERE a.id > ? AND a.question_revision_id IS NOT NULL AND p.kind = 'person' AND i.role = 'work'
    AND json_type(a.shown, '$.option_order') = 'array'
  ORDER BY a.id
"""
# Looking up a person's answers one by one takes half as long again as going through them all.
_LOOKED_UP = 1.5
_SHARES = """
  SELECT coalesce(sum(t.count) FILTER (WHERE p.kind = 'person'), 0), coalesce(sum(t.count), 0)
  FROM tally t JOIN annotator p ON p.id = t.id WHERE t.what = 'answers'
"""


@dataclass(frozen=True, eq=False)
class PeopleAnswers:
    """Answers and skips of people, every revision, oldest first; columns are (answers,) arrays.

    Attributes:
        choice: index of the option; `NO_CHOICE` for a skip.
        condition: index into `conditions`.
        counted: whether the answer counts for the decision.
        counted_version: how often that had changed of any answer when this was read.
    """

    annotation_id: Ints
    item_id: Ints
    annotator_id: Ints
    revision_id: Ints
    active_s: Floats
    skipped: Bools
    counted: Bools
    choice: Ints
    condition: Ints
    conditions: tuple[str, ...]
    counted_version: int


def no_answers(counted_version: int = 0) -> PeopleAnswers:
    """Nothing read yet."""
    none = np.empty(0, dtype=np.int64)
    never = np.empty(0, dtype=np.bool_)
    return PeopleAnswers(none, none, none, none, np.empty(0), never, never, none, none, (),
                         counted_version)  # fmt: skip


def people_answers(database: Database, earlier: PeopleAnswers) -> PeopleAnswers:
    """All stored answers; only those that are not among the earlier ones are read.

    Whether an answer counts may change later: then all are read again.
    """
    counted_version = tally(database, "counted")
    if earlier.counted_version != counted_version:
        earlier = no_answers(counted_version)
    newest = int(earlier.annotation_id[-1]) if len(earlier.annotation_id) else -1
    tables = _BY_ANSWERS
    if newest < 0 and people_are_few(database):
        tables = _BY_PEOPLE
    rows = database.conn.execute(_ANSWERS.format(tables=tables), [newest]).fetchall()
    return _with(earlier, rows) if rows else earlier


def people_are_few(database: Database) -> bool:
    """Whether looking up each person's answers is quicker than going through everybody's."""
    people, everybody = database.conn.execute(_SHARES).fetchone()
    return _LOOKED_UP * people < everybody


def _with(earlier: PeopleAnswers, rows: Sequence[Sequence[Any]]) -> PeopleAnswers:
    number, item, annotator, revision, active, skipped, counted, choice, condition = zip(
        *rows, strict=True
    )
    code = {name: code_number for code_number, name in enumerate(earlier.conditions)}
    for name in condition:
        code.setdefault(str(name or UNKNOWN), len(code))

    def longer(column: Ints, new: Sequence[int]) -> Ints:
        return np.concatenate([column, np.array(new, dtype=np.int64)])

    return replace(
        earlier,
        annotation_id=longer(earlier.annotation_id, number),
        item_id=longer(earlier.item_id, item),
        annotator_id=longer(earlier.annotator_id, annotator),
        revision_id=longer(earlier.revision_id, revision),
        active_s=np.concatenate([earlier.active_s, np.array(active, dtype=np.float64)]),
        skipped=np.concatenate([earlier.skipped, np.array(skipped, dtype=np.bool_)]),
        counted=np.concatenate([earlier.counted, np.array(counted, dtype=np.bool_)]),
        choice=longer(
            earlier.choice, [index if type(index) is int else NO_CHOICE for index in choice]
        ),
        condition=longer(earlier.condition, [code[str(name or UNKNOWN)] for name in condition]),
        conditions=tuple(code),
    )
