"""Questions as answers to them are scored: every revision, by the key that counts for it now."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.question.question_values import tag_texts
from annotations.question.reasking import ASKED_AGAIN, Wording, change_between, spelled
from annotations.record.question import accepted_options
from annotations.video.families import FAMILY
from core.statistics.ratings import Bools, Ints

# A set of options is one number below all of these: -SETS - the sum of 2 to the power of each.
SETS = 16

_REVISIONS = f"""
  SELECT r.id, r.question_id, r.revision, r.text, r.options, r.key, r.category, r.tags, r.clip_id,
         r.reference, v.status, {FAMILY} AS video
  FROM question_revision r JOIN clip c ON c.id = r.clip_id JOIN video v ON v.id = c.video_id
  ORDER BY r.id
"""


@dataclass(frozen=True)
class Question:
    """What scoring needs of one revision of a question.

    Attributes:
        key: index of the right option; None when unlabelled.
        category: of the question's current revision, as are the tags.
        video: content hash that stands for it and its edits, which are one cluster; or a stand-in
            where the file was never found.
        usable: whether that video can be shown.
        earlier: whether the question has another wording, options or clip since.
        clip_id: of the revision's clip.
        right: places of the right options where several may be chosen; () where there is one key.
    """

    question_id: int
    options: int
    key: int | None
    category: str
    tags: dict[str, str]
    video: str
    usable: bool
    clip_id: int
    earlier: bool = False
    right: tuple[int, ...] = ()


def scored_questions(
    database: Database,
) -> tuple[tuple[Question, ...], Callable[[Ints], Ints], tuple[Question, ...]]:
    """Every revision as it is scored, where revisions stand by their ids, and the current ones.

    An answer is scored by the current key, so that a corrected key moves the metrics, unless the
    wording, the options or the clip were others when it was given: then by the key of the revision
    answered.
    """
    stored = [dict(row) for row in database.conn.execute(_REVISIONS)]
    newest: dict[int, Any] = {}
    for row in stored:
        if row["revision"] >= newest.get(row["question_id"], row)["revision"]:
            newest[row["question_id"]] = row
    questions: list[Question] = []
    current: list[Question] = []
    for row in stored:
        newest_row = newest[row["question_id"]]
        question = Question(
            question_id=row["question_id"],
            options=len(json.loads(row["options"])),
            key=row["key"] if newest_row is row else _key(row, newest_row),
            category=newest_row["category"] or "no category",
            tags=tag_texts(newest_row["tags"]),
            video=row["video"],
            usable=row["status"] == "usable",
            clip_id=row["clip_id"],
            earlier=any(row[name] != newest_row[name] for name in ("text", "options", "clip_id")),
            right=_right(row, newest_row),
        )
        questions.append(question)
        if newest_row is row:
            current.append(question)
    ids = _ints(row["id"] for row in stored)
    return tuple(questions), lambda wanted: np.searchsorted(ids, wanted), tuple(current)


def _key(row: Any, newest: Any) -> int | None:
    """By which key answers to a revision are scored now, as an index into its own options."""
    options, new_options = (tuple(json.loads(r["options"])) for r in (row, newest))
    if _asks_otherwise(row, newest):
        return row["key"]
    if newest["key"] is None:
        return None
    return [spelled(option) for option in options].index(spelled(new_options[newest["key"]]))


def _right(row: Any, newest: Any) -> tuple[int, ...]:
    """By which right options answers to a revision are scored now, as places in its own options."""
    if row["key"] is not None or row["reference"] == "{}":
        return ()
    options, new_options = (tuple(json.loads(r["options"])) for r in (row, newest))
    accepted = accepted_options(options, json.loads(row["reference"]))
    if not accepted or newest is row or newest["key"] is not None or _asks_otherwise(row, newest):
        return accepted
    still_right = accepted_options(new_options, json.loads(newest["reference"]))
    right = {spelled(new_options[index]) for index in still_right}
    return tuple(index for index, option in enumerate(options) if spelled(option) in right)


def _asks_otherwise(row: Any, newest: Any) -> bool:
    """Whether the newest revision has another wording, other options or another clip."""
    earlier, after = (
        Wording(r["clip_id"], r["text"], tuple(json.loads(r["options"])), None)
        for r in (row, newest)
    )
    return change_between(earlier, after) in ASKED_AGAIN


def set_number(options: Iterable[int]) -> int:
    """The number that stands for a set of options among choices."""
    return -SETS - sum(1 << index for index in options)


def is_right_set(choice: Ints, right: Ints) -> Bools:
    """Whether each choice, a set or one option alone, is the set of right options, (answers,)."""
    numbers = np.where((choice >= 0) & (choice < 62), -SETS - (1 << np.clip(choice, 0, 61)), choice)
    return numbers == right


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), dtype=np.int64)
