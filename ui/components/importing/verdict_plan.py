"""Import of verdicts on videos in the browser: what people or a filter accepted and rejected."""

from collections import Counter
from itertools import islice

import streamlit as st

from annotations.importing.verdict_plan import VerdictPlan
from ui.components.importing.prediction_plan import draw_problems
from ui.components.tables import show_table

FIRST = 5


def draw_verdicts(plan: VerdictPlan) -> None:
    """Counts, the first verdicts as read, their reasons, the mapping, the problems."""
    whose = Counter(by for by, _ in plan.drafts)
    counts = {
        "Filters" if plan.of_models else "People": len(whose),
        "Accepted": plan.counts["accept"],
        "Rejected": plan.counts["reject"],
        "Not taken": plan.problems.errors,
    }
    for column, (name, count) in zip(st.columns(len(counts)), counts.items(), strict=True):
        column.metric(name, f"{count:,}")
    if not plan.of_models:
        st.caption("People get pseudonyms; they cannot sign in, and their time is not paid here.")
    first = list(islice(plan.drafts.values(), FIRST))
    if first:
        show_table({
            "Video": [draft.video for draft in first],
            "Verdict": [draft.verdict for draft in first],
            "Reasons": ["; ".join(draft.reasons) for draft in first],
            "Score": [draft.score for draft in first],
            "Note": [draft.note for draft in first],
        })  # fmt: skip
    if plan.reasons:
        reasons = ", ".join(f"{name} {count:,}" for name, count in plan.reasons.most_common(12))
        st.caption(f"Reasons of rejections: {reasons}.".replace("$", "\\$"))
    with st.expander("What becomes what"):
        show_table({
            "Field": [field for field, _ in plan.mapping],
            "Comes from": [column for _, column in plan.mapping],
        })  # fmt: skip
    draw_problems(plan.problems)
