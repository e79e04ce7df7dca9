"""What a filter answered, as columns; what comes is added to what was read before."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.filter_kind import FilterKind
from core.statistics.metric import Floats
from core.statistics.ratings import Ints
from core.statistics.threshold import ACCEPTED, REJECTED

Reasons = frozenset[str]
NONE_GIVEN: Reasons = frozenset()

_VERDICTS = """
  SELECT y.annotation_id, a.item_id, y.score, y.confidence, a.response
  FROM prediction y CROSS JOIN annotation a ON a.id = y.annotation_id
  WHERE y.run_id = ? AND y.annotation_id > ? ORDER BY y.annotation_id
"""


@dataclass(frozen=True, eq=False)
class Verdicts:
    """The newest answer of a run to each item that it has answered; columns are (answered,).

    Attributes:
        newest: id of the newest annotation among them; 0 for none.
        item_id: ascending.
        verdict: `ACCEPTED` or `REJECTED`.
        score: NaN where it gave none.
        reasons: of a rejection.
    """

    newest: int
    item_id: Ints
    verdict: Ints
    score: Floats
    reasons: tuple[Reasons, ...]


NO_VERDICTS = Verdicts(
    0, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0), ()
)  # fmt: skip


def verdicts_version(database: Database, run_id: int) -> int:
    """Id of the newest annotation of a run; 0 for none."""
    found = database.conn.execute(
        "SELECT max(annotation_id) FROM prediction WHERE run_id = ?", [run_id]
    ).fetchone()
    return int(found[0] or 0)


def read_verdicts(
    database: Database, run_id: int, kind: FilterKind, before: Verdicts = NO_VERDICTS
) -> Verdicts:
    """All answers of a run; only those newer than what was read before are read."""
    found = database.conn.execute(_VERDICTS, [run_id, before.newest]).fetchall()
    if not found:
        return before
    number, item, score, confidence, response = zip(*found, strict=True)
    accepted, reasons = _said(kind, response)
    scores = [
        _score(one, sure) for one, sure in zip(score, confidence, strict=True)
    ]  # fmt: skip
    every = np.concatenate([before.item_id, np.array(item, dtype=np.int64)])
    last = _last(every)
    verdict = np.concatenate([before.verdict, accepted])
    said = before.reasons + reasons
    return Verdicts(
        int(number[-1]),
        every[last],
        verdict[last],
        np.concatenate([before.score, np.array(scores, dtype=np.float64)])[last],
        tuple(map(said.__getitem__, last.tolist())),
    )


def _said(kind: FilterKind, responses: Sequence[str]) -> tuple[Ints, tuple[Reasons, ...]]:
    """Codes of the verdicts, and the reasons of those that reject; equal reasons are one object."""
    values: list[dict[str, Any]] = json.loads(f"[{','.join(responses)}]")
    passed = [kind.passes(one) for one in values]
    known: dict[tuple[str, ...], Reasons] = {}
    reasons = tuple(
        NONE_GIVEN
        if accepted
        else known.setdefault(given := kind.reasons_given(one), frozenset(given))
        for one, accepted in zip(values, passed, strict=True)
    )
    return np.where(np.array(passed, dtype=np.bool_), ACCEPTED, REJECTED).astype(np.int64), reasons


def _score(score: float | None, confidence: str | None) -> float:
    """What the model gave; else how probable it held that the item is accepted."""
    if score is not None:
        return float(score)
    given: dict[str, float] = json.loads(confidence) if confidence else {}
    return float(given.get("accept", np.nan))


def _last(item_id: Ints) -> Ints:
    """Where the last row of each item stands, in the order of the items."""
    _, backwards = np.unique(item_id[::-1], return_index=True)
    return len(item_id) - 1 - backwards
