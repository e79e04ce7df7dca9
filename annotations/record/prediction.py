"""Predictions as they are stored: what a model replied, and how it was read."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from sqlite_utils import Database

from db.connection import first_row


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What stands behind a model's annotation.

    Attributes:
        annotation_id: the annotation.
        reply: raw; None where none came.
        state: how it was read: 'read', 'unread', 'refused', ...
        rule: by which it was read; `words` says why.
        confidence: probability of each answer by its name; None where not known.
        score: a number that the model gave.
        theirs: score by the harness that it came from, which is called `theirs_name`.
        theirs_read: what the harness read.
    """

    annotation_id: int
    run_id: int
    reply: str | None
    state: str
    rule: str
    words: str
    confidence: dict[str, float] | None
    score: float | None
    theirs: float | None
    theirs_name: str
    theirs_read: str

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Prediction":
        """The prediction of a row of the table."""
        confidence = None if row["confidence"] is None else json.loads(row["confidence"])
        return cls(**{name: row[name] for name in _PLAIN}, confidence=confidence)


_PLAIN = (
    "annotation_id", "run_id", "reply", "state", "rule", "words", "score", "theirs", "theirs_name",
    "theirs_read",
)  # fmt: skip


def add_predictions(database: Database, predictions: Iterable[Prediction]) -> None:
    """Store what stands behind annotations of a model."""
    database.conn.executemany(
        f"INSERT INTO prediction ({', '.join(_PLAIN)}, confidence)"
        f" VALUES ({', '.join('?' * (len(_PLAIN) + 1))})",
        map(_row, predictions),
    )


_values_of = attrgetter(*_PLAIN)


def _row(prediction: Prediction) -> tuple[object, ...]:
    confidence = None if prediction.confidence is None else json.dumps(prediction.confidence)
    return (*_values_of(prediction), confidence)


def prediction_of(database: Database, run_id: int, item_id: int) -> Prediction | None:
    """What stands behind a run's current answer to an item; None if it has none."""
    row = first_row(
        database,
        "SELECT p.* FROM prediction p JOIN current_annotation a ON a.id = p.annotation_id"
        " WHERE p.run_id = ? AND a.item_id = ?",
        [run_id, item_id],
    )
    return None if row is None else Prediction.from_row(row)


def run_failure(database: Database, run_id: int, item_id: int) -> str:
    """Why an item of a run gave no answer; '' if it did, or was not asked yet."""
    row = first_row(
        database,
        "SELECT reason FROM run_error WHERE run_id = ? AND item_id = ?",
        [run_id, item_id],
    )
    return "" if row is None else str(row["reason"])


def has_predictions(database: Database) -> bool:
    """Whether any model has answered."""
    return database.conn.execute("SELECT 1 FROM prediction LIMIT 1").fetchone() is not None
