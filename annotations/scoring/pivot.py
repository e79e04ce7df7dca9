"""Models by groups of questions under one condition, as papers print it: with an average row.

table = pivot(snapshot, "category", "16 frames")
lines = table.as_lines()          # ± half an interval, in percent
"""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from annotations.scoring.human_accuracy import DRAW_SEED, Resampled
from annotations.scoring.leaderboard import clusters
from annotations.scoring.run_estimates import estimate_each
from annotations.scoring.snapshot import Snapshot
from annotations.scoring.solved_table import (
    EVERY_QUESTION,
    SolvedTable,
    Which,
    chosen_rows,
    groups,
    solved_table,
)
from annotations.scoring.tag_change import NO, YES, changes, in_order, signed
from core.metrics import accuracy, frequent_choice, random_guess
from core.refusal import Refusal
from core.statistics.averaged import average
from core.statistics.metric import Estimate, Floats
from core.statistics.ranking import Rank, ranks
from core.statistics.ratings import Bools

AVERAGE = "Average of models"
OVERALL = "All"
CHANGE = "\u0394 %"  # of yes against no
MOST_CELLS = 6


@dataclass(frozen=True)
class PivotRow:
    """One model, people, the average of models, or a baseline.

    Attributes:
        name: of the row.
        cells: one for each group of the table, then one for all questions.
        rank: among the models on questions that all of them answered; None but for models.
        change: relative, from questions whose tag says no to those with yes; None for baselines,
            and where the groups are not those of a flag.
    """

    name: str
    cells: tuple[Estimate, ...]
    rank: Rank | None = None
    change: Estimate | None = None


@dataclass(frozen=True)
class Pivot:
    """Accuracy of everybody under one condition on each group of questions.

    Attributes:
        condition: what was shown.
        groups: names of the columns, `OVERALL` the last.
        questions: how many each column has.
        rows: models, their average, people, then baselines.
        common: questions that all models answered, on which they are ranked.
    """

    condition: str
    groups: tuple[str, ...]
    questions: tuple[int, ...]
    rows: tuple[PivotRow, ...]
    common: int

    @property
    def by_flag(self) -> bool:
        """Whether the groups are the two sides of a flag, so that there is a change."""
        return {NO, YES} <= set(self.groups)

    def as_lines(self) -> list[str]:
        """The table in Markdown: percent, plus or minus half the interval, and the ranks."""
        flag = [CHANGE] if self.by_flag else []
        head = ["Model", *self.groups, *flag, "Rank"]
        lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
        for row in self.rows:
            change = [signed(row.change)] if self.by_flag else []
            cells = [row.name, *map(plus_minus, row.cells), *change, rank_words(row.rank)]
            lines.append(f"| {' | '.join(cells)} |")
        return lines

    def without_interval(self) -> list[str]:
        """Why cells with a value have no interval: a sentence for each reason, with the cells."""
        cells_of: dict[str, list[str]] = {}
        for row in self.rows:
            for group, cell in zip(self.groups, row.cells, strict=True):
                if cell.value is not None and cell.reason and not cell.has_width:
                    cells_of.setdefault(cell.reason, []).append(f"{row.name} on {group}")
        return [
            f"Without ± ({reason}): {', '.join(cells[:MOST_CELLS])}"
            + (f" and {len(cells) - MOST_CELLS:,} more" if len(cells) > MOST_CELLS else "")
            for reason, cells in cells_of.items()
        ]


def plus_minus(estimate: Estimate) -> str:
    """An estimate in percent with half the width of its interval, such as '79.7 ± 2.0'.

    Without the ± where there is no interval, or one of no width.
    """
    if estimate.value is None:
        return "–"
    low, high = estimate.bounds
    if low is None or high is None or not estimate.has_width:
        return f"{100 * estimate.value:.1f}"
    return f"{100 * estimate.value:.1f} ± {50 * (high - low):.1f}"


def rank_words(rank: Rank | None) -> str:
    """A rank with the places that 95 of 100 resamples give, such as '2 (1 to 3)'."""
    if rank is None:
        return ""
    sure = rank.low == rank.high == rank.rank
    return str(rank.rank) if sure else f"{rank.rank} ({rank.low} to {rank.high})"


def pivot(
    snapshot: Snapshot,
    by: str,
    condition: str,
    which: Which = EVERY_QUESTION,
    resample: Resampled = "video",
) -> Pivot:
    """The table of one condition.

    Args:
        snapshot: of whose answers.
        by: 'category', 'duration' in bins, or the name of a tag.
        condition: what was shown, such as '16 frames'.
        which: questions.
        resample: what is drawn again for the intervals.

    Raises:
        ValueError: if nobody answered under the condition; the message lists those there are.
    """
    table, solved = snapshot.predictions, solved_table(snapshot)
    memo_key = ("pivot", by, condition, which, resample)
    if memo_key not in table.memo:
        table.memo[memo_key] = _pivot(snapshot, solved, by, condition, which, resample)
    return cast("Pivot", table.memo[memo_key])


def _pivot(
    snapshot: Snapshot,
    solved: SolvedTable,
    by: str,
    condition: str,
    which: Which,
    resample: Resampled,
) -> Pivot:
    columns = [i for i, entry in enumerate(solved.entries) if entry.condition == condition]
    if not columns:
        known = ", ".join(dict.fromkeys(entry.condition for entry in solved.entries)) or "none"
        raise Refusal(f"Nobody answered under {condition!r}. There are answers under: {known}.")
    inside = chosen_rows(snapshot, which)
    names, codes = groups(snapshot, by)
    parts = [(name, inside & (codes == names.index(name))) for name in in_order(names)]
    parts = [(name, rows) for name, rows in parts if rows.any()] + [(OVERALL, inside)]
    models = [i for i in columns if solved.entries[i].run is not None]
    people = [i for i in columns if solved.entries[i].run is None]
    cells: dict[int, list[Estimate]] = {i: [] for i in columns}
    means: list[Estimate] = []
    for _, rows in parts:
        for i, estimate in zip(columns, _accuracies(solved, rows, columns, resample), strict=True):
            cells[i].append(estimate)
        means.append(
            average(
                accuracy, _rows(solved, rows, models), clusters(solved, resample)[rows],
                cluster_word=resample,
            )
        )  # fmt: skip
    common = inside & (solved.answers[:, models] > 0).all(axis=1)
    placed: list[Rank | None] = [None] * len(models)
    if len(models) > 1 and common.any():
        placed = list(
            ranks(accuracy, _rows(solved, common, models), clusters(solved, resample)[common])
        )
    each, mean = _changes(solved, dict(parts), columns, resample)
    rows = [
        PivotRow(solved.entries[i].model, tuple(cells[i]), rank, each.get(i))
        for i, rank in sorted(
            zip(models, placed, strict=True), key=lambda pair: -(cells[pair[0]][-1].value or 0.0)
        )
    ]
    if len(models) > 1:
        rows.append(PivotRow(AVERAGE, tuple(means), None, mean))
    rows += [PivotRow(solved.entries[i].model, tuple(cells[i]), None, each.get(i)) for i in people]
    return Pivot(
        condition,
        tuple(name for name, _ in parts),
        tuple(int(rows_in.sum()) for _, rows_in in parts),
        (*rows, *_baselines(solved, [rows_in for _, rows_in in parts])),
        int(common.sum()) if models else 0,
    )


def _changes(
    solved: SolvedTable, parts: dict[str, Bools], columns: list[int], resample: Resampled
) -> tuple[dict[int, Estimate], Estimate | None]:
    """The change of each column in a table by a flag, and the mean over models; else none."""
    if not {NO, YES} <= parts.keys():
        return {}, None
    models = [i for i in columns if solved.entries[i].run is not None]
    drawn_again = clusters(solved, resample)
    everything = np.ones(len(solved.questions), dtype=np.bool_)

    def of(chosen: list[int]) -> tuple[list[Estimate], Estimate]:
        table = _rows(solved, everything, chosen)
        return changes(table, parts[YES], parts[NO], drawn_again, resample)

    return dict(zip(columns, of(columns)[0], strict=True)), of(models)[1] if models else None


def _rows(solved: SolvedTable, rows: Bools, columns: list[int]) -> Floats:
    return np.stack([solved.right[rows][:, columns], solved.answers[rows][:, columns]], axis=2)


def _accuracies(
    solved: SolvedTable, rows: Bools, columns: list[int], resample: Resampled
) -> list[Estimate]:
    table = _rows(solved, rows, columns)
    estimates = estimate_each(
        accuracy, table, table[:, :, 1] > 0, clusters(solved, resample)[rows], resample
    )
    return [
        accuracy.with_bound(replace(estimate, n=int(table[:, i, 1].sum())), resample)
        for i, estimate in enumerate(estimates)
    ]


def _baselines(solved: SolvedTable, parts: list[Bools]) -> list[PivotRow]:
    """Random guess, one seeded draw of it, and the most frequent option, on each column."""
    questions = solved.questions
    options = np.array([question.options for question in questions], dtype=np.int64)
    keys = np.array([question.key for question in questions], dtype=np.int64)
    hits = random_guess.draw(options, DRAW_SEED) == keys
    cells: list[list[Estimate]] = [[], [], []]
    for rows in parts:
        count = int(rows.sum())
        values = (
            float(random_guess.value(random_guess.rows(options[rows]).sum(axis=0))),
            float(hits[rows].mean()) if count else float("nan"),
            float(frequent_choice.value(frequent_choice.rows(keys[rows]).sum(axis=0))),
        )
        for cell, value in zip(cells, values, strict=True):
            defined = not np.isnan(value)
            cell.append(Estimate(value if defined else None, n=count))
    names = (random_guess.NAME, f"Random choice, seed {DRAW_SEED}", frequent_choice.NAME)
    return [PivotRow(name, tuple(cell)) for name, cell in zip(names, cells, strict=True)]
