"""Who gave which answer to which item, as integer arrays: what every agreement is computed from."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from core.statistics.metric import Floats

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def is_missing(value: object) -> bool:
    """Whether a form or a table left this place empty: None, blank text, NaN or the text 'NA'.

    A missing answer is no label: whoever skipped did not disagree.
    """
    if isinstance(value, str):
        return value.strip() in ("", "NA")
    return value is None or (isinstance(value, float) and math.isnan(value))


@dataclass(frozen=True, eq=False)
class Patterns:
    """Items with at least two answers, those with the same answers taken together.

    What a coefficient asks of an item depends on its answers only, so it is computed once a
    pattern: 200,000 items of five answers out of five are at most 126 patterns.

    Attributes:
        values: (patterns, most answers) value codes, ascending, filled up with -1 in front.
        of: (items,) the pattern of each item.
        items: (items,) the items' codes, ascending.
        sizes: (patterns,) how many items have it.
    """

    values: Ints
    of: Ints
    items: Ints
    sizes: Ints


@dataclass(frozen=True, eq=False)
class Ratings:
    """A table of answers, at most one for each item and rater; missing answers have no row.

    Attributes:
        item: (answers,) code of the item, from 0.
        rater: (answers,) code of the person or model, from 0.
        value: (answers,) code of what was answered, an index into `labels`.
        labels: the distinct answers.
        numbers: (labels,) what they are worth on a numeric scale; None if they are no numbers.
    """

    item: Ints
    rater: Ints
    value: Ints
    labels: tuple[Any, ...]
    numbers: Floats | None = None

    @classmethod
    def from_arrays(
        cls,
        item: Ints,
        rater: Ints,
        value: Ints,
        labels: Sequence[Any],
        numbers: Floats | None = None,
    ) -> "Ratings":
        """The table of arrays of codes, ordered by item; a value of -1 is missing.

        Raises:
            ValueError: if the arrays differ in length, a code is out of range, or somebody answers
                an item twice.
        """
        if not len(item) == len(rater) == len(value):
            raise ValueError(
                "A table of answers needs item, rater and value of each; got "
                f"{len(item)}, {len(rater)} and {len(value)} of them."
            )
        answered = value >= 0
        if not answered.all():
            item, rater, value = item[answered], rater[answered], value[answered]
        if len(item):
            if min(item.min(), rater.min()) < 0 or value.max() >= len(labels):
                raise ValueError(
                    f"Codes of items and raters count from 0 and those of values end at "
                    f"{len(labels) - 1}; got {min(item.min(), rater.min())} and {value.max()}."
                )
            pair = item * (rater.max() + 1) + rater
            if not (pair[1:] > pair[:-1]).all():
                order = np.argsort(pair, kind="stable")
                pair, item, rater, value = pair[order], item[order], rater[order], value[order]
            twice = np.flatnonzero(pair[1:] == pair[:-1])
            if len(twice):
                raise ValueError(
                    f"Each rater answers an item once; got rater {rater[twice[0]]} twice on item "
                    f"{item[twice[0]]}. Keep the current revision only."
                )
        return cls(item, rater, value, tuple(labels), numbers)

    @classmethod
    def from_table(cls, raters_by_items: Sequence[Sequence[Hashable]]) -> "Ratings":
        """The table of one row for each rater with one label for each item; see `is_missing`.

        Labels that are all numbers are also a numeric scale.

        Raises:
            ValueError: if rows differ in length.
        """
        if len({len(row) for row in raters_by_items}) > 1:
            raise ValueError(
                "Every rater's row needs one place for each item; got rows of "
                f"{[len(row) for row in raters_by_items]}. Leave None where there is no answer."
            )
        labelled = [
            (item, rater, label)
            for rater, row in enumerate(raters_by_items)
            for item, label in enumerate(row)
            if not is_missing(label)
        ]
        distinct = {label: None for _, _, label in labelled}
        numeric = all(isinstance(x, int | float) and not isinstance(x, bool) for x in distinct)
        labels: list[Any] = sorted(distinct, key=(lambda x: x) if numeric else str)  # type: ignore[arg-type]
        code = {label: index for index, label in enumerate(labels)}
        return cls.from_arrays(
            np.array([item for item, _, _ in labelled], dtype=np.int64),
            np.array([rater for _, rater, _ in labelled], dtype=np.int64),
            np.array([code[label] for _, _, label in labelled], dtype=np.int64),
            labels,
            np.array(labels, dtype=np.float64) if numeric else None,
        )

    def where(self, chosen: Bools) -> "Ratings":
        """The table of some of the answers; this very table if they are all."""
        if chosen.all():
            return self
        return Ratings(
            self.item[chosen], self.rater[chosen], self.value[chosen], self.labels, self.numbers
        )

    @cached_property
    def raters(self) -> Ints:
        """Codes of those who gave an answer, ascending."""
        return np.flatnonzero(np.bincount(self.rater))

    @cached_property
    def counts(self) -> Ints:
        """How many answers each item has, (highest item code + 1,)."""
        return np.bincount(self.item)

    @cached_property
    def shared_items(self) -> int:
        """How many items have at least two answers."""
        return int((self.counts > 1).sum())

    @cached_property
    def shared_values(self) -> Ints:
        """How often each value was given on items with at least two answers, (labels,)."""
        shared = self.counts[self.item] > 1
        return np.bincount(self.value[shared], minlength=len(self.labels))

    @cached_property
    def answers(self) -> Ints:
        """Values on items with at least two answers, (items, most answers), in order of raters."""
        return self.slots(self.value)

    @cached_property
    def patterns(self) -> Patterns:
        """Items with at least two answers by what was answered, whoever answered."""
        slots = np.sort(self.answers, axis=1)
        items = np.flatnonzero(self.counts > 1)
        representatives, of, sizes = distinct_rows(slots)
        return Patterns(slots[representatives], of, items, sizes)

    def slots(self, column: Ints, least: int = 2) -> Ints:
        """A column's codes, (items with at least so many answers, most answers), then -1."""
        items = np.flatnonzero(self.counts >= least)
        row_of = np.full(len(self.counts), -1)
        row_of[items] = np.arange(len(items))
        row = row_of[self.item]
        chosen = row >= 0
        if not chosen.all():
            row, column = row[chosen], column[chosen]
        begins = np.cumsum(self.counts[items]) - self.counts[items]
        table = np.full((len(items), int(self.counts.max()) if len(items) else 0), -1)
        table[row, np.arange(len(row)) - begins[row]] = column
        return table

    @cached_property
    def _by_rater(self) -> tuple[Ints, Ints, Ints]:
        order = np.argsort(self.rater, kind="stable")
        ends = np.cumsum(np.bincount(self.rater))
        return self.item[order], self.value[order], ends

    def _of(self, rater: int) -> tuple[Ints, Ints]:
        item, value, ends = self._by_rater
        if not 0 <= rater < len(ends):
            return item[:0], value[:0]
        part = slice(ends[rater - 1] if rater else 0, ends[rater])
        return item[part], value[part]

    def of_pair(self, rater_a: int, second: int) -> "Ratings":
        """The table of two raters' answers, those that only one of them gave included."""
        raters = np.array(sorted([rater_a, second]))
        table = np.full((len(self.counts), 2), -1)
        for column, rater in enumerate(map(int, raters)):
            item, value = self._of(rater)
            table[item, column] = value
        cells = np.flatnonzero(table.ravel() >= 0)
        rater = raters[cells & 1]
        return Ratings(cells >> 1, rater, table.ravel()[cells], self.labels, self.numbers)


def distinct_rows(table: Ints) -> tuple[Ints, Ints, Ints]:
    """Where each distinct row first stands, which of them each row is, and how often each occurs.

    As ``np.unique(axis=0)``, by folding columns into one integer, which is many times faster.

    Args:
        table: (rows, columns), integers from -1.
    """
    rows, columns = table.shape
    key = np.zeros(rows, dtype=np.int64)
    base = int(table.max(initial=-1)) + 2
    span = 1
    for column in range(columns):
        if span * base >= 2**62:
            key = np.unique(key, return_inverse=True)[1]
            span = rows + 1
        key = key * base + (table[:, column] + 1)
        span *= base
    if span <= max(4 * rows, 100_000):
        # Few enough possible keys to count them all instead of sorting.
        sizes = np.bincount(key, minlength=span)
        present = np.flatnonzero(sizes)
        rank = np.empty(span, dtype=np.int64)
        rank[present] = np.arange(len(present))
        of = rank[key]
        representatives = np.empty(len(present), dtype=np.int64)
        representatives[of[::-1]] = np.arange(rows)[::-1]
        return representatives, of, sizes[present]
    _, representatives, of, sizes = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    return representatives, of, sizes
