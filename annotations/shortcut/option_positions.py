"""Which option is chosen instead of which, by its position as it was shown: A, B, C, ...

Whoever prefers a letter chooses it more often than the key stands there. Both are counted over the
same answers, in the order of options that each annotator saw, so neither keys that stand unevenly
nor the order of the file makes a preference or hides one.

    for positions in option_positions(snapshot):
        positions.counts          # (key's position, chosen position)
        positions.shares[0]       # A: how often the key, how often chosen, the difference
"""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import scipy.stats  # pyright: ignore[reportMissingTypeStubs]

from annotations.scoring.columns import Columns, Source, extended
from annotations.scoring.human_accuracy import Resampled
from annotations.scoring.people_columns import OTHER_ANSWERS, Bools, Ints
from annotations.scoring.prediction_columns import STATES
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import (
    EVERY_QUESTION,
    Entry,
    Which,
    chosen_rows,
    solved_table,
)
from annotations.scoring.statistics import scored_rows
from core.metrics.accuracy import difference_with_bound
from core.statistics import bootstrap
from core.statistics.metric import Estimate, Floats

LAST = "last"
NO_POSITION = "without a stored position of choice or key"
CERTAIN = 0.05
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ORDERS = Source(
    """
  SELECT a.id, json_extract(a.shown, '$.option_order') AS option_order FROM annotation a
  WHERE a.id > ? AND a.id <= ? AND json_type(a.shown, '$.option_order') = 'array'
""",
    ("id",),
    texts=("option_order",),
)


@dataclass(frozen=True)
class PositionShare:
    """How often the key stands at a position, and how often the position is chosen.

    Attributes:
        position: 'A', 'B', ..., or `LAST` where questions differ in how many options they have.
        keys: answers to a question whose key stood there, and `chosen` answers that chose it.
        difference: share chosen minus share of keys, in [-1, 1], with its interval.
        p_value: of the exact test that it is chosen as often as it is right, times the number of
            positions tested; at most 1.
    """

    position: str
    keys: int
    chosen: int
    difference: Estimate
    p_value: float

    @property
    def preferred(self) -> bool:
        """Whether it is chosen more often than it is right, beyond chance."""
        return (self.difference.value or 0.0) > 0 and self.p_value < CERTAIN


@dataclass(frozen=True)
class OptionPositions:
    """The choices of a run, or of people under a condition, by positions as shown.

    Attributes:
        entry: who.
        counts: answers with the key at the position of the row and the choice at that of the
            column; as many of both as the question with most options has.
        shares: of each position from A on; `LAST` after them.
        answers: that are counted, and `questions` distinct ones that they are to.
        left_out: scored answers that are not, (why, how many).
    """

    entry: Entry
    counts: tuple[tuple[int, ...], ...]
    shares: tuple[PositionShare, ...]
    answers: int
    questions: int
    left_out: tuple[tuple[str, int], ...]

    @property
    def population(self) -> str:
        """Which answers count and which do not, as one sentence."""
        without = ", ".join(f"{number:,} {why}" for why, number in self.left_out)
        return (
            f"{self.entry.name}: {self.answers:,} answers that choose an option, to"
            f" {self.questions:,} questions" + (f"; left out: {without}" if without else "")
        )


class _Difference:
    """Share chosen minus share of keys, of totals (..., 3): chosen, keys, answers."""

    def value(self, totals: Floats) -> Floats:
        gap, answers = totals[..., 0] - totals[..., 1], totals[..., 2]
        return np.divide(gap, answers, out=np.full_like(gap, np.nan), where=answers > 0)

    def undefined(self, totals: Floats) -> str:
        return "no answers" if totals[2] <= 0 else ""


def option_positions(
    snapshot: Snapshot, which: Which = EVERY_QUESTION, resample: Resampled = "video"
) -> list[OptionPositions]:
    """The choices of every run and of people under every condition, in the table's order.

    Of the answers that count for accuracy those that choose an option of a known order: replies
    that are unread, refused, empty or name several options choose none. Who has no such answer is
    left out.

    Args:
        which: questions.
        resample: what is drawn again for the intervals.
    """
    solved, memo = solved_table(snapshot), snapshot.predictions.memo
    key = ("option positions", which, resample)
    if key not in memo:
        inside = chosen_rows(snapshot, which)
        orders = _Orders.of(snapshot)
        each = [_of_entry(snapshot, entry, inside, orders, resample) for entry in solved.entries]
        memo[key] = [positions for positions in each if positions is not None]
    return cast("list[OptionPositions]", memo[key])


@dataclass(frozen=True, eq=False)
class _Orders:
    """In which order each annotation's options were shown.

    Attributes:
        annotation_id: (annotations,), ascending.
        code: (annotations,) row of `shown_at`.
        shown_at: (different orders, options) position of each stored option; -1 where not shown.
    """

    annotation_id: Ints
    code: Ints
    shown_at: Ints

    @classmethod
    def of(cls, snapshot: Snapshot) -> "_Orders":
        def read(earlier: Columns | None) -> Columns:
            newest = snapshot.tuples("SELECT coalesce(max(id), 0) FROM annotation")[0][0]
            return extended(snapshot.database, _ORDERS, earlier, int(newest))

        stored = snapshot.grown("orders of options", read, cuts=True)
        orders: list[list[int]] = [json.loads(text) for text in stored.texts["option_order"]]
        width = 1 + max((index for order in orders for index in order), default=0)
        shown_at = np.full((len(orders) + 1, width), -1, dtype=np.int64)  # the last has no order
        for code, order in enumerate(orders):
            shown_at[code, order] = np.arange(len(order))
        return cls(stored.ints("id"), stored.ints("option_order"), shown_at)

    def positions(self, annotation: Ints, option: Ints) -> Ints:
        """(answers,) where each option was shown in its annotation; -1 where that is unknown."""
        row = np.searchsorted(self.annotation_id, annotation)
        known = row < len(self.annotation_id)
        known[known] = self.annotation_id[row[known]] == annotation[known]
        code = np.full(len(annotation), len(self.shown_at) - 1)
        code[known] = self.code[row[known]]
        width = self.shown_at.shape[1]
        inside = (option >= 0) & (option < width)
        return np.where(inside, self.shown_at[code, np.clip(option, 0, width - 1)], -1)


def _of_entry(
    snapshot: Snapshot, entry: Entry, inside: Bools, orders: _Orders, resample: Resampled
) -> OptionPositions | None:
    table = snapshot.predictions
    source = table if entry.run is not None else table.people
    rows, _ = scored_rows(snapshot, entry, inside)
    indices: list[int] = source.question[rows].tolist()
    asked = [table.questions[index] for index in indices]
    keys = np.array([question.key for question in asked], dtype=np.int64)
    options = np.array([question.options for question in asked], dtype=np.int64)
    chosen_at = orders.positions(source.annotation_id[rows], source.choice[rows])
    key_at = orders.positions(source.annotation_id[rows], keys)
    counted = (chosen_at >= 0) & (key_at >= 0)
    if not counted.any():
        return None
    left_out = Counter(_why_not(snapshot, entry, row) for row in rows[~counted].tolist())
    rows, chosen_at, key_at, options = (
        column[counted] for column in (rows, chosen_at, key_at, options)
    )
    width = int(options.max())
    counts = np.zeros((width, width), dtype=np.int64)
    np.add.at(counts, (key_at, chosen_at), 1)
    clusters = (source.video if resample == "video" else source.question_id)[rows]
    return OptionPositions(
        entry,
        tuple(tuple(line) for line in counts.tolist()),
        tuple(_shares(chosen_at, key_at, options, clusters, resample)),
        len(rows),
        len(np.unique(source.question_id[rows])),
        tuple(left_out.most_common()),
    )


def _why_not(snapshot: Snapshot, entry: Entry, row: int) -> str:
    """Why a scored answer chooses no option at a known position."""
    if entry.run is None:
        return OTHER_ANSWERS.get(int(snapshot.people.choice[row]), NO_POSITION)
    table = snapshot.predictions
    if table.choice[row] >= 0:
        return NO_POSITION
    state = STATES[int(table.state[row])]
    return "naming several options" if state == "several" else state


def _shares(
    chosen_at: Ints, key_at: Ints, options: Ints, clusters: Ints, resample: Resampled
) -> list[PositionShare]:
    width = int(options.max())
    tested = {label(position): (chosen_at == position, key_at == position)
              for position in range(width)}  # fmt: skip
    if options.min() < width:
        tested[LAST] = chosen_at == options - 1, key_at == options - 1
    rows = np.stack(
        [np.stack([*pair, np.ones(len(options), np.bool_)], axis=1) for pair in tested.values()],
        axis=1,
    ).astype(np.float64)
    estimates = bootstrap.estimate_many(_Difference(), rows, clusters, cluster_word=resample)
    return [
        PositionShare(
            position, int(is_key.sum()), int(is_chosen.sum()),
            difference_with_bound(estimate, resample),
            min(1.0, len(tested) * exact_test(is_chosen, is_key)),
        )
        for (position, (is_chosen, is_key)), estimate in zip(tested.items(), estimates, strict=True)
    ]  # fmt: skip


def label(position: int) -> str:
    """What a position is called: 'A' for 0; a number beyond Z."""
    return _LETTERS[position] if position < len(_LETTERS) else str(position + 1)


def exact_test(chosen: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_]) -> float:
    """The two-sided p-value that a position is chosen as often as it is right, in [0, 1].

    McNemar's test in its exact form (Fay 2010): of the answers for which just one of the two holds,
    half would be chosen and half right. Each answer counts by itself; 1 where there is none.

    Args:
        chosen: (answers,) whether the position was chosen.
        right: (answers,) whether the key stood there.
    """
    only_chosen, only_right = int((chosen & ~right).sum()), int((right & ~chosen).sum())
    if not only_chosen + only_right:
        return 1.0
    test = cast("Any", scipy.stats).binomtest  # its types are not published
    return float(test(only_chosen, only_chosen + only_right, 0.5).pvalue)
