"""Splits of a benchmark: what is left once questions that runs solve by a shortcut are dropped.

A rule names runs and how many of them have to be right for a question to be dropped: unanimous on
objects alone (UTD 3.3.3), a majority of three models that saw the text alone (K9-Bench 3.4), one
model right three times of three (ActionAtlas 2.7). A stored split has its rule and never changes.
"""

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from annotations.people import now_text
from annotations.scoring.people_columns import Bools, Ints
from annotations.scoring.question_families import largest_in_family, question_families
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import SolvedTable, solved_table
from annotations.workspace import Workspace
from core.refusal import Refusal


@dataclass(frozen=True)
class CategoryCounts:
    """Questions of a category that a rule keeps and drops."""

    category: str
    kept: int
    dropped: int


@dataclass(frozen=True, eq=False)
class SplitPlan:
    """What a rule would keep, before anything is stored.

    Attributes:
        runs: names of the runs that the rule asks.
        drop_when: how many of them have to be right.
        question_id: all questions that are still asked and have a key; the others are per question.
        solved: runs of the rule that were right, on the question or on a copy of it on an edited
            video: copies have the same words, so both stay or both go.
        answered: runs of the rule that answered, readably or not.
        kept: whether it stays.
        taken_back: ids of questions that the rule drops and that somebody keeps all the same.
        categories: counts by category, in the order of the questions.
        by_chance: how many questions blind guesses would have dropped, expected.
    """

    runs: tuple[str, ...]
    drop_when: int
    question_id: Ints
    solved: Ints
    answered: Ints
    kept: Bools
    taken_back: Ints
    categories: tuple[CategoryCounts, ...]
    by_chance: float

    @property
    def words(self) -> str:
        """The rule for a person."""
        count = len(self.runs)
        if self.drop_when == count:
            who = f"all {count} runs answer" if count > 1 else "the run answers"
        else:
            who = f"at least {self.drop_when} of {count} runs answer"
        back = len(self.taken_back)
        by_hand = f" {back:,} taken back by hand." if back else ""
        return f"Dropped when {who} right: {'; '.join(self.runs)}.{by_hand}"

    @property
    def by_rule(self) -> Bools:
        """(questions,) what the rule alone drops."""
        return np.asarray(self.solved >= self.drop_when, np.bool_)

    @property
    def unjudged(self) -> int:
        """Kept questions that not all of the runs answered."""
        return int((self.kept & (self.answered < len(self.runs))).sum())


@dataclass(frozen=True)
class Split:
    """A stored split.

    Attributes:
        questions: how many it looked at, and `kept` how many stayed.
        made_by: name of who stored it; '' if not known.
        runs: names of the runs that the rule asked.
    """

    id: int
    name: str
    words: str
    runs: tuple[str, ...]
    questions: int
    kept: int
    made_by: str
    created_at: str


def plan_split(
    snapshot: Snapshot, runs: Sequence[str], drop_when: int, taken_back: Collection[int] = ()
) -> SplitPlan:
    """What a rule keeps.

    Args:
        runs: keys of entries, as in `SolvedTable`.
        drop_when: questions that so many of the runs answer right are dropped.
        taken_back: ids of questions that stay although the rule drops them.

    Raises:
        ValueError: for no runs, a run named twice, or a number of them that cannot be.
        LookupError: for an unknown run.
    """
    _check(runs, drop_when)
    solved_by = solved_table(snapshot)
    columns = [solved_by.column(key) for key in runs]
    stored = snapshot.rows(
        "SELECT question_id, category, json_array_length(options) AS options FROM asked_question"
        " WHERE key IS NOT NULL ORDER BY question_id"
    )
    ids = np.array([row["question_id"] for row in stored], dtype=np.int64)
    solved, answered = _solved(solved_by, ids, columns)
    families = question_families(snapshot, ids.tolist())
    solved = largest_in_family(solved, families)
    back = np.isin(families, families[np.isin(ids, list(taken_back))]) & (solved >= drop_when)
    kept = (solved < drop_when) | back
    counts: dict[str, list[int]] = {}
    for row, stays in zip(stored, kept.tolist(), strict=True):
        counts.setdefault(row["category"] or "no category", [0, 0])[0 if stays else 1] += 1
    return SplitPlan(
        runs=tuple(solved_by.entries[column].name for column in columns),
        drop_when=drop_when,
        question_id=ids,
        solved=solved,
        answered=answered,
        kept=kept,
        taken_back=ids[back],
        categories=tuple(CategoryCounts(name, *pair) for name, pair in counts.items()),
        by_chance=sum(
            by_chance(int(n), row["options"], drop_when)
            for n, row in zip(answered.tolist(), stored, strict=True)
        ),
    )


def _check(runs: Sequence[str], drop_when: int) -> None:
    if not runs or len(set(runs)) < len(runs):
        raise Refusal("A split needs one run or more, none of them twice. Choose the runs.")
    if not 1 <= drop_when <= len(runs):
        raise Refusal(
            f"Questions cannot be dropped when {drop_when} of {len(runs)} runs are right. "
            f"Allowed: 1 to {len(runs)}."
        )


def _solved(table: SolvedTable, ids: Ints, columns: Sequence[int]) -> tuple[Ints, Ints]:
    """Of each question by how many of the runs it was solved, and by how many answered.

    A run of people solves a question that more than half of them answer right.
    """
    solved, answered = np.zeros_like(ids), np.zeros_like(ids)
    present = np.isin(ids, table.question_id)
    rows = np.searchsorted(table.question_id, ids[present])
    right, answers = table.right[rows][:, columns], table.answers[rows][:, columns]
    solved[present] = (2 * right > answers).sum(axis=1)
    answered[present] = (answers > 0).sum(axis=1)
    return solved, answered


def by_chance(runs: int, options: int, right: int) -> float:
    """Probability that at least so many of some runs are right which all guess blindly.

    Args:
        runs: how many guess, each for itself.
        options: of the question; fewer than 1 gives 0.
        right: how many have to be right.
    """
    if options < 1:
        return 0.0
    chance = 1 / options
    return sum(
        comb(runs, k) * chance**k * (1 - chance) ** (runs - k) for k in range(right, runs + 1)
    )


def store_split(
    workspace: Workspace, name: str, plan: SplitPlan, made_by: int | None = None
) -> int:
    """The id of the split, stored under a name.

    Raises:
        ValueError: for an empty name or one that is taken, or without a question that has a key.
    """
    title = " ".join(name.split())
    if not title:
        raise Refusal("The split has no name. Give it one, such as 'deaf-blind'.")
    if not len(plan.question_id):
        raise Refusal("No question has a key, so there is nothing to split. Import keys first.")
    rule: dict[str, Any] = {"runs": plan.runs, "drop_when": plan.drop_when}
    if len(plan.taken_back):
        rule["taken_back"] = plan.taken_back.tolist()
    with workspace.store.write() as database:
        try:
            added = database.conn.execute(
                "INSERT INTO split (name, rule, words, made_by, created_at) VALUES (?, ?, ?, ?, ?)",
                [title, json.dumps(rule, ensure_ascii=False), plan.words, made_by, now_text()],
            )
        except sqlite3.IntegrityError as error:
            raise Refusal(
                f"There is a split {title!r} already, and splits never change. Choose another name."
            ) from error
        number = int(added.lastrowid or 0)
        columns = (plan.question_id.tolist(), plan.solved.tolist(), plan.kept.tolist())
        database.conn.executemany(
            "INSERT INTO split_question (split_id, question_id, solved, kept) VALUES (?, ?, ?, ?)",
            [[number, *row] for row in zip(*columns, strict=True)],
        )
    return number


def all_splits(snapshot: Snapshot) -> list[Split]:
    """Every stored split, newest first."""
    rows = snapshot.rows(
        "SELECT s.id, s.name, s.words, json_extract(s.rule, '$.runs') AS runs,"
        " count(*) AS questions, sum(q.kept) AS kept, coalesce(p.name, '') AS made_by,"
        " s.created_at FROM split s"
        " JOIN split_question q ON q.split_id = s.id LEFT JOIN annotator p ON p.id = s.made_by"
        " GROUP BY s.id ORDER BY s.id DESC"
    )
    return [
        Split(runs=tuple(json.loads(row.pop("runs"))), **row) for row in map(dict[str, Any], rows)
    ]


def split_lists(snapshot: Snapshot, split_id: int) -> dict[str, list[str]]:
    """Ids of all questions as 'full', and of those kept as 'debiased', in the order of import."""
    rows = snapshot.rows(
        "SELECT q.uid, x.kept FROM split_question x JOIN question q ON q.id = x.question_id"
        " WHERE x.split_id = ? ORDER BY q.id",
        [split_id],
    )
    return {
        "full": [row["uid"] for row in rows],
        "debiased": [row["uid"] for row in rows if row["kept"]],
    }
