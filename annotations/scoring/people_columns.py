"""Stored answers as columns: who answered which question under which condition, and was it right.

An answer belongs here when its annotator was offered the options of a question, whatever the task:
what was shown has an option order. The table is kept until the data change, and of what has come
since only the new is read (`annotations/scoring/snapshot.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

from annotations.condition import shown_first
from annotations.scoring.columns import Columns, Source, extended, newest_and_totals
from annotations.scoring.condition_lines import condition_lines
from annotations.scoring.met_clips import Meetings, meetings, met_before
from annotations.scoring.population import SCORED, SEEN, WHOLE_SET, seen_before, states
from annotations.scoring.scored_questions import (
    SETS,
    Question,
    is_right_set,
    scored_questions,
    set_number,
)
from core.statistics.metric import Floats
from db.tally import tally

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

NO_CHOICE = -1
# Answers beside the options that an author can switch on; they are wrong, and reported.
OTHER_ANSWERS = {-2: "none of these is right", -3: "cannot tell"}
UNKNOWN = "unknown condition"

# Which comes first: people, then what each answered, or the answers, then who gave each.
_BY_PEOPLE = """annotator p CROSS JOIN annotation a ON a.annotator_id = p.id
  CROSS JOIN item i ON i.id = a.item_id"""
_BY_ANSWERS = """annotation a CROSS JOIN annotator p ON p.id = a.annotator_id
  CROSS JOIN item i ON i.id = a.item_id"""
_ANSWERS = """
  SELECT a.id, a.item_id, i.task_id, a.annotator_id, a.question_revision_id, a.active_s,
         a.skip_reason IS NOT NULL AS skipped, a.counted,
         CASE json_extract(a.response, '$.choice') WHEN 'none_right' THEN -2
           WHEN 'cannot_tell' THEN -3 ELSE CASE json_type(a.response, '$.choice')
             WHEN 'integer' THEN json_extract(a.response, '$.choice')
             WHEN 'array' THEN -{sets} -
               (SELECT coalesce(sum(1 << value), 0) FROM json_each(a.response, '$.choice'))
             ELSE -1 END END AS choice,
         coalesce(json_extract(a.shown, '$.condition'), '') AS condition
  FROM {tables}
  WHERE a.id > ? AND a.id <= ? AND a.question_revision_id IS NOT NULL AND p.kind = 'person'
    AND i.role = 'work' AND json_type(a.shown, '$.option_order') = 'array'
"""
_INTS = (
    "id", "item_id", "task_id", "annotator_id", "question_revision_id", "skipped", "counted",
    "choice",
)  # fmt: skip
_SOURCES = tuple(
    Source(_ANSWERS.format(tables=tables, sets=SETS), _INTS, ("active_s",), ("condition",))
    for tables in (_BY_ANSWERS, _BY_PEOPLE)
)
# Looking up a person's answers one by one takes half as long again as going through them all.
_LOOKED_UP = 1.5
_SHARES = """
  SELECT coalesce(sum(t.count) FILTER (WHERE p.kind = 'person'), 0), coalesce(sum(t.count), 0)
  FROM tally t JOIN annotator p ON p.id = t.id WHERE t.what = 'answers'
"""

# What models answer in their runs changes nothing for people.
_VERSION = """
  SELECT (SELECT max(id) FROM question_revision),
    (SELECT sum(count) FROM tally
     WHERE what IN ('items', 'videos', 'tasks', 'annotators', 'counted')),
    (SELECT sum(count) FROM tally
     WHERE what = 'answers' AND id NOT IN (SELECT annotator_id FROM run))
"""

Version = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Answers:
    """Current answers and skips of people, one a row, oldest first; columns are (answers,) arrays.

    Attributes:
        version: what `version_in` said when it was read.
        annotation_id: of the answer's annotation.
        state: SCORED, or why the answer is left out.
        right: whether the choice is the key; False where not scored.
        exact: whether it is the very set of right options; False where that is not what is asked.
        condition: index into `conditions`, the lines on which answers are counted.
        person: index into `people`.
        question: index into `questions`; `question_id` is the same over revisions.
        video: number of the question's video.
        active_s: time spent, corrections included, s.
        choice: index of the option; below 0 for another answer, see `OTHER_ANSWERS` and `SETS`.
        seen: whether the person had met the clip under a richer condition before.
        shown: what each of `conditions` shows; two tasks under one condition are two lines, the
            first named after the condition, the other after its task too.
        line_of_task: index into `conditions` by the id of a task that has scored answers.
        current: the questions of the workspace as they are now, in the order of import.
        memo: tables computed from this state.
    """

    version: Version
    annotation_id: Ints
    state: Ints
    right: Bools
    exact: Bools
    condition: Ints
    person: Ints
    question: Ints
    question_id: Ints
    video: Ints
    active_s: Floats
    seen: Bools
    choice: Ints
    conditions: tuple[str, ...]
    shown: tuple[str, ...]
    line_of_task: dict[int, int]
    people: tuple[str, ...]
    questions: tuple[Question, ...]
    current: tuple[Question, ...]
    memo: dict[object, Any] = field(default_factory=dict[object, Any])


def version_in(database: Database) -> Version:
    """A value that differs once people's answers, questions, items, videos or people have changed.

    Cheap enough to ask every second: the database counts the changes itself.
    """
    return tuple(database.conn.execute(_VERSION).fetchone())


def people_are_few(database: Database) -> bool:
    """Whether looking up each person's answers is quicker than going through everybody's."""
    people, everybody = database.conn.execute(_SHARES).fetchone()
    return _LOOKED_UP * people < everybody


def read_answers(database: Database, earlier: Columns | None) -> Columns:
    """Every stored answer of people; only those that are not among the earlier ones are read.

    Whether an answer counts may change later: then all are read again.
    """
    newest = database.conn.execute("SELECT coalesce(max(id), 0) FROM annotation").fetchone()[0]
    source = _SOURCES[(earlier is None or not len(earlier)) and people_are_few(database)]
    return extended(database, source, earlier, int(newest), tally(database, "counted"))


def answers_table(
    database: Database, version: Version, stored: Columns, *, leave_out_seen: bool = False
) -> Answers:
    """The current answers of people, scored in the state that a transaction sees.

    Args:
        leave_out_seen: whether answers of people who had met the clip under a richer condition
            before are left out; else they count and are told apart by `seen`.
    """
    questions, place_of, current = scored_questions(database)
    annotators = database.conn.execute("SELECT id, name FROM annotator ORDER BY name").fetchall()
    people, name_code = _codes([row[1] for row in annotators])
    newest, total_s = newest_and_totals(
        stored.floats("active_s"), stored.ints("item_id"), stored.ints("annotator_id")
    )

    def column(name: str) -> Ints:
        return stored.ints(name)[newest]

    question = place_of(column("question_revision_id"))
    key = _ints(-1 if revised.key is None else revised.key for revised in questions)[question]
    right_set = _ints(set_number(revised.right) for revised in questions)[question]
    asks_set = right_set != set_number(())
    annotator = column("annotator_id")
    state = states(
        database,
        column("item_id"),
        annotator,
        column("question_revision_id"),
        column("skipped") > 0,
        column("counted") > 0,
        (key >= 0) | asks_set,
    )
    names = [name or UNKNOWN for name in stored.texts["condition"]]
    lines = condition_lines(database, names, column("condition"), column("task_id"), state)
    clip = _ints(revised.clip_id for revised in questions)[question]
    elsewhere = meetings(database, in_words=True)
    if len(elsewhere.answer):
        line_of: list[int] = lines.line.tolist()
        shown = tuple(lines.shown[line] for line in line_of)
        seen = met_before(Meetings(column("id"), annotator, clip, shown), elsewhere)
    else:
        seen = seen_before(annotator, clip, _ranks(lines.shown)[lines.line])
    if leave_out_seen:
        state = np.where(seen & (state == SCORED), SEEN, state)
    state = np.where(asks_set & (state == SCORED), WHOLE_SET, state)
    ids = _ints(row[0] for row in annotators)
    by_id = np.argsort(ids)
    _, video = _codes([revised.video for revised in questions])
    return Answers(
        version=version,
        annotation_id=column("id"),
        state=state,
        right=(column("choice") == key) & (state == SCORED),
        exact=is_right_set(column("choice"), right_set) & (state == WHOLE_SET),
        condition=lines.line,
        seen=seen,
        person=name_code[by_id[np.searchsorted(ids[by_id], annotator)]],
        question=question,
        question_id=_ints(revised.question_id for revised in questions)[question],
        video=video[question],
        active_s=total_s,
        choice=column("choice"),
        conditions=lines.names,
        shown=lines.shown,
        line_of_task=lines.of_task,
        people=people,
        questions=questions,
        current=current,
    )


def _ranks(shown: tuple[str, ...]) -> Ints:
    """The place of each condition among them by how much it shows, the least first."""
    ordered = sorted(set(shown), key=shown_first)
    return _ints(ordered.index(name) for name in shown)


def _codes(texts: Iterable[str]) -> tuple[tuple[str, ...], Ints]:
    """Distinct texts, and the place of each text among them."""
    seen: dict[str, int] = {}
    codes = _ints(seen.setdefault(text, len(seen)) for text in texts)
    return tuple(seen), codes


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), dtype=np.int64)
