"""Import of people's answers in the browser: the plan of what another tool holds."""

import streamlit as st

from annotations.importing.answer_plan import AnswerPlan
from core.number_text import percent_text
from ui.components.importing.prediction_plan import draw_problems
from ui.components.tables import show_table

FIRST = 5


def draw_answers(plan: AnswerPlan) -> None:
    """Counts, what is left out and why, the first answers as read, the mapping, the problems."""
    right, keyed = plan.right
    counts = {
        "People": f"{len(plan.people):,}",
        "Answers that count": f"{plan.matched:,}",
        "Left out": f"{plan.left_out.total():,}",
        "Not taken": f"{plan.unmatched + plan.unread:,}",
        "Right": percent_text(right / keyed) if keyed else "no keys",
    }
    for column, (name, count) in zip(st.columns(len(counts)), counts.items(), strict=True):
        column.metric(name, count)
    notes = [f"{count:,} {reason}" for reason, count in plan.left_out.most_common()]
    if notes:
        st.caption("Left out: " + ", ".join(notes) + ".")
    st.caption("People get pseudonyms; they cannot sign in, and their time is not paid here.")
    first = list(plan.answers.values())[:FIRST]
    if first:
        show_table({
            "Question": [answer.match.question.uid for answer in first],
            "Answer": [answer.draft.answer.response or "" for answer in first],
            "Read as": [answer.words for answer in first],
            "Condition": [answer.draft.answer.condition or "not said" for answer in first],
            "Active s": [answer.draft.active_s for answer in first],
        }, formats={"Active s": "%.0f"})  # fmt: skip
    with st.expander("What becomes what"):
        for file in plan.files:
            st.caption(f"{file.source}: {', '.join(path.name for path in file.files)}")
            show_table({
                "Field": [field for field, _ in file.mapping],
                "Comes from": [source for _, source in file.mapping],
            })  # fmt: skip
    draw_problems(plan.problems)
