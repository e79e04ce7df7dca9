"""Making a split: which runs, how many of them have to be right, and what that would drop."""

from collections.abc import Sequence

import streamlit as st

from annotations.filter.dropped_questions import dropped_questions
from annotations.people import Person
from annotations.scoring.snapshot import Snapshot, take
from annotations.scoring.solved_table import Entry, solved_table
from annotations.shortcut.shortcut_audit import OBJECTS, TEXT, Audit, column_of
from annotations.shortcut.splits import SplitPlan, all_splits, plan_split, store_split
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.downloads import take_table
from ui.components.runs.split_view import split_button, split_words
from ui.components.runs.words import count
from ui.components.tables import show_table
from ui.components.words import plain

_DONE = "shortcuts split stored"
_BACK = "shortcuts taken back"  # ids of questions that stay although a rule drops them
MOST_SHOWN = 200
DEAF_BLIND = "Deaf-blind: most of the text-only runs (K9-Bench 3.4)"
EVERY_TIME = "Text alone, right every time (ActionAtlas 2.7)"
UNANIMOUS = "Objects alone, unanimous (UTD 3.3.3)"
OWN = "A rule of my own"
_SAID = {
    DEAF_BLIND: "Three models see the text alone; a question is dropped when two of them are "
    "right. With more runs, choose three.",
    EVERY_TIME: "One model answers from the text alone three times, as three runs; a question is "
    "dropped when it is right every time. Choose the three runs.",
    UNANIMOUS: "Runs see nothing but the names of objects; a question is dropped when all are "
    "right.",
    OWN: "Any runs, people too, and any number of them.",
}


def split_maker(workspace: Workspace, snapshot: Snapshot, person: Person, table: Audit) -> None:
    """Draw the rule, what it would drop, the button that stores it, and the stored splits."""
    st.subheader("Make a split from this")
    if stored := st.session_state.pop(_DONE, ""):
        st.success(stored, icon=":material/check:")
    rule_at, preview_at = st.columns([1, 1], gap="large")
    with rule_at:
        plan = _rule(snapshot, table)
    with preview_at:
        if plan is not None:
            _preview(plan)
    if plan is not None:
        _dropped(snapshot, plan)
    if plan is not None:
        with rule_at:
            _store(workspace, person, plan)
    _stored(workspace)


def _rule(snapshot: Snapshot, table: Audit) -> SplitPlan | None:
    """The choice of runs and of their number; None while it is not complete."""
    preset = st.selectbox("Rule", list(_SAID), key="shortcuts rule")
    st.caption(_SAID[preset])
    entries = [entry for entry in solved_table(snapshot).entries if _offered(entry, preset)]
    names = {entry.key: entry.name for entry in entries}
    if not names:
        st.info("No run fits this rule yet.", icon=":material/info:")
        return None
    keys = list(names)
    runs = st.multiselect(
        "Runs", keys, default=_first(keys, preset), format_func=names.__getitem__,
        key=f"shortcuts split runs {preset}",
    )  # fmt: skip
    if not runs:
        st.caption("Choose one run or more.")
        return None
    total = len(runs)
    usual = total // 2 + 1 if preset in (DEAF_BLIND, OWN) else total
    drop_when = st.number_input(
        f"Drop a question when so many of {count(total, 'run')} are right", 1, total, usual,
        key=f"shortcuts split when {preset} {total}",
        help="All of them: unanimous. More than half: majority.",
    )  # fmt: skip
    back: list[int] = st.session_state.get(f"{_BACK} {total} {drop_when}", [])
    return plan_split(snapshot, runs, int(drop_when), back)


def _offered(entry: Entry, preset: str) -> bool:
    column = column_of(entry, "")
    if preset in (DEAF_BLIND, EVERY_TIME):
        return column == TEXT
    return column == OBJECTS if preset == UNANIMOUS else True


def _first(keys: Sequence[str], preset: str) -> list[str]:
    if preset == OWN:
        return []
    return list(keys) if preset == UNANIMOUS else list(keys[:3])


def _preview(plan: SplitPlan) -> None:
    """What the rule keeps and drops, in all and by category, before anything is stored."""
    kept, total = int(plan.kept.sum()), len(plan.kept)
    st.markdown(
        f"**{kept:,} of {count(total, 'question')} kept, {total - kept:,} dropped.** "
        f"Blind guesses alone would drop {plan.by_chance:.1f}."
    )
    if plan.unjudged:
        st.caption(f"{count(plan.unjudged, 'question')} kept though not all runs answered.")
    columns: dict[str, list[object]] = {
        "Category": [category.category for category in plan.categories],
        "Kept": [category.kept for category in plan.categories],
        "Dropped": [category.dropped for category in plan.categories],
        "Dropped %": [
            round(100 * category.dropped / (category.kept + category.dropped), 1)
            for category in plan.categories
        ],
    }
    show_table(columns, formats={"Dropped %": "%.1f"})
    take_table("split by category", columns)


def _dropped(snapshot: Snapshot, plan: SplitPlan) -> None:
    """The questions that the rule drops, each to be looked at and, by a tick, taken back."""
    questions = dropped_questions(snapshot, plan)
    if not questions:
        return
    with st.expander(f"Look at the {count(len(questions), 'question')} that the rule drops"):
        shown = questions[:MOST_SHOWN]
        st.caption(
            "A question that words alone solve may still be worth keeping, or its wrong options "
            "mended. The split says how many were taken back."
        )
        columns: dict[str, list[object]] = {
            "Question": [one.text for one in shown],
            "Key": [one.key for one in shown],
            "Options": [one.options for one in shown],
            "Runs right": [f"{one.solved} of {len(plan.runs)}" for one in shown],
            "Taken back": [one.taken_back for one in shown],
            "Id": [one.uid for one in shown],
        }
        show_table(columns, height=300, wide=("Question", "Options"))
        if len(questions) > len(shown):
            st.caption(f"The first {len(shown):,} are shown.")
        names = {one.id: f"{one.uid} {one.text}" for one in questions}
        st.multiselect(
            "Take back, so that they stay in the split", list(names),
            format_func=names.__getitem__, key=f"{_BACK} {len(plan.runs)} {plan.drop_when}",
            placeholder="None",
        )  # fmt: skip


def _store(workspace: Workspace, person: Person, plan: SplitPlan) -> None:
    name_at, button_at = st.columns([3, 1], vertical_alignment="bottom")
    name = name_at.text_input("Name of the split", key="shortcuts split name", max_chars=80)
    if button_at.button("Store", type="primary", width="stretch", key="shortcuts split store"):
        try:
            store_split(workspace, name, plan, person.id)
        except Refusal as error:
            st.error(plain(str(error)))
            return
        st.session_state[_DONE] = (
            f"Stored “{plain(name)}”: {int(plan.kept.sum()):,} questions kept. Its lists of ids "
            "are below, and runs on it are on the page Runs."
        )
        st.rerun()


def _stored(workspace: Workspace) -> None:
    with take(workspace) as snapshot:
        stored = all_splits(snapshot)
    if stored:
        st.subheader("Stored splits")
    for split in stored:
        words_at, button_at = st.columns([5, 1], vertical_alignment="center")
        words_at.markdown(f"**{plain(split.name)}**")
        words_at.caption(split_words(split))
        with button_at, st.container(horizontal_alignment="right"):
            split_button(workspace, split)
