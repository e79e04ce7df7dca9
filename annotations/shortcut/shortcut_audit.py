"""The shortcut audit: which questions runs solve without what the benchmark wants to test.

One row a question, one column for what was shown; a cell says how many of the runs that were asked
solved it. A question is flagged, in words, where enough runs solve it from too little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from annotations.condition import Condition
from annotations.scoring.people_columns import Bools, Ints
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import (
    EVERY_QUESTION,
    Entry,
    SolvedTable,
    Which,
    chosen_rows,
    solved_table,
)
from annotations.shortcut.shortcut_metrics import many_conditions
from core.refusal import Refusal

TEXT, ONE, HANDPICKED, SHUFFLED, OBJECTS, ORDERED, VIDEO, PEOPLE = COLUMNS = (
    "text only",
    "one random frame",
    "handpicked frame",
    "shuffled frames",
    "objects only",
    "frames in order",
    "full video",
    "people",
)
SHORTCUTS = (TEXT, ONE, HANDPICKED, SHUFFLED, OBJECTS)
_SOLVED_FROM = {
    TEXT: "solved from text alone",
    ONE: "solved from one random frame",
    HANDPICKED: "solved from one handpicked frame",
    SHUFFLED: "solved with the frames shuffled",
    OBJECTS: "solved from objects alone",
}
Enough = Literal["any", "majority", "all"]


@dataclass(frozen=True, eq=False)
class Audit:
    """How many runs solved each question from what: (questions, columns) tables.

    Attributes:
        columns: those of `COLUMNS` that somebody answered, in that order.
        conditions: what each column holds, in the words of the conditions.
        runs: keys of the runs in each column.
        solved: runs that were right; people count one each.
        asked: runs that answered, readably or not.
    """

    question_id: Ints
    uid: tuple[str, ...]
    text: tuple[str, ...]
    category: tuple[str, ...]
    columns: tuple[str, ...]
    conditions: tuple[str, ...]
    runs: tuple[tuple[str, ...], ...]
    solved: Ints
    asked: Ints

    def cell(self, row: int, column: str) -> tuple[int, int]:
        """Runs that solved a question and runs that were asked; zeros where there is no column."""
        if column not in self.columns:
            return 0, 0
        index = self.columns.index(column)
        return int(self.solved[row, index]), int(self.asked[row, index])


def column_of(entry: Entry, ordered: str) -> str:
    """The column that an entry belongs to; '' for none.

    Args:
        ordered: the condition whose frames in order are looked at, such as '16 frames'.
    """
    if entry.condition == OBJECTS:
        return "" if entry.run is None else OBJECTS
    try:
        condition = Condition.parse(entry.condition)
    except Refusal:
        return ""
    in_order = condition.is_video or condition.name == ordered
    if entry.run is None:
        return PEOPLE if in_order else ""
    if condition.is_text:
        return TEXT
    if in_order:
        return VIDEO if condition.is_video else ORDERED
    if condition.order == "shuffled":
        count = f"{condition.count} frame"
        return SHUFFLED if not ordered or ordered.startswith(count) else ""
    single = {"random": ONE, "handpicked": HANDPICKED}
    return single.get(condition.order, ONE if condition.count == 1 else "")


def audit(snapshot: Snapshot, which: Which = EVERY_QUESTION, ordered: str = "") -> Audit:
    """The audit of the questions that somebody answered and that have a key.

    Args:
        ordered: as in `column_of`; '' takes the condition that most models have.
    """
    solved = solved_table(snapshot)
    table = snapshot.predictions
    several = [condition for condition in many_conditions(snapshot) if condition != "full video"]
    chosen = ordered or (several[0] if several else "")
    memo_key = ("audit", which, chosen)
    if memo_key not in table.memo:
        table.memo[memo_key] = _audit(snapshot, solved, chosen_rows(snapshot, which), chosen)
    return cast("Audit", table.memo[memo_key])


def _audit(snapshot: Snapshot, table: SolvedTable, rows: Bools, ordered: str) -> Audit:
    members: dict[str, list[int]] = {}
    for index, entry in enumerate(table.entries):
        if column := column_of(entry, ordered):
            members.setdefault(column, []).append(index)
    columns = tuple(column for column in COLUMNS if column in members)
    right, answers = table.right[rows], table.answers[rows]
    solved = [right[:, members[column]].sum(axis=1) for column in columns]
    asked = [answers[:, members[column]].sum(axis=1) for column in columns]
    empty = np.zeros((len(right), 0))
    texts = {
        row["id"]: (row["uid"], row["text"])
        for row in snapshot.rows(
            "SELECT q.id, q.uid, r.text, max(r.revision) FROM question q"
            " JOIN question_revision r ON r.question_id = q.id GROUP BY q.id"
        )
    }
    ids = table.question_id[rows]
    numbers: list[int] = ids.tolist()
    return Audit(
        question_id=ids,
        uid=tuple(texts[number][0] for number in numbers),
        text=tuple(texts[number][1] for number in numbers),
        category=tuple(table.questions[i].category for i in np.flatnonzero(rows).tolist()),
        columns=columns,
        conditions=tuple(_conditions(table, members[column]) for column in columns),
        runs=tuple(tuple(table.entries[i].key for i in members[column]) for column in columns),
        solved=(np.stack(solved, axis=1) if columns else empty).astype(np.int64),
        asked=(np.stack(asked, axis=1) if columns else empty).astype(np.int64),
    )


def _conditions(solved: SolvedTable, indices: Sequence[int]) -> str:
    return ", ".join(dict.fromkeys(solved.entries[i].condition for i in indices))


def flagged(table: Audit, enough: Enough = "majority") -> Bools:
    """Which shortcuts solve which question, (questions, SHORTCUTS).

    Args:
        enough: how many of the runs that were asked have to solve it. Shuffled frames are a
            shortcut only where the same frames in order are solved no more often.
    """
    flags = np.zeros((len(table.uid), len(SHORTCUTS)), dtype=np.bool_)
    for index, name in enumerate(SHORTCUTS):
        if name not in table.columns:
            continue
        column = table.columns.index(name)
        solved, asked = table.solved[:, column], table.asked[:, column]
        flags[:, index] = (asked > 0) & (solved >= needed(asked, enough))
        if name == SHUFFLED and ORDERED in table.columns:
            ordered = table.columns.index(ORDERED)
            flags[:, index] &= solved * table.asked[:, ordered] >= table.solved[:, ordered] * asked
    return flags


def needed(asked: Ints, enough: Enough) -> Ints:
    """How many of so many runs are enough."""
    if enough == "any":
        return np.ones_like(asked)
    return asked if enough == "all" else asked // 2 + 1


def words(table: Audit, row: int, flags: Bools) -> list[str]:
    """What there is to say of a question: its shortcuts, then what people and runs make of it.

    Args:
        flags: from `flagged`.
    """
    sentences: list[str] = []
    for index, name in enumerate(SHORTCUTS):
        if not flags[row, index]:
            continue
        solved, asked = table.cell(row, name)
        right, of = table.cell(row, ORDERED)
        if name == SHUFFLED and of:
            sentences.append(
                f"order does not matter: {solved} of {asked} solve it shuffled,"
                f" {right} of {of} in order"
            )
        else:
            sentences.append(f"{_SOLVED_FROM[name]} by {solved} of {asked} run{'s'[: asked != 1]}")
    return sentences + _remarks(table, row)


def _remarks(table: Audit, row: int) -> list[str]:
    """What speaks for a look at the key, and what only people solve."""
    right, people = table.cell(row, PEOPLE)
    best = [table.cell(row, name) for name in (ORDERED, VIDEO)]
    solved, runs = sum(cell[0] for cell in best), sum(cell[1] for cell in best)
    sentences: list[str] = []
    if people and 2 * right <= people:
        sentences.append(f"people are mostly wrong ({right} of {people} right): look at the key")
    elif runs > 1 and not solved:
        sentences.append(
            "no run solves it" + (f", {right} of {people} people do" if people else "")
        )
    return sentences
