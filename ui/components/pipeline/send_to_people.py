"""'Send the rest to people': what would be sent and what it costs, then a task for them."""

from typing import cast

import numpy as np
import streamlit as st

from annotations.engine.run_results import usual_seconds
from annotations.filter.filter_table import Filtered
from annotations.filter.send_to_people import (
    Order,
    Selection,
    Wish,
    select,
    send_as_task,
    send_first,
)
from annotations.people import Person
from annotations.planning.task_names import free_name
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.pipeline.run_state import duration
from ui.components.words import plain
from ui.going import go_to

ABOVE, AROUND, SAMPLE, TAKEN = (
    "At or above the threshold", "Between two scores", "A random sample", "What it accepts",
)  # fmt: skip
ORDERS: dict[Order, str] = {
    "highest": "highest scores first", "lowest": "lowest scores first",
    "random": "in random order", "work": "in the order of the task",
}  # fmt: skip
OWN_TASK, FIRST = "A task of their own", "First in the filter's task"
_SENT = "pipeline sent"


def draw_send_form(workspace: Workspace, person: Person, table: Filtered, at: float | None) -> None:
    """Draw the form; nothing is sent before the count has been seen and the button pressed.

    Args:
        workspace: whose items.
        person: who sends.
        table: the filter.
        at: the threshold as it stands; None for a filter without scores.
    """
    st.subheader("Send the rest to people", anchor=False)
    _message(table.run.id)
    with st.container(border=True):
        wish = _wish(table, at)
        selection = select(table, wish)
        st.markdown(_count(workspace, table, selection))
        _destination(workspace, person, table, selection)


def _message(run_id: int) -> None:
    """Draw what was last sent of this run and a button that opens its task."""
    sent_of, message, task = st.session_state.get(_SENT, (0, "", 0))
    if sent_of != run_id:
        return
    words_at, button_at = st.columns([8, 2], vertical_alignment="center")
    words_at.success(message, icon=":material/send:")
    if button_at.button("Look at the task", icon=":material/assignment:", width="stretch"):
        del st.session_state[_SENT]
        go_to("tasks", task=str(task))


def _wish(table: Filtered, at: float | None) -> Wish:
    scored = at is not None
    kinds = (ABOVE, AROUND, SAMPLE) if scored else (TAKEN, SAMPLE)
    what_at, most_at, order_at = st.columns([6, 2, 3], vertical_alignment="bottom")
    what = what_at.segmented_control(
        "Which videos", kinds, default=kinds[0], required=True, key="sending what",
        help="A random sample is what a threshold is learned on: send one first, find the "
        "threshold, then send what is above it.",
    )  # fmt: skip
    limit = most_at.number_input("At most", 1, 1_000_000, 100 if what == SAMPLE else None,
                                placeholder="all", key=f"sending most {what}")  # fmt: skip
    orders = [order_name for order_name in ORDERS if scored or order_name in ("random", "work")]
    if what == SAMPLE:
        orders = ["random"]
    order = cast("Order", order_at.selectbox(
        "Order", orders, format_func=ORDERS.__getitem__, key=f"sending order {what}"))  # fmt: skip
    limit = None if limit is None else int(limit)
    if what == AROUND and at is not None:
        low, high = _between(table, at)
        return Wish(low, high, limit=limit, order=order)
    return Wish(at if what == ABOVE else None, accepted=what == TAKEN, limit=limit, order=order)


def _between(table: Filtered, at: float) -> tuple[float, float]:
    """Two chosen scores; at first a tenth of the items on each side of the threshold."""
    scores = np.sort(table.score[np.isfinite(table.score)])
    position = int(np.searchsorted(scores, at))
    reach = max(1, len(scores) // 10)
    below, above = scores[max(0, position - reach)], scores[min(len(scores) - 1, position + reach)]
    low_at, high_at = st.columns(2)
    low = low_at.number_input("From", value=float(below), format="%.4f", key="sending low")
    high = high_at.number_input("To below", value=float(above), format="%.4f", key="sending high")
    return float(low), float(high)


def _count(workspace: Workspace, table: Filtered, selection: Selection) -> str:
    """Sentence on what would be sent, what is left out, and the time and pay it costs."""
    count = len(selection.rows)
    beside = [f"{selection.fitting:,} fit" if count < selection.fitting else ""]
    beside.append(f"judged already: {selection.judged:,}" if selection.judged else "")
    beside.append(f"with people in another task: {selection.sent:,}" if selection.sent else "")
    seconds = usual_seconds(workspace, table.run.kind)
    if seconds and count:
        pay = count * seconds / 3600 * workspace.settings.rate
        beside.append(
            f"at {seconds:.0f} s each, as people took so far, about {duration(count * seconds)} "
            f"and {pay:,.{0 if pay >= 100 else 2}f} {workspace.settings.currency} for one person"
        )
    remarks = "; ".join(filter(None, beside))
    return (
        f"**{count:,} of {len(table.item_id):,} videos** would go to people"
        + (f" ({plain(remarks)})" if remarks else "")
        + "."
    )


def _destination(
    workspace: Workspace, person: Person, table: Filtered, selection: Selection
) -> None:
    how_at, name_at, overlap_at, button_at = st.columns([4, 4, 2, 3], vertical_alignment="bottom")
    how = how_at.segmented_control(
        "As", (OWN_TASK, FIRST), default=OWN_TASK, required=True, key="sending how",
        help="First in the filter's task: the others come after them, and the task is opened.",
    )  # fmt: skip
    is_new, usual = how == OWN_TASK, _name(workspace, table)
    name = name_at.text_input(
        "Name of the task", usual, disabled=not is_new, max_chars=120, key=f"sending name {usual}"
    )
    overlap = overlap_at.number_input("People each", 1, 100, 1, key="sending overlap",
                                      disabled=not is_new)  # fmt: skip
    count = len(selection.rows)
    if not button_at.button(f"Send {count:,} to people", type="primary", icon=":material/send:",
                            width="stretch", disabled=not count):  # fmt: skip
        return
    try:
        if is_new:
            task = send_as_task(workspace, table, selection.rows, name, int(overlap))
            message = f"{count:,} videos are work for people in the task {plain(name)}."
        else:
            send_first(workspace, table, selection.rows, person)
            task = table.run.task_id
            message = f"{count:,} videos come first in the task {plain(table.run.task)}."
    except Refusal as error:
        st.error(plain(str(error)))
        return
    st.session_state[_SENT] = table.run.id, message, task
    st.rerun()


def _name(workspace: Workspace, table: Filtered) -> str:
    return free_name(workspace, f"{table.run.task[:90]}, for people")
