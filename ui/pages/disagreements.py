"""Where two authors settle what blind answers left open: worst first, one after the other."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotations.adjudication.answers_side_by_side import answers_side_by_side
from annotations.adjudication.cross_check import Decided, decided, report, waiting_for
from annotations.adjudication.outcomes import outcome_words
from annotations.agreement.disagreements import disagreements
from annotations.agreement.groups import NO_CATEGORY
from annotations.people import Person, everyone
from annotations.planning.task_store import all_tasks
from annotations.record.question import categories
from annotations.scoring.snapshot import Snapshot, take
from annotations.workspace import Workspace
from core.refusal import Missing
from ui.access import callback
from ui.components.nothing_yet import PEOPLE, nothing_yet
from ui.components.resolution.answers_on_stage import NEXT, PREVIOUS
from ui.components.resolution.cross_check import cross_check_report, second_pass_forms
from ui.components.resolution.decision_steps import OWN_STEP, said
from ui.components.resolution.new_videos import new_videos
from ui.components.resolution.resolution_screen import resolving
from ui.components.words import plain

TITLE = "Disagreements"
ICON = ":material/balance:"
ROLES = frozenset({"author", "admin"})
EVERYTHING = "all"
MOST = 500
# On a low screen everything draws closer, so that the button that signs is in sight.
LOW = """<style>
@media (max-height: 800px) {
  [data-testid="stMainBlockContainer"] { padding-top: 4.1rem; }
  [data-testid="stMainBlockContainer"] h1 { padding: 0 0 0.3rem; font-size: 1.5rem; }
  [data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.5rem; }
}
</style>"""
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
    st.html(LOW)
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
        nothing_yet(
            "No answers to compare yet. As soon as two people have answered the same items, those"
            " on which they differ are listed here, worst first.",
            PEOPLE,
        )
    elif view == VIEWS[1]:
        cross_check_report(workspace, tasks)
    else:
        _settle(workspace, person, tasks)


def _settle(workspace: Workspace, person: Person, tasks: dict[str, int]) -> None:
    columns = st.columns([3, 2, 3, 3, 3], vertical_alignment="bottom")
    people = [row.name for row in everyone(workspace) if row.answers]
    waiting = waiting_for(workspace, person)
    with take(workspace) as snapshot:
        chosen, listed = _filtered(snapshot, tasks, people, waiting, columns[:4])
        counts = _counts(snapshot, chosen)
    row, position = _pinned(workspace, listed)
    if row is None:
        st.caption(counts)
        said()
        st.success(_nothing_left())
        return
    with columns[4]:
        _walk(listed, row, position)
    where = f"{position + 1} of {len(listed)}" if row in listed else "not in this list any more"
    about = filter(None, (plain(row.uid.partition(":")[2]), plain(row.category), row.state_text))
    st.caption(f"**{where}** · {' · '.join(about)} &emsp; " + counts)
    if row not in listed:
        st.info(
            "This item has left the list since you opened it: somebody else decided, or its answers"
            " changed. It stays on screen until you go on.",
            icon=":material/sync_problem:",
        )
    resolving(workspace, person, row.item_id)


def _nothing_left() -> str:
    match st.session_state.get("disagreements state"):
        case "to sign":
            return "Nothing waits for a signature under these filters."
        case "settled":
            return "Nothing is settled yet under these filters."
        case _:
            return "Nothing is left here: no answers differ under these filters."


def _filtered(
    snapshot: Snapshot,
    tasks: dict[str, int],
    people: list[str],
    waiting: int,
    columns: list[Any],
) -> tuple[list[int], list[DisagreementRow]]:
    which, category_at, who_at, state_at = columns
    _as_address_asks()
    anew = callback(_begin_again)
    name = which.selectbox("Task", [EVERYTHING, *tasks], key="disagreements task", on_change=anew)
    chosen = [tasks[name]] if name in tasks else list(tasks.values())
    category = category_at.selectbox(
        "Category",
        [EVERYTHING, *categories(snapshot.database)],
        key="disagreements category",
        on_change=anew,
    )
    who: list[str] = who_at.multiselect(
        "Between",
        people,
        max_selections=2,
        placeholder="everybody",
        key="disagreements who",
        on_change=anew,
    )

    def named(name: str) -> str:
        return f"{name} ({waiting})" if name == STATES[1] and waiting else name

    state = state_at.segmented_control(
        "Show",
        STATES,
        default=STATES[0],
        required=True,
        key="disagreements state",
        format_func=named,
        help="In brackets: how many decisions wait for your signature.",
        on_change=anew,
    )
    category = None if category == EVERYTHING else category
    resolved = decided(snapshot, chosen)
    if state != STATES[0]:
        return chosen, [
            DisagreementRow(row.item_id, row.uid, row.category, _ended(row))
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


def _as_address_asks() -> None:
    """Show what the address names, once: ?show=to sign, or ?item=ID."""
    show, item = (st.query_params.pop(name, "") for name in ("show", "item"))
    if show in STATES:
        st.session_state["disagreements state"] = show
    if item.isdecimal():
        st.session_state[_ITEM] = int(item)


def _ended(row: Decided) -> str:
    return outcome_words(row.outcome, row.value, [response for _, response in row.answers])


def _counts(snapshot: Snapshot, tasks: list[int]) -> str:
    reports = [report(snapshot, task) for task in tasks]
    checked = sum(task_report.checked for task_report in reports)
    differ = sum(task_report.disagreements for task_report in reports)
    still = sum(task_report.open for task_report in reports)
    resolved = decided(snapshot, tasks)
    untouched = still
    if not all(row.holds for row in resolved):
        items = {row.item_id for row in resolved}
        untouched = disagreements(snapshot, tasks, leave_out=items, limit=0).total
    to_sign = f", {still - untouched:,} to sign" if still > untouched else ""
    return (
        f"{checked:,} items with two or more answers; {differ:,} in disagreement, "
        f"{differ - still:,} settled{to_sign}, {untouched:,} open. Worst first."
    )


def _pinned(
    workspace: Workspace, listed: list[DisagreementRow]
) -> tuple[DisagreementRow | None, int]:
    """The item on screen and its place in the list; None where nothing is listed or on screen.

    It is known by its id. What others do moves nobody to another item: one that has left the list
    stays until the author goes on, and only what they have decided themselves makes way.
    """
    state = st.session_state
    ids = [row.item_id for row in listed]
    pinned, own = state.get(_ITEM), state.pop(OWN_STEP, None)
    place = max(0, min(int(state.get(_PLACE, 0)), len(listed) - 1))
    if pinned in ids:
        place = ids.index(pinned)
    elif pinned is not None and pinned != own:
        row = _left_list(workspace, pinned)
        if row is not None:
            return row, place
    if not listed:
        return None, 0
    state[_ITEM], state[_PLACE] = ids[place], place
    return listed[place], place


def _left_list(workspace: Workspace, item_id: int) -> DisagreementRow | None:
    """An item that is listed no more; None if it has no answers left to look at."""
    try:
        table = answers_side_by_side(workspace, item_id)
    except Missing:
        return None
    category = table.question.category if table.question else ""
    return DisagreementRow(item_id, table.item.uid, category or NO_CATEGORY, "")


def _walk(listed: list[DisagreementRow], row: DisagreementRow, position: int) -> None:
    """Draw the buttons to the items before and after, which keys press as well."""
    ids = [entry.item_id for entry in listed]
    before, after = position - 1, position + 1
    if row not in listed:  # the one that took its place comes after it
        after = position if position < len(ids) else len(ids)
    back, on = st.columns(2)
    back.button("Previous", shortcut="B", disabled=before < 0 or not ids, width="stretch",
                key=PREVIOUS, on_click=callback(_go), args=(ids, before))  # fmt: skip
    on.button("Next", shortcut="N", disabled=after >= len(ids), width="stretch",
              key=NEXT, on_click=callback(_go), args=(ids, after))  # fmt: skip


def _go(ids: list[int], index: int) -> None:
    st.session_state[_ITEM], st.session_state[_PLACE] = ids[index], index


def _begin_again() -> None:
    """Show the first item of a list that was chosen anew."""
    st.session_state.pop(_ITEM, None)
    st.session_state.pop(_PLACE, None)
