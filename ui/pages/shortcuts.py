"""The shortcut audit: which questions are solved without what they want to test, and splits."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import streamlit as st

from annotations.people import Person
from annotations.scoring.people_columns import Bools, Ints
from annotations.scoring.snapshot import Snapshot, take
from annotations.scoring.solved_table import solved_table
from annotations.shortcut.shortcut_audit import (
    ORDERED,
    PEOPLE,
    SHORTCUTS,
    SHUFFLED,
    Audit,
    Enough,
    audit,
    flagged,
    needed,
    words,
)
from annotations.shortcut.splits import by_chance
from annotations.workspace import Workspace
from core.number_text import percent_text
from ui.components import cards
from ui.components.downloads import take_table
from ui.components.nothing_yet import IMPORT, PIPELINE, nothing_yet
from ui.components.population import leaves_out_seen
from ui.components.runs.asked import NARROW_CARDS
from ui.components.runs.choosing import choose_questions, said
from ui.components.runs.words import count
from ui.components.shortcuts.audit_table import (
    MOST_ROWS,
    audit_columns,
    audit_table,
    chosen_row,
    heading,
)
from ui.components.shortcuts.question_panel import question_panel
from ui.components.shortcuts.split_maker import split_maker
from ui.theme import DARK, LIGHT

TITLE = "Shortcuts"
ICON = ":material/fork_right:"
ROLES = frozenset({"author", "admin"})

_TABLE = "shortcuts table"
_ENOUGH: dict[Enough, str] = {"any": "Any run", "majority": "Most runs", "all": "All runs"}
_NEEDED = (
    "The audit needs runs that saw too little on purpose: the text alone, one random frame, the "
    "handpicked frame, shuffled frames. Import or start such runs, and each question says here "
    "which of them solve it."
)
_EVERY, _ANY, _KEY, _NOBODY = "Every question", "Any shortcut", "Look at the key", "No run solves"


def render(workspace: Workspace, person: Person) -> None:
    """Draw the audit, the question that is chosen in it, and what a split is made with."""
    with take(workspace, leave_out_seen=leaves_out_seen()) as snapshot:
        _body(workspace, snapshot, person)


def _body(workspace: Workspace, snapshot: Snapshot, person: Person) -> None:
    title_at, choice_at = st.columns([3, 2], vertical_alignment="bottom")
    title_at.title("Shortcuts")
    if not any(entry.run is not None for entry in solved_table(snapshot).entries):
        _nothing_yet(workspace)
        return
    with (
        choice_at,
        st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="bottom"),
    ):
        which = choose_questions(snapshot, "shortcuts")
        enough = cast(
            "Enough",
            st.segmented_control(
                "A shortcut is what solves a question for", list(_ENOUGH),
                format_func=_ENOUGH.__getitem__, default="majority", required=True,
                key="shortcuts enough",
            ),
        )  # fmt: skip
    palette = DARK if st.context.theme.type == "dark" else LIGHT
    table = audit(snapshot, which)
    flags = flagged(table, enough)
    solved_from = [heading(table, column) for column in table.columns if column in SHORTCUTS]
    if solved_from:
        views, default = [_EVERY, _ANY, *solved_from, _KEY, _NOBODY], _ANY
    else:
        views, default = [_EVERY, _KEY, _NOBODY], _EVERY
    view = st.segmented_control(
        "Show", views, default=default, required=True,
        key="shortcuts show" if solved_from else "shortcuts show without",
        label_visibility="collapsed",
    )  # fmt: skip
    said(snapshot, which)
    if solved_from:
        shortcut_cards = cards.cards(*_cards(snapshot, table, flags, enough))
        st.html(cards.style(palette) + NARROW_CARDS + shortcut_cards)
    else:
        st.info(f"No run has tried a shortcut yet. {_NEEDED}", icon=":material/fork_right:")
    rows = _rows(table, flags, view)
    begun = chosen_row(rows, _TABLE) is not None
    table_at, panel_at = st.columns([11, 7] if begun else [200, 1], gap="medium" if begun else None)
    with table_at:
        chosen = audit_table(table, flags, rows, palette, _TABLE)
        more = f"; the first {MOST_ROWS:,} are shown" if len(rows) > MOST_ROWS else ""
        st.caption(
            f"{len(rows):,} of {count(len(table.uid), 'question')}{more}. A cell says how many of "
            "the runs that were asked solved it; unread and refused replies did not. Click a row to"
            " see the question and every reply."
        )
        take_table("shortcut audit", audit_columns(table, flags, rows))
    if chosen is not None:
        with panel_at:
            question_panel(snapshot, int(table.question_id[chosen]), words(table, chosen, flags))
    split_maker(workspace, snapshot, person, table)


def _rows(table: Audit, flags: Bools, view: str) -> list[int]:
    """Rows to show: those with most shortcuts first, then those that most runs solve from them."""
    shortcuts = [
        table.columns.index(shortcut) for shortcut in SHORTCUTS if shortcut in table.columns
    ]
    solved = table.solved[:, shortcuts].sum(axis=1)
    order = np.lexsort([np.arange(len(solved)), -solved, -flags.sum(axis=1)])
    fits = np.ones(len(solved), dtype=np.bool_)
    if view == _ANY:
        fits = flags.any(axis=1)
    elif view == _KEY:
        right, asked = _sums(table, [PEOPLE])
        fits = (asked > 0) & (2 * right <= asked)
    elif view == _NOBODY:
        right, asked = _sums(table, [ORDERED, "full video"])
        fits = (asked > 1) & (right == 0)
    elif view != _EVERY:
        name = next(
            shortcut
            for shortcut in SHORTCUTS
            if shortcut in table.columns and heading(table, shortcut) == view
        )
        fits = flags[:, SHORTCUTS.index(name)]
    kept = np.asarray(fits, dtype=np.bool_)
    return order[kept[order]].tolist()


def _sums(table: Audit, columns: Sequence[str]) -> tuple[Ints, Ints]:
    indices = [table.columns.index(column) for column in columns if column in table.columns]
    return table.solved[:, indices].sum(axis=1), table.asked[:, indices].sum(axis=1)


def _cards(snapshot: Snapshot, table: Audit, flags: Bools, enough: Enough) -> list[str]:
    """One card a shortcut: how many questions it solves, and how many blind guesses would."""
    shown: list[str] = []
    for index, name in enumerate(SHORTCUTS):
        if name not in table.columns:
            continue
        column = table.columns.index(name)
        asked = table.asked[:, column]
        total, hits = int((asked > 0).sum()), int(flags[:, index].sum())
        share = f"{percent_text(hits / total, 0)} of {count(total, 'question')}" if total else ""
        lucky = (
            "solved no less often than in order"
            if name == SHUFFLED
            else f"blind guesses would solve {_lucky(snapshot, table, asked, enough):.1f}"
        )
        runs = count(len(table.runs[column]), "run")
        shown.append(cards.number_card(heading(table, name), f"{hits:,}", runs, [share, lucky]))
    some = int(flags.any(axis=1).sum())
    total = len(table.uid)
    shown.append(
        cards.number_card(
            "Any shortcut", f"{some:,}", f"of {total:,}", [f"{total - some:,} without one"]
        )
    )
    return shown


def _lucky(snapshot: Snapshot, audited: Audit, asked: Ints, enough: Enough) -> float:
    """How many questions so many blind guesses would solve."""
    table = solved_table(snapshot)
    options = dict(zip(table.question_id.tolist(), table.questions, strict=True))
    each = [options[number].options for number in audited.question_id.tolist()]
    rights: list[int] = needed(asked, enough).tolist()
    counts: list[int] = asked.tolist()
    return sum(
        by_chance(runs, choices, right)
        for runs, choices, right in zip(counts, each, rights, strict=True)
        if runs
    )


def _nothing_yet(workspace: Workspace) -> None:
    nothing_yet(
        f"No model has answered yet. {_NEEDED}",
        IMPORT, PIPELINE, command="rushes import predictions.json", root=workspace.root,
    )  # fmt: skip
