"""Scores that a judge model gave to a model's free-form answers (K9-Bench: five, from 0 to 10)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlite_utils import Database

from annotations.prediction_format import PredictionDraft
from annotations.workspace import Workspace
from db.connection import rows

UNNAMED = "judge"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one judge gave to one answer.

    Attributes:
        judge: name of the judge model.
        scores: by name, 0 to 10.
        words: why, as the judge says; '' if it does not.
    """

    judge: str
    scores: Mapping[str, float]
    words: str = ""


def judgement_of(draft: PredictionDraft) -> Judgement | None:
    """What a file says that a judge gave; None if it says nothing."""
    return Judgement(draft.judge or UNNAMED, dict(draft.judged)) if draft.judged else None


def store_judgements(
    workspace: Workspace, run_id: int, judged: Iterable[tuple[int, Judgement]]
) -> int:
    """How many judgements of current answers of a run, by item, were new or others than before."""
    with workspace.store.write() as database:
        current = {
            row[0]: row[1]
            for row in database.conn.execute(
                "SELECT a.item_id, a.id FROM prediction p JOIN current_annotation a"
                " ON a.id = p.annotation_id WHERE p.run_id = ?",
                [run_id],
            )
        }
        changes_so_far = database.conn.total_changes
        database.conn.executemany(
            "INSERT INTO judgement (annotation_id, judge, scores, words) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET scores = excluded.scores, words = excluded.words"
            " WHERE scores <> excluded.scores OR words <> excluded.words",
            [
                [
                    current[item],
                    judgement.judge,
                    json.dumps(dict(judgement.scores), sort_keys=True),
                    judgement.words,
                ]
                for item, judgement in judged
                if item in current
            ],
        )
        return database.conn.total_changes - changes_so_far


def judgements(database: Database, run_id: int) -> dict[int, list[Judgement]]:
    """What judges gave to the current answers of a run, by annotation id."""
    found: dict[int, list[Judgement]] = {}
    for row in rows(
        database,
        "SELECT j.* FROM judgement j JOIN current_annotation a ON a.id = j.annotation_id"
        " JOIN prediction p ON p.annotation_id = a.id WHERE p.run_id = ?"
        " ORDER BY j.annotation_id, j.judge",
        [run_id],
    ):
        judgement = Judgement(row["judge"], json.loads(row["scores"]), row["words"])
        found.setdefault(row["annotation_id"], []).append(judgement)
    return found
