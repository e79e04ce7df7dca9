"""Fewer answers for the same certainty: draw what people label, and what it says of everything."""

import streamlit as st

from annotations.filter.fewer_answers import WANTED_WIDTH, Worth, worth
from annotations.filter.filter_table import Filtered, filtered
from annotations.filter.label_samples import draw
from annotations.scoring.snapshot import Snapshot, take
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.statistics.metric import Estimate
from ui.access import callback
from ui.components.tables import show_table
from ui.components.words import plain

_DONE = "fewer answers done"


def fewer_answers(
    workspace: Workspace, snapshot: Snapshot, table: Filtered, threshold: float | None
) -> None:
    """Draw the estimates from the labels so far, and the form that draws more to label."""
    st.subheader("Fewer answers, the same certainty", anchor=False)
    level, message = st.session_state.pop(_DONE, ("", ""))
    if level:
        (st.success if level == "success" else st.error)(message)
    figures = worth(snapshot, table, threshold)
    if figures is None:
        st.caption(
            "Draw a sample for people to label: more of it where the filter is in doubt or filters"
            " differ. With the filter's own verdicts on everything it says as much as a far larger"
            " sample that people label alone."
        )
    else:
        _figures(figures)
    _form(workspace, table, threshold)


def _figures(figures: Worth) -> None:
    st.caption(
        f"{figures.judged:,} of {figures.drawn:,} drawn items are labelled by people; the filter"
        f" judged {figures.everything:,}. Each label weighs by one over its chance to be drawn."
        " Bare verdicts that are right nine times in ten save 64 % of the answers at the very most;"
        " a filter whose scores say when it is in doubt can save more."
    )
    more = [part.more_until(WANTED_WIDTH) for _, _, part in figures.figures]
    show_table(
        {
            "Figure": [name for name, _, _ in figures.figures],
            "What it says": [words for _, words, _ in figures.figures],
            "With the filter, %": [_words(part.estimate) for _, _, part in figures.figures],
            "People alone, %": [_words(part.alone) for _, _, part in figures.figures],
            "Saved beside these labels alone, %": [
                "–" if part.estimate.value is None else f"{100 * part.saved:.0f}"
                for _, _, part in figures.figures
            ],
            f"More answers until ± {100 * WANTED_WIDTH:.0f} points": [
                "–" if count is None else f"{count:,}" for count in more
            ],
        }
    )


def _words(estimate: Estimate) -> str:
    if estimate.value is None:
        return f"– ({estimate.reason})"
    bounds = estimate.exact if estimate.low is None else (estimate.low, estimate.high)
    if bounds is None or bounds[1] is None:
        return f"{100 * estimate.value:.1f}"
    return f"{100 * estimate.value:.1f} ({100 * bounds[0]:.1f} to {100 * bounds[1]:.1f})"


def _form(workspace: Workspace, table: Filtered, threshold: float | None) -> None:
    key = f"fewer {table.run.id}"
    name_at, count_at, button_at = st.columns([5, 2, 2], vertical_alignment="bottom")
    name_at.text_input(
        "Name of the task", value=f"Labels for {table.run.model}", max_chars=120, key=f"{key} name"
    )
    count_at.number_input(
        "Answers", min_value=10, max_value=max(10, len(table.item_id)),
        value=min(100, max(10, len(table.item_id))), key=f"{key} count",
    )  # fmt: skip
    button_at.button(
        "Draw and ask people",
        key=f"{key} go",
        width="stretch",
        on_click=callback(_draw),
        args=(workspace, table.run.id, threshold, key),
    )


def _draw(workspace: Workspace, run_id: int, threshold: float | None, key: str) -> None:
    state = st.session_state
    name = str(state[f"{key} name"])
    try:
        with take(workspace) as snapshot:
            table = filtered(snapshot, run_id)
            draw(workspace, snapshot, table, int(state[f"{key} count"]), name, threshold=threshold)
    except Refusal as error:
        state[_DONE] = "error", plain(str(error))
    else:
        state[_DONE] = "success", f"The task “{plain(name)}” is open: people label what was drawn."
