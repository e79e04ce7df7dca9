"""One task for its author: what waits, its items, its people and pay, and the newest answers."""

import streamlit as st

from annotations.answering.assignments import assign, assigned
from annotations.answering.early_stop import (
    set_adaptive,
    set_overlap,
    set_priority,
    set_signatures,
    set_skip_limit,
)
from annotations.answering.returns import (
    open_again,
    return_answer,
    skipped_items,
    waiting_items,
    withdraw,
)
from annotations.people import Person, everyone
from annotations.planning.item_list import (
    MOST,
    ListedAnswer,
    ListedItem,
    item_list,
    item_name,
    newest_answers,
    task_summary,
)
from annotations.planning.task_store import set_rate
from annotations.record.task import TaskCounts
from annotations.review.apply_review import makes_questions
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.resolution.signatures_field import signatures_field
from ui.components.tables import show_table
from ui.components.task.reviewed_questions import show_reviewed
from ui.components.words import plain

DONE = "tasks-done"
REVIEWED = "Reviewed questions"
TABLE_PX = 352


def show_task(workspace: Workspace, person: Person, task: TaskCounts) -> None:
    """Tabs with everything that an author does to a task that runs."""
    message = st.session_state.pop(DONE, "")
    if message:
        st.toast(plain(message), icon=":material/check:")
    labels = [f"Waiting for you ({task.waiting})", "Items", "People and pay", "Answers"]
    reviewing = makes_questions(task.kind)
    waiting, items, people, answers, *reviewed = st.tabs(
        [*labels, REVIEWED] if reviewing else labels,
        key="tasks-tab-reviewed" if reviewing else "tasks-tab",
        on_change="rerun" if reviewing else "ignore",
    )
    with waiting:
        _waiting(workspace, person, task)
    with items:
        _items(workspace, person, task)
    with people:
        _people(workspace, task)
    with answers:
        _answers(workspace, person, task)
    for tab in reviewed:
        if tab.open:
            with tab:
                show_reviewed(workspace, person, task.id, _finish)


def _finish(message: str) -> None:
    """Draw the page again with what has changed, and say what was done."""
    st.session_state[DONE] = message
    st.rerun()


def _waiting(workspace: Workspace, person: Person, task: TaskCounts) -> None:
    items = waiting_items(workspace, task.id)
    if not items:
        st.caption(
            f"Nothing waits. An item comes here once {_people_have(task.skip_limit)} skipped "
            "it, and is not handed out until you have looked at it."
        )
        _skips(workspace, task)
        return
    show_table(
        {
            "Item": [item_name(row.uid) for row in items],
            "Skipped by": ["; ".join(row.reasons) for row in items],
            "Answers": [row.answers for row in items],
        }
    )
    names = {row.id: item_name(row.uid) for row in items}
    with st.form("tasks-waiting", border=False):
        chosen = st.multiselect(
            "Items", list(names), format_func=lambda item: names[item], placeholder="all of them"
        )
        comment = st.text_input(
            "Comment", placeholder="Shown to those who skipped it, or kept as the reason"
        )
        with st.container(horizontal=True):
            again = st.form_submit_button("Hand out again", type="primary")
            out = st.form_submit_button("Withdraw")
    numbers = chosen or list(names)
    try:
        if again:
            open_again(workspace, person, numbers, comment)
            _finish(f"{_count(len(numbers))} handed out again.")
        if out:
            withdraw(workspace, person, numbers, comment)
            _finish(f"{_count(len(numbers))} withdrawn.")
    except Refusal as error:
        st.error(plain(str(error)))
    _skips(workspace, task)


def _people_have(count: int) -> str:
    return "1 person has" if count == 1 else f"{count} people have"


def _skips(workspace: Workspace, task: TaskCounts) -> None:
    """Every other skip with its reason: one is enough to look at, though others may answer."""
    items = skipped_items(workspace, task.id)
    if not items:
        return
    st.caption("Skipped by somebody, and still open to others:")
    show_table(
        {
            "Item": [item_name(row.uid) for row in items],
            "Skipped by": ["; ".join(row.reasons) for row in items],
            "Answers": [row.answers for row in items],
        }
    )


def _items(workspace: Workspace, person: Person, task: TaskCounts) -> None:
    list_at, form_at = st.columns([5, 3], gap="medium")
    with list_at:
        search = st.text_input(
            "Find", placeholder="part of a name", key="tasks-find", icon=":material/search:",
            label_visibility="collapsed",
        )  # fmt: skip
        items = item_list(workspace, task.id, search or "")
        if not items:
            st.caption("No item's name holds these words.")
            return
        show_table(
            {
                "Item": [item_name(row.uid) for row in items],
                "State": [_state(row, task) for row in items],
                "Answers": [_of(row) for row in items],
                "Skips": [row.skips for row in items],
                "Priority": [row.priority for row in items],
                "For": [row.people or "" for row in items],
            },
            height=TABLE_PX if len(items) > 8 else None,
        )
        if len(items) == MOST:
            st.caption(f"The first {MOST:,} are listed. Find the others by their names.")
    names = {row.id: item_name(row.uid) for row in items}
    with form_at:
        _change_items(workspace, person, task, names)


def _change_items(
    workspace: Workspace, person: Person, task: TaskCounts, names: dict[int, str]
) -> None:
    with st.form("tasks-items", border=True):
        chosen = st.multiselect(
            "Items", list(names), format_func=lambda item: names[item],
            placeholder=f"all {len(names):,} listed",
        )  # fmt: skip
        what, value = st.columns([3, 2], vertical_alignment="bottom")
        action = what.selectbox("Change", ("Priority", "People per item", "Named people"))
        number = value.number_input("To", -1000, 1000, 1)
        people = st.multiselect(
            "Named people", _people_names(workspace), placeholder="everybody on the task"
        )
        go = st.form_submit_button("Change", type="primary")
    if not go:
        return
    numbers = chosen or list(names)
    try:
        if action == "Priority":
            set_priority(workspace, person, numbers, int(number))
        elif action == "People per item":
            set_overlap(workspace, person, numbers, int(number))
        else:
            assign(workspace, task.id, people, items=numbers)
    except Refusal as error:
        st.error(plain(str(error)))
        return
    _finish(f"{action} of {_count(len(numbers))} changed.")


def _people(workspace: Workspace, task: TaskCounts) -> None:
    with st.form("tasks-people", border=False):
        people = st.multiselect(
            "Who may work on it",
            _people_names(workspace),
            assigned(workspace, task.id),
            placeholder="everybody who is invited",
        )
        rate_at, skips_at, early_at = st.columns(3, vertical_alignment="bottom")
        rate = rate_at.number_input(
            f"{workspace.settings.currency} per hour", 0.0, 99_999.0, task.rate,
            placeholder=f"{workspace.settings.rate:g}, as everywhere",
        )  # fmt: skip
        skips = skips_at.number_input("Skips until you look", 1, 1000, int(task.skip_limit))
        signatures = signatures_field("tasks-signatures", task.signatures)
        early = early_at.toggle("Stop once the decision is certain", bool(task.adaptive))
        if st.form_submit_button("Save", type="primary"):
            assign(workspace, task.id, people)
            set_rate(workspace, task.id, rate)
            set_skip_limit(workspace, task.id, int(skips))
            set_signatures(workspace, task.id, signatures)
            if early != bool(task.adaptive):
                set_adaptive(workspace, task.id, early)
            _finish("Saved.")


def _answers(workspace: Workspace, person: Person, task: TaskCounts) -> None:
    answers = newest_answers(workspace, task.id)
    if not answers:
        st.caption("Nobody has answered yet.")
        return
    if summary := task_summary(workspace, task.id):
        st.markdown(plain(summary.words))
        if summary.columns:
            show_table(summary.columns)
    list_at, form_at = st.columns([5, 3], gap="medium")
    with list_at:
        show_table(
            {
                "Item": [item_name(row.uid) for row in answers],
                "Person": [row.name for row in answers],
                "Answer": [row.words for row in answers],
                "": [_note(row) for row in answers],
            },
            height=TABLE_PX if len(answers) > 8 else None,
        )
    names = {row.id: f"{item_name(row.uid)}, {row.name}: {row.words}" for row in answers}
    with form_at, st.form("tasks-return", border=True, clear_on_submit=True):
        st.markdown("**Return an answer**")
        chosen = st.selectbox(
            "Answer", list(names), None, format_func=lambda answer: names[answer],
            placeholder="item, person or words of it",
        )  # fmt: skip
        comment = st.text_input("Comment", placeholder="What should they look at again?")
        go = st.form_submit_button("Return it", type="primary")
        st.caption(
            "It comes back first to whoever gave it, with your comment. Their new answer counts; "
            "the old one is kept."
        )
    if not go:
        return
    try:
        if chosen is None:
            raise Refusal("Choose the answer that goes back.")
        return_answer(workspace, person, chosen, comment)
    except Refusal as error:
        st.error(plain(str(error)))
        return
    _finish("Returned.")


def _people_names(workspace: Workspace) -> list[str]:
    return [row.name for row in everyone(workspace) if row.kind == "person"]


def _state(item: ListedItem, task: TaskCounts) -> str:
    if item.status == "withdrawn":
        return "withdrawn"
    if item.role != "work":
        return item.role
    if item.settled:
        return "settled early"
    if item.answers >= item.places:
        return "finished"
    return "waits for you" if item.skips >= task.skip_limit else "open"


def _of(item: ListedItem) -> str:
    return f"{item.answers} of {item.places}" if item.role == "work" else "not counted"


def _note(answer: ListedAnswer) -> str:
    notes = ["" if answer.role == "work" else answer.role]
    notes.append("returned" if answer.returned else "")
    notes.append(f"revision {answer.revision}" if answer.revision > 1 else "")
    return ", ".join(filter(None, notes))


def _count(number: int) -> str:
    return f"{number:,} item{'s'[: number != 1]}"
