"""The table of the shortcut audit: a row a question, of which one can be chosen."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from annotations.scoring.people_columns import Bools, Ints
from annotations.shortcut.shortcut_audit import ORDERED, SHUFFLED, Audit, words
from ui.components.chart_parts import with_alpha
from ui.theme import Palette

MOST_ROWS = 1_000
_HEIGHT_PX = 520
_NAME_PX, _SIGN_PX = (110, 260), 7


def audit_table(
    table: Audit, flags: Bools, rows: Sequence[int], palette: Palette, key: str
) -> int | None:
    """Draw it; the row of the audit that is chosen, None for none.

    Cells sort by the share of runs that solved the question and show how many of how many.

    Args:
        rows: of the audit, in order.
        key: fixed per place on the page.
    """
    shown = list(rows[:MOST_ROWS])
    asked, solved = table.asked[shown], table.solved[shown]
    shares = np.where(asked > 0, solved / np.maximum(asked, 1), np.nan)
    headings = [heading(table, column) for column in table.columns]
    frame = pd.DataFrame(shares, columns=pd.Index(headings))
    frame.insert(0, "Question", [table.uid[row] for row in shown])
    frame.insert(1, "Shortcuts", flags[shown].sum(axis=1))
    frame["Category"] = [table.category[row] for row in shown]
    frame["In words"] = ["; ".join(words(table, row, flags)) for row in shown]
    event: Any = st.dataframe(  # pyright: ignore[reportUnknownMemberType, reportCallIssue]
        _styled(frame, headings, solved, asked, palette),
        hide_index=True,
        width="stretch",
        height=min(_HEIGHT_PX, 40 + 35 * max(3, len(shown))),
        placeholder="–",
        column_config={
            "Question": st.column_config.TextColumn(width=_name_px(table, shown), pinned=True),
            "Shortcuts": st.column_config.NumberColumn(width=78),
            "In words": st.column_config.TextColumn(width=330),
            **{name: st.column_config.Column(width=138) for name in headings},
        },
        key=key,
        on_select="rerun",
        selection_mode="single-cell",
    )
    return _row_of(event, shown)


def _name_px(table: Audit, rows: Sequence[int]) -> int:
    """How wide the names of questions are, in px, within bounds."""
    longest = max((len(table.uid[row]) for row in rows), default=0)
    return min(_NAME_PX[1], max(_NAME_PX[0], 16 + _SIGN_PX * longest))


def chosen_row(rows: Sequence[int], key: str) -> int | None:
    """The row of the audit that is chosen before the table is drawn; None for none."""
    return _row_of(st.session_state.get(key), list(rows[:MOST_ROWS]))


def _row_of(event: Any, shown: Sequence[int]) -> int | None:
    cells: list[tuple[int, str]] = event["selection"]["cells"] if event else []
    return shown[cells[0][0]] if cells and cells[0][0] < len(shown) else None


def heading(table: Audit, column: str) -> str:
    """A column's name: its condition where it holds a single one of several possible."""
    conditions = table.conditions[table.columns.index(column)]
    label = conditions if column in (ORDERED, SHUFFLED) and "," not in conditions else column
    return label[:1].upper() + label[1:]


def audit_columns(table: Audit, flags: Bools, rows: Sequence[int]) -> dict[str, list[object]]:
    """The same table to take away: of each column how many solved it, and of how many."""
    columns: dict[str, list[object]] = {
        "Question": [table.uid[row] for row in rows],
        "Category": [table.category[row] for row in rows],
        "Text": [table.text[row] for row in rows],
        "Shortcuts": [int(flags[row].sum()) for row in rows],
    }
    for column in table.columns:
        name = heading(table, column)
        columns[f"{name}, solved by"] = [table.cell(row, column)[0] for row in rows]
        columns[f"{name}, of"] = [table.cell(row, column)[1] for row in rows]
    columns["In words"] = ["; ".join(words(table, row, flags)) for row in rows]
    return columns


def _styled(
    frame: pd.DataFrame, headings: Sequence[str], solved: Ints, asked: Ints, palette: Palette
) -> Any:
    """Cells that read '2 of 3', on a ground that is the stronger the more runs solved it."""
    styler: Any = frame.style
    for index, name in enumerate(headings):
        pairs = list(zip(solved[:, index].tolist(), asked[:, index].tolist(), strict=True))
        styler = styler.format(
            partial(_next, iter([f"{right} of {of}" if of else "–" for right, of in pairs])),
            subset=[name],
        )
        grounds = [
            f"background-color: {with_alpha(palette.series[1], 0.08 + 0.4 * right / of)}"
            if right
            else ""
            for right, of in pairs
        ]
        styler = styler.apply(partial(_same, grounds), subset=[name], axis=0)
    return styler


def _next(texts: Iterator[str], cell: object) -> str:
    """The text of a cell: cells of a column are formatted one after the other from the top."""
    del cell
    return next(texts)


def _same(grounds: list[str], column: object) -> list[str]:
    del column
    return grounds
