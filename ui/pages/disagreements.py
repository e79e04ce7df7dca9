"""Where two authors settle what blind answers left open: worst first, one after the other."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotations.adjudication.cross_check import decided, report
from annotations.adjudication.resolution import OUTCOMES
from annotations.agreement.disagreements import disagreements
from annotations.people import Person, everyone
from annotations.planning.task_store import all_tasks
from annotations.record.question import categories
from annotations.scoring.snapshot import Snapshot, take
from annotations.workspace import Workspace
from ui.access import callback
from ui.components.resolution.cross_check import cross_check_report, second_pass_forms
from ui.components.resolution.decision_steps import said
from ui.components.resolution.new_videos import new_videos
from ui.components.resolution.resolution_screen import resolving
from ui.components.words import plain

TITLE = "Disagreements"
ICON = ":material/balance:"
ROLES = frozenset({"author", "admin"})
EVERYTHING = "all"
MOST = 500
VIEWS = "Settle", "Report", "Blind second pass", "New videos"
STATES = "open", "to sign", "settled"
_ITEM, _PLACE = "disagreement item", "disagreement place"


@dataclass(frozen=True)
class DisagreementRow:
    """An item of the list, with a text on how far apart its answers are or how it ended."""

    item_id: int
    uid: str
    category: str
    state_text: str


def render(workspace: Workspace, person: Person) -> None:
    """Filters and counts, then one item at a time; or the report; or a further pass."""
    title_at, view_at = st.columns([2, 3], vertical_alignment="bottom")
    title_at.title("Disagreements")
    with view_at, st.container(horizontal_alignment="right"):
        view = st.segmented_control(
            "View",
            VIEWS,
            default=VIEWS[0],
            required=True,
            key="disagreements view",
            label_visibility="collapsed",
        )
    tasks = {task.name: task.id for task in all_tasks(workspace) if task.answers}
    if view == VIEWS[3]:
        new_videos(workspace, person)
    elif view == VIEWS[2]:
        second_pass_forms(workspace)
    elif not tasks:
        st.info(
            "No answers to compare yet. As soon as two people have answered the same items, those"
            " on which they differ are listed here, worst first."
        )
    elif view == VIEWS[1]:
        cross_check_report(workspace, tasks)
    else:
        _settle(workspace, person, tasks)


def _settle(workspace: Workspace, person: Person, tasks: dict[str, int]) -> None:
    columns = st.columns([3, 2, 3, 3, 3], vertical_alignment="bottom")
    people = [str(row["name"]) for row in everyone(workspace) if row["answers"]]
    with take(workspace) as snapshot:
        chosen, listed = _filtered(snapshot, tasks, people, columns[:4])
        counts = _counts(snapshot, chosen)
    if not listed:
        st.caption(counts)
        said()
        st.success("Nothing is left here: no answers differ under these filters.")
        return
    with columns[4]:
        row = _walk(listed)
    st.caption(
        f"**{listed.index(row) + 1} of {len(listed)}** · {plain(row.uid.partition(':')[2])} · "
        f"{plain(row.category)} · {row.state_text} &emsp; " + counts
    )
    resolving(workspace, person, row.item_id)


def _filtered(
    snapshot: Snapshot, tasks: dict[str, int], people: list[str], columns: list[Any]
) -> tuple[list[int], list[DisagreementRow]]:
    which, category_at, who_at, state_at = columns
    name = which.selectbox("Task", [EVERYTHING, *tasks], key="disagreements task")
    chosen = [tasks[name]] if name in tasks else list(tasks.values())
    category = category_at.selectbox(
        "Category", [EVERYTHING, *categories(snapshot.database)], key="disagreements category"
    )
    who: list[str] = who_at.multiselect(
        "Between", people, max_selections=2, placeholder="everybody", key="disagreements who"
    )
    state = state_at.segmented_control(
        "Show", STATES, default=STATES[0], required=True, key="disagreements state"
    )
    category = None if category == EVERYTHING else category
    resolved = decided(snapshot, chosen)
    if state != STATES[0]:
        return chosen, [
            DisagreementRow(row.item_id, row.uid, row.category, OUTCOMES[row.outcome])
            for row in resolved
            if row.holds == (state == STATES[2])
            and category in (None, row.category)
            and {name for name, _ in row.answers}.issuperset(who)
        ]
    rows = disagreements(
        snapshot,
        chosen,
        category=category,
        annotators=who,
        leave_out={row.item_id for row in resolved},
        limit=MOST,
    ).rows
    return chosen, [
        DisagreementRow(
            row.item_id, row.uid, row.category, f"mean distance of answers {row.distance:.2f}"
        )
        for row in rows
    ]


def _counts(snapshot: Snapshot, tasks: list[int]) -> str:
    reports = [report(snapshot, task) for task in tasks]
    checked = sum(task_report.checked for task_report in reports)
    differ = sum(task_report.disagreements for task_report in reports)
    still = sum(task_report.open for task_report in reports)
    return (
        f"{checked:,} items with two or more answers; {differ:,} in disagreement, "
        f"{differ - still:,} settled, {still:,} open. Worst first."
    )


def _walk(listed: list[DisagreementRow]) -> DisagreementRow:
    """The item after the buttons, which keys press as well.

    It is known by its id: what others settle meanwhile moves nobody to another item. When it has
    left the list itself, the one that took its place follows.
    """
    state = st.session_state
    ids = [row.item_id for row in listed]
    index = ids.index(state[_ITEM]) if state.get(_ITEM) in ids else state.get(_PLACE, 0)
    index = max(0, min(int(index), len(listed) - 1))
    state[_ITEM], state[_PLACE] = ids[index], index
    back, on = st.columns(2)
    back.button("Previous", shortcut="B", disabled=index == 0, width="stretch",
                on_click=callback(_go), args=(ids, index - 1))  # fmt: skip
    on.button("Next", shortcut="N", disabled=index + 1 >= len(listed), width="stretch",
              on_click=callback(_go), args=(ids, index + 1))  # fmt: skip
    return listed[index]


def _go(ids: list[int], index: int) -> None:
    st.session_state[_ITEM] = ids[index]
