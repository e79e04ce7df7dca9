"""A pipeline's filter of titles beside people: a sample for them, and what they say of it."""

import streamlit as st

from annotations.footage.step_results import Funnel
from annotations.footage.store import FootageStore
from annotations.footage.title_people import EACH, TitleAudit, ask_people, title_audit
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.statistics.metric import Estimate
from ui.components.tables import show_table


def show_titles_and_people(
    workspace: Workspace, store: FootageStore, pipeline: str, counts: Funnel
) -> None:
    """What people say of the titles that were kept and thrown away; nothing without such a step."""
    step = next((step for step in counts.steps if step.do == "title_filter" and step.units), None)
    if step is None:
        return
    st.subheader("Titles, as people see them")
    audit = title_audit(workspace, store, pipeline, step.key)
    if audit is None:
        _ask(workspace, store, pipeline, step.key)
    else:
        _figures(audit)


def _ask(workspace: Workspace, store: FootageStore, pipeline: str, step: str) -> None:
    st.caption(
        "Nobody has been asked yet whether the filter is right. A task with titles that it kept and"
        " as many that it threw away, by lot, says how many of those kept fit and how many that fit"
        " were lost. Nobody sees which is which."
    )
    number, button = st.columns([3, 1], vertical_alignment="bottom")
    each = number.number_input("Titles of each kind", 5, 500, EACH, key="footage-titles-each")
    if button.button("Ask people", key="footage-titles-ask", width="stretch"):
        ask_people(workspace, store, pipeline, step, each=int(each))
        st.rerun()


def _figures(audit: TitleAudit) -> None:
    answered = audit.asked - audit.undecided
    st.caption(
        f"{answered} of {audit.asked} titles have a yes or no of people; on them the figures rest."
        " Intervals are Wilson's at 95 %; those of recall join the ends of the two others."
    )
    columns = st.columns(3)
    for column, name, estimate in (
        (columns[0], "Kept, and fit", audit.precision),
        (columns[1], "Thrown away, and would fit", audit.missed),
        (columns[2], "Of all that fit, kept", audit.recall),
    ):
        column.metric(name, _percent(estimate), help=estimate.reason or None)
        if estimate.low is not None and estimate.high is not None:
            column.caption(f"{100 * estimate.low:.0f} to {100 * estimate.high:.0f} %")
    if audit.thresholds:
        with st.expander("What another threshold would keep"):
            show_table(
                {
                    "Threshold": [step.threshold for step in audit.thresholds],
                    "Titles kept": [step.kept for step in audit.thresholds],
                    "Of them fit %": [_share(step.precision) for step in audit.thresholds],
                    "Of all that fit, kept %": [_share(step.recall) for step in audit.thresholds],
                },
                formats={
                    "Threshold": "%.3f", "Of them fit %": "%.0f",
                    "Of all that fit, kept %": "%.0f",
                },
            )  # fmt: skip
    st.markdown(f"[The task](/tasks?task={audit.task_id})")


def _percent(estimate: Estimate) -> str:
    return percent_text(estimate.value, 0)


def _share(value: float | None) -> float | None:
    return None if value is None else 100 * value
