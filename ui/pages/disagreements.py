"""Where two authors settle what blind answers left open: worst first, one after the other."""

import streamlit as st

from annotations.crosscheck import report
from annotations.disagreements import Disagreement, disagreements
from annotations.evaluation import all_tasks
from annotations.people import Person, everyone
from annotations.workspace import Workspace
from ui.components.resolving import resolving

TITLE = "Disagreements"
ICON = ":material/balance:"
ROLES = frozenset({"author", "admin"})
EVERYTHING = "all"
MOST = 500


def render(workspace: Workspace, person: Person) -> None:
    """Filters and counts, then one item at a time."""
    st.title("Disagreements")
    tasks = {task["name"]: task["id"] for task in all_tasks(workspace) if task["answers"]}
    if not tasks:
        st.info(
            "No answers to compare yet. As soon as two people have answered the same items, those"
            " on which they differ are listed here, worst first."
        )
        return
    chosen, found, settled = _filtered(workspace, tasks)
    st.caption(_counts(workspace, chosen, settled))
    if not found:
        st.success("Nothing is open here: no answers differ under these filters.")
        return
    place = min(int(st.session_state.get("disagreement", 0)), len(found) - 1)
    place = _walk(found, place)
    resolving(workspace, person, found[place].item_id)


def _filtered(
    workspace: Workspace, tasks: dict[str, int]
) -> tuple[list[int], list[Disagreement], dict[int, str]]:
    which, category_at, who_at, state_at = st.columns([3, 2, 3, 2], vertical_alignment="bottom")
    name = which.selectbox("Task", [EVERYTHING, *tasks], key="disagreements-task")
    chosen = [tasks[name]] if name in tasks else list(tasks.values())
    categories = [
        row["category"]
        for row in workspace.store.rows(
            "SELECT DISTINCT category FROM current_question WHERE category <> '' ORDER BY category"
        )
    ]
    category = category_at.selectbox("Category", [EVERYTHING, *categories], key="disagreements-cat")
    people = [str(row["name"]) for row in everyone(workspace) if row["answers"]]
    who: list[str] = who_at.multiselect(
        "Between", people, max_selections=2, placeholder="everybody", key="disagreements-who"
    )
    state = state_at.segmented_control(
        "Show", ("open", "settled"), default="open", required=True, key="disagreements-state"
    )
    settled = _settled(workspace)
    found = disagreements(
        workspace,
        chosen,
        category=None if category == EVERYTHING else category,
        annotators=who,
        leave_out=settled if state == "open" else (),
        limit=MOST,
    ).rows
    if state == "settled":
        found = [row for row in found if row.item_id in settled]
    return chosen, list(found), settled


def _settled(workspace: Workspace) -> dict[int, str]:
    rows = workspace.store.rows(
        "SELECT item_id, outcome FROM current_resolution"
        " WHERE outcome <> 'reopen' AND signed >= signatures"
    )
    return {row["item_id"]: row["outcome"] for row in rows}


def _counts(workspace: Workspace, tasks: list[int], settled: dict[int, str]) -> str:
    del settled
    reports = [report(workspace, task) for task in tasks]
    checked = sum(one.checked for one in reports)
    differ = sum(one.disagreements for one in reports)
    still = sum(one.open for one in reports)
    return (
        f"{checked:,} items with two or more answers; {differ:,} in disagreement, "
        f"{differ - still:,} settled, {still:,} open. Worst first."
    )


def _walk(found: list[Disagreement], place: int) -> int:
    """The place in the list after the buttons, which keys press as well."""
    back, on, where = st.columns([1, 1, 6], vertical_alignment="center")
    if back.button("Previous", shortcut="Left", disabled=place == 0, width="stretch"):
        place -= 1
    if on.button("Next", shortcut="Right", disabled=place + 1 >= len(found), width="stretch"):
        place += 1
    st.session_state["disagreement"] = place
    row = found[place]
    where.markdown(
        f"**{place + 1} of {len(found)}** · {row.uid.partition(':')[2]} · {row.category} · "
        f"mean distance of answers {row.distance:.2f}"
    )
    return place
