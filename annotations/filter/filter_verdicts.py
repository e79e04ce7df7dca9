"""What a filter answered, as columns; what comes is added to what was read before."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.filter_kind import FilterKind
from annotations.scoring.columns import newest_rows
from core.statistics.metric import Floats
from core.statistics.ratings import Ints
from core.statistics.threshold import ACCEPTED, REJECTED, UNJUDGED
from core.stored_json import stored_json

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


def read_verdicts(
    database: Database, run_id: int, kind: FilterKind, earlier: Verdicts = NO_VERDICTS
) -> Verdicts:
    """All answers of a run; only those newer than what was read before are read."""
    rows = database.conn.execute(_VERDICTS, [run_id, earlier.newest]).fetchall()
    if not rows:
        return earlier
    number, item, score, confidence, response = zip(*rows, strict=True)
    accepted, reasons = _said(kind, response)
    scores = [
        _score(response_score, sure) for response_score, sure in zip(score, confidence, strict=True)
    ]  # fmt: skip
    every = np.concatenate([earlier.item_id, np.array(item, dtype=np.int64)])
    newest = newest_rows(every)
    newest = newest[np.argsort(every[newest], kind="stable")]
    verdict = np.concatenate([earlier.verdict, accepted])
    all_reasons = earlier.reasons + reasons
    return Verdicts(
        int(number[-1]),
        every[newest],
        verdict[newest],
        np.concatenate([earlier.score, np.array(scores, dtype=np.float64)])[newest],
        tuple(map(all_reasons.__getitem__, newest.tolist())),
    )


def _said(kind: FilterKind, responses: Sequence[str]) -> tuple[Ints, tuple[Reasons, ...]]:
    """Codes of the verdicts, and the reasons of those that reject; equal reasons are one object."""
    values: list[dict[str, Any]] = stored_json(f"[{','.join(responses)}]")
    passed = [kind.passes(response) for response in values]
    known: dict[tuple[str, ...], Reasons] = {}
    reasons = tuple(
        NONE_GIVEN
        if accepted is not False
        else known.setdefault(listed := kind.reasons_given(response), frozenset(listed))
        for response, accepted in zip(values, passed, strict=True)
    )
    codes = {True: ACCEPTED, False: REJECTED, None: UNJUDGED}
    return np.array([codes[accepted] for accepted in passed], dtype=np.int64), reasons


def _score(score: float | None, confidence: str | None) -> float:
    """What the model gave; else how probable it held that the item is accepted."""
    if score is not None:
        return float(score)
    scores: dict[str, float] = json.loads(confidence) if confidence else {}
    return float(scores.get("accept", np.nan))
