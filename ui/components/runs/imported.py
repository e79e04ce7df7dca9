"""What a harness made of replies beside what our rules make of them."""

from collections.abc import Mapping, Sequence

import streamlit as st

from annotations.scoring.prediction_differences import Comparison, compare, differences
from ui.components.downloads import take_table
from ui.components.runs.asked import Asked
from ui.components.runs.words import percent
from ui.components.tables import show_table

_MOST_ROWS = 500


def draw(asked: Asked) -> None:
    """Draw all runs with an imported score, then the replies of one that are scored otherwise."""
    runs = [run for run in asked.snapshot.predictions.runs if run.condition]
    compared = {run.id: compare(asked.snapshot, run.id) for run in runs}
    scored = [run for run in runs if compared[run.id].n]
    if not scored:
        st.info(
            "No run came with a score of its own. Scores in files of lmms-eval, VLMEvalKit or "
            "TempCompass are shown here beside ours, which are read anew from each reply.",
            icon=":material/balance:",
        )
        return
    st.caption(
        "Our numbers are always read from the raw replies; the score that a file held is never "
        "used for them. Both accuracies are over the replies that both scored."
    )
    columns = _columns([run.name for run in scored], [compared[run.id] for run in scored])
    show_table(columns, formats=dict.fromkeys(("Ours %", "Theirs %"), "%.1f"))
    take_table("imported scores", columns)
    names = {run.id: run.name for run in scored}
    differing = max(scored, key=lambda run: compared[run.id].differ)
    chosen = st.selectbox(
        "Replies scored otherwise, of", list(names), index=list(names).index(differing.id),
        format_func=names.__getitem__, key="runs imported",
    )  # fmt: skip
    _replies(asked, chosen, compared[chosen])


def _replies(asked: Asked, run_id: int, comparison: Comparison) -> None:
    rows = [difference.as_dict() for difference in differences(asked.snapshot, run_id)]
    rules: dict[str, list[object]] = {
        "Rule": [rule[0] for rule in comparison.by_rule],
        "Replies": [rule[1] for rule in comparison.by_rule],
        "Right by ours only": [rule[2] for rule in comparison.by_rule],
        "Right by theirs only": [rule[3] for rule in comparison.by_rule],
    }
    if not rows:
        st.success("Both score every reply alike.", icon=":material/check:")
        return
    replies_at, rules_at = st.columns([2, 1], gap="medium")
    with replies_at:
        columns = _turned(rows)
        show_table({name: cells[:_MOST_ROWS] for name, cells in columns.items()}, height=420)
        if len(rows) > _MOST_ROWS:
            st.caption(f"The first {_MOST_ROWS:,} of {len(rows):,}; the files hold all.")
        take_table(f"replies scored otherwise, run {run_id}", columns)
    with rules_at:
        show_table(rules)


def _columns(names: Sequence[str], comparisons: Sequence[Comparison]) -> dict[str, list[object]]:
    return {
        "Run": list(names),
        "Their score": [comparison.name for comparison in comparisons],
        "Ours %": [percent(comparison.ours) for comparison in comparisons],
        "Theirs %": [percent(comparison.theirs) for comparison in comparisons],
        "Replies": [comparison.n for comparison in comparisons],
        "Scored otherwise": [comparison.differ for comparison in comparisons],
    }


def _turned(rows: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    """Rows as columns, those first that tell most."""
    leading = ["question", "verdict", "reply", "key", "our reading", "their reading", "their score"]
    names = leading + [name for name in rows[0] if name not in leading]
    return {name.capitalize(): [row[name] for row in rows] for name in names}
