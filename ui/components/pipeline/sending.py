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


def sending(workspace: Workspace, person: Person, table: Filtered, at: float | None) -> None:
    """Draw the form; nothing is sent before the count has been seen and the button pressed.

    Args:
        workspace: whose items.
        person: who sends.
        table: the filter.
        at: the threshold as it stands; None for a filter without scores.
    """
    st.subheader("Send the rest to people", anchor=False)
    _said(table.run.id)
    with st.container(border=True):
        wish = _wish(table, at)
        found = select(table, wish)
        st.markdown(_count(workspace, table, found))
        _how(workspace, person, table, found)


def _said(run_id: int) -> None:
    """What was sent last of this run, and the way to it."""
    sent_of, words, task = st.session_state.get(_SENT, (0, "", 0))
    if sent_of != run_id:
        return
    words_at, button_at = st.columns([8, 2], vertical_alignment="center")
    words_at.success(words, icon=":material/send:")
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
    most = most_at.number_input("At most", 1, 1_000_000, 100 if what == SAMPLE else None,
                                placeholder="all", key=f"sending most {what}")  # fmt: skip
    orders = [one for one in ORDERS if scored or one in ("random", "work")]
    if what == SAMPLE:
        orders = ["random"]
    order = cast("Order", order_at.selectbox(
        "Order", orders, format_func=ORDERS.__getitem__, key=f"sending order {what}"))  # fmt: skip
    most = None if most is None else int(most)
    if what == AROUND and at is not None:
        low, high = _between(table, at)
        return Wish(low, high, limit=most, order=order)
    return Wish(at if what == ABOVE else None, accepted=what == TAKEN, limit=most, order=order)


def _between(table: Filtered, at: float) -> tuple[float, float]:
    """Two scores to choose: at first a tenth of the items to each side of the threshold."""
    scores = np.sort(table.score[np.isfinite(table.score)])
    place = int(np.searchsorted(scores, at))
    reach = max(1, len(scores) // 10)
    below, above = scores[max(0, place - reach)], scores[min(len(scores) - 1, place + reach)]
    low_at, high_at = st.columns(2)
    low = low_at.number_input("From", value=float(below), format="%.4f", key="sending low")
    high = high_at.number_input("To below", value=float(above), format="%.4f", key="sending high")
    return float(low), float(high)


def _count(workspace: Workspace, table: Filtered, found: Selection) -> str:
    """What would be sent, what is left out, and what it takes of people's time and pay."""
    count = len(found.rows)
    beside = [f"{found.fitting:,} fit" if count < found.fitting else ""]
    beside.append(f"judged already: {found.judged:,}" if found.judged else "")
    beside.append(f"with people in another task: {found.sent:,}" if found.sent else "")
    seconds = usual_seconds(workspace, table.run.kind)
    if seconds and count:
        pay = count * seconds / 3600 * workspace.settings.rate
        beside.append(
            f"at {seconds:.0f} s each, as people took so far, about {duration(count * seconds)} "
            f"and {pay:,.{0 if pay >= 100 else 2}f} {workspace.settings.currency} for one person"
        )
    words = "; ".join(filter(None, beside))
    return (
        f"**{count:,} of {len(table.item_id):,} videos** would go to people"
        + (f" ({plain(words)})" if words else "")
        + "."
    )


def _how(workspace: Workspace, person: Person, table: Filtered, found: Selection) -> None:
    how_at, name_at, overlap_at, button_at = st.columns([4, 4, 2, 3], vertical_alignment="bottom")
    how = how_at.segmented_control(
        "As", (OWN_TASK, FIRST), default=OWN_TASK, required=True, key="sending how",
        help="First in the filter's task: the others come after them, and the task is opened.",
    )  # fmt: skip
    own, usual = how == OWN_TASK, _name(workspace, table)
    name = name_at.text_input(
        "Name of the task", usual, disabled=not own, max_chars=120, key=f"sending name {usual}"
    )
    overlap = overlap_at.number_input("People each", 1, 100, 1, key="sending overlap",
                                      disabled=not own)  # fmt: skip
    count = len(found.rows)
    if not button_at.button(f"Send {count:,} to people", type="primary", icon=":material/send:",
                            width="stretch", disabled=not count):  # fmt: skip
        return
    try:
        if own:
            task = send_as_task(workspace, table, found.rows, name, int(overlap))
            words = f"{count:,} videos are work for people in the task {plain(name)}."
        else:
            send_first(workspace, table, found.rows, person)
            task = table.run.task_id
            words = f"{count:,} videos come first in the task {plain(table.run.task)}."
    except Refusal as error:
        st.error(plain(str(error)))
        return
    st.session_state[_SENT] = table.run.id, words, task
    st.rerun()


def _name(workspace: Workspace, table: Filtered) -> str:
    return free_name(workspace, f"{table.run.task[:90]}, for people")
