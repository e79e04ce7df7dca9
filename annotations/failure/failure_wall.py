"""The wall of failures: each question once, with what was seen and what every run answered.

Only the questions that are shown are read from the database, and of each only what a small card
holds, so that a wall of forty is there at once among a hundred thousand predictions.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotations.answering.response_words import letter
from annotations.failure.failure_cards import by_question
from annotations.failure.failure_tags import Tags
from annotations.failure.telling import sees_nothing
from annotations.media import Media
from annotations.scoring.people_columns import NO_CHOICE, Ints
from annotations.scoring.population import SCORED
from annotations.scoring.prediction_columns import Predictions
from annotations.scoring.snapshot import Snapshot
from core.refusal import Refusal
from core.video.plans import uniform

MOST_FRAMES = 16
OF_A_CLIP = 4
MOST_WORDS = 220
_SHOWN = """
  SELECT a.id, a.shown, a.question_revision_id AS revision_id, r.question_id, r.text, r.options,
         q.uid, c.start_s, c.end_s, v.sha256, v.status
  FROM annotation a JOIN question_revision r ON r.id = a.question_revision_id
  JOIN question q ON q.id = r.question_id JOIN clip c ON c.id = r.clip_id
  JOIN video v ON v.id = c.video_id WHERE a.id IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True)
class Picture:
    """Frames that stand for what a model saw, at most `MOST_FRAMES`, in the order shown."""

    sha256: str
    frames: tuple[int, ...]


@dataclass(frozen=True)
class WallCard:
    """One question on the wall.

    Attributes:
        facts: as a browser takes them; `unseen` says why there is no picture, '' where there is.
        picture: None where the model saw no picture, or its video is not here.
    """

    facts: dict[str, Any]
    picture: Picture | None


def wall(
    snapshot: Snapshot, media: Media, table: Predictions, tags: Tags, indices: Sequence[int]
) -> list[WallCard]:
    """The cards of the questions of some predictions, one each, in their order.

    Letters are those of the question's own order of options, so that all runs can be compared
    whatever order each one saw.
    """
    ids = [int(table.annotation_id[index]) for index in indices]
    shown = {row["id"]: row for row in snapshot.rows(_SHOWN, [json.dumps(ids)])}
    versions = _versions(snapshot, table, [row["question_id"] for row in shown.values()])
    blind = sees_nothing(table)
    cards: list[WallCard] = []
    for index, number in zip(indices, ids, strict=True):
        row = shown[number]
        picture = None if blind[index] else _picture(media, row)
        unseen = "" if picture else _unseen(bool(blind[index]), row["status"])
        facts = _facts(table, tags, index, row, versions) | {"unseen": unseen}
        cards.append(WallCard(facts, picture))
    return cards


def _facts(
    table: Predictions, tags: Tags, index: int, row: dict[str, Any], versions: dict[int, str]
) -> dict[str, Any]:
    question = table.questions[int(table.question[index])]
    own = versions.get(int(table.question[index]))
    rows = by_question(table).rows(row["question_id"])
    right, asked = people_counts(table, row["question_id"])
    runs: list[int] = table.run[rows].tolist()
    return {
        "id": row["id"],
        "run": table.runs[int(table.run[index])].id,
        "right": bool(table.right[index]),
        "question": row["question_id"],
        "uid": row["uid"],
        "text": row["text"][:MOST_WORDS],
        "category": question.category,
        "key": None if question.key is None else letter(question.key),
        # Parts side by side: a wall of forty holds thousands of answers, and the browser waits.
        "answers": {
            "runs": [table.runs[run].id for run in runs],
            "letters": [
                _letter(choice, versions.get(revision) == own)
                for choice, revision in zip(
                    table.choice[rows].tolist(), table.question[rows].tolist(), strict=True
                )
            ],
            "right": table.right[rows].astype(np.int8).tolist(),
        },
        "people": [right, asked],
        "tags": sorted(tags.classes.get(row["id"], ())),
    }


def _letter(choice: int, same: bool) -> str:
    """The letter of an answer; '–' where none was read, '≠' where it had other options."""
    if choice == NO_CHOICE:
        return "–"
    return letter(choice) if same else "≠"


def people_counts(table: Predictions, question_id: int) -> tuple[int, int]:
    """How many of people's scored answers to a question are right, and how many there are."""
    if "people counts" not in table.memo:
        people = table.people
        scored = people.state == SCORED
        table.memo["people counts"] = (
            np.bincount(people.question_id[scored & people.right]),
            np.bincount(people.question_id[scored]),
        )
    counts: tuple[Ints, Ints] = table.memo["people counts"]
    right, asked = (int(of[question_id]) if question_id < len(of) else 0 for of in counts)
    return right, asked


def _versions(snapshot: Snapshot, table: Predictions, questions: Sequence[int]) -> dict[int, str]:
    """Options of each revision of some questions, by its place in the table's questions."""
    if "revision ids" not in table.memo:
        ids = snapshot.tuples("SELECT id FROM question_revision ORDER BY id")
        table.memo["revision ids"] = np.array([row[0] for row in ids], dtype=np.int64)
    known: Ints = table.memo["revision ids"]
    rows = snapshot.tuples(
        "SELECT id, options FROM question_revision"
        " WHERE question_id IN (SELECT value FROM json_each(?))",
        [json.dumps(list(questions))],
    )
    row_numbers: list[int] = np.searchsorted(known, [row[0] for row in rows]).tolist()
    return {row_number: row[1] for row_number, row in zip(row_numbers, rows, strict=True)}


def _unseen(blind: bool, status: str) -> str:
    """Why there is no picture: a model may well have seen a video that is not here."""
    if blind:
        return "no picture was seen"
    return "no frames of it here" if status == "usable" else f"the video is {status}"


def _picture(media: Media, row: dict[str, Any]) -> Picture | None:
    """The frames that the model saw, thinned out; else some of the clip."""
    shown: dict[str, Any] = json.loads(row["shown"])
    sha256 = shown.get("video") or row["sha256"]
    frames: tuple[int, ...] = tuple(shown.get("frames") or ())
    if not sha256 or row["status"] != "usable":
        return None
    if not frames:
        try:
            inside = media.frames_between(
                sha256, float(shown.get("start_s", row["start_s"]) or 0.0),
                shown.get("end_s", row["end_s"]),
            )  # fmt: skip
        except (Refusal, OSError, ValueError):
            return None
        frames = tuple(inside[position] for position in uniform(len(inside), OF_A_CLIP))
    elif len(frames) > MOST_FRAMES:
        frames = tuple(frames[position] for position in uniform(len(frames), MOST_FRAMES))
    return Picture(sha256, frames) if frames else None
