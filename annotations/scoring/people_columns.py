"""Stored answers as columns: who answered which question under which condition, and was it right.

An answer belongs here when its annotator was offered the options of a question, whatever the task:
what was shown has an option order. The table is kept until the data change, and of what has come
since only the new is read.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

from annotations.scoring.people_answers import PeopleAnswers, no_answers, people_answers
from annotations.video.families import FAMILY
from annotations.workspace import Workspace
from core.statistics.metric import Floats

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

SCORED, SKIPPED, WITHDRAWN, ASIDE, EXTRA, UNLABELLED = range(6)
LEFT_OUT = {
    SKIPPED: "skipped",
    WITHDRAWN: "on withdrawn items",
    ASIDE: "of people whose work is put aside",
    EXTRA: "extra, beyond the overlap",
    UNLABELLED: "on questions without a key",
}

_REVISIONS = f"""
  SELECT r.id, r.question_id, r.revision, r.options, r.key, r.category, r.tags, r.clip_id,
         v.status, {FAMILY} AS video
  FROM question_revision r JOIN clip c ON c.id = r.clip_id JOIN video v ON v.id = c.video_id
  ORDER BY r.id
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


@dataclass(frozen=True)
class Question:
    """What scoring needs of one revision of a question.

    Attributes:
        key: index of the right option; None when unlabelled.
        category: of the question's current revision, as are the tags.
        video: content hash that stands for it and its edits, which are one cluster; or a stand-in
            where the file was never found.
        usable: whether that video can be shown.
    """

    question_id: int
    options: int
    key: int | None
    category: str
    tags: dict[str, str]
    video: str
    usable: bool


@dataclass(frozen=True, eq=False)
class Answers:
    """Current answers and skips of people, one a row, oldest first; columns are (answers,) arrays.

    Attributes:
        version: `data_version` when it was read.
        state: SCORED, or why the answer is left out.
        right: whether the choice is the key; False where not scored.
        condition: index into `conditions`.
        person: index into `people`.
        question: index into `questions`; `question_id` is the same over revisions.
        video: number of the question's video.
        active_s: time spent, corrections included, s.
        current: the questions of the workspace as they are now, in the order of import.
        memo: tables computed from this state.
    """

    version: Version
    state: Ints
    right: Bools
    condition: Ints
    person: Ints
    question: Ints
    question_id: Ints
    video: Ints
    active_s: Floats
    conditions: tuple[str, ...]
    people: tuple[str, ...]
    questions: tuple[Question, ...]
    current: tuple[Question, ...]
    memo: dict[object, Any] = field(default_factory=dict[object, Any])


_stored: dict[Path, PeopleAnswers] = {}
_kept: dict[Path, Answers] = {}
_lock = Lock()


def data_version(workspace: Workspace) -> Version:
    """A value that differs once answers of people, questions, items, videos or people have changed.

    Cheap enough to ask every second: the database counts the changes itself.
    """
    with workspace.store.read() as database:
        return version_in(database)


def answers(workspace: Workspace) -> Answers:
    """The answers as they are stored now; read again only when `data_version` has changed."""
    with _lock:
        path = workspace.store.path
        kept = _kept.get(path)
        with workspace.store.read() as database:
            version = version_in(database)
            if kept is None or kept.version != version:
                stored = _stored[path] = people_answers(database, _stored.get(path) or no_answers())
                kept = _kept[path] = _table(database, version, stored)
                for oldest in list(_kept)[:-4]:
                    del _kept[oldest], _stored[oldest]
        return kept


def version_in(database: Database) -> Version:
    """`data_version` in the state of the data that an open transaction sees."""
    return tuple(database.conn.execute(_VERSION).fetchone())


def _table(database: Database, version: Version, stored: PeopleAnswers) -> Answers:
    questions, place_of, current = _questions(database)
    annotators = database.conn.execute(
        "SELECT id, name, aside_at IS NOT NULL FROM annotator ORDER BY name"
    ).fetchall()
    people, name_code = _codes([row[1] for row in annotators])
    aside = _ints(row[0] for row in annotators if row[2])
    withdrawn = _ints(
        row[0] for row in database.conn.execute("SELECT id FROM item WHERE status = 'withdrawn'")
    )
    newest, total_s = _last_and_total(stored.item_id, stored.annotator_id, stored.active_s)
    question = place_of(stored.revision_id[newest])
    keys = _ints(-1 if revised.key is None else revised.key for revised in questions)
    key = keys[question]
    conditions, condition_code = _codes(stored.conditions, _task_conditions(database))
    annotator = stored.annotator_id[newest]
    state = np.select(
        [stored.skipped[newest], np.isin(stored.item_id[newest], withdrawn),
         np.isin(annotator, aside), ~stored.counted[newest], key < 0],
        [SKIPPED, WITHDRAWN, ASIDE, EXTRA, UNLABELLED],
        SCORED,
    ).astype(np.int64)  # fmt: skip
    ids = _ints(row[0] for row in annotators)
    by_id = np.argsort(ids)
    _, video = _codes([revised.video for revised in questions])
    return Answers(
        version=version,
        state=state,
        right=(stored.choice[newest] == key) & (state == SCORED),
        condition=condition_code[stored.condition[newest]],
        person=name_code[by_id[np.searchsorted(ids[by_id], annotator)]],
        question=question,
        question_id=_ints(revised.question_id for revised in questions)[question],
        video=video[question],
        active_s=total_s,
        conditions=conditions,
        people=people,
        questions=questions,
        current=current,
    )


def _questions(
    database: Database,
) -> tuple[tuple[Question, ...], Callable[[Ints], Ints], tuple[Question, ...]]:
    """Every revision as it is scored, where revisions stand by their ids, and the current ones.

    An answer is scored by the current key, so that a corrected key moves the metrics, unless the
    options or the clip were others when it was given: then by the key of the revision answered.
    """
    stored = database.conn.execute(_REVISIONS).fetchall()
    newest: dict[int, Any] = {}
    for row in stored:
        if row["revision"] >= newest.get(row["question_id"], row)["revision"]:
            newest[row["question_id"]] = row
    questions: list[Question] = []
    current: list[Question] = []
    for row in stored:
        newest_row = newest[row["question_id"]]
        same = newest_row["options"] == row["options"] and newest_row["clip_id"] == row["clip_id"]
        question = Question(
            question_id=row["question_id"],
            options=len(json.loads(row["options"])),
            key=(newest_row if same else row)["key"],
            category=newest_row["category"] or "no category",
            tags=_tags(newest_row["tags"]),
            video=row["video"],
            usable=row["status"] == "usable",
        )
        questions.append(question)
        if newest_row is row:
            current.append(question)
    ids = _ints(row["id"] for row in stored)
    return tuple(questions), lambda wanted: np.searchsorted(ids, wanted), tuple(current)


def _tags(text: str) -> dict[str, str]:
    """Tags as text: a flag reads yes or no, a list its parts."""
    texts: dict[str, str] = {}
    for name, tag in cast("dict[str, Any]", json.loads(text)).items():
        match tag:
            case bool():
                texts[name] = "yes" if tag else "no"
            case list():
                texts[name] = ", ".join(map(str, cast("list[object]", tag)))
            case None | "":
                pass
            case _:
                texts[name] = str(tag)
    return texts


def _task_conditions(database: Database) -> list[str]:
    """Conditions under which people answer or have answered, in the order of the tasks."""
    rows = database.conn.execute(
        "SELECT json_extract(t.settings, '$.condition') FROM task t"
        " JOIN item i ON i.task_id = t.id GROUP BY t.id"
        " HAVING t.status <> 'closed' OR sum(i.answers) > 0 ORDER BY t.id"
    )
    return [row[0] for row in rows if row[0]]


def _last_and_total(item: Ints, annotator: Ints, active_s: Floats) -> tuple[Ints, Floats]:
    """Where each annotator's newest revision of each item stands, and the time of all revisions."""
    if not len(item):
        return item, active_s
    pair = item * (annotator.max() + 1) + annotator
    _, newest_backwards, code = np.unique(pair[::-1], return_index=True, return_inverse=True)
    newest = len(item) - 1 - newest_backwards
    total = np.bincount(code, weights=active_s[::-1]).astype(np.float64)
    order = np.argsort(newest)
    return newest[order], total[order]


def _codes(texts: Iterable[str], leading: Iterable[str] = ()) -> tuple[tuple[str, ...], Ints]:
    """Distinct texts, those of `first` leading, and the place of each text among them."""
    seen: dict[str, int] = {}
    for text in leading:
        seen.setdefault(text, len(seen))
    codes = _ints(seen.setdefault(text, len(seen)) for text in texts)
    return tuple(seen), codes


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), dtype=np.int64)
